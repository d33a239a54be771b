import { ownValue } from "#worker/contract/kernel/labels.ts";
import { RETENTION_RULES } from "#worker/contract/audit/retention-rules.ts";
import { popupRow, quickLinkRow } from "#worker/contract/site/rows.ts";
import type { SettingChange } from "#worker/contract/site/view.ts";

export const SETTING_SECTION_NAMES: Record<SettingChange["section"], string> = {
  site: "사이트 정보",
  authentication: "가입 설정",
  menu: "메뉴",
  identity: "모양과 용어",
  logo: "로고",
  pages: "안내 페이지의 구성",
  alumni: "주소록 설정",
  retention: "보유 기간",
  consent: "수신 동의 안내",
  caseReport: "등록 현황의 표시 기준",
  roles: "역할",
  profileFields: "가입 항목",
  boards: "게시판",
  centers: "지역 기관",
  alumniFields: "주소록 항목",
  mailTemplates: "메일 문구",
  quickLinks: "첫 화면 바로가기",
  popups: "팝업",
  agreements: "동의 문서",
  pageTexts: "페이지의 글",
};

export const SETTING_KIND_NAMES = {
  new: "추가",
  changed: "변경",
  kept: "그대로 둠",
} as const satisfies Record<SettingChange["kind"], string>;

export const ROW_FIELD_NAMES = {
  boardName: "게시판 이름",
  boardType: "모양",
  categories: "분류",
  pageSize: "한 페이지의 글 수",
  useComment: "댓글",
  useSecret: "비밀글",
  useEvents: "일정",
  fileMaxCount: "첨부파일 개수",
  fileMaxSize: "첨부파일 크기(바이트)",
  fileExtensions: "올릴 수 있는 형식",
  inputType: "입력 방식",
  detail: "고를 수 있는 말",
  required: "필수",
  isClosed: "닫음",
  permissions: "권한",
  address: "주소",
  phone: "전화",
  fax: "팩스",
  contact: "연락처",
  organization: "기관명",
  siteName: "사이트 이름",
  productName: "사업 이름",
  copyright: "저작권 표시",
  replyTo: "회신 받을 이메일",
  authType: "로그인 방법",
  logo: "로고",
  off: "쓰지 않는 항목",
  ownEntry: "회원 본인의 정보",
  englishName: "영문 이름",
  englishDetail: "영문 선택지",
  englishDescription: "영문 설명",
  englishCategories: "영문 분류",
} as const;

const labelsOf = (rules: Record<string, { label: string }>) =>
  Object.fromEntries(Object.entries(rules).map(([key, { label }]) => [key, label]));

const SETTING_NAMES: Record<string, string> = {
  ...SETTING_SECTION_NAMES,
  ...ROW_FIELD_NAMES,
  ...labelsOf(RETENTION_RULES),
  ...labelsOf(popupRow.fields),
  ...labelsOf(quickLinkRow.fields),
  code: "코드",
  roleCode: "코드",
  roleName: "이름",
  shown: "목록에 처음 보이는 열",
  sort: "목록의 처음 정렬",
  openable: "회원이 공개할 수 있는 항목",
  exportHours: "내보낸 파일 보관(시간)",
  undoDays: "되돌릴 수 있는 기간(일)",
  order: "차례",
  kind: "종류",
  choices: "고를 수 있는 말",
  access: "보는 사람",
  personEdits: "본인이 고침",
  inList: "목록에 보임",
  links: "바로가기 구성",
  subject: "제목",
  title: "제목",
  content: "글",
  englishTitle: "영문 제목",
  englishContent: "영문 글",
  files: "첨부파일",
  version: "버전 이름",
  requestDays: "요구를 처리하는 기간(일)",
  automatic: "저절로 보냄",
  maskBelow: "가리는 기준",
  text: "본문",
  boardCode: "코드",
  regionCode: "코드",
  regionName: "지역 이름",
  centerName: "기관 이름",
  director: "책임자",
  url: "홈페이지",
  directions: "오시는 길",
  introduction: "소개글",
  name: "이름",
  entries: "메뉴 구성",
  rules: "규칙",
  signupApproval: "가입 승인",
  roleCodeForGuest: "방문자 역할",
  words: "용어",
  color: "색",
  hasCenters: "지역 기관",
  hasCaseReport: "연계 서비스",
  home: "첫 화면 구성",
  actions: "첫 화면 단추",
  homeBoards: "첫 화면 게시판",
  footerLinks: "바닥글 링크",
  footerText: "바닥글 문구",
  synonyms: "같은 뜻의 말",
  pages: "안내 페이지 구성",
  description: "소개",
  days: "날수",
  on: "켬",
  min: "최소 글자 수",
  max: "최대 글자 수",
  endingMax: "끝자리의 최대 글자 수",
  foreign: "영문이나 한자 이름",
  userName: "이름",
  password: "비밀번호",
  email: "이메일",
  id: "번호",
  target: "가는 곳",
  part: "부분",
  parent: "어디에",
  look: "글의 모양",
  isHidden: "숨기기",
  children: "아래 메뉴",
  english: "영문",
  light: "밝은 바탕",
  dark: "어두운 바탕",
  icon: "아이콘",
  share: "공유 그림",
  fileId: "파일",
  fileName: "파일 이름",
  englishDirector: "영문 책임자",
  englishAddress: "영문 주소",
  englishDirections: "영문 오시는 길",
  englishIntroduction: "영문 소개글",
};

const LONG_TEXTS = [
  "content",
  "englishContent",
  "text",
  "introduction",
  "englishIntroduction",
  "directions",
  "englishDirections",
];

const valueText = (value: unknown) => (typeof value === "boolean" ? (value ? "예" : "아니요") : String(value));

export const settingFieldName = (key: string): string => ownValue(SETTING_NAMES, key) ?? key;

export function summarizeChange({ before, after }: SettingChange): string {
  return Object.entries(after)
    .flatMap(([key, value]) => {
      const [name, old] = [settingFieldName(key), before[key]];
      if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
        if (!Array.isArray(old)) return `${name}: ${value.join(", ") || "없음"}`;
        const more = value.filter((each) => !old.includes(each)).join(", ");
        const less = old.filter((each) => !value.includes(each)).join(", ");
        if (!more && !less) return `${name}: 차례`;
        return [...(more ? [`더하는 ${name}: ${more}`] : []), ...(less ? [`빼는 ${name}: ${less}`] : [])];
      }
      if ((typeof value === "object" && value !== null) || LONG_TEXTS.includes(key)) return name;
      if (old === undefined) return value === "" ? [] : `${name}: ${valueText(value)}`;
      return `${name}: ${valueText(old)} → ${valueText(value)}`;
    })
    .join(" · ");
}

export function settingPlace(path: string, file: Record<string, unknown>): string {
  const [section = "", at = "", ...fields] = path.replace(/^document\.?/, "").split(".");
  const name = (SETTING_SECTION_NAMES as Record<string, string>)[section] ?? "";
  const rows = file[section];
  const row = (Array.isArray(rows) ? rows[Number(at)] : undefined) as Record<string, unknown> | undefined;
  const called = ["boardName", "centerName", "roleName", "title", "name", "label", "code", "kind"]
    .map((key) => row?.[key])
    .find((value) => typeof value === "string" && value !== "");
  const field = [...(row ? fields : [at, ...fields])]
    .filter((part) => part !== "" && !/^\d+$/.test(part))
    .map(settingFieldName)
    .join(" ");
  const place = called ? `'${String(called)}'` : row ? `${Number(at) + 1}번째` : "";
  return [name, place, field].filter((part) => part !== "").join(" ");
}
