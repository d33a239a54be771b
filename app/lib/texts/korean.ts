import { ENGLISH_ROOT, englishPath, isInBothLanguages } from "#worker/contract/kernel/language.ts";
import { formatDate, formatDateTime, formatLongDate } from "#app/lib/format.ts";

const NEW_WINDOW = "새 창 열림";

/** Words in braces are replaced by the society's own (`useWords`). */
export const KOREAN_TEXTS = {
  language: "ko" as "ko" | "en",
  ogLocale: "ko_KR",
  /** @returns the page's address in this language, if it exists */
  pathOf: (_productCode: string, path: string): string => path,
  date: { date: formatDate, datetime: formatDateTime, long: formatLongDate, short: formatDate },
  /** Returns a text's language if it differs from the page's. */
  langOf: (_text: string): "ko" | undefined => undefined,
  hasWideNames: false,
  phone: (number: string): string => number,
  regionName: (_code: string, name: string): string => name,
  newWindow: NEW_WINDOW,
  newWindowShort: "(새 창)",
  preparing: "서비스 준비중입니다",
  shell: {
    home: "홈",
    skip: "본문 바로가기",
    mainMenu: "주 메뉴",
    allMenu: "전체 메뉴",
    openMenu: "메뉴 열기",
    closeMenu: "메뉴 닫기",
    groupHome: (label: string) => `${label} 홈`,
    position: "현재 위치",
    search: "통합검색",
    signin: "로그인",
    signup: "회원가입",
    mypage: "마이페이지",
    signout: "로그아웃",
    signedOut: "로그아웃하였습니다.",
    signoutFailed: "로그아웃하지 못했습니다. 잠시 후 다시 시도해 주십시오.",
    keepsNothing:
      "이 브라우저에는 사이트 데이터를 저장할 수 없어, 새로고침하거나 창을 닫으면 로그인 상태와 작성 중인 내용이 남지 않습니다.",
    blocksCookies:
      "이 브라우저가 쿠키를 차단하고 있어 로그인할 수 없습니다. 브라우저 설정에서 이 사이트의 쿠키를 허용해 주십시오.",
    otherLanguage: {
      language: "en",
      short: "EN",
      name: "English",
      /** Links the same page in the other language, or its home page. */
      pathOf: (productCode: string, path: string): string =>
        isInBothLanguages(productCode, path) ? englishPath(productCode, path) : ENGLISH_ROOT,
    },
  },
  footer: {
    menu: "바닥글 메뉴",
    terms: "이용약관",
    privacy: "개인정보 처리방침",
    sitemap: "사이트맵",
    organization: "기관명",
    address: "주소",
    phone: "전화",
    fax: "팩스",
    email: "이메일",
  },
  sitemap: { pages: "바로가기", legal: "이용 안내" },
  article: {
    newWindow: NEW_WINDOW,
    tableOf: (heading: string) => `${heading} 표`,
    table: (number: number) => `표 ${number}`,
  },
  home: {
    patients: "등록된 {환자}",
    patientCount: (count: string) => `${count}명`,
    asOf: { before: "", after: " 기준" },
    centers: "전국 {권역센터}",
    centerCount: (count: string) => `${count}곳`,
    papers: "공개 자료",
    paperCount: (count: string) => `${count}건`,
    quickLinks: "바로가기",
    findCenter: "가까운 {권역센터:을/를} 찾아보세요",
    findCenterHow: "지역을 선택하시면 {센터}의 연락처와 오시는 길을 안내해 드립니다.",
    center: "{센터}",
    allCenters: "{권역센터} 안내",
    residence: "거주지별 등록 현황",
    mapAlt: "지도에서 {권역센터} 찾기",
    events: "다가오는 일정",
    boardFailed: (name: string) => `${name} 게시물을 불러오지 못했습니다. 잠시 후 다시 시도해 주십시오.`,
    noItems: "등록된 게시물이 없습니다.",
    moreOf: (name: string) => `${name} `,
    more: "더보기",
    eventsName: "일정",
    monthOnLeaf: (month: number) => `${month}월`,
    popup: (title: string) => `알림: ${title}`,
    popupText: "알림 내용",
    popupMore: "자세히 보기",
    popupOpen: "내용 보기",
    popupNotToday: "24시간 동안 보지 않기",
    close: "닫기",
    mapCredit: "지도: @svg-maps/south-korea 2.0 (CC BY 4.0)",
  },
  marks: {
    inKorean: "",
    isNew: "새 글",
    secret: "비밀글",
    comments: { before: "댓글 ", after: "개" },
    hasFiles: "첨부파일 있음",
  },
  map: {
    islands: { ulleungdo: "울릉도", dokdo: "독도" },
    credit: "지도:",
    simplified: "(모양을 간추림)",
  },
  service: {
    name: "{증례등록} 서비스",
    afterSignin: (name: string) => `${name} (로그인 후 이용)`,
    failed: "서비스를 열지 못했습니다.",
  },
  error: {
    titles: {
      400: "요청하신 주소를 다시 확인해 주십시오",
      401: "로그인이 필요합니다",
      403: "볼 수 없는 화면입니다",
      404: "페이지를 찾을 수 없습니다",
      429: "요청이 너무 많습니다",
      503: "잠시 이용하실 수 없습니다",
    } as Record<number, string>,
    title: "일시적인 오류가 발생했습니다",
    /** Is used for statuses without a message of their own; 401 and 403 have one. */
    helps: {
      400: "주소에 잘못된 값이 있습니다. 홈에서 다시 찾아가 주십시오.",
      404: "주소가 바뀌었거나 삭제된 페이지입니다. 주소를 다시 확인하시거나 검색해 주십시오.",
    } as Record<number, string>,
    help: "잠시 후 다시 시도해 주십시오. 계속되면 관리자에게 알려 주십시오.",
    said: (message: string): string | undefined => message,
    requestId: (id: string) => `문의 번호 ${id}`,
    retry: "다시 시도",
    search: "사이트에서 검색",
    home: "홈으로",
    back: "이전 화면으로",
    notLoaded:
      "페이지를 다 불러오지 못해 누르신 것을 처리하지 못했습니다. 적으신 내용은 그대로 있습니다. 계속되면 내용을 복사해 두고 새로고침하시거나 최신 브라우저로 열어 주십시오.",
    offline: "인터넷에 연결되어 있지 않습니다",
    offlineHelp: "페이지를 불러오지 못했습니다. 연결을 확인하고 다시 시도해 주십시오. 연결되면 저절로 불러옵니다.",
  },
};

export type SiteTexts = typeof KOREAN_TEXTS;

export const KOREAN_CONTROL_TEXTS = {
  required: "(필수)",
  close: "닫기",
  partMissing: "이 부분을 불러오지 못했습니다. 입력한 내용을 복사해 두고 새로고침하십시오.",
  checkFields: "입력한 내용을 확인해 주십시오.",
  choose: "선택해 주십시오",
};

export type ControlTexts = typeof KOREAN_CONTROL_TEXTS;
