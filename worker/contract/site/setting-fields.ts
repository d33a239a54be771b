import { ALUMNI_PERIOD_FIELDS } from "../alumni/alumni-settings.ts";
import { certificateKindRow, dueKindRow } from "../alumni/rows.ts";
import { BOARD_FIELDS } from "../board/fields.ts";
import { CASE_REPORT_FIELDS } from "../case-report/fields.ts";
import type { RowFields } from "../kernel/row.ts";
import { IDENTITY_FIELDS, SITE_FIELDS } from "../kernel/site-fields.ts";
import { type MailTemplateKind, mailTemplateFields } from "../mail/templates.ts";
import { popupRow, quickLinkRow } from "./rows.ts";
import type { SettingDocument } from "./transfer-input.ts";

export type SettingSection = keyof Omit<SettingDocument, "kind" | "format">;

export const SETTING_SECTION_NAMES: Record<SettingSection, string> = {
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
  certificateKinds: "증명서 종류",
  dueKinds: "회비 종류",
  mailTemplates: "메일 문구",
  quickLinks: "첫 화면 바로가기",
  popups: "팝업",
  agreements: "동의 문서",
  pageTexts: "페이지의 글",
};

/** Fields declared as data, by section of the settings file. */
export const SETTING_FIELDS: Partial<Record<SettingSection, RowFields>> = {
  site: SITE_FIELDS,
  identity: IDENTITY_FIELDS,
  alumni: ALUMNI_PERIOD_FIELDS,
  caseReport: CASE_REPORT_FIELDS,
  boards: BOARD_FIELDS,
  popups: popupRow.fields,
  certificateKinds: certificateKindRow.fields,
  dueKinds: dueKindRow.fields,
  quickLinks: quickLinkRow.fields,
};

/** @param row of the section, or its whole document */
export const settingFieldsOf = (section: SettingSection, row: object): RowFields =>
  section === "mailTemplates"
    ? mailTemplateFields((row as { kind: MailTemplateKind }).kind)
    : (SETTING_FIELDS[section] ?? {});
