/** @module-tag full */
import { afterEach, expect, test } from "vitest";
import { duesFilterWords, formatDuesFilter, parseDuesFilter } from "#worker/contract/alumni/list.ts";
import { payDigits } from "#worker/contract/alumni/dues/dues.ts";
import { getAlumniListPage } from "#worker/domain/alumni/list.server.ts";
import { downloadFile } from "../../samples/alumni-files.ts";
import { acceptMails, RESEND_VARS, runJobsWith, stubMailHost } from "../../hosts/mail-host.ts";
import { callAs } from "../../support/api-client.ts";
import { expectLog } from "../../support/expected-log.ts";
import { advanceClock, advanceToMorning, createTestMailing } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { readValue, runSql } from "../../support/test-database.ts";
import { laterBy, mailingCall, outcomesOf } from "../mailing/people.ts";
import { startTestRound } from "../mailing/rounds.ts";
import { AMOUNT, charge, createDuesOffice, createPartialOffice, insertPerson, pay } from "./people-with-dues.ts";
import { expectDuesCounted } from "./dues.ts";

afterEach(expectDuesCounted);

test.each([
  ["2026:unpaid,partial", "2026 회비 미납, 일부"],
  ["2026-상반기:paid", "2026-상반기 회비 완납"],
  ["years:3", "회비 3년 이상 미납"],
])("a condition on dues is written as read: %s", (text, words) => {
  const filter = parseDuesFilter(text);
  expect(filter && [formatDuesFilter(filter), duesFilterWords(filter)]).toEqual([text, words]);
});

test.each([
  "",
  "2026",
  "2026:",
  "2026:none",
  "26:paid",
  "years:0",
  "years:21",
  "years:x",
  "2026:paid:paid",
  "2026':paid",
])("%s is no condition", async (text) => {
  expect(parseDuesFilter(text)).toBeNull();
  const answer = await callAs(await createDuesOffice(), "GET", `/api/alumni?dues=${encodeURIComponent(text)}`);
  expect([answer.code, Object.keys(answer.fields)]).toEqual(["INVALID_INPUT", ["dues"]]);
});

/** One person a state, by name. */
async function withPeople() {
  const ids: Record<string, string> = {};
  for (const name of ["미납", "일부", "완납", "면제", "없음", "둘"]) ids[name] = await insertPerson(name);
  const of = (name: string) => ids[name] ?? "";
  await charge(of("미납"), "2026");
  for (const year of ["2023", "2024-1", "2024-2"]) await charge(of("미납"), year);
  await charge(of("일부"), "2026", { paid: 1000 });
  await charge(of("일부"), "2025");
  await charge(of("완납"), "2026", { paid: AMOUNT });
  await charge(of("면제"), "2026", { isExempt: true });
  await charge(of("둘"), "2026", { paid: AMOUNT });
  await charge(of("둘"), "2026", { kindId: "congress" });
  return of;
}

const namesOf = async (session: TestSession, dues: string) =>
  (await callAs(session, "GET", `/api/alumni?dues=${encodeURIComponent(dues)}&size=100`)).data.content
    .map(({ name }: { name: string }) => name)
    .toSorted();

test("the dues of a year count together", async () => {
  await withPeople();
  const office = await createDuesOffice();
  const states = ["unpaid", "partial", "paid", "exempt"];
  expect(await Promise.all(states.map((state) => namesOf(office, `2026:${state}`)))).toEqual([
    ["미납"],
    ["둘", "일부"],
    ["완납"],
    ["면제"],
  ]);
  expect(await namesOf(office, "2026:unpaid,partial")).toEqual(["둘", "미납", "일부"]);
  expect(await namesOf(office, "2024:unpaid")).toEqual(["미납"]);
  expect(await namesOf(office, "2024-2:unpaid")).toEqual(["미납"]);
  expect(await namesOf(office, "2024-3:unpaid")).toEqual([]);
  expect(await Promise.all(["years:1", "years:2", "years:3", "years:4"].map((each) => namesOf(office, each)))).toEqual([
    ["둘", "미납", "일부"],
    ["미납", "일부"],
    ["미납"],
    [],
  ]);
});

