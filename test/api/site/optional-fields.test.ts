import { expect, test } from "vitest";
import { readRow } from "#app/features/form/row-fields.tsx";
import { isShownWith, pickFields, type RowField, type RowType, startOf } from "#worker/contract/kernel/row.ts";
import { IDENTITY_FIELDS } from "#worker/contract/kernel/setting/site-fields.ts";
import { SETTING_FIELDS } from "#worker/contract/site/setting-fields.ts";
import { callAs } from "../../support/api-client.ts";
import { NEW_IDENTITY } from "../../support/identity.ts";
import { otherValue } from "../../support/field-samples.ts";
import OLD_FILE from "../../fixtures/settings-1.0.0.json" with { type: "json" };
import { sentForm } from "../../support/form-controls.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { rowTypes } from "../../support/row-example.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { EMPTY_SETTING_FILE, importSettingFile } from "../../support/setting-file.ts";

type Values = Record<string, unknown>;

/** The list of each kind of row, and its section of the settings file. */
const ROWS: Record<string, { path: string; section: string }> = {
  "quick-link": { path: "/api/admin/quick-link", section: "quickLinks" },
  popup: { path: "/api/admin/popup", section: "popups" },
  "certificate-kind": { path: "/api/admin/certificate-kind", section: "certificateKinds" },
  "due-kind": { path: "/api/admin/due-kind", section: "dueKinds" },
  "alumni-field": { path: "/api/admin/setting/alumni/field", section: "alumniFields" },
  "profile-field": { path: "/api/admin/setting/profile-field", section: "profileFields" },
};

/** Values that another field of the row must have, or that only some texts are. */
const NEEDED: Record<string, Values> = {
  "certificate-kind startYear": { startNumber: 5 },
  "certificate-kind startNumber": { startYear: 2026 },
  "popup englishTitle": { englishContent: "<p>Meeting</p>" },
  "popup englishContent": { englishTitle: "Meeting" },
  "due-kind gradeField": { gradeField: "소속", grades: ["정회원 70000"] },
  "due-kind grades": { gradeField: "소속" },
};
/** Files, which no settings file carries. */
const FILES = ["certificate-kind sealId"];

const optionalFields = ({ code, fields }: RowType<Record<string, RowField>>) =>
  Object.entries(fields).filter(
    ([name, field]) => !("required" in field && field.required) && !field.isSent && !FILES.includes(`${code} ${name}`),
  );

const done = async (by: TestSession, method: string, path: string, body: object = {}) => {
  const { code, message, fields, data } = await callAs(by, method, path, body);
  expect([method, path, code, message, fields]).toEqual([method, path, "SUCCESS", message, {}]);
  return data;
};
const exported = async (by: TestSession) => (await callAs(by, "GET", "/api/admin/setting/export")).data;

/** The row with its optional field empty, absent and full, and the value that it then has. */
function casesOf({ code, fields, example }: RowType<Record<string, RowField>>, name: string, field: RowField) {
  const [by, among] = [field.onlyWith?.[0], field.onlyWith?.at(-1)];
  const shown: Values = { ...example, reason: "시험", ...(by && { [by]: among }) };
  const { [name]: _absent, ...without } = shown;
  const { [name]: start } = startOf(fields);
  const full = { [name]: otherValue(field as never, start), ...NEEDED[`${code} ${name}`] };
  return [
    { body: { ...shown, [name]: start }, value: start },
    { body: without, value: start },
    { body: { ...shown, ...full }, value: full[name] },
  ];
}

test("each kind of row has its list in this walk", () => {
  expect(
    rowTypes()
      .map(({ code }) => code)
      .toSorted(),
  ).toEqual(Object.keys(ROWS).toSorted());
});

