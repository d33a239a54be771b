import type { ConsoleArea, ConsolePage, ConsoleRowKind } from "./console-page.ts";
import { ALUMNI_AREA, DUES_AREA, MAIL_AREA, MEMBER_AREA } from "./people-areas.ts";

/** The console's first page, above the groups of its menu. */
const HOME_AREA = {
  label: "",
  pages: [
    {
      path: "",
      screen: "operation/dashboard",
      label: "한눈에 보기",
      words: "할 일, 통계, 최근에 한 일, 대시보드",
      purpose: "오늘 처리할 일이 위에, 회원과 글의 흐름이 아래에 있습니다.",
      advice: "노란 칸을 누르면 그 일을 처리하는 화면으로 갑니다.",
    },
  ],
} as const satisfies ConsoleArea;

const CONTENT_AREA = {
  label: "게시판과 내용",
  pages: [
    {
      path: "Boards",
      screen: "board/boards",
      label: "게시판",
      words: "게시판 추가, 게시판 닫기, 말머리, 첨부파일 크기, 비밀글, 댓글",
      purpose: "게시판을 만들고 순서와 첨부파일, 댓글, 역할별 권한을 정합니다.",
      advice: "닫은 게시판의 글은 지워지지 않으며, 다시 열면 그대로 보입니다.",
      below: { ":boardCode": "board/board" },
    },
    {
      path: "Reports",
      screen: "board/reports",
      label: "신고",
      words: "신고된 글, 댓글 신고",
      purpose: "회원이 신고한 글과 댓글을 보고 그대로 두거나 숨깁니다.",
      advice: "숨긴 글은 게시판의 휴지통에서 되살릴 수 있지만, 숨긴 댓글은 되살릴 수 없습니다.",
      waits: "처리할 신고",
    },
    {
      path: "Events",
      screen: "event/events",
      label: "행사 신청",
      words: "사전등록, 참가 신청, 정원, 대기자, 참가비, 출석, 참석자 명단, 현장 등록, 이름표, 이수증",
      purpose: "일정이 있는 글에서 회원의 신청을 받고, 누가 신청하고 출석하였는지 봅니다.",
      advice: "정원이 차면 대기자로 받고, 자리가 나면 먼저 신청한 사람부터 저절로 확정됩니다.",
      needs: "Event_Manage",
      below: {
        ":boardCode/:itemNo": "event/event",
        ":boardCode/:itemNo/setting": "event/setting",
        ":boardCode/:itemNo/figures": "event/figures",
        ":boardCode/:itemNo/name-tags": "event/name-tags",
      },
    },
    {
      path: "Contents",
      screen: "content/contents",
      label: "페이지 내용",
      words: "이용약관, 개인정보 처리방침, 배너, 안내 페이지, 게시, 초안",
      purpose: "안내 페이지와 이용약관, 개인정보 처리방침, 첫 화면 배너의 글을 고칩니다.",
      advice: "저장은 초안으로만 남고, 게시해야 방문자에게 보입니다.",
      below: { ":code": "content/content", ":code/history": "content/content-history" },
    },
    {
      path: "Pages",
      screen: "content/pages",
      label: "안내 페이지",
      words: "페이지 추가, 페이지 순서, 페이지 숨기기, 아래에 두기",
      purpose: "안내 페이지를 더하고, 순서를 바꾸고, 다른 페이지 아래에 두거나 숨깁니다.",
      advice: "처음부터 있던 페이지의 주소는 바뀌지 않으며, 숨긴 페이지는 주소로도 열리지 않습니다.",
    },
    {
      path: "Centers",
      screen: "content/centers",
      label: "{권역센터}",
      words: "{센터} 추가, {센터} 전화, 지도",
      purpose: "지도와 목록에 나오는 {권역센터}의 이름, 주소, 전화를 고칩니다.",
      advice: "{센터} 담당자에게 그 {센터}만 고칠 권한을 줄 수도 있습니다.",
      needs: "centers",
      below: { ":regionCode": "content/center", ":regionCode/history": "content/center-history" },
    },
    {
      path: "Popups",
      screen: "site/popups",
      label: "팝업",
      words: "팝업 기간, 공지 창",
      purpose: "정한 기간에만 첫 화면에 뜨는 알림 창을 만듭니다.",
      advice: "동시에 세 개까지만 보이므로 끝난 것은 닫아 두십시오.",
      row: { code: "popup", name: "팝업", title: "title" },
    },
  ],
} as const satisfies ConsoleArea;

