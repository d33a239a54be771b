/** Screens in the guide; `npm run guide` takes their pictures into app/public/guide. */
export const GUIDE_PICTURES = {
  setup: { path: "/Admin/Setup", alt: "처음 설정: 할 일이 차례로 있고 마친 것은 표시되어 있습니다." },
  identity: { path: "/Admin/Identity", alt: "모양과 용어: 로고와 색을 고르고 대비를 확인합니다." },
  dashboard: { path: "/Admin", alt: "한눈에 보기: 오늘 할 일이 위에, 통계가 아래에 있습니다." },
  members: { path: "/Admin/Members", alt: "회원 관리: 찾는 조건과 회원의 목록입니다." },
  boards: { path: "/Admin/Boards", alt: "게시판: 순서를 바꾸고 닫거나 복사합니다." },
  jobs: { path: "/Admin/Jobs", alt: "예약 작업·백업: 마지막으로 한 때와 다음에 할 때입니다." },
  retention: { path: "/Admin/Privacy/Retention", alt: "보유 기간: 규칙마다 대상이 몇 건인지 보입니다." },
  audit: { path: "/Admin/Audit", alt: "감사 기록: 누가 언제 무엇을 바꾸었는지의 목록입니다." },
} as const satisfies Record<string, { path: string; alt: string }>;

type GuidePicture = keyof typeof GUIDE_PICTURES;

export const GUIDE_PICTURE_SIZE = { width: 1100, height: 620 } as const;

export const guidePictureAddress = (name: GuidePicture): string => `/guide/${name}.jpg`;

interface GuideStep {
  title: string;
  text: string;
  href: string;
  picture?: GuidePicture;
}

export interface GuidePart {
  title: string;
  text: string;
  steps: GuideStep[];
}

