import { beforeEach, expect, test } from "vitest";
import { RETENTION_RULES, type RetentionRule, type RetentionRuleText } from "#worker/contract/audit/retention-rules.ts";
import { SITE_PERMISSIONS } from "#worker/contract/kernel/permissions.ts";
import { leavesOf } from "#worker/contract/kernel/row.ts";
import {
  SETTING_SECTIONS,
  sectionRule,
  type SettingSection,
} from "#worker/contract/kernel/setting/setting-sections.ts";
import { settingFieldsOf } from "#worker/contract/site/setting-fields.ts";
import { settingDocument } from "#worker/contract/site/transfer-input.ts";
import { callAs } from "../../support/api-client.ts";
import { WHITE_PIXEL } from "../../support/identity.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  TEST_PASSWORD,
  type TestSession,
} from "../../support/people.ts";
import { isFull, sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { CONSENT_DOCUMENT, EMPTY_SETTING_FILE, SETTING_IMPORT } from "../../support/setting-file.ts";
import { readValue, runSql } from "../../support/test-database.ts";
import { BOARD, isRefused, makeRows } from "./setting-calls.ts";

type Values = Record<string, unknown>;
type Rows = Values[];
interface SentCall {
  method?: string;
  path: string;
  body?: object;
}

const SETTING = "/api/admin/setting";
const versionOf = (from: string, where: string) =>
  readValue<number>(`SELECT coalesce(max(version), 0) FROM ${from} WHERE ${where}`);
/** @param read the call that tells the version, and its name there */
const documentCall =
  (
    name: string,
    {
      path = `${SETTING}/${name}`,
      read = path,
      version = "version",
      wrap = (value) => value as object,
    }: { path?: string; read?: string; version?: string; wrap?: (value: unknown) => object } = {},
  ) =>
  async (value: unknown): Promise<SentCall> => {
    const { data } = await callAs(admin, "GET", read);
    return { path, body: { ...wrap(value), version: data[version], reason: "시험" } };
  };
const rowCall =
  (table: string, path: string, key = "id", more: object = {}) =>
  async (row: Values): Promise<SentCall> => ({
    path: `${path}/${String(row[key])}`,
    body: {
      ...row,
      ...more,
      version: await versionOf(
        table,
        `${key.replace("boardCode", "board_code").replace("roleCode", "role_code")} = '${String(row[key])}'`,
      ),
      reason: "시험",
    },
  });
const draftCall =
  (area: string, key: string, prefix = "") =>
  async (row: Values): Promise<SentCall> => ({
    method: "PUT",
    path: `/api/admin/${area}/${String(row[key])}/draft`,
    body: { ...row, version: await versionOf("content", `code = '${prefix}${String(row[key])}'`) },
  });

/** The call that stores a whole section, or one of its rows. */
const CALLS: Record<SettingSection, (value: never) => Promise<SentCall>> = {
  site: documentCall("site"),
  authentication: documentCall("authentication"),
  menu: documentCall("menu", { wrap: (entries) => ({ entries }) }),
  identity: documentCall("identity"),
  logo: documentCall("logo", {
    read: `${SETTING}/identity`,
    version: "logoVersion",
    wrap: (pictures) => ({ pictures }),
  }),
  pages: documentCall("pages", { wrap: (pages) => ({ pages }) }),
  alumni: documentCall("alumni"),
  retention: documentCall("retention", { path: "/api/admin/privacy/retention" }),
  consent: documentCall("consent", { path: "/api/admin/consent/setting", read: "/api/admin/consent/due" }),
  caseReport: documentCall("case-report"),
  roles: rowCall("role", "/api/admin/role", "roleCode", { password: TEST_PASSWORD }),
  profileFields: rowCall("profile_field", `${SETTING}/profile-field`, "code"),
  boards: rowCall("board", "/api/admin/board", "boardCode", { grant: {} }),
  centers: draftCall("center", "regionCode", "center."),
  alumniFields: rowCall("alumni_field", `${SETTING}/alumni/field`, "code"),
  certificateKinds: rowCall("certificate_kind", "/api/admin/certificate-kind"),
  dueKinds: rowCall("due_kind", "/api/admin/due-kind"),
  mailTemplates: rowCall("mail_template", "/api/admin/mail-template", "kind"),
  quickLinks: async ([row]: Rows) => {
    const id = await readValue<string>("SELECT id FROM quick_link LIMIT 1");
    return rowCall("quick_link", "/api/admin/quick-link")({ ...row, id });
  },
  popups: rowCall("popup", "/api/admin/popup"),
  agreements: async ({ version: _version, ...row }: Values) => ({
    method: "PUT",
    path: `${SETTING}/agreement`,
    body: {
      ...row,
      version: "9.9",
      effectiveDate: "2026-01-01T00:00:00Z",
      baseVersion: row.code === CONSENT_DOCUMENT.code ? "1.0" : "",
    },
  }),
  pageTexts: draftCall("content", "code"),
};
const SECTIONS = Object.keys(SETTING_SECTIONS) as SettingSection[];

let admin: TestSession;
beforeEach(async () => {
  admin = await createAdministratorSession();
  const done = async (method: string, path: string, body: object) => {
    const { code, fields } = await callAs(admin, method, path, body);
    expect([path, code, fields]).toEqual([path, "SUCCESS", {}]);
  };
  await makeRows(admin);
  const pictures = { light: WHITE_PIXEL, dark: "", icon: WHITE_PIXEL, share: WHITE_PIXEL };
  await done("PATCH", `${SETTING}/logo`, { pictures, version: 0 });
  await done("PUT", `${SETTING}/profile-field`, {
    code: "club",
    name: "동호회",
    inputType: "select",
    required: false,
    detail: ["등산", "낚시"],
  });
  await done("PUT", `${SETTING}/alumni/field`, {
    name: "취미",
    kind: "choice",
    choices: ["등산", "낚시"],
    access: "office",
  });
  await done("PUT", `${SETTING}/agreement`, {
    ...CONSENT_DOCUMENT,
    effectiveDate: "2026-01-01T00:00:00Z",
    baseVersion: "",
  });
  await done("PUT", "/api/admin/center/seoul/draft", { regionName: "서울", centerName: "서울 지부", version: 0 });
  await done("POST", "/api/admin/center/seoul/publish", { version: 1 });
  await done("PUT", "/api/admin/content/about/draft", { title: "소개", content: "<p>글</p>", version: 0 });
  await done("POST", "/api/admin/content/about/publish", { version: 1 });
  await done("PUT", "/api/admin/role", {
    roleCode: "editor",
    roleName: "편집자",
    permissions: ["Mail_Template", "Inquiry_Answer"],
  });
  for (const [kind, text] of [
    ["newItem", "{{제목}} {{주소}} {{알림 끄기}}"],
    ["code", "{{인증번호}} {{화면}}"],
  ])
    await done("PATCH", `/api/admin/mail-template/${kind}`, { subject: "알림", text, reason: "시험", version: 0 });
});

/** Other values of a leaf; those that no form takes are left out by the preview of a system administrator. */
function otherValues(value: unknown): unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 1];
  if (typeof value === "string") {
    if (value.startsWith("<p>")) return [`${value}<p>더</p>`];
    if (/^\d{4}-.*Z$/.test(value)) return ["2097-01-01T00:00:00.000Z"];
    if (value === "") return ["가", WHITE_PIXEL];
    return [`${value}가`, ...(/^[a-z]+$/.test(value) ? ["editor"] : [])];
  }
  if (!Array.isArray(value)) return [];
  return [value.slice(1), ...(value.every((each) => typeof each === "string") ? [[...value, "Dues_Manage"]] : [])];
}