const RESEARCH_AREA = {
  label: "연구",
  pages: [
    {
      path: "Proposals",
      screen: "proposal/proposals",
      label: "연구 제안",
      words: "제안서, 형식 검토, 보완 요청, 심의위원 지정, 심의 점수, 승인, 불승인, 재심의, 이해상충",
      purpose: "회원이 낸 제안서를 검토하고, 심의위원을 지정하고, 결과를 결정하여 알립니다.",
      advice: "제안자와 이해관계가 있는 사람에게는 그 제안서가 목록에도 보이지 않습니다.",
      needs: "proposals",
      below: { ":id": "proposal/proposal" },
    },
    {
      path: "ProposalCalls",
      screen: "proposal/calls",
      label: "연구 공모",
      words: "공모 추가, 접수 기간, 제안서 양식, 심의 기준, 배점, 승인 점수, 제출 서류",
      purpose: "공모마다 접수 기간과 제안서의 양식, 낼 서류, 심의 기준과 배점을 정합니다.",
      advice: "지난 공모를 ‘복사하여 추가’하면 양식과 기준을 그대로 가져옵니다.",
      needs: "Research_Manage",
      below: { ":id": "proposal/call" },
    },
  ],
} as const satisfies ConsoleArea;

const SITE_AREA = {
  label: "사이트",
  pages: [
    {
      path: "Site",
      screen: "site/site",
      label: "사이트 정보",
      words: "사이트 이름, 기관명, 주소, 전화, 저작권 표시, 설정 파일, 적은 수 가리기",
      purpose: "모든 페이지의 위와 아래에 나오는 이름과 연락처를 정합니다.",
      advice: "설정 파일로 내려받아 두면 다른 사이트에 그대로 옮길 수 있습니다.",
    },
    {
      path: "Identity",
      screen: "site/identity",
      label: "모양과 용어",
      words: "로고, 색, 파비콘, 용어, 첫 화면 구성, 바닥글, 지역 기관 숨기기, 연계 서비스 숨기기",
      purpose: "로고와 색, 부르는 말, 첫 화면과 바닥글을 이 단체에 맞게 정합니다.",
      advice: "저장하기 전에 미리보기에서 글자가 잘 읽히는지 확인하십시오.",
    },
    {
      path: "Menu",
      screen: "site/menu",
      label: "메뉴",
      words: "주 메뉴, 메뉴 순서, 메뉴 숨기기",
      purpose: "모든 페이지 위의 메뉴를 묶고, 순서를 바꾸고, 숨깁니다.",
      advice: "숨긴 메뉴의 페이지는 주소를 아는 사람에게는 계속 열립니다.",
    },
    {
      path: "QuickLinks",
      screen: "site/quick-links",
      label: "첫 화면 바로가기",
      words: "바로가기 추가",
      purpose: "첫 화면의 큰 바로가기를 네 개까지 둡니다.",
      advice: "이름은 짧게, 설명은 한 줄로 적는 것이 좋습니다.",
      row: { code: "quick-link", name: "바로가기", title: "label" },
    },
    {
      path: "Moving",
      screen: "moving/moving",
      label: "이사 오기",
      words: "그누보드, 라이믹스, XE, 제로보드, 워드프레스, RDX",
      purpose: "예전 홈페이지의 회원과 글을 RDX 파일로 옮겨 옵니다.",
      advice: "옮기기 전에 미리보기로 건수를 확인하고, 옮긴 뒤에도 되돌릴 수 있습니다.",
    },
  ],
} as const satisfies ConsoleArea;

