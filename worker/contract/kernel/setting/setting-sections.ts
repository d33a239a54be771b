import type { ConsoleRight } from "../console/console-page.ts";

interface SectionRule {
  name: string;
  /** Needed for each change besides `ADMIN_Access`; a field may need more. */
  rights: readonly ConsoleRight[];
  /** Only holders of its rights may know what it says. */
  isHidden?: true;
  /** Rights that depend on the changed row or value. */
  more?: string;
}

const OWN_RIGHTS = "자기에게 없는 권한은 주거나 뺄 수 없습니다.";
const BOOK_SETUP = ["Alumni_Write", "Alumni_Read"] as const;

/** The sections of the settings: form, call, settings file and simulator read their rights. */
export const SETTING_SECTIONS = {
  site: { name: "사이트 정보", rights: [] },
  authentication: { name: "가입 설정", rights: [], more: `방문자의 역할: ${OWN_RIGHTS}` },
  menu: { name: "메뉴", rights: [] },
  identity: { name: "모양과 용어", rights: [] },
  logo: { name: "로고", rights: [] },
  pages: { name: "안내 페이지의 구성", rights: [] },
  alumni: { name: "주소록 설정", rights: BOOK_SETUP },
  retention: { name: "보유 기간", rights: [], more: "규칙을 바꾸려면 그 자료를 지우는 권한도 있어야 합니다." },
  consent: { name: "수신 동의 안내", rights: [] },
  caseReport: { name: "등록 현황의 표시 기준", rights: [] },
  roles: { name: "역할", rights: [], more: OWN_RIGHTS },
  profileFields: { name: "가입 항목", rights: [] },
  boards: { name: "게시판", rights: [], more: "게시판마다 그 게시판의 관리 권한도 있어야 합니다." },
  centers: { name: "지역 기관", rights: [] },
  alumniFields: { name: "주소록 항목", rights: BOOK_SETUP },
  certificateKinds: { name: "증명서 종류", rights: BOOK_SETUP },
  dueKinds: { name: "회비 종류", rights: ["Dues_Manage"], isHidden: true },
  mailTemplates: { name: "메일 문구", rights: [] },
  quickLinks: { name: "첫 화면 바로가기", rights: [] },
  popups: { name: "팝업", rights: [] },
  agreements: { name: "동의 문서", rights: [] },
  pageTexts: { name: "페이지의 글", rights: [] },
} as const satisfies Record<string, SectionRule>;

export type SettingSection = keyof typeof SETTING_SECTIONS;

export const sectionRule = (section: SettingSection): SectionRule => SETTING_SECTIONS[section];

export const SETTING_SECTION_NAMES = Object.fromEntries(
  Object.entries(SETTING_SECTIONS).map(([section, { name }]) => [section, name]),
) as Record<SettingSection, string>;
