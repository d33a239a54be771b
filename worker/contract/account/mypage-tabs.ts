/** The screens of a member, in the order of their tabs. */
export const MYPAGE_TABS = [
  { label: "내 활동", href: "/Mypage" },
  { label: "알림함", href: "/Mypage/Activity" },
  { label: "회원정보", href: "/Mypage/Info" },
  { label: "비밀번호", href: "/Mypage/Password" },
  { label: "2단계 인증", href: "/Mypage/Security" },
  { label: "이메일", href: "/Mypage/Email" },
  { label: "알림 설정", href: "/Mypage/Notices" },
  { label: "로그인 기기", href: "/Mypage/Sessions" },
  { label: "회비", href: "/Mypage/Dues" },
  { label: "증명서", href: "/Mypage/Certificate" },
  { label: "1:1 문의", href: "/Mypage/Inquiries" },
  { label: "개인정보 열람·정정 요청", href: "/Mypage/Privacy" },
  { label: "탈퇴", href: "/Mypage/Retire" },
] as const;

export type MypagePath = (typeof MYPAGE_TABS)[number]["href"];