test("without the right to manage dues the condition finds nobody", async () => {
  await withPeople();
  const partial = await createPartialOffice();
  expect(await namesOf(partial, "2026:unpaid")).toEqual([]);
  const can = async (who: TestSession) => (await getAlumniListPage(scopeFor(who), { page: 1, size: 20 })).can.dues;
  expect([await can(partial), await can(await createDuesOffice()), await can(await createMemberWithBook())]).toEqual([
    false,
    true,
    false,
  ]);
});

async function createMemberWithBook(): Promise<TestSession> {
  const member = await createMemberSession();
  await runSql(
    `UPDATE role SET permissions = json_insert(permissions, '$[#]', 'Alumni_Read') WHERE role_code = 'member'`,
  );
  return member;
}

test("every answer on people follows the condition", async () => {
  const of = await withPeople();
  const admin = await createAdministratorSession();
  const filter = { dues: "2026:unpaid,partial" };
  const listed = await callAs(admin, "GET", `/api/alumni?dues=${filter.dues}&size=1`);
  expect([listed.data.totalElements, listed.data.content.length]).toEqual([3, 1]);
  const file = await callAs(admin, "POST", "/api/alumni/export-data", {
    filter,
    columns: ["이름", "ID"],
    format: "csv",
    count: 3,
    reason: "독촉",
  });
  const text = new TextDecoder().decode(await downloadFile(admin, file.data.url));
  expect([file.data.rows, text.includes(of("미납")), text.includes(of("완납"))]).toEqual([3, true, false]);
  const figures = await callAs(admin, "POST", "/api/alumni/figures", { segment: { filter }, count: 3, reason: "보고" });
  expect(figures.data.total).toBe(3);
  const audited = await readValue("SELECT detail FROM audit_log WHERE action = 'alumni.export'");
  expect(JSON.parse(String(audited)).conditions).toEqual(["dues 2026:unpaid,partial"]);
});

test("only holders of the right see a shared view on dues", async () => {
  const office = await createDuesOffice();
  const content = { filter: { dues: "years:2" }, sort: "", columns: ["name"], isDense: false, size: 20 };
  const made = await callAs(office, "PUT", "/api/alumni/view", { name: "두 해 미납", isShared: true, content });
  expect(made.code).toBe("SUCCESS");
  const viewsOf = async (who: TestSession) => (await getAlumniListPage(scopeFor(who), { page: 1, size: 20 })).views;
  expect(await viewsOf(office)).toMatchObject([{ name: "두 해 미납", filter: { dues: "years:2" } }]);
  expect(await viewsOf(await createPartialOffice())).toEqual([]);
});

const target = { filter: { dues: "2026:unpaid,partial" } };
const reminder = { source: "alumni" as const, target };

test("a mailing or round by dues needs the right at every step", async () => {
  await withPeople();
  const [office, partial] = [await createDuesOffice(), await createPartialOffice()];
  for (const [path, body] of [
    ["mailing", reminder],
    ["round", { target }],
  ] as const)
    expect((await callAs(partial, "PUT", `/api/admin/${path}`, body)).code).toBe("FORBIDDEN");
  const id = await createTestMailing(office, reminder);
  const sending = { version: 2, count: 3, reason: "독촉" };
  for (const [act, body] of [
    ["preview", {}],
    ["test", {}],
    ["send", sending],
  ] as const)
    expect([act, (await mailingCall(partial, id, act, body)).code]).toEqual([act, "FORBIDDEN"]);
  expect((await mailingCall(office, id, "send", sending)).data.count).toBe(3);
  expect((await callAs(partial, "GET", `/api/admin/mailing/${id}/recipient`)).code).toBe("FORBIDDEN");
  await callAs(office, "PUT", "/api/admin/round", { target });
  for (const path of ["mailing", "round"])
    for (const [session, listed] of [
      [office, 1],
      [partial, 0],
    ] as const) {
      const { data } = await callAs(session, "GET", `/api/admin/${path}`);
      expect([path, data.content.length, data.totalElements]).toEqual([path, listed, listed]);
    }
});