interface Change {
  path: string[];
  value: unknown;
}

/** Changes of single values at any depth, in the first row of a list. */
function changesOf(value: unknown, path: string[] = []): Change[] {
  const inside = Array.isArray(value)
    ? changesOf(value[0], [...path, "0"])
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, each]) => changesOf(each, [...path, name]))
      : [];
  return [...otherValues(value).map((other) => ({ path, value: other })), ...inside];
}

const put = (value: unknown, [name, ...rest]: string[], given: unknown): unknown => {
  if (name === undefined) return given;
  const copy: Values | unknown[] = Array.isArray(value) ? [...value] : { ...(value as Values) };
  (copy as Values)[name] = put((value as Values)[name], rest, given);
  return copy;
};
const at = (value: unknown, path: string[]): unknown =>
  path.reduce<unknown>((inside, name) => (inside as Values | undefined)?.[name], value);

interface Planned extends Change {
  section: SettingSection;
  /** The row of a list, in a file of its own. */
  row: number | null;
  before: unknown;
}

/** A row of another key is a new one; a file changes no agreement that is there. */
const KEYS = new Set(["id", "code", "kind", "roleCode", "boardCode", "regionCode"]);

function plan(file: Values): Planned[] {
  return SECTIONS.flatMap((section): Planned[] => {
    const value = file[section];
    const isRows = Array.isArray(value) && !["menu", "pages", "quickLinks"].includes(section);
    if (!isRows) return changesOf(value).map((change) => ({ section, row: null, before: value, ...change }));
    const rows = value as Rows;
    const chosen = [
      0,
      rows.findIndex((row) => ["editor", "free", "code"].includes(String(row.roleCode ?? row.boardCode ?? row.kind))),
    ];
    return [...new Set(chosen)]
      .filter((row) => row >= 0)
      .flatMap((row) =>
        changesOf(rows[row])
          .filter(({ path }) => section === "agreements" || !KEYS.has(path[0] ?? ""))
          .map((change) => ({ section, row, before: rows[row], ...change })),
      );
  });
}

