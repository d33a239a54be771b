import { expect } from "vitest";
import { leavesOf } from "#worker/contract/kernel/row.ts";
import type { SettingSection } from "#worker/contract/kernel/setting/setting-sections.ts";
import { SETTING_FIELDS, settingFieldsOf } from "#worker/contract/site/setting-fields.ts";
import { type ApiAnswer, callAs } from "../../support/api-client.ts";
import { otherValue } from "../../support/field-samples.ts";
import type { TestSession } from "../../support/people.ts";
import { rowExample } from "../../support/row-example.ts";
import { EMPTY_SETTING_FILE, SETTING_IMPORT } from "../../support/setting-file.ts";
import { readValue } from "../../support/test-database.ts";

/** The call of each section; a section without one fails. */
export const CALLS: Partial<Record<SettingSection, string>> = {
  site: "/api/admin/setting/site",
  identity: "/api/admin/setting/identity",
  caseReport: "/api/admin/setting/case-report",
  alumni: "/api/admin/setting/alumni",
  boards: "/api/admin/board/free",
  certificateKinds: "/api/admin/certificate-kind",
  dueKinds: "/api/admin/due-kind",
  quickLinks: "/api/admin/quick-link",
  popups: "/api/admin/popup",
  mailTemplates: "/api/admin/mail-template/code",
};
const ROW_KINDS = ["certificateKinds", "dueKinds", "quickLinks", "popups"];

export type Leaf = ReturnType<typeof leavesOf>[number] & { section: SettingSection };

/** Sections whose fields are declared as data. */
export const DECLARED_SECTIONS = [...(Object.keys(SETTING_FIELDS) as SettingSection[]), "mailTemplates" as const];
export const LEAVES = DECLARED_SECTIONS.flatMap((section) =>
  leavesOf(settingFieldsOf(section, { kind: "code" })).map((leaf): Leaf => ({ ...leaf, section })),
);
export const titleOf = ({ section, path }: Leaf) => `${section} ${path.join(".")}`;

export const withValue = (values: Record<string, unknown>, [name = "", ...rest]: string[], value: unknown): object => ({
  ...values,
  [name]: rest.length === 0 ? value : withValue((values[name] ?? {}) as Record<string, unknown>, rest, value),
});
export const valueAt = (values: unknown, path: string[]): unknown =>
  path.reduce<unknown>((inside, name) => (inside as Record<string, unknown>)[name], values);

/** A row of each kind. */
export async function makeRows(admin: TestSession): Promise<void> {
  for (const section of ROW_KINDS) {
    const path = CALLS[section as SettingSection] ?? "";
    const example = rowExample({ code: path.slice(path.lastIndexOf("/") + 1) });
    expect([section, (await callAs(admin, "PUT", path, example)).code]).toEqual([section, "SUCCESS"]);
  }
}

/** The values of a section, as its form and its file hold them. */
export async function readSection(admin: TestSession, section: SettingSection) {
  const path = CALLS[section] ?? "";
  const { data } = await callAs(admin, "GET", path);
  const { data: file } = await callAs(admin, "GET", "/api/admin/setting/export");
  if (ROW_KINDS.includes(section)) {
    const [row] = data;
    return { path: `${path}/${row.id}`, value: row, version: row.version, file: file[section][0], isRow: true };
  }
  if (section === "boards") {
    const value = file.boards.find(({ boardCode }: { boardCode: string }) => boardCode === "free");
    const version = await readValue<number>("SELECT version FROM board WHERE board_code = 'free'");
    return { path, value, version, file: value, isRow: true };
  }
  if (section === "mailTemplates") {
    const text = { subject: data.subject, text: data.text };
    return { path, value: text, version: data.version, file: { kind: "code", ...text }, isRow: true };
  }
  return { path, value: data.value, version: data.version, file: file[section], isRow: false };
}

export async function sendChange(by: TestSession, admin: TestSession, leaf: Leaf, reason: string | undefined = "시험") {
  const { path, value, version } = await readSection(admin, leaf.section);
  const after = otherValue(leaf.field, valueAt(value, leaf.path));
  const grant = leaf.section === "boards" ? { grant: {} } : {};
  const body = { ...withValue(value, leaf.path, after), ...grant, version, ...(reason && { reason }) };
  return { after, answer: await callAs(by, "PATCH", path, body) };
}

export async function sendFile(
  by: TestSession,
  admin: TestSession,
  leaf: Leaf,
  isApplied: boolean,
  reason: string | undefined = "시험",
) {
  const { file, isRow } = await readSection(admin, leaf.section);
  const after = otherValue(leaf.field, valueAt(file, leaf.path));
  const changed = withValue(file, leaf.path, after);
  const document = { ...EMPTY_SETTING_FILE, [leaf.section]: isRow ? [changed] : changed };
  const { data } = await callAs(admin, "POST", SETTING_IMPORT, { document });
  const more = isApplied ? { fingerprint: data?.fingerprint, ...(reason && { reason }) } : {};
  return { after, answer: await callAs(by, "POST", SETTING_IMPORT, { document, ...more }) };
}

export const BOARD = "Board_free_Manage";
export const isRefused = ({ code }: ApiAnswer) => code === "FORBIDDEN";
