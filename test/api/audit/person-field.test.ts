import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { alumni } from "#db/schema/alumni.ts";
import { ALUMNI_FIELDS, type AlumniField } from "#worker/contract/alumni/columns.ts";
import { type AlumniFieldCode, OWN_FIELD_ACCESS } from "#worker/contract/alumni/own-fields.ts";
import { CONSOLE_RIGHTS } from "#worker/contract/kernel/console/console-page.ts";
import { ALUMNI_PERSON_COLUMNS, visibleOwnValuesFor, visibleValuesFor } from "#worker/domain/alumni/row.server.ts";
import { importAlumniFile } from "../../samples/alumni-files.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { createSignupSettings, openSignup } from "../../support/factories.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { contextFor } from "../../support/request-scope.ts";
import { requirePresent } from "../../support/require-present.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRows, runSql } from "../../support/test-database.ts";
import { chargeAll, makeDueKind } from "../alumni/dues.ts";
import { make as makeOwnField } from "../alumni/own-fields.ts";
import { mailingCall, sendTestMailing } from "../mailing/people.ts";
import { startTestRound } from "../mailing/rounds.ts";

/** A value for each field of a person that appears nowhere else. */
const VALUES: Partial<Record<AlumniField, string | number>> = {
  name: "남궁비밀",
  cohort: 137,
  major: "비밀전공",
  affiliation: "비밀병원",
  department: "비밀부서",
  position: "비밀직위",
  email: "secret.person@hidden.example.kr",
  mobile: "010-7391-4682",
  phone: "02-739-1468",
  zipCode: "73914",
  address: "비밀시 비밀로 1",
  memo: "비밀메모",
  state: "휴면",
  stateDate: "2019-03-17",
  stateNote: "비밀사유",
};
/** An own field of each access, made before the person. */
const OWN_VALUES = Object.fromEntries(OWN_FIELD_ACCESS.map((access, at) => [`own${at + 1}`, `비밀항목${access}`]));
/** A state is a word that the pages use as well. */
const TEXTS = Object.entries({ ...VALUES, ...OWN_VALUES }).filter(
  ([field, value]) => typeof value === "string" && field !== "state",
) as [AlumniFieldCode, string][];
const SUBJECT = "비밀총회 안내";

/** Every way in which the office writes to this person, and acts on them. */
async function makeTraces(admin: TestSession): Promise<{ id: string; mailing: string; round: string }> {
  await createSignupSettings();
  await openSignup();
  for (const access of OWN_FIELD_ACCESS) await makeOwnField(admin, { name: `항목 ${access}`, kind: "text", access });
  const values = { ...VALUES, own: OWN_VALUES };
  const made = await callAs(admin, "PUT", "/api/alumni", values);
  expect([made.code, made.fields]).toEqual(["SUCCESS", {}]);
  const id: string = made.data.id;
  const target = { ids: [id] };
  const mailing = await sendTestMailing(
    admin,
    { source: "alumni", target },
    { subject: SUBJECT, text: "{{이름}} {{소속}}" },
  );
  const round = await startTestRound(admin, { target });
  expect((await callAs(admin, "POST", `/api/alumni/${id}/invite`, {})).code).toBe("SUCCESS");
  const other = Object.fromEntries(Object.keys(OWN_VALUES).map((code) => [code, "딴 값"]));
  await callAs(admin, "PATCH", `/api/alumni/${id}`, { ...values, affiliation: "비밀의원", own: other, version: 1 });
  await callAs(admin, "PATCH", `/api/alumni/${id}`, { ...values, version: 2 });
  const twin = (await callAs(admin, "PUT", "/api/alumni", { ...values, email: "", mobile: "" })).data.id;
  const bulk = { segment: { ids: [twin] }, set: { department: "다른 부서" }, count: 1 };
  expect((await callAs(admin, "POST", "/api/alumni/bulk", bulk)).code).toBe("SUCCESS");
  await importAlumniFile(admin, "명단.csv", `이름,직위,ID\n${VALUES.name},비밀직위,${id}`);
  await chargeAll(admin, await makeDueKind(admin), [id]);
  await mailingCall(admin, mailing, "preview");
  await runScheduledJobs(env);
  return { id, mailing, round };
}

const RIGHTS = ["Dues_Manage", "Alumni_Read", "Alumni_Write", "Mail_Template"] as const;
const COMBINATIONS = RIGHTS.reduce<string[][]>(
  (all, right) => [...all, ...all.map((codes) => [...codes, right])],
  [[]],
);

