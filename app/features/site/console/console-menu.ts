import { fillWords } from "#worker/contract/kernel/product-words.ts";
import type { SiteLook } from "#worker/contract/site/view.ts";
import { findConsoleLinkHelp } from "#app/features/site/console/console-help.ts";

export interface ConsoleLink {
  label: string;
  href: string;
  /** What is set or found there: the search of the console finds the page by these, too. */
  words: readonly string[];
}

const INQUIRIES = "/Admin/Inquiries";

/** The console's own navigation, in areas. */
export const CONSOLE_MENU: { label: string; links: ConsoleLink[] }[] = [
  {
    label: "현황",
    links: [
      { label: "한눈에 보기", href: "/Admin", words: ["할 일", "통계", "최근에 한 일", "대시보드"] },
      {
        label: "처음 설정",
        href: "/Admin/Setup",
        words: ["약관 초안", "처리방침 초안", "메일 시험", "두 번째 관리자"],
      },
      {
        label: "사무국 안내서",
        href: "/Admin/Guide",
        words: ["사용 설명서", "매뉴얼", "매주 할 일", "매년 할 일", "문제가 생기면", "인쇄"],
      },
    ],
  },
  {
    label: "회원",
    links: [
      {
        label: "회원 관리",
        href: "/Admin/Members",
        words: ["가입 승인", "회원 차단", "탈퇴 처리", "회원 내보내기", "비밀번호 초기화"],
      },
      {
        label: "1:1 문의",
        href: INQUIRIES,
        words: ["회원 질문", "문의 답변", "답변 대기", "추가 질문", "상담"],
      },
      { label: "단체 메일", href: "/Admin/Mailings", words: ["메일 보내기", "안내 메일", "광고 메일", "수신 거부"] },
      {
        label: "정보 확인",
        href: "/Admin/Rounds",
        words: ["이 정보가 맞습니까", "주소록 확인", "반송", "연락이 닿지 않는 사람", "기수별 결과"],
      },
      {
        label: "기수 대표",
        href: "/Admin/Representatives",
        words: ["수정 요청", "승인 대기", "연락이 닿지 않는 사람", "기수별 담당"],
      },
      {
        label: "{동문주소록} 통계",
        href: "/Admin/AlumniFigures",
        words: ["기수별 인원", "지역별 인원", "연락 가능한 사람", "이사회 자료", "반송된 메일"],
      },
      { label: "회원 증명서", href: "/Admin/Certificates", words: ["증명서 발급", "증명서 번호", "증명서 확인", "QR"] },
      { label: "2단계 인증", href: "/Admin/SecondFactor", words: ["패스키", "인증 앱", "복구 코드", "복구 시작"] },
      { label: "역할과 권한", href: "/Admin/Roles", words: ["관리자 권한", "역할 추가", "게시판 권한"] },
      { label: "권한 확인", href: "/Admin/Simulator", words: ["시뮬레이터", "누가 볼 수 있는지", "왜 안 보이는지"] },
      {
        label: "개인정보",
        href: "/Admin/Privacy",
        words: ["열람 요구", "정정 요구", "처리정지", "보유 기간", "파기 대장", "휴면"],
      },
    ],
  },
  {
    label: "사이트",
    links: [
      {
        label: "사이트 정보",
        href: "/Admin/Site",
        words: ["사이트 이름", "기관명", "주소", "전화", "저작권 표시", "설정 파일", "적은 수 가리기"],
      },
      {
        label: "모양과 용어",
        href: "/Admin/Identity",
        words: ["로고", "색", "파비콘", "용어", "첫 화면 구성", "바닥글", "지역 기관 숨기기", "연계 서비스 숨기기"],
      },
      {
        label: "가입 설정",
        href: "/Admin/Signup",
        words: ["로그인 방법", "가입 승인", "방문자의 역할", "이름 길이", "비밀번호 길이", "가입할 때 묻는 항목"],
      },
      {
        label: "이용 제한",
        href: "/Admin/Limits",
        words: ["로그인 시도", "인증번호 횟수", "검색 횟수", "가져오기 횟수"],
      },
      {
        label: "동의 문서",
        href: "/Admin/Agreements",
        words: ["개인정보 수집 동의", "광고 수신 동의", "시행일", "공포"],
      },
      {
        label: "게시판",
        href: "/Admin/Boards",
        words: ["게시판 추가", "게시판 닫기", "말머리", "첨부파일 크기", "비밀글", "댓글"],
      },
      {
        label: "{동문주소록} 설정",
        href: "/Admin/Alumni",
        words: ["주소록 열", "본인 수정", "공개 범위", "주소록 보관"],
      },
      {
        label: "메일 문구",
        href: "/Admin/MailTemplates",
        words: ["가입 메일", "알림 메일", "수신 동의 확인", "제목과 본문"],
      },
      { label: "신고", href: "/Admin/Reports", words: ["신고된 글", "댓글 신고"] },
      {
        label: "이사 오기",
        href: "/Admin/Moving",
        words: ["그누보드", "라이믹스", "XE", "제로보드", "워드프레스", "RDX"],
      },
    ],
  },
  {
    label: "내용",
    links: [
      {
        label: "페이지 내용",
        href: "/Admin/Contents",
        words: ["이용약관", "개인정보 처리방침", "배너", "안내 페이지", "게시", "초안"],
      },
      {
        label: "안내 페이지",
        href: "/Admin/Pages",
        words: ["페이지 추가", "페이지 순서", "페이지 숨기기", "아래에 두기"],
      },
      { label: "{권역센터}", href: "/Admin/Centers", words: ["{센터} 추가", "{센터} 전화", "지도"] },
      { label: "첫 화면 바로가기", href: "/Admin/QuickLinks", words: ["바로가기 추가"] },
      { label: "팝업", href: "/Admin/Popups", words: ["팝업 기간", "공지 창"] },
      { label: "메뉴", href: "/Admin/Menu", words: ["주 메뉴", "메뉴 순서", "메뉴 숨기기"] },
    ],
  },
  {
    label: "기록",
    links: [
      {
        label: "감사 기록",
        href: "/Admin/Audit",
        words: ["누가 무엇을", "내보낸 기록", "로그인 기록", "접속 주소", "포함된 사람"],
      },
      { label: "메일·문자 기록", href: "/Admin/Messages", words: ["보내지 못한 메일", "다시 보내기", "문자"] },
      { label: "예약 작업·백업", href: "/Admin/Jobs", words: ["백업 만들기", "복구 시험", "작업 실행"] },
      {
        label: "설치 설정",
        href: "/Admin/Configuration",
        words: ["PRODUCT_CODE", "사이트 주소", "비밀 값", "메일 발송 키", "저장소", "wrangler.toml"],
      },
    ],
  },
];