test("a person who pays before the reminder is left out", async () => {
  const of = await withPeople();
  const office = await createDuesOffice();
  const id = await createTestMailing(office, reminder);
  await mailingCall(office, id, "send", { version: 2, count: 3, reason: "독촉" });
  // The job queues and hands over in one run: one person pays before, one between both.
  const dueOf = (name: string) =>
    readValue("SELECT id FROM due WHERE alumni_id = ? AND period = '2026' ORDER BY paid LIMIT 1", of(name));
  await pay(String(await dueOf("미납")), AMOUNT);
  expectLog(/messages.failed/);
  const refused = stubMailHost(() => new Response(null, { status: 503 }));
  await runJobsWith(RESEND_VARS);
  expect(await outcomesOf(id)).toEqual({ paid: 1, queued: 2 });
  expect(refused.length).toBeGreaterThan(0);
  await pay(String(await dueOf("둘")), AMOUNT);
  laterBy(10);
  const sent = stubMailHost(acceptMails);
  await runJobsWith(RESEND_VARS);
  expect(await outcomesOf(id)).toEqual({ paid: 2, sent: 1 });
  expect(sent.flatMap(({ mails }) => mails)).toHaveLength(1);
});

test("a confirmation round by dues leaves out people who pay meanwhile", async () => {
  advanceToMorning(0);
  const of = await withPeople();
  const office = await createDuesOffice();
  const dueOf = (name: string) =>
    readValue<string>("SELECT id FROM due WHERE alumni_id = ? AND period = '2026' AND paid < amount", of(name));
  await startTestRound(office, { target });
  await pay(String(await dueOf("미납")), AMOUNT);
  const mailed = async () => {
    const asked = stubMailHost(acceptMails);
    await runJobsWith(RESEND_VARS);
    return asked.flatMap(({ mails }) => mails).length;
  };
  expect(await mailed()).toBe(2);
  await pay(String(await dueOf("둘")), AMOUNT);
  advanceClock(14 * 86_400_000 + 1000);
  expect(await mailed()).toBe(1);
});

const TEXT =
  "{{이름}} 님 {{회비 연도}}년 회비 {{회비 금액}}을 {{납부 기한}}까지 {{회비 계좌}}({{예금주}})로 {{입금자명}} 이름으로 보내 주십시오.";

test("placeholders of dues are filled in for each person", async () => {
  const of = await withPeople();
  const office = await createDuesOffice();
  await runSql(
    `INSERT INTO site_setting (key, value, modified_date) VALUES ('site', '{"duesAccount":"한빛은행 123","duesHolder":"한빛학회"}', 1)
     ON CONFLICT (key) DO UPDATE SET value = json_patch(value, excluded.value)`,
  );
  const id = await createTestMailing(office, { source: "alumni", target: { ids: [of("미납")] } }, { text: TEXT });
  const { data } = await mailingCall(office, id, "preview");
  expect(data.samples[0].text).toContain(
    `미납 님 2023, 2024, 2026년 회비 292,600원을 2026년 12월 31일까지 한빛은행 123(한빛학회)로 미납${payDigits(of("미납"))} 이름으로`,
  );
  const ofYear = await createTestMailing(office, reminder, { text: TEXT });
  const preview = (await mailingCall(office, ofYear, "preview")).data;
  const sample = preview.samples.find(({ name }: { name: string }) => name === "일부");
  expect([preview.samples.length, sample.text]).toEqual([3, expect.stringContaining("2026년 회비 72,150원을")]);
  const everyone = await createTestMailing(
    office,
    { source: "alumni", target: { filter: { cohort: 7 } } },
    { text: TEXT },
  );
  const all = (await mailingCall(office, everyone, "preview")).data;
  expect(all.emptyFields).toContainEqual({ field: "회비 금액", names: ["면제", "없음", "완납"], count: 3 });
  expect([all.count, all.leftOut]).toEqual([3, [{ cause: "empty-field", count: 3 }]]);
});

test("placeholders of dues need the right", async () => {
  const of = await withPeople();
  const [office, partial] = [await createDuesOffice(), await createPartialOffice()];
  const whom = { source: "alumni" as const, target: { ids: [of("미납")] } };
  const id = await createTestMailing(office, whom, { text: TEXT });
  const answer = await mailingCall(partial, id, "preview");
  expect([answer.code, Object.keys(answer.fields)]).toEqual(["INVALID_INPUT", ["text"]]);
  const fieldsFor = async (who: TestSession) => (await callAs(who, "GET", `/api/admin/mailing/${id}`)).data.fields;
  expect(await fieldsFor(office)).toContain("회비 금액");
  expect(await fieldsFor(partial)).not.toContain("회비 금액");
});
