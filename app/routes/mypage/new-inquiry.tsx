import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { NewInquiryForm } from "#app/features/inquiry/new-inquiry-form.tsx";
import { checkedLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";

export const loader = checkedLoader(requireSignedIn);

export const meta = titledMeta("문의하기", "마이페이지");

export default function NewInquiryPage() {
  return (
    <MypageSection
      title="문의하기"
      hint={
        <>
          사무국이 확인하고 답변을 드립니다. 회원님의 개인정보를 보거나 고치거나 지우시려는 것이라면{" "}
          <TextLink to="/Mypage/Privacy">개인정보 요구</TextLink>를 이용해 주십시오.
        </>
      }
    >
      <NewInquiryForm />
    </MypageSection>
  );
}