/** The right that the declarations ask of a change. */
function needs({ section, path, before, value }: Planned, right: string): boolean {
  const row = before as Values;
  const listed = (codes: unknown): string[] => (Array.isArray(codes) ? codes.map(String) : []);
  const [was, is] = [listed(at(before, path)), listed(value)];
  const ruled =
    section === "retention" && path[0] === "rules"
      ? (RETENTION_RULES[path[1] as RetentionRule] as RetentionRuleText).right
      : undefined;
  const field = leavesOf(settingFieldsOf(section, row)).find((leaf) => path.join(".").startsWith(leaf.path.join(".")));
  return (
    right === "ADMIN_Access" ||
    sectionRule(section).rights.some((each) => each === right) ||
    field?.field.right === right ||
    ruled === right ||
    Number(value) < (field && "floor" in field.field ? Number(field.field.floor) : 0) ||
    (right === BOARD && (ruled === "every board" || (section === "boards" && row.boardCode === "free"))) ||
    (section === "roles" &&
      path[0] === "permissions" &&
      [...was, ...is].some((code) => code === right && was.includes(code) !== is.includes(code))) ||
    (section === "authentication" &&
      path[0] === "roleCodeForGuest" &&
      ["Mail_Template", "Inquiry_Answer"].includes(right))
  );
}

const documentOf = ({ section, row, before, path, value }: Planned) => {
  const after = put(before, path, value);
  return { ...EMPTY_SETTING_FILE, [section]: row === null ? after : [after] };
};

test("each section of the settings file declares its rights", () => {
  expect(
    Object.keys(settingDocument.shape)
      .filter((key) => !["kind", "format"].includes(key))
      .toSorted(),
  ).toEqual(SECTIONS.toSorted());
});

test(`changing a section of the settings needs its rights (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const readFile = async () => (await callAs(admin, "GET", `${SETTING}/export`)).data as Values;
  const boards = ((await readFile()).boards as Rows).map(({ boardCode }) => `Board_${String(boardCode)}_Manage`);
  const rights = [...SITE_PERMISSIONS, ...boards];
  const without = new Map<string, TestSession>([["ADMIN_Access", await createMemberSession()]]);
  for (const lacked of [...SITE_PERMISSIONS, BOARD])
    if (lacked !== "ADMIN_Access")
      without.set(lacked, await createSessionWith(rights.filter((code) => code !== lacked)));
  const planned = plan(await readFile());
  expect(SECTIONS.filter((section) => planned.every((each) => each.section !== section))).toEqual([]);
  const counted = { filed: new Set<string>(), called: new Set<string>(), refused: 0 };
  const titleOf = ({ section, row, path, value }: Planned) =>
    `${section} ${row ?? ""} ${path.join(".")} ${JSON.stringify(value)}`;
  for (const chosen of sample(planned, titleOf, ({ section }) => section)) {
    const here = (await readFile())[chosen.section];
    const change = { ...chosen, before: chosen.row === null ? here : (here as Rows)[chosen.row] };
    const title = titleOf(change);
    const document = documentOf(change);
    const preview = await callAs(admin, "POST", SETTING_IMPORT, { document });
    const isChange = preview.data?.changes?.some(({ kind }: { kind: string }) => kind !== "kept");
    if (preview.code !== "SUCCESS" || !isChange) continue;
    counted.filed.add(change.section);
    const send = await CALLS[change.section](put(change.before, change.path, change.value) as never);
    for (const [lacked, by] of without) {
      const isNeeded = needs(change, lacked);
      const answer = await callAs(by, "POST", SETTING_IMPORT, { document });
      expect([lacked, title, isRefused(answer)]).toEqual([lacked, title, isNeeded]);
      if (!isNeeded) continue;
      counted.refused += 1;
      const { fingerprint } = preview.data;
      const applied = await callAs(by, "POST", SETTING_IMPORT, {
        document,
        fingerprint,
        reason: "시험",
        password: TEST_PASSWORD,
      });
      const called = await callAs(by, send.method ?? "PATCH", send.path, send.body);
      expect([lacked, title, applied.code, called.code]).toEqual([lacked, title, "FORBIDDEN", "FORBIDDEN"]);
    }
    const { code } = await callAs(admin, send.method ?? "PATCH", send.path, send.body);
    if (code === "SUCCESS") counted.called.add(change.section);
    await runSql("DELETE FROM rate_limit");
  }
  // A sample may hold only values of a section that no form takes.
  const untried = (tried: ReadonlySet<string>) => SECTIONS.filter((section) => isFull && !tried.has(section));
  expect([untried(counted.filed), untried(counted.called)]).toEqual([[], []]);
  expect(counted.refused).toBeGreaterThan(SECTIONS.length);
});

test("a hidden section is neither exported nor compared without its right", async () => {
  const partial = await createSessionWith(SITE_PERMISSIONS.filter((code) => code !== "Dues_Manage"));
  const { data: whole } = await callAs(admin, "GET", `${SETTING}/export`);
  const { data: shown } = await callAs(partial, "GET", `${SETTING}/export`);
  expect(Object.keys(whole).filter((section) => !(section in shown))).toEqual(["dueKinds"]);
  for (const dueKinds of [whole.dueKinds, []])
    expect(
      (await callAs(partial, "POST", SETTING_IMPORT, { document: { ...EMPTY_SETTING_FILE, dueKinds } })).code,
    ).toBe("FORBIDDEN");
  expect((await callAs(partial, "POST", SETTING_IMPORT, { document: shown })).code).toBe("SUCCESS");
});