const OPERATION_AREA = {
  label: "운영",
  pages: [
    {
      path: "Audit",
      screen: "audit/audit-log",
      label: "감사 기록",
      words: "누가 무엇을, 내보낸 기록, 로그인 기록, 접속 주소, 접속 IP, 포함된 사람",
      purpose: "누가 언제 어디에서 무엇을 하였는지 찾으며, 기록은 고치거나 지울 수 없습니다.",
      advice: "‘누구의 정보’에 이름을 넣으면 그 사람이 담긴 내보내기까지 찾을 수 있습니다.",
      below: { ":auditId": "audit/audit-row" },
    },
    {
      path: "Jobs",
      screen: "operation/jobs",
      label: "예약 작업·백업",
      words: "백업 만들기, 복구 시험, 작업 실행",
      purpose: "매일 밤 저절로 하는 일과 백업의 결과를 봅니다.",
      advice: "빨간 표시가 있으면 오류를 확인하고 ‘지금 하기’로 다시 해 보십시오.",
      waits: "실패한 작업",
    },
    {
      path: "Configuration",
      screen: "operation/configuration",
      label: "설치 설정",
      words: "PRODUCT_CODE, 사이트 주소, 비밀 값, 메일 발송 키, 저장소, wrangler.toml",
      purpose: "사이트를 설치할 때 정한 주소와 비밀 값, 저장소가 제대로 되어 있는지 봅니다.",
      advice: "‘확인 필요’가 보이면 이 화면을 사이트를 설치한 사람에게 보여 주십시오.",
    },
    {
      path: "Setup",
      screen: "site/setup",
      label: "처음 설정",
      words: "약관 초안, 처리방침 초안, 메일 시험, 두 번째 관리자",
      purpose: "새 사이트를 열기 전에 할 일을 차례로 보여 주며, 마친 것은 저절로 표시됩니다.",
      advice: "이용약관과 개인정보 처리방침을 게시하기 전에는 아무도 가입할 수 없습니다.",
    },
    {
      path: "Guide",
      screen: "site/guide",
      label: "사무국 안내서",
      words: "사용 설명서, 매뉴얼, 매주 할 일, 매년 할 일, 문제가 생기면, 인쇄",
      purpose: "사무국이 처음에, 매주, 매년, 그리고 문제가 생겼을 때 할 일을 차례로 적은 안내서입니다.",
      advice: "오른쪽 위의 ‘인쇄’로 종이에 찍어 가까이 두십시오.",
    },
  ],
} as const satisfies ConsoleArea;

const AREAS = [
  HOME_AREA,
  MEMBER_AREA,
  ALUMNI_AREA,
  DUES_AREA,
  MAIL_AREA,
  CONTENT_AREA,
  RESEARCH_AREA,
  SITE_AREA,
  OPERATION_AREA,
] as const;

/** The one list of screens: routes, menu, search, help and permission checks use it. */
export const CONSOLE_AREAS: readonly ConsoleArea[] = AREAS;

type Page = (typeof AREAS)[number]["pages"][number];
export type ConsoleRow = Extract<Page, { row: ConsoleRowKind }>["row"];
/** Paths of the pages whose waiting work the menu counts. */
export type WaitingPath = Extract<Page, { waits: string }>["path"];
export type ConsoleWaiting = Readonly<Partial<Record<WaitingPath, number>>>;

const pages: readonly ConsolePage[] = CONSOLE_AREAS.flatMap((area) => area.pages);

export const CONSOLE_ROWS = pages.flatMap(({ row }) => row ?? []) as ConsoleRow[];

/** The address below /admin in lower case, and the file below `app/routes/console`. */
export const CONSOLE_SCREENS: readonly { path: string; screen: string }[] = pages.flatMap((page) => {
  const path = page.path.toLowerCase();
  const below = Object.entries(page.below ?? {}).map(([rest, screen]) => ({ path: `${path}/${rest}`, screen }));
  return [{ path, screen: page.screen }, ...below];
});

export const consoleAddress = (page: Pick<ConsolePage, "path">) => `/Admin/${page.path}`.replace(/\/$/, "");

const trimmedPath = (pathname: string) => pathname.toLowerCase().replace(/(?<!\/)\/+$/, "");

/** Matches the link's page and pages below it; /Admin only exactly. */
export function isCurrentConsoleLink(link: { href: string }, pathname: string): boolean {
  const path = trimmedPath(pathname);
  const own = link.href.toLowerCase();
  return path === own || (own !== "/admin" && path.startsWith(`${own}/`));
}

/** Returns the menu page that contains an address. */
export const findConsolePage = (pathname: string): ConsolePage | undefined =>
  pages.find((page) => isCurrentConsoleLink({ href: consoleAddress(page) }, pathname));
