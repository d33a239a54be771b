import { SETTING_SECTIONS } from "../setting-sections.ts";
import type { ConsoleArea, ConsolePage, ConsoleRowKind } from "./console-page.ts";

const RECORD_AREA = {
  label: "기록",
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
      path: "Messages",
      screen: "mail/messages",
      label: "메일·문자 기록",
      words: "보내지 못한 메일, 다시 보내기, 문자",
      purpose: "사이트가 보낸 메일과 문자가 갔는지, 왜 가지 못했는지 봅니다.",
      advice: "실패한 것은 원인을 고친 뒤 다시 보낼 수 있습니다.",
    },
    {
      path: "Jobs",
      screen: "operation/jobs",
      label: "예약 작업·백업",
      words: "백업 만들기, 복구 시험, 작업 실행",
      purpose: "매일 밤 저절로 하는 일과 백업의 결과를 봅니다.",
      advice: "빨간 표시가 있으면 오류를 확인하고 ‘지금 하기’로 다시 해 보십시오.",
    },
    {
      path: "Configuration",
      screen: "operation/configuration",
      label: "설치 설정",
      words: "PRODUCT_CODE, 사이트 주소, 비밀 값, 메일 발송 키, 저장소, wrangler.toml",
      purpose: "사이트를 설치할 때 정한 주소와 비밀 값, 저장소가 제대로 되어 있는지 봅니다.",
      advice: "‘확인 필요’가 보이면 이 화면을 사이트를 설치한 사람에게 보여 주십시오.",
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
      path: "Signup",
      screen: "account/signup",
      label: "가입 설정",
      words: "로그인 방법, 가입 승인, 방문자의 역할, 이름 길이, 비밀번호 길이, 가입할 때 묻는 항목",
      purpose: "무엇으로 로그인하고, 가입할 때 무엇을 묻고, 관리자가 승인하는지를 정합니다.",
      advice: "관리자가 로그인할 수 없게 되는 방법으로는 바뀌지 않습니다.",
    },
    {
      path: "Agreements",
      screen: "content/agreements",
      label: "동의 문서",
      words: "개인정보 수집 동의, 광고 수신 동의, 시행일, 공포",
      purpose: "가입할 때 동의를 받는 문서를 버전으로 관리하며, 공포한 글은 고칠 수 없습니다.",
      advice: "내용을 바꾸려면 새 버전을 공포하십시오. 시행일을 뒷날로 정하면 회원에게 안내하고 그날 저절로 바뀝니다.",
      below: { ":code": "content/agreement-compare" },
    },
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
      path: "Alumni",
      screen: "alumni/setting",
      label: "{동문주소록} 설정",
      words: "주소록 열, 본인 수정, 공개 범위, 주소록 보관",
      purpose: "주소록에 어떤 열을 두고 회원이 무엇을 보고 고칠 수 있는지 정합니다.",
      advice: "아래의 미리보기에서 회원에게 보이는 모습을 바로 확인할 수 있습니다.",
      needs: SETTING_SECTIONS.alumni.rights[0],
    },
    {
      path: "CertificateKinds",
      screen: "alumni/certificate-kinds",
      label: "증명서 종류",
      words: "증명서 문구, 직인, 재직 증명서, 참가 확인서, 납부 확인서, 유효 기간, 번호 형식",
      purpose: "증명서마다 문구와 발급자, 직인, 번호 형식과 유효 기간을 정합니다.",
      advice: "고친 내용은 그 뒤에 발급하는 증명서에만 나옵니다.",
      needs: SETTING_SECTIONS.certificateKinds.rights[0],
      row: { code: "certificate-kind", name: "증명서 종류", title: "name" },
    },
    {
      path: "DueKinds",
      screen: "alumni/due-kinds",
      label: "회비 종류",
      words: "연회비, 입회비, 평생회비, 등급별 회비, 회비 금액, 면제 등급",
      purpose: "청구하는 회비의 이름과 금액을 정하고, 회원 등급마다 금액을 다르게 둡니다.",
      advice: "고친 금액은 그 뒤에 청구하는 회비에만 적용됩니다.",
      needs: SETTING_SECTIONS.dueKinds.rights[0],
      row: { code: "due-kind", name: "회비 종류", title: "name" },
    },
    {
      path: "MailTemplates",
      screen: "mail/templates",
      label: "메일 문구",
      words: "가입 메일, 알림 메일, 수신 동의 확인, 제목과 본문",
      purpose: "저절로 나가는 메일과 문자의 제목과 본문을 고칩니다.",
      advice: "중괄호로 적힌 자리는 보낼 때 받는 사람의 값으로 바뀌므로 지우지 마십시오.",
      below: { ":kind": "mail/template" },
    },
    {
      path: "Reports",
      screen: "board/reports",
      label: "신고",
      words: "신고된 글, 댓글 신고",
      purpose: "회원이 신고한 글과 댓글을 보고 그대로 두거나 숨깁니다.",
      advice: "숨긴 글은 게시판의 휴지통에서 되살릴 수 있지만, 숨긴 댓글은 되살릴 수 없습니다.",
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

const CONTENT_AREA = {
  label: "내용",
  pages: [
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
      path: "QuickLinks",
      screen: "site/quick-links",
      label: "첫 화면 바로가기",
      words: "바로가기 추가",
      purpose: "첫 화면의 큰 바로가기를 네 개까지 둡니다.",
      advice: "이름은 짧게, 설명은 한 줄로 적는 것이 좋습니다.",
      row: { code: "quick-link", name: "바로가기", title: "label" },
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
    {
      path: "Menu",
      screen: "site/menu",
      label: "메뉴",
      words: "주 메뉴, 메뉴 순서, 메뉴 숨기기",
      purpose: "모든 페이지 위의 메뉴를 묶고, 순서를 바꾸고, 숨깁니다.",
      advice: "숨긴 메뉴의 페이지는 주소를 아는 사람에게는 계속 열립니다.",
    },
  ],
} as const satisfies ConsoleArea;

const PEOPLE_AREA = {
  label: "회원",
  pages: [
    {
      path: "Members",
      screen: "member/members",
      label: "회원 관리",
      words: "가입 승인, 회원 차단, 탈퇴 처리, 회원 내보내기, 비밀번호 초기화",
      purpose: "회원을 찾아 승인하거나 차단하고, 역할을 바꾸고, 조건에 맞는 회원에게 메일을 보냅니다.",
      advice: "내보내기는 사유를 묻고 감사 기록에 남으니, 쓴 파일은 지워 주십시오.",
      below: { ":id": "member/member" },
    },
    {
      path: "Inquiries",
      screen: "inquiry/inquiries",
      label: "1:1 문의",
      words: "회원 질문, 문의 답변, 답변 대기, 추가 질문, 상담",
      purpose: "회원이 사무국에 물은 것에 답하며, 오래 기다린 문의부터 보입니다.",
      advice: "답변은 회원의 마이페이지와 알림함에 나오고 메일로도 갑니다.",
      needs: "Inquiry_Answer",
      below: { ":id": "inquiry/inquiry" },
    },
    {
      path: "Mailings",
      screen: "mailing/mailings",
      label: "단체 메일·문자",
      words: "메일 보내기, 문자 보내기, 알림톡, 안내 메일, 광고 메일, 수신 거부",
      purpose: "주소록이나 회원 목록에서 고른 사람들에게 메일이나 문자, 알림톡을 보내고, 누가 받았는지 봅니다.",
      advice: "보내기 전에 받는 사람 수와 세 사람의 글을 확인하며, 받는 사람은 그때 정해집니다.",
      below: { ":id": "mailing/mailing" },
    },
    {
      path: "Rounds",
      screen: "mailing/rounds",
      label: "정보 확인",
      words: "이 정보가 맞습니까, 주소록 확인, 반송, 연락이 닿지 않는 사람, 기수별 결과",
      purpose: "{동문}에게 주소록의 정보가 맞는지 메일로 묻고, 누가 답하였고 누구에게 닿지 않는지 기수별로 봅니다.",
      advice: "답하지 않은 사람에게는 두 번 더 알리며, 고치려는 사람은 인증번호나 로그인으로 한 번 더 확인합니다.",
      needs: "Alumni_Write",
      below: { ":id": "mailing/round" },
    },
    {
      path: "Representatives",
      screen: "alumni/representatives",
      label: "기수 대표",
      words: "수정 요청, 승인 대기, 연락이 닿지 않는 사람, 기수별 담당",
      purpose: "기수마다 대표를 정하고, 대표가 알려 온 수정 요청을 비교하여 반영하거나 돌려보냅니다.",
      advice: "대표는 맡은 기수만 회원과 같은 범위로 보며, 정한 날이 지나면 아무것도 볼 수 없습니다.",
      needs: "Alumni_Write",
    },
    {
      path: "AlumniFigures",
      screen: "alumni/figures",
      label: "{동문주소록} 통계",
      words: "기수별 인원, 지역별 인원, 연락 가능한 사람, 이사회 자료, 반송된 메일",
      purpose: "주소록의 사람 수를 기수와 지역, 소속, 졸업연도, 연락 수단별로 봅니다.",
      advice: "주소록에서 찾거나 고른 사람만의 통계는 주소록의 '통계' 단추로 시작합니다.",
      needs: "Alumni_Read",
    },
    {
      path: "Certificates",
      screen: "alumni/certificates",
      label: "증명서 발급",
      words: "회원 증명서, 증명서 번호, 증명서 확인, QR, 여러 사람의 증명서",
      purpose: "증명서를 발급하고, 발급한 증명서를 다시 인쇄하거나 무효로 처리합니다.",
      advice: "주소록에서 사람을 찾거나 고른 뒤 '증명서'를 누르면 한꺼번에 발급합니다.",
      needs: "certificates",
    },
    {
      path: "Dues",
      screen: "alumni/dues",
      label: "회비",
      words: "연회비, 회비 청구, 미납, 완납, 면제, 회비 현황, 납부율, 납부자 명단, 회비 대장",
      purpose: "회비를 청구하고, 누가 냈고 누가 내지 않았는지 해마다 봅니다.",
      advice: "주소록에서 사람을 찾거나 고른 뒤 ‘회비 청구’를 누르면 그 사람들에게만 청구합니다.",
      needs: "Dues_Manage",
      below: { figures: "alumni/due-figures" },
    },
    {
      path: "Deposits",
      screen: "alumni/deposits",
      label: "회비 입금",
      words: "은행 엑셀, 통장 거래내역, 입금자, 입금 확인, 현금 납부, 수납",
      purpose: "은행에서 받은 거래내역으로 누가 회비를 냈는지 맞춥니다.",
      advice: "입금자 이름과 금액이 분명한 것만 저절로 맞추고, 나머지는 직접 고르십시오.",
      needs: "Dues_Manage",
    },
    {
      path: "SecondFactor",
      screen: "member/second-factor",
      label: "2단계 인증",
      words: "패스키, 인증 앱, 복구 코드, 복구 시작",
      purpose: "관리 권한이 있는 사람이 패스키나 인증 앱을 등록하였는지 봅니다.",
      advice: "휴대전화를 잃은 사람은 여기에서 복구를 시작하며, 24시간 뒤부터 다시 등록할 수 있습니다.",
    },
    {
      path: "Roles",
      screen: "access/roles",
      label: "역할과 권한",
      words: "관리자 권한, 역할 추가, 게시판 권한",
      purpose: "역할마다 할 수 있는 일을 정하고, 회원에게는 역할을 하나씩 줍니다.",
      advice: "자기가 갖지 않은 권한은 남에게 줄 수 없으며, 바꾸면 곧바로 적용됩니다.",
    },
    {
      path: "Simulator",
      screen: "access/simulator",
      label: "권한 확인",
      words: "시뮬레이터, 누가 볼 수 있는지, 왜 안 보이는지",
      purpose: "어떤 사람이 어떤 주소를 볼 수 있는지, 그렇게 정한 이유와 함께 확인합니다.",
      advice: "아무것도 바꾸지 않으므로 마음 놓고 시험해 보셔도 됩니다.",
    },
    {
      path: "Privacy",
      screen: "privacy/requests",
      label: "개인정보",
      words: "열람 요청, 정정 요청, 처리정지, 보유 기간, 파기 대장, 휴면",
      purpose: "자기 정보의 열람, 정정, 삭제, 처리정지 요청을 기한 안에 처리합니다.",
      advice: "보유 기간이 지난 정보는 정한 규칙대로 파기되고 파기 대장에 남습니다.",
      below: {
        "request/:id": "privacy/request",
        retention: "privacy/retention",
        "retention/:rule": "privacy/retention-rule",
        destructions: "privacy/destructions",
      },
    },
  ],
} as const satisfies ConsoleArea;

const OVERVIEW_AREA = {
  label: "현황",
  pages: [
    {
      path: "",
      screen: "operation/dashboard",
      label: "한눈에 보기",
      words: "할 일, 통계, 최근에 한 일, 대시보드",
      purpose: "오늘 처리할 일이 위에, 회원과 글의 흐름이 아래에 있습니다.",
      advice: "노란 칸을 누르면 그 일을 처리하는 화면으로 갑니다.",
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

const AREAS = [OVERVIEW_AREA, PEOPLE_AREA, SITE_AREA, CONTENT_AREA, RECORD_AREA] as const;

/** The one list of screens: routes, menu, search, help and permission checks use it. */
export const CONSOLE_AREAS: readonly ConsoleArea[] = AREAS;

type Page = (typeof AREAS)[number]["pages"][number];
export type ConsoleRow = Extract<Page, { row: ConsoleRowKind }>["row"];

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
