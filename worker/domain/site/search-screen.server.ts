import type { AppContext } from "#worker/domain/kernel/context.ts";
import { identityOf } from "../kernel/site-identity.server.ts";
import { MYPAGE_TABS, type MypagePath } from "#worker/contract/account/mypage-tabs.ts";

interface Screen {
  title: string;
  path: string;
  /** What is done there, also found by these words. */
  text: string;
}

const MYPAGE_TEXTS: Record<MypagePath, string> = {
  "/Mypage": "작성한 글과 댓글, 알림, 문의를 한곳에서 봅니다. 마이페이지 내 활동",
  "/Mypage/Events": "신청한 행사와 대기 순서를 확인하고, 답을 고치거나 취소합니다. 사전등록",
  "/Mypage/Proposals": "연구 제안서를 작성하여 제출하고, 심의 결과를 확인합니다. 공모 연구과제 심의",
  "/Mypage/Activity": "받은 알림을 모아 봅니다.",
  "/Mypage/Info": "이름, 연락처, 소속 등 회원정보를 수정합니다. 내 정보 변경",
  "/Mypage/Password": "비밀번호를 변경합니다.",
  "/Mypage/Security": "인증 앱과 패스키를 등록하고 관리합니다. OTP 보안",
  "/Mypage/Email": "이메일 주소를 변경합니다.",
  "/Mypage/Notices": "게시판과 댓글의 메일 알림을 받거나 끕니다. 수신 거부 구독",
  "/Mypage/Sessions": "로그인한 기기를 확인하고 로그아웃합니다.",
  "/Mypage/Dues": "납부할 회비와 납부 내역을 확인합니다. 연회비 입금 계좌 영수증",
  "/Mypage/Certificate": "회원 증명서와 회비 납부 확인서를 발급하고 인쇄합니다.",
  "/Mypage/Inquiries": "운영사무국에 문의하고 답변을 확인합니다. 질문 상담",
  "/Mypage/Privacy": "개인정보 열람, 정정, 삭제, 처리정지를 요청합니다.",
  "/Mypage/Retire": "회원에서 탈퇴합니다. 계정 삭제",
};

const GUEST_SCREENS: readonly Screen[] = [
  {
    title: "로그인",
    path: "/Account/Signin",
    text: "로그인하시면 마이페이지에서 회원정보 수정, 회비 납부 내역, 증명서 발급, 1:1 문의, 탈퇴를 이용하실 수 있습니다.",
  },
  { title: "회원가입", path: "/Account/Signup", text: "약관에 동의하고 회원으로 가입합니다. 계정 만들기" },
  { title: "아이디 찾기", path: "/Account/FindId", text: "가입할 때 등록한 이메일로 아이디를 확인합니다." },
  { title: "비밀번호 찾기", path: "/Account/FindPassword", text: "이메일로 본인을 확인하고 비밀번호를 다시 정합니다." },
];

const OPEN_SCREENS: readonly Screen[] = [
  { title: "증명서 확인", path: "/Certificate", text: "발급된 증명서의 번호와 이름으로 진위를 확인합니다." },
];

const PROJECT_SCREEN: Screen = {
  title: "승인된 연구과제",
  path: "/Research/Projects",
  text: "심의를 거쳐 승인된 연구과제의 제목과 연구책임자를 봅니다.",
};

/** Screens that the reader may open; none is in English. */
export function searchedScreens(ctx: Pick<AppContext, "actor" | "storedSettings">): readonly Screen[] {
  const { hasProposals } = identityOf(ctx);
  const own =
    ctx.actor.kind === "guest"
      ? GUEST_SCREENS
      : MYPAGE_TABS.filter(({ href }) => hasProposals || href !== "/Mypage/Proposals").map(
          ({ label: title, href: path }) => ({ title, path, text: MYPAGE_TEXTS[path] }),
        );
  return [...own, ...OPEN_SCREENS, ...(hasProposals ? [PROJECT_SCREEN] : [])];
}
