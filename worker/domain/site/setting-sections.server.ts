import { sql } from "drizzle-orm";
import { siteSetting } from "#db/schema/kernel.ts";
import { authenticationSettings } from "#worker/contract/account/setting-input.ts";
import { storedAlumniSettings } from "#worker/contract/alumni/setting-input.ts";
import { privacySettings } from "#worker/contract/audit/retention-input.ts";
import { caseReportSettings } from "#worker/contract/case-report/case-report.ts";
import { infoPageSettings } from "#worker/contract/content/input.ts";
import { identitySettings, siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import { PRODUCT_WORD_NAMES } from "#worker/contract/kernel/wording.ts";
import { consentReminderSettings } from "#worker/contract/member/input.ts";
import { menuSettings } from "#worker/contract/site/input.ts";
import type { SettingDocument } from "#worker/contract/site/transfer-input.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { roleTransfer } from "../access/role.server.ts";
import { profileFields } from "../account/profile-field.server.ts";
import { ALUMNI_SETTING_KEY } from "../alumni/setting.server.ts";
import { certificateKinds } from "../alumni/certificate-kind.server.ts";
import { dueKinds } from "../alumni/dues/kind.server.ts";
import { alumniFields } from "../alumni/own-field.server.ts";
import { boardTransfer } from "../board/board-transfer.server.ts";
import { agreementTransfer } from "../content/agreement.server.ts";
import { centerTransfer } from "../content/center.server.ts";
import { pageTextTransfer } from "../content/content-edit.server.ts";
import type { BatchGuard } from "../kernel/guarded-batch.server.ts";
import { type RowTransfer, stampOf } from "../kernel/row-transfer.server.ts";
import { mailTemplateTransfer } from "../mail/template.server.ts";
import { authorizeRetentionChange } from "../privacy/retention.server.ts";
import { popups } from "./popup.server.ts";
import { quickLinks } from "./quick-link.server.ts";
import { SETTING_FILE_FORMAT } from "#worker/contract/site/rules.ts";
import { logoDocument } from "#worker/contract/site/identity-input.ts";

interface DocumentTransfer<Value> {
  key: string;
  read(stored: unknown): Value;
  stored(value: Value): Record<string, unknown>;
  /** Rights that depend on the value. @returns guards for the batch @throws AppError FORBIDDEN */
  authorize?(ctx: AppContext, before: Value, after: Value): Promise<BatchGuard[]>;
  /** Version of a row created by the import; the form expects one less without a row. */
  firstVersion?: number;
}

const plainDocument = <Value extends object>(
  key: string,
  schema: { parse(stored: unknown): Value },
): DocumentTransfer<Value> => ({
  key,
  read: (stored) => schema.parse(stored),
  stored: (value) => ({ ...(value as Record<string, unknown>) }),
});

const valueOf = <K extends keyof SettingDocument>(
  transfer: DocumentTransfer<NonNullable<SettingDocument[K]>>,
): DocumentTransfer<NonNullable<SettingDocument[K]>> => transfer;

const SETTING_DOCUMENTS = {
  site: plainDocument("site", siteSettings),
  authentication: plainDocument("authentication", authenticationSettings),
  menu: valueOf<"menu">({
    key: "menu",
    read: (stored) => menuSettings.parse(stored).entries,
    stored: (entries) => ({ entries }),
  }),
  identity: {
    key: "identity",
    read(stored: unknown) {
      const { logo: _logo, ...identity } = identitySettings.parse(stored);
      const words = PRODUCT_WORD_NAMES.map((name) => [name, identity.words[name] ?? ""] as const);
      return { ...identity, words: Object.fromEntries(words) };
    },
    stored: (value: object) => ({ ...value }),
  },
  pages: valueOf<"pages">({
    key: "pages",
    read: (stored) => infoPageSettings.parse(stored).pages,
    stored: (pages) => ({ pages }),
  }),
  alumni: plainDocument(ALUMNI_SETTING_KEY, storedAlumniSettings),
  retention: valueOf<"retention">({
    ...plainDocument("privacy", privacySettings),
    authorize: (ctx, before, after) => authorizeRetentionChange(ctx, before.rules, after.rules),
    firstVersion: 2,
  }),
  consent: plainDocument("consent", consentReminderSettings),
  caseReport: plainDocument("case-report", caseReportSettings),
};

const SETTING_ROWS = {
  profileFields: profileFields.transfer,
  boards: boardTransfer,
  centers: centerTransfer,
  alumniFields: alumniFields.transfer,
  certificateKinds: certificateKinds.transfer,
  dueKinds: dueKinds.transfer,
  mailTemplates: mailTemplateTransfer,
  quickLinks: quickLinks.transfer,
  popups: popups.transfer,
  agreements: agreementTransfer,
  pageTexts: pageTextTransfer,
  roles: roleTransfer,
};

type DocumentSection = keyof typeof SETTING_DOCUMENTS;
export type RowSection = keyof typeof SETTING_ROWS;
export const DOCUMENT_SECTIONS = Object.keys(SETTING_DOCUMENTS) as DocumentSection[];
export const ROW_SECTIONS = Object.keys(SETTING_ROWS) as RowSection[];

/** Long texts, read only on request. */
export const TEXT_SECTIONS: readonly RowSection[] = ["popups", "agreements", "pageTexts"];

type RowOf<T> = T extends { select(...given: never[]): { _: { result: (infer Row)[] } } } ? Row : never;

export type StoredSettings = { [K in RowSection]: RowOf<(typeof SETTING_ROWS)[K]>[] } & {
  settings: { key: string; value: unknown }[];
};

export const documentTransferOf = (section: DocumentSection) => SETTING_DOCUMENTS[section] as DocumentTransfer<unknown>;
export const rowTransferOf = (section: RowSection) => SETTING_ROWS[section] as unknown as RowTransfer<object, object>;

export const SETTING_STAMP = sql.join(
  [
    stampOf(siteSetting, siteSetting.key, siteSetting.version),
    ...ROW_SECTIONS.map((section) => rowTransferOf(section).stamp),
  ],
  sql` || `,
);

type WholeSettingDocument = Required<SettingDocument>;

export function settingDocumentOf(stored: StoredSettings): WholeSettingDocument {
  const asValue = (key: string) => stored.settings.find((row) => row.key === key)?.value ?? {};
  const documents = DOCUMENT_SECTIONS.map((section) => {
    const { key, read } = documentTransferOf(section);
    return [section, read(asValue(key))];
  });
  const rows = ROW_SECTIONS.map((section) => [
    section,
    (stored[section] as object[]).flatMap((row) => rowTransferOf(section).documentOf(row) ?? []),
  ]);
  return {
    kind: "hoewon-settings",
    format: SETTING_FILE_FORMAT,
    logo: logoDocument.safeParse(asValue("logo")).data ?? null,
    ...Object.fromEntries([...documents, ...rows]),
  } as WholeSettingDocument;
}