/** The printed guide for administrators. */
export const GUIDE: GuidePart[] = [
  {
    title: "시작하기",
    text: "새 사이트를 열기 전에 한 번 합니다. 처음부터 끝까지 한나절이면 됩니다.",
    steps: [
      {
        title: "할 일을 차례로 마칩니다",
        text: "‘처음 설정’에 할 일이 차례로 있습니다. 이용약관과 개인정보 처리방침은 초안을 만들어 주므로, 읽고 고친 뒤 게시합니다. 두 문서를 게시하기 전에는 아무도 가입할 수 없습니다.",
        href: "/Admin/Setup",
        picture: "setup",
      },
      {
        title: "이름과 로고, 색, 부르는 말을 정합니다",
        text: "‘모양과 용어’에서 로고를 올리고 대표 색을 고릅니다. 쓰지 않는 기능은 끄면 메뉴와 화면에서 사라집니다.",
        href: "/Admin/Identity",
        picture: "identity",
      },
      {
        title: "안내 페이지와 게시판을 맞춥니다",
        text: "‘안내 페이지’에서 필요 없는 페이지를 숨기고 새 페이지를 더합니다. ‘게시판’에서는 이름과 말머리, 누가 읽고 쓰는지를 정합니다. 닫은 게시판은 언제든 다시 열 수 있습니다.",
        href: "/Admin/Boards",
        picture: "boards",
      },
      {
        title: "관리자를 두 명 이상 둡니다",
        text: "한 사람이 휴대전화를 잃어버려도 다른 사람이 풀어 줄 수 있습니다. 회원을 찾아 역할을 ‘관리자’로 바꾸면 됩니다. 관리자는 2단계 인증을 등록하여야 들어올 수 있습니다.",
        href: "/Admin/Members",
      },
      {
        title: "설치 설정을 확인합니다",
        text: "주소와 메일, 백업 열쇠는 사이트를 설치한 사람이 정합니다. ‘확인 필요’가 하나도 없는지 보고, 있으면 이 화면을 그 사람에게 보여 줍니다.",
        href: "/Admin/Configuration",
      },
    ],
  },
  {
    title: "매주",
    text: "십 분이면 됩니다. 할 일이 없으면 화면 위가 비어 있습니다.",
    steps: [
      {
        title: "할 일부터 봅니다",
        text: "‘한눈에 보기’의 노란 칸을 위에서부터 누릅니다. 가입 승인, 신고, 개인정보 요구, 보내지 못한 메일이 여기에 모입니다. 개인정보 요구는 받은 날부터 10일 안에 처리해야 합니다.",
        href: "/Admin",
        picture: "dashboard",
      },
      {
        title: "새 회원을 살펴봅니다",
        text: "승인을 기다리는 회원을 확인하고 승인합니다. 누구인지 알 수 없으면 먼저 연락합니다. 회원 목록을 파일로 내보내면 사유가 기록에 남으며, 쓴 파일은 지웁니다.",
        href: "/Admin/Members",
        picture: "members",
      },
      {
        title: "백업이 되었는지 봅니다",
        text: "백업은 매일 새벽에 저절로 만들어집니다. ‘예약 작업·백업’에서 마지막 백업이 ‘정상’인지, 복구 연습이 한 달 안에 있었는지 확인합니다.",
        href: "/Admin/Jobs",
        picture: "jobs",
      },
    ],
  },
  {
    title: "매년",
    text: "정기총회나 결산 때 함께 하면 잊지 않습니다.",
    steps: [
      {
        title: "관리자와 역할을 다시 봅니다",
        text: "그만둔 사람의 권한을 거둡니다. 정해진 동안만 맡는 사람에게는 기간제 역할을 주면 끝나는 날 저절로 없어집니다.",
        href: "/Admin/Roles",
      },
      {
        title: "보유 기간이 지난 정보를 파기합니다",
        text: "‘보유 기간’에 규칙마다 대상이 몇 건인지 보입니다. 저절로 파기하도록 켜 두거나, 목록을 보고 직접 파기합니다. 파기한 것은 되돌릴 수 없고 파기 대장에 남습니다.",
        href: "/Admin/Privacy/Retention",
        picture: "retention",
      },
      {
        title: "{동문주소록}의 정보를 확인받습니다",
        text: "‘정보 확인’으로 {동문}에게 메일을 보내 정보가 맞는지 묻습니다. 답하지 않은 사람에게는 두 번 더 알리며, 연락이 닿지 않는 사람을 기수별로 볼 수 있습니다.",
        href: "/Admin/Rounds",
      },
      {
        title: "이용약관과 처리방침을 다시 읽습니다",
        text: "모으는 항목이나 맡기는 업체가 바뀌었으면 고쳐서 게시합니다. 약관과 동의 문서는 시행일을 뒷날로 정하면 회원에게 메일과 안내가 나가고 그날 저절로 바뀝니다. 이전 버전은 그대로 남아 누구나 비교해 볼 수 있습니다.",
        href: "/Admin/Contents",
      },
    ],
  },
  {
    title: "문제가 생기면",
    text: "당황하지 말고 이 차례대로 합니다. 한 일은 모두 감사 기록에 남습니다.",
    steps: [
      {
        title: "무엇을 잘못 바꾸었을 때",
        text: "‘감사 기록’에서 누가 언제 무엇을 바꾸었는지 찾고, 바꾸기 전의 값을 봅니다. 지운 글은 게시판의 휴지통에서, 지운 사람은 주소록의 휴지통에서 되살립니다.",
        href: "/Admin/Audit",
        picture: "audit",
      },
      {
        title: "회원이 메일을 받지 못했다고 할 때",
        text: "‘메일·문자 기록’에서 그 사람의 이름과 상태를 봅니다. ‘실패’이면 주소를 확인하고 다시 보냅니다. 여러 사람에게 가지 않으면 ‘설치 설정’의 메일을 봅니다.",
        href: "/Admin/Messages",
      },
      {
        title: "관리자가 들어오지 못할 때",
        text: "다른 관리자가 ‘2단계 인증’에서 복구를 시작하면 24시간 뒤부터 다시 등록할 수 있습니다. 관리자가 한 명뿐이면 사이트를 설치한 사람이 명령으로 풀어 줍니다.",
        href: "/Admin/SecondFactor",
      },
      {
        title: "누구의 화면에만 보이지 않을 때",
        text: "‘권한 확인’에 그 사람의 아이디와 주소를 넣으면, 볼 수 있는지와 그 이유, 어디에서 바꾸는지를 알려 줍니다.",
        href: "/Admin/Simulator",
      },
      {
        title: "개인정보가 밖으로 나갔을 때",
        text: "그 계정을 차단하고 로그인을 끝냅니다. 감사 기록에서 내보낸 파일을 찾아 ‘포함된 사람 보기’로 누가 들어 있었는지 확인하고(‘누구의 정보’에 이름이나 이메일, 휴대전화를 넣으면 이미 파기한 사람이 든 파일도 찾습니다), 72시간 안에 그 사람들에게 알립니다. 천 명이 넘으면 개인정보보호위원회에 신고합니다(국번 없이 118).",
        href: "/Admin/Audit",
      },
    ],
  },
];