async function readSurfaces(by: TestSession, { id, mailing, round }: Awaited<ReturnType<typeof makeTraces>>) {
  const rows = await readRows<{ id: number }>("SELECT id FROM audit_log WHERE action NOT LIKE 'audit.%' ORDER BY id");
  const paths = [
    "/api/admin/audit?size=100",
    `/api/admin/audit?size=100&targetId=${id}`,
    ...rows.map((row) => `/api/admin/audit/${row.id}`),
    "/api/admin/message?size=100",
    `/api/admin/mailing/${mailing}`,
    `/api/admin/mailing/${mailing}/recipient`,
    "/api/admin/mailing",
    `/api/admin/round/${round}/person`,
    "/api/alumni/deed",
    "/api/alumni/import",
    "/api/alumni/merge",
  ];
  const shown: [string, string][] = [];
  for (const path of paths) shown.push([path, JSON.stringify((await callAs(by, "GET", path)).data ?? null)]);
  const exported = await fetchApi("POST", "/api/admin/audit/export", {
    token: by.accessToken,
    body: { reason: "점검", format: "csv" },
  });
  shown.push(["audit export", await exported.text()]);
  return shown;
}

test("a log shows a personal field only to its readers", async () => {
  const admin = await createAdministratorSession();
  const made = await makeTraces(admin);
  const counted = { all: 0, shown: 0 };
  for (const codes of COMBINATIONS) {
    const by = await createSessionWith(["ADMIN_Access", ...codes]);
    const ctx = await contextFor(by);
    const [person] = await ctx.db.select(ALUMNI_PERSON_COLUMNS).from(alumni).where(eq(alumni.id, made.id));
    const readsBook = codes.includes("Alumni_Read") || codes.includes("Alumni_Write");
    const seen = {
      ...visibleValuesFor(ctx, requirePresent(person)),
      ...visibleOwnValuesFor(ctx, requirePresent(person)),
    } as Record<string, unknown>;
    const hidden = TEXTS.filter(([field, text]) => !readsBook || seen[field] !== text);
    for (const [path, text] of await readSurfaces(by, made)) {
      counted.all += 1;
      counted.shown += TEXTS.filter(([, value]) => text.includes(value)).length;
      const leaked = hidden.filter(([, value]) => text.includes(value)).map(([field]) => field);
      expect([codes, path, leaked]).toEqual([codes, path, []]);
      if (!codes.includes("Alumni_Write")) expect([codes, path, text.includes(SUBJECT)]).toEqual([codes, path, false]);
    }
  }
  expect(counted.shown).toBeGreaterThan(10);
  expect(CONSOLE_RIGHTS).toEqual(expect.arrayContaining([...RIGHTS]));
  expect(ALUMNI_FIELDS.filter((field) => !(field in VALUES) && !["graduationYear", "refuses"].includes(field))).toEqual(
    [],
  );
});

test("only editors of the book find its people in the log", async () => {
  const admin = await createAdministratorSession();
  const person = { name: "남궁비밀", email: "secret.person@hidden.example.kr", mobile: "010-7391-4682" };
  expect((await callAs(admin, "PUT", "/api/alumni", person)).code).toBe("SUCCESS");
  const editor = await createSessionWith(["ADMIN_Access", "Alumni_Write"]);
  const reader = await createSessionWith(["ADMIN_Access", "Alumni_Read"]);
  for (const subject of Object.values(person)) {
    const found = async (by: TestSession) =>
      (await callAs(by, "GET", `/api/admin/audit?${new URLSearchParams({ subject })}`)).data.totalElements;
    expect([subject, await found(editor), await found(reader)]).toEqual([subject, 1, 0]);
  }
});

test("a log without the book's rows names none of its people", async () => {
  const admin = await createAdministratorSession();
  const person = { name: "남궁비밀", email: "secret.person@hidden.example.kr", mobile: "010-7391-4682" };
  const { data } = await callAs(admin, "PUT", "/api/alumni", person);
  await runSql(`INSERT INTO audit_log (created_date, address, action, target_type, subject_count, request_id)
    SELECT max(created_date), '', 'retention.run', '', 1, '' FROM audit_log`);
  await runSql(
    "INSERT INTO audit_subject (audit_id, part, ids) SELECT max(id), 0, json_array(?) FROM audit_log",
    data.id,
  );
  const partial = await createSessionWith(["ADMIN_Access"]);
  for (const subject of Object.values(person)) {
    const found = async (by: TestSession) =>
      (await callAs(by, "GET", `/api/admin/audit?${new URLSearchParams({ subject })}`)).data.totalElements;
    expect([subject, await found(admin), await found(partial)]).toEqual([subject, 2, 0]);
  }
});

test("no part of a closed address finds a message", async () => {
  const admin = await createAdministratorSession();
  await makeTraces(admin);
  const reader = await createSessionWith(["ADMIN_Access", "Alumni_Read"]);
  const email = String(VALUES.email);
  const find = async (by: TestSession, keyword: string) =>
    (await callAs(by, "GET", `/api/admin/message?keyword=${encodeURIComponent(keyword)}`)).data.totalElements;
  for (let end = 1; end < email.length; end += 1)
    expect([end, await find(reader, email.slice(0, end))]).toEqual([end, 0]);
  expect(await find(admin, email.slice(0, 6))).toBeGreaterThan(0);
  expect([await find(reader, SUBJECT), (await find(admin, SUBJECT)) > 0]).toEqual([0, true]);
});
