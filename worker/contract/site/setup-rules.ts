export const UNNAMED_SITE = "새 홈페이지";

export const CONFIRMED_STEPS = ["look", "pages", "authentication", "mail", "boards"] as const;

export type ConfirmedStep = (typeof CONFIRMED_STEPS)[number];

export const SETUP_STEPS = {
  name: {
    label: "사이트 이름",
    text: "모든 페이지의 위에 나오는 이름과 소개를 적습니다.",
    href: "/Admin/Site",
  },
  contact: {
    label: "연락처",
    text: "기관명, 전화, 이메일을 적습니다. 모든 페이지의 아래와 법정 문서에 나옵니다.",
    href: "/Admin/Site",
  },
  look: {
    label: "로고와 색, 부르는 말",
    text: "로고와 대표 색, 모임을 부르는 말, 첫 화면의 구성을 정합니다. 지역 기관이나 연계 서비스를 쓰지 않으면 끕니다.",
    href: "/Admin/Identity",
  },
  pages: {
    label: "안내 페이지",
    text: "소개 같은 안내 페이지를 더하고, 쓰지 않는 것은 숨깁니다. 숨긴 페이지는 메뉴에서도 빠지고, 더한 페이지는 메뉴에 넣습니다.",
    href: "/Admin/Pages",
  },
  authentication: {
    label: "로그인 방법과 가입 항목",
    text: "무엇으로 로그인하고 가입할 때 무엇을 묻는지 정합니다. 법정 문서의 초안이 이 항목으로 만들어집니다.",
    href: "/Admin/Signup",
  },
  terms: {
    label: "이용약관",
    text: "지금 설정으로 초안을 만든 뒤, 읽고 고쳐서 게시합니다. 게시해야 회원가입이 열립니다.",
    href: "/Admin/Contents/terms",
  },
  privacy: {
    label: "개인정보 처리방침",
    text: "지금 설정으로 초안을 만든 뒤, 보호책임자를 적고 게시합니다. 게시해야 회원가입이 열립니다.",
    href: "/Admin/Contents/privacy",
  },
  consent: {
    label: "개인정보 수집·이용 동의",
    text: "가입할 때 동의를 받는 문서입니다. 초안을 읽고 공포합니다.",
    href: "/Admin/Agreements",
  },
  mail: {
    label: "메일 시험",
    text: "시험 메일을 자기 주소로 보내고, 받았는지 확인합니다.",
    href: "/Admin/Messages",
  },
  boards: {
    label: "게시판",
    text: "처음부터 있는 게시판의 이름과 권한을 보고, 필요 없는 것은 닫습니다.",
    href: "/Admin/Boards",
  },
  administrators: {
    label: "두 번째 관리자",
    text: "한 사람이 들어오지 못하게 되어도 다른 사람이 풀어 줄 수 있게, 관리자를 두 명 이상 둡니다. 맡을 사람이 가입하면 회원 관리에서 역할을 ‘관리자’로 바꿉니다.",
    href: "/Admin/Members",
  },
} as const satisfies Record<string, { label: string; text: string; href: string }>;

export type SetupStep = keyof typeof SETUP_STEPS;
