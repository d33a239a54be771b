/** The screens of a member by what they are about. */
export const MYPAGE_GROUPS = [
  {
    name: "활동",
    tabs: [
      { label: "내 활동", href: "/Mypage" },
      { label: "행사 신청", href: "/Mypage/Events" },
      { label: "연구 제안", href: "/Mypage/Proposals" },
      { label: "알림함", href: "/Mypage/Activity" },
      { label: "알림 설정", href: "/Mypage/Notices" },
    ],
  },
  {
    name: "내 정보",
    tabs: [
      { label: "회원정보", href: "/Mypage/Info" },
      { label: "이메일", href: "/Mypage/Email" },
      { label: "개인정보 열람·정정 요청", href: "/Mypage/Privacy" },
      { label: "탈퇴", href: "/Mypage/Retire" },
    ],
  },
  {
    name: "보안",
    tabs: [
      { label: "비밀번호", href: "/Mypage/Password" },
      { label: "2단계 인증", href: "/Mypage/Security" },
      { label: "로그인 기기", href: "/Mypage/Sessions" },
    ],
  },
  {
    name: "사무국",
    tabs: [
      { label: "회비", href: "/Mypage/Dues" },
      { label: "증명서", href: "/Mypage/Certificate" },
      { label: "1:1 문의", href: "/Mypage/Inquiries" },
    ],
  },
] as const;

export type MypageTab = (typeof MYPAGE_GROUPS)[number]["tabs"][number];

export type MypagePath = MypageTab["href"];

export const MYPAGE_TABS: readonly MypageTab[] = MYPAGE_GROUPS.flatMap(({ tabs }): readonly MypageTab[] => tabs);
