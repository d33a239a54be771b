import Download from "lucide-react/icons/download";
import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";

/** A plain link works without JavaScript because GET requests accept the cookie. */
export function OwnDataSection({ userId }: { userId: string }) {
  return (
    <MypageSection
      title="내 정보 내려받기"
      hint="이 사이트가 보관하고 있는 회원님의 정보와 작성하신 글, 동의와 로그인 기록을 파일 하나로 받으실 수 있습니다."
    >
      <a
        href={`/api/user/${userId}/export`}
        download="내 정보.json"
        className="inline-flex min-h-12 items-center gap-2 rounded-md border border-gray-40 bg-white px-5 font-semibold text-gray-80 hover:border-primary-60 hover:bg-primary-5 hover:text-primary-70"
      >
        <Download aria-hidden="true" className="size-5" />
        내려받기
      </a>
    </MypageSection>
  );
}
