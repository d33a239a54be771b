import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type DeedKind, deedRule } from "#worker/contract/alumni/deeds.ts";
import { listDeeds } from "#worker/domain/alumni/deed/deed-list.server.ts";
import { importAlumniFile } from "../../samples/alumni-files.ts";
import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { runSql } from "../../support/test-database.ts";
import { measureRead } from "../../support/measured-read.ts";
import { addDuePerson, chargeAll, makeDueKind } from "./dues.ts";

let admin: TestSession;
beforeEach(async () => {
  admin = await createAdministratorSession();
});

afterEach(() => {
  vi.useRealTimers();
});

const DEPOSIT = "/api/admin/due/deposit";

const post = async (path: string, body: object = {}) => {
  const { code, data, message } = await callAs(admin, "POST", path, body);
  expect([path, code, message]).toEqual([path, "SUCCESS", ""]);
  return data;
};

const FILE = "이름,소속,이메일\n가나다,한빛병원,a@pid.example.kr\n";

/** One deed of each kind, by its id. */
async function oneOfEach(): Promise<Record<DeedKind, string>> {
  const kindId = await makeDueKind(admin);
  const [a, b] = [await addDuePerson(admin), await addDuePerson(admin)];
  const { importId } = (await importAlumniFile(admin, "명부.csv", FILE)).data;
  const set = { segment: { ids: [a, b] }, set: { affiliation: "새봄병원" }, own: {}, count: 2 };
  const change = (await post("/api/alumni/bulk", set)).importId;
  const people = [a, b].map((id) => ({ id, version: 2 }));
  const merge = (await post("/api/alumni/merge", { keepId: a, people, source: {} })).mergeId;
  const charge = (await chargeAll(admin, kindId, [a])).workId;
  const rows = [{ when: "2026-03-02T10:00:00+09:00", payer: "모름", amount: 9, balance: null }];
  const { fingerprint } = await post(`${DEPOSIT}/plan`, { rows, withdrawals: [] });
  const sent = { rows, withdrawals: [], fileName: "거래내역.xlsx", fingerprint };
  const bank = (await post(`${DEPOSIT}/commit`, sent)).workId;
  const [{ id }] = (await callAs(admin, "GET", DEPOSIT)).data.content;
  const other = (await post(`${DEPOSIT}/${id}/alike`, { version: 1 })).workId;
  const past = { kindId, period: "2020", words: [{ name: "김하늘", cohort: null, word: "완납" }], count: 1 };
  const begin = (await post("/api/admin/due/charge", past)).workId;
  const fixed = { period: "2020", kindId, at: new Date().toISOString(), count: 1 };
  const list = (await callAs(admin, "PUT", "/api/admin/due/paid-by", fixed)).data.id;
  const voters = (await callAs(admin, "PUT", "/api/admin/due/paid-by", { ...fixed, isVoters: true })).data.id;
  return { import: importId, change, merge, charge, bank, other, begin, list, voters };
}

const undoPath = (kind: DeedKind, id: string) =>
  kind === "import" || kind === "change"
    ? `/api/alumni/import/${id}/undo`
    : kind === "merge"
      ? `/api/alumni/merge/${id}/undo`
      : `/api/admin/due/work/${id}/undo`;

const undo = (session: TestSession, kind: DeedKind, id: string) => callAs(session, "POST", undoPath(kind, id), {});

interface Listed extends Record<"id" | "name" | "userName" | "createdDate", string> {
  kind: DeedKind;
  undoUntil: string | null;
  isBegun: boolean;
  added: number;
  changed: number;
}

const listed = async (session: TestSession): Promise<Listed[]> =>
  (await callAs(session, "GET", "/api/alumni/deed")).data;
const kindsFor = async (session: TestSession) => (await listed(session)).map(({ kind }) => kind).toSorted();

test("each deed says until when it can be undone", async () => {
  await oneOfEach();
  const deeds = await listed(admin);
  expect(Object.fromEntries(deeds.map((deed) => [deed.kind, deedRule(deed.kind).done(deed)]))).toEqual({
    import: "‘명부.csv’: 1명 추가",
    change: "소속 바꾸기: 2명",
    merge: "김하늘: 2명을 하나로",
    charge: "2026 연회비: 1건",
    bank: "‘거래내역.xlsx’: 입금 1건, 맞춘 회비 0건",
    other: "2026년 3월 2일 입금과 같은 내용: 1건",
    begin: "2020 연회비: 1건",
    list: expect.stringMatching(/^2020 연회비, .* 기준: 1명$/),
    voters: expect.stringMatching(/^선거인 명부 2020 연회비, .* 기준: 1명$/),
  });
  expect(new Set(deeds.map(({ userName }) => userName))).toEqual(new Set(["관리자"]));
  for (const { createdDate, undoUntil } of deeds)
    expect(undoUntil).toBe(daysLater(new Date(createdDate), 30).toISOString());
});