test.each(rowTypes().map((type) => [type.code, type] as const))(
  `an optional field of %s survives form or file (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async (code, type) => {
    const admin = await createAdministratorSession();
    const { path, section } = ROWS[code] ?? { path: "", section: "" };
    const shownRow = async (): Promise<Values> => (await callAs(admin, "GET", path)).data.at(-1);
    for (const [name, field] of sample(optionalFields(type), ([each]) => each))
      for (const { body, value } of casesOf(type, name, field)) {
        await done(admin, "PUT", path, body);
        const row = await shownRow();
        expect([name, row[name]]).toEqual([name, value]);

        const typed = readRow(type.fields, sentForm(type.fields, row));
        for (const [each, of] of Object.entries(type.fields))
          if (isShownWith(of, (by) => row[by])) expect([name, each, typed[each]]).toEqual([name, each, row[each]]);
        const key = String(row.id ?? row.code);
        const isClosed = type.closes && { isClosed: false };
        await done(admin, "PATCH", `${path}/${key}`, { ...typed, ...isClosed, reason: "시험", version: row.version });
        const { version, ...saved } = await shownRow();
        expect({ ...saved, version: row.version }).toEqual(row);

        const file: Values = { ...EMPTY_SETTING_FILE, [section]: (await exported(admin))[section] };
        await done(admin, "DELETE", `${path}/${key}?version=${String(version)}`);
        expect((await (await importSettingFile(admin.accessToken, file)).apply()).code).toBe("SUCCESS");
        const back = await shownRow();
        expect([name, pickFields(type.fields, back)]).toEqual([name, pickFields(type.fields, saved)]);
        expect((await exported(admin))[section]).toEqual(file[section]);
        await done(admin, "DELETE", `${path}/${String(back.id ?? back.code)}?version=${String(back.version)}`);
      }
  },
);

/** Settings of one record, with the call that changes them. */
const SETTINGS = {
  site: "/api/admin/setting/site",
  identity: "/api/admin/setting/identity",
  caseReport: "/api/admin/setting/case-report",
  alumni: "/api/admin/setting/alumni",
  boards: "/api/admin/board/free",
} as const;

test("each section with declared fields is in this walk", () => {
  const sections = [...Object.keys(SETTINGS), ...Object.values(ROWS).map(({ section }) => section)];
  expect(Object.keys(SETTING_FIELDS).filter((section) => !sections.includes(section))).toEqual([]);
});

test.each(Object.entries(SETTINGS))("the form of %s sends back what it shows", async (section, path) => {
  const admin = await createAdministratorSession();
  const fields = SETTING_FIELDS[section as keyof typeof SETTINGS] ?? {};
  const { data } = await callAs(admin, "GET", section === "boards" ? "/api/admin/board" : path);
  const value = section === "boards" ? data.boards.find((each: Values) => each.boardCode === "free") : data.value;
  // Boxes are sent in the order in which they are drawn.
  const sorted = (values: Values) =>
    Object.fromEntries(
      Object.entries(values).map(([name, each]) => [
        name,
        fields[name]?.kind === "choices" ? (each as string[]).toSorted() : each,
      ]),
    );
  expect(sorted(readRow(fields, sentForm(fields, value)))).toEqual(sorted(pickFields(fields, value)));
});

test("a settings file of release 1.0.0 is taken", async () => {
  const admin = await createAdministratorSession();
  const { apply } = await importSettingFile(admin.accessToken, OLD_FILE);
  expect(await apply()).toMatchObject({ code: "SUCCESS", fields: {} });
  const now = await exported(admin);
  const rows = [
    "boards",
    "certificateKinds",
    "dueKinds",
    "quickLinks",
    "popups",
    "alumniFields",
    "profileFields",
  ] as const;
  for (const section of rows)
    for (const row of OLD_FILE[section]) expect(now[section]).toContainEqual(expect.objectContaining(row));
  expect(now.site).toMatchObject(OLD_FILE.site);
});

test.each(Object.keys(IDENTITY_FIELDS))("a settings file from before the identity's %s is taken", async (field) => {
  const admin = await createAdministratorSession();
  const { [field]: _later, ...identity } = NEW_IDENTITY as Values;
  const { apply } = await importSettingFile(admin.accessToken, { ...EMPTY_SETTING_FILE, identity });
  expect(await apply()).toMatchObject({ code: "SUCCESS", fields: {} });
});
