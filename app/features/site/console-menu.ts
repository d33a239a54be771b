export interface ConsoleLink {
  label: string;
  href: string;
}

/** The console's own navigation, in groups. */
export const CONSOLE_MENU: { label: string; links: ConsoleLink[] }[] = [
  { label: "현황", links: [{ label: "한눈에 보기", href: "/Admin" }] },
  {
    label: "회원",
    links: [
      { label: "회원 관리", href: "/Admin/Members" },
      { label: "단체 메일", href: "/Admin/Mailings" },
      { label: "2단계 인증", href: "/Admin/SecondFactor" },
      { label: "역할과 권한", href: "/Admin/Roles" },
      { label: "권한 확인", href: "/Admin/Simulator" },
      { label: "개인정보", href: "/Admin/Privacy" },
    ],
  },
  {
    label: "사이트",
    links: [
      { label: "사이트 정보", href: "/Admin/Site" },
      { label: "가입 설정", href: "/Admin/Signup" },
      { label: "이용 제한", href: "/Admin/Limits" },
      { label: "동의 문서", href: "/Admin/Agreements" },
      { label: "게시판", href: "/Admin/Boards" },
      { label: "동문주소록 설정", href: "/Admin/Alumni" },
      { label: "메일 문구", href: "/Admin/MailTemplates" },
      { label: "신고", href: "/Admin/Reports" },
      { label: "이사 오기", href: "/Admin/Moving" },
    ],
  },
  {
    label: "내용",
    links: [
      { label: "페이지 내용", href: "/Admin/Contents" },
      { label: "권역센터", href: "/Admin/Centers" },
      { label: "첫 화면 바로가기", href: "/Admin/QuickLinks" },
      { label: "팝업", href: "/Admin/Popups" },
      { label: "메뉴", href: "/Admin/Menu" },
    ],
  },
  {
    label: "기록",
    links: [
      { label: "감사 기록", href: "/Admin/Audit" },
      { label: "메일·문자 기록", href: "/Admin/Messages" },
      { label: "예약 작업·백업", href: "/Admin/Jobs" },
    ],
  },
];

/** The link whose page an address is, or lies below; /Admin itself only exactly. */
export function isCurrentConsoleLink(link: ConsoleLink, pathname: string): boolean {
  const path = pathname.toLowerCase().replace(/(?<!\/)\/+$/, "");
  const own = link.href.toLowerCase();
  return path === own || (own !== "/admin" && path.startsWith(`${own}/`));
}