test.for([
  ["can be undone at the last moment of its thirtieth day", "23:59:59.999", 0, "SUCCESS"],
  ["cannot be undone from the next midnight on", "23:59:59.999", 1, "CONFLICT"],
] as const)("each deed %s", async ([, time, more, code]) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-28T23:30:00+09:00") });
  admin = await createAdministratorSession();
  const deeds = await oneOfEach();
  vi.setSystemTime(Date.parse(`2026-12-28T${time}+09:00`) + more);
  admin = await createAdministratorSession();
  expect((await kindsFor(admin)).length).toBe(code === "SUCCESS" ? Object.keys(deeds).length : 0);
  for (const [kind, id] of Object.entries(deeds).toReversed())
    expect([kind, (await undo(admin, kind as DeedKind, id)).code]).toEqual([kind, code]);
});

test("an undone deed leaves the list", async () => {
  const deeds = await oneOfEach();
  for (const [kind, id] of Object.entries(deeds).toReversed()) {
    expect([kind, (await undo(admin, kind as DeedKind, id)).code]).toEqual([kind, "SUCCESS"]);
    expect(await kindsFor(admin)).not.toContain(kind);
  }
  expect(await listed(admin)).toEqual([]);
});

const OFFICES: [rights: string[], kinds: DeedKind[]][] = [
  [["Alumni_Import"], ["import"]],
  [["Alumni_Read", "Alumni_Write"], ["change"]],
  [
    ["Alumni_Write", "Alumni_Delete"],
    ["change", "merge"],
  ],
  [
    ["ADMIN_Access", "Dues_Manage"],
    ["bank", "begin", "charge", "list", "other", "voters"],
  ],
];

test.for(OFFICES)("%j see only the deeds %j", async ([rights, kinds]) => {
  const deeds = await oneOfEach();
  const session = await createSessionWith(rights);
  expect(await kindsFor(session)).toEqual(kinds);
  for (const [kind, id] of Object.entries(deeds)) {
    if ((kinds as string[]).includes(kind)) continue;
    expect([kind, (await undo(session, kind as DeedKind, id)).code]).toEqual([kind, "FORBIDDEN"]);
  }
});

test.for(["Alumni_Read", "ADMIN_Access", "Dues_Manage", "Alumni_Delete"])(
  "%s alone may see no list of deeds",
  async (right) => {
    await oneOfEach();
    const session = await createSessionWith([right]);
    expect((await callAs(session, "GET", "/api/alumni/deed")).code).toBe("FORBIDDEN");
    expect((await callAs(null, "GET", "/api/alumni/deed")).code).toBe("UNAUTHORIZED");
  },
);

test("an import of states is listed for editors of states", async () => {
  await importAlumniFile(admin, "처음.csv", FILE);
  await importAlumniFile(admin, "상태.csv", "이름,이메일,상태\n가나다,a@pid.example.kr,휴면\n");
  const importer = await createSessionWith(["Alumni_Import"]);
  expect((await listed(importer)).map(({ name }) => name)).toEqual(["처음.csv"]);
  expect((await listed(admin)).map(({ name }) => name)).toEqual(["상태.csv", "처음.csv"]);
});

test("expired deeds are not listed, unless their undo has begun", async () => {
  await oneOfEach();
  for (const table of ["alumni_import", "alumni_merge", "due_work"])
    await runSql(`UPDATE ${table} SET created_date = created_date - 31 * 86400000`);
  expect(await listed(admin)).toEqual([]);
  await runSql("UPDATE alumni_import SET undo_started_date = 1, undo_pass_date = 1 WHERE mode = 'change'");
  expect(await listed(admin)).toMatchObject([{ kind: "change", isBegun: true, undoUntil: null }]);
});

test("a list of deeds takes one round trip to the database", async () => {
  await oneOfEach();
  const { answer, batches } = await measureRead(admin.accessToken, listDeeds);
  expect([answer.length, batches]).toEqual([9, 1]);
  const importer = await createSessionWith(["Alumni_Import"]);
  const theirs = await measureRead(importer.accessToken, listDeeds);
  expect([theirs.answer.length, theirs.batches]).toEqual([1, 1]);
});

test("many newer deeds that somebody may not undo hide none of theirs", async () => {
  await importAlumniFile(admin, "처음.csv", FILE);
  const many = (columns: string, values: string) =>
    runSql(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      INSERT INTO alumni_import (file_id, user_id, inserted, created_date, is_current, id, ${columns})
      SELECT '', ?, 1, ?, 1, ${values} FROM n`,
      admin.user.id,
      Date.now() + 1000,
    );
  await many("file_name, mode, updated", "'change' || i, '소속 바꾸기', 'change', 0");
  await many("file_name, mode, updated", "'state' || i, '상태.csv', 'upsert', 1");
  await runSql(`INSERT INTO alumni_before (import_id, alumni_id, "values", version_after)
    SELECT i.id, a.id, '{"state":"휴면","refuses":""}', 1 FROM alumni_import i, alumni a WHERE i.file_name = '상태.csv'`);
  const importer = await createSessionWith(["Alumni_Import"]);
  expect((await listed(importer)).map(({ name }) => name)).toEqual(["처음.csv"]);
});