const trimmedPath = (pathname: string) => pathname.toLowerCase().replace(/(?<!\/)\/+$/, "");

/** The menu in the society's words, without what it does not have or the administrator may not. */
export function consoleMenuFor(
  { words, hasNoCenters }: SiteLook,
  { answersInquiries }: { answersInquiries: boolean },
): typeof CONSOLE_MENU {
  const say = (text: string) => fillWords(words, text);
  return CONSOLE_MENU.map(({ label, links }) => ({
    label,
    links: links
      .filter(({ href }) => !hasNoCenters || href !== "/Admin/Centers")
      .filter(({ href }) => answersInquiries || href !== INQUIRIES)
      .map((link) => ({ ...link, label: say(link.label), words: link.words.map(say) })),
  }));
}

/** The link whose page an address is, or lies below; /Admin itself only exactly. */
export function isCurrentConsoleLink(link: Pick<ConsoleLink, "href">, pathname: string): boolean {
  const path = trimmedPath(pathname);
  const own = link.href.toLowerCase();
  return path === own || (own !== "/admin" && path.startsWith(`${own}/`));
}

const CONSOLE_LINKS = CONSOLE_MENU.flatMap(({ links }) => links);

export const findConsoleLink = (pathname: string): ConsoleLink | undefined =>
  CONSOLE_LINKS.find((link) => isCurrentConsoleLink(link, pathname));

/** Two sentences for whoever stands on the page. */
export function findConsoleHelp(pathname: string): readonly [string, string] | null {
  const link = findConsoleLink(pathname);
  return link ? findConsoleLinkHelp(link.href) : null;
}

export interface ConsoleHit {
  label: string;
  href: string;
  /** By which setting the page was found, or which area it stands in. */
  note: string;
}

const foldWords = (text: string) =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s·]+/g, "");

/** Pages whose name, setting or area holds the words; a name before a setting, and all of them for no words at all. */
export function searchConsoleLinks(menu: typeof CONSOLE_MENU, keyword: string): ConsoleHit[] {
  const folded = foldWords(keyword);
  const hits = menu.flatMap(({ label: area, links }) =>
    links.flatMap(({ label, href, words }) => {
      if (foldWords(label).includes(folded)) return [{ rank: 0, hit: { label, href, note: area } }];
      const word = words.find((each) => foldWords(each).includes(folded));
      if (word) return [{ rank: 1, hit: { label, href, note: word } }];
      return foldWords(area) === folded ? [{ rank: 2, hit: { label, href, note: area } }] : [];
    }),
  );
  return hits.toSorted((a, b) => a.rank - b.rank).map(({ hit }) => hit);
}
