import { lookUp } from "#worker/contract/kernel/labels.ts";
import { RETENTION_RULES } from "#worker/contract/audit/retention-rules.ts";
import { SETTING_SECTION_NAMES } from "#worker/contract/kernel/setting/setting-sections.ts";
import { SETTING_FIELDS } from "#worker/contract/site/setting-fields.ts";
import { BOARD_FIELDS } from "#worker/contract/board/fields.ts";
import { labelsOf, type RowField } from "#worker/contract/kernel/row.ts";
import { IDENTITY_FIELDS, SITE_FIELDS } from "#worker/contract/kernel/setting/site-fields.ts";
import { shownText } from "#app/features/form/row-fields.tsx";
import type { SettingChange } from "#worker/contract/site/view.ts";

export const SETTING_KIND_NAMES = {
  new: "추가",
  changed: "변경",
  kept: "그대로 둠",
} as const satisfies Record<SettingChange["kind"], string>;

export const ROW_FIELD_NAMES: Record<string, string> = {
  ...labelsOf(BOARD_FIELDS),
  ...labelsOf(IDENTITY_FIELDS),
  ...labelsOf(SITE_FIELDS),
  inputType: "입력 방식",
  detail: "고를 수 있는 말",
  required: "필수",
  isClosed: "닫음",
  permissions: "권한",
  authType: "로그인 방법",
  logo: "로고",
  off: "쓰지 않는 항목",
  ownEntry: "회원 본인의 정보",
  englishDetail: "영문 선택지",
};

const SETTING_NAMES: Record<string, string> = {
  ...SETTING_SECTION_NAMES,
  ...ROW_FIELD_NAMES,
  ...labelsOf(RETENTION_RULES),
  code: "코드",
  roleCode: "코드",
  roleName: "이름",
  shown: "목록에 처음 보이는 열",
  sort: "목록의 처음 정렬",
  openable: "회원이 공개할 수 있는 항목",
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
  requestDays: "요청을 처리하는 기간(일)",
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
  label: "이름",
  href: "주소",
  entries: "메뉴 구성",
  rules: "규칙",
  signupApproval: "가입 승인",
  roleCodeForGuest: "방문자 역할",
  words: "용어",
  home: "첫 화면 구성",
  actions: "첫 화면 버튼",
  homeBoards: "첫 화면 게시판",
  footerLinks: "바닥글 링크",
  synonyms: "같은 뜻의 말",
  pages: "안내 페이지 구성",
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

const valueText = (value: unknown, field?: RowField) =>
  field && field.kind !== "group"
    ? shownText(field, value)
    : typeof value === "boolean"
      ? value
        ? "예"
        : "아니요"
      : String(value);

export const settingFieldName = (key: string, section = ""): string =>
  lookUp(labelsOf(lookUp(SETTING_FIELDS, section) ?? {}), key) ?? lookUp(SETTING_NAMES, key) ?? key;

export function summarizeChange({ section, before, after }: SettingChange): string {
  return Object.entries(after)
    .flatMap(([key, value]) => {
      const [name, old] = [settingFieldName(key, section), before[key]];
      const field = lookUp(lookUp(SETTING_FIELDS, section), key);
      if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
        if (!Array.isArray(old)) return `${name}: ${value.join(", ") || "없음"}`;
        const more = value.filter((each) => !old.includes(each)).join(", ");
        const less = old.filter((each) => !value.includes(each)).join(", ");
        if (!more && !less) return `${name}: 차례`;
        return [...(more ? [`더하는 ${name}: ${more}`] : []), ...(less ? [`빼는 ${name}: ${less}`] : [])];
      }
      if ((typeof value === "object" && value !== null) || LONG_TEXTS.includes(key)) return name;
      if (old === undefined) return value === "" ? [] : `${name}: ${valueText(value, field)}`;
      return `${name}: ${valueText(old, field)} → ${valueText(value, field)}`;
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
    .map((part) => settingFieldName(part, section))
    // A group's name is part of the names of its fields.
    .filter((label, index, labels) => !labels[index + 1]?.startsWith(`${label} `))
    .join(" ");
  const place = called ? `'${String(called)}'` : row ? `${Number(at) + 1}번째` : "";
  return [name, place, field].filter((part) => part !== "").join(" ");
}
