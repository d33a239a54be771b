import { expect, test } from "vitest";
import { importAlumniFile } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { chargeAll, makeDueKind, payDue } from "./dues.ts";
import { countRows, readRow, readRows, readValue, runSql } from "../../support/test-database.ts";

const undo = (session: TestSession, importId: string) =>
  callAs(session, "POST", `/api/alumni/import/${importId}/undo`, {});

/** The number of people in each entry of the log, in order. */
const undoEntries = async () =>
  (
    await readRows<{ people: number }>(`SELECT subject_count AS people FROM audit_log
      WHERE action = 'alumni.undoImport' ORDER BY id`)
  ).map(({ people }) => people);

async function withLargeImport() {
  const admin = await createAdministratorSession();
  const line = (at: number, hospital: string) => `사람${at},${hospital},p${at}@pid.example.kr\n`;
  const file = (count: number, hospital: string) =>
    `이름,소속,이메일\n${Array.from({ length: count }, (_, at) => line(at, hospital)).join("")}`;
  await importAlumniFile(admin, "처음.csv", file(3000, "한빛병원"));
  const { data } = await importAlumniFile(admin, "다음.csv", file(5500, "새봄병원"));
  expect([data.inserted, data.updated]).toEqual([2500, 3000]);
  return { admin, importId: data.importId as string };
}

test("the undo of a large import keeps people edited meanwhile", { tags: "full" }, async () => {
  const { admin, importId } = await withLargeImport();
  expect((await undo(admin, importId)).data).toEqual({ removed: 1000, restored: 1000, kept: [], left: 3500 });
  const listed = async () =>
    (await callAs(admin, "GET", "/api/alumni/import")).data.map((entry: Record<string, unknown>) => [
      entry.fileName,
      entry.isUndoStarted,
      entry.undoable,
      entry.undoneDate === null,
    ]);
  expect(await listed()).toEqual([
    ["다음.csv", true, true, true],
    ["처음.csv", false, true, true],
  ]);
  const edited = async (where: string) => {
    const row = await readRow<{ id: string; version: number }>(
      `SELECT id, version FROM alumni WHERE affiliation = '새봄병원' AND ${where} LIMIT 1`,
    );
    const body = { position: "원장", version: row?.version };
    expect((await callAs(admin, "PATCH", `/api/alumni/${row?.id}`, body)).code).toBe("SUCCESS");
    return row?.id;
  };
  const ids = [await edited("import_id IS NOT NULL AND version = 1")];
  await edited("version = 2");
  // A started undo can be finished at any time, and by another person.
  await runSql("UPDATE alumni_import SET created_date = created_date - 40 * 86400000");
  const another = await createAdministratorSession();
  const steps: { removed: number; restored: number; kept: { id: string }[]; left: number }[] = [];
  do steps.push((await undo(another, importId)).data);
  while ((steps.at(-1)?.left ?? 0) > 0);
  const sumOf = (what: "removed" | "restored") => steps.reduce((sum, step) => sum + step[what], 0);
  expect([steps.length, sumOf("removed"), sumOf("restored")]).toEqual([2, 1499, 2000]);
  const kept = steps.flatMap((step) => step.kept.map(({ id }) => id));
  expect(kept.toSorted()).toEqual(ids.toSorted());
  expect(await readValue("SELECT count(*) FROM alumni WHERE affiliation = '한빛병원'")).toBe(3000);
  expect(await countRows("alumni")).toBe(3001);
  expect(await undoEntries()).toEqual([2000, 2000, 1499]);
  expect((await listed())[0]).toEqual(["다음.csv", false, false, true]);
  expect((await undo(another, importId)).code).toBe("CONFLICT");
});

test("an import is undone although its changed people were destroyed", async () => {
  const admin = await createAdministratorSession();
  await importAlumniFile(admin, "처음.csv", "이름,소속,이메일\n가나다,한빛병원,a@pid.example.kr\n");
  const both = "이름,소속,이메일\n가나다,새봄병원,a@pid.example.kr\n라마바,새봄병원,b@pid.example.kr\n";
  const { importId, inserted, updated } = (await importAlumniFile(admin, "다음.csv", both)).data;
  expect([inserted, updated]).toEqual([1, 1]);
  const ids = [await readValue<string>("SELECT id FROM alumni WHERE name = '가나다'")];
  for (const act of ["delete-data", "destroy-data"])
    expect((await callAs(admin, "POST", `/api/alumni/${act}`, { ids })).code).toBe("SUCCESS");
  const undone = await undo(admin, importId);
  expect([undone.code, undone.data]).toMatchObject(["SUCCESS", { removed: 1, restored: 0, kept: [], left: 0 }]);
  expect(await countRows("alumni")).toBe(0);
});

test("the undo of an import keeps new people with dues", async () => {
  const admin = await createAdministratorSession();
  const { data } = await importAlumniFile(admin, "a.csv", "이름,기수\n가나다,1\n나다라,1\n다라마,1\n라마바,1\n");
  const idOf = async (name: string) => (await readValue<string>("SELECT id FROM alumni WHERE name = ?", name)) ?? "";
  const [paid, certified, unpaid] = [await idOf("가나다"), await idOf("나다라"), await idOf("다라마")];
  await chargeAll(admin, await makeDueKind(admin), [paid, unpaid]);
  await payDue(paid, 10_000);
  const issue = { segment: { ids: [certified] }, count: 1, reason: "시험" };
  expect((await callAs(admin, "PUT", "/api/certificate/issued", issue)).code).toBe("SUCCESS");
  const undone = await undo(admin, data.importId);
  expect(undone.data).toMatchObject({ removed: 1, left: 0 });
  expect(undone.data.kept.map(({ name }: { name: string }) => name).toSorted()).toEqual(["가나다", "나다라", "다라마"]);
  expect(await readValue("SELECT count(*) FROM alumni_certificate WHERE withdrawn_date IS NULL")).toBe(1);
  expect(await readValue("SELECT count(*) FROM due JOIN alumni ON alumni.id = due.alumni_id")).toBe(2);
});

test("an importer without the right takes back no state", async () => {
  const admin = await createAdministratorSession();
  const importer = await createSessionWith(["Alumni_Read", "Alumni_Import"]);
  await importAlumniFile(admin, "처음.csv", "이름,이메일,소속\n홍길동,hong@pid.example.kr,한빛병원\n");
  const { data } = await importAlumniFile(admin, "상태.csv", "이름,이메일,상태\n홍길동,hong@pid.example.kr,탈퇴\n");
  expect(data.updated).toBe(1);
  expect((await undo(importer, data.importId)).code).toBe("FORBIDDEN");
  expect(await readValue("SELECT state FROM alumni")).toBe("탈퇴");
  const plain = "이름,이메일,소속\n홍길동,hong@pid.example.kr,새봄병원\n";
  const { data: other } = await importAlumniFile(admin, "소속.csv", plain);
  expect((await undo(importer, other.importId)).data).toMatchObject({ restored: 1, left: 0 });
  expect(await readValue("SELECT state FROM alumni")).toBe("탈퇴");
});

/** An import that changed two people and added one; one of the changed people was edited since. */
async function withOneLeftOut() {
  const admin = await createAdministratorSession();
  const file = (hospital: string, more = "") =>
    `이름,소속,이메일\n가나다,${hospital},a@pid.example.kr\n나다라,${hospital},b@pid.example.kr\n${more}`;
  await importAlumniFile(admin, "처음.csv", file("한빛병원"));
  const { data } = await importAlumniFile(admin, "다음.csv", file("새봄병원", "다라마,새봄병원,c@pid.example.kr\n"));
  expect([data.inserted, data.updated]).toEqual([1, 2]);
  const id = (await readValue<string>("SELECT id FROM alumni WHERE name = '나다라'")) ?? "";
  const edit = async (affiliation: string) => {
    const version = await readValue("SELECT version FROM alumni WHERE id = ?", id);
    expect((await callAs(admin, "PATCH", `/api/alumni/${id}`, { affiliation, version })).code).toBe("SUCCESS");
  };
  await edit("바다병원");
  const importId = data.importId as string;
  expect((await undo(admin, importId)).data).toMatchObject({ removed: 1, restored: 1, kept: [{ id }], left: 0 });
  return { admin, importId, id, edit };
}

const undoableOf = async (admin: TestSession, importId: string) =>
  (await callAs(admin, "GET", "/api/alumni/import")).data.find(
    (entry: { importId: string }) => entry.importId === importId,
  ).undoable;

const expire = () => runSql("UPDATE alumni_import SET created_date = created_date - 40 * 86400000");

test("a later undo of people left out is logged with them", async () => {
  const { admin, importId, id, edit } = await withOneLeftOut();
  expect(await undoEntries()).toEqual([2]);
  await edit("새봄병원");
  expect(await undoableOf(admin, importId)).toBe(true);
  expect((await undo(admin, importId)).data).toEqual({ removed: 0, restored: 1, kept: [], left: 0 });
  expect(await undoEntries()).toEqual([2, 1]);
  const named = `SELECT ids ->> 0 FROM audit_subject WHERE audit_id = (SELECT max(id) FROM audit_log
    WHERE action = 'alumni.undoImport')`;
  expect(await readValue(named)).toBe(id);
});

test("people left out by an undo are not undone too late", async () => {
  const { admin, importId, edit } = await withOneLeftOut();
  await edit("새봄병원");
  await expire();
  expect(await undoableOf(admin, importId)).toBe(false);
  expect(await undo(admin, importId)).toMatchObject({
    code: "CONFLICT",
    message: "되돌릴 수 있는 30일이 지났습니다.",
  });
  expect(await readValue("SELECT affiliation FROM alumni WHERE name = '나다라'")).toBe("새봄병원");
  expect(await undoEntries()).toEqual([2]);
});

test("an interrupted undo is finished after its last day, once", async () => {
  const { admin, importId } = await withOneLeftOut();
  await expire();
  await runSql("UPDATE alumni_import SET undo_pass_date = 1 WHERE id = ?", importId);
  expect(await undoableOf(admin, importId)).toBe(true);
  expect((await undo(admin, importId)).data).toMatchObject({ restored: 0, kept: [{ name: "나다라" }], left: 0 });
  expect((await undo(admin, importId)).code).toBe("CONFLICT");
});

test("an undo is refused once another call ended its pass", async () => {
  const { admin, importId } = await withOneLeftOut();
  await runSql("UPDATE alumni_import SET undo_pass_date = 1 WHERE id = ?", importId);
  await expire();
  const { DB, broke } = faultyDatabase({
    sql: /update "alumni_import"/i,
    when: async () => expect((await undo(admin, importId)).data).toMatchObject({ left: 0 }),
  });
  const path = `/api/alumni/import/${importId}/undo`;
  const answer = await callApiWith({ DB }, "POST", path, { token: admin.accessToken, body: {} });
  expect([broke(), answer.code]).toEqual([1, "CONFLICT"]);
  expect(answer.message).toContain("다른 곳에서 되돌리고 있는");
  expect(await readValue("SELECT undo_pass_date FROM alumni_import WHERE id = ?", importId)).toBeNull();
});

test("the undo of an import leaves a new person in the bin", async () => {
  const admin = await createAdministratorSession();
  const { data } = await importAlumniFile(admin, "a.csv", "이름,기수\n가나다,1\n나다라,1\n");
  const id = await readValue<string>("SELECT id FROM alumni WHERE name = '가나다'");
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids: [id] });
  const kept = [{ kind: "deleted", id, name: "가나다", reason: "그 뒤에 휴지통으로 옮겼습니다." }];
  expect((await undo(admin, data.importId)).data).toEqual({ removed: 1, restored: 0, kept, left: 0 });
  await callAs(admin, "POST", "/api/alumni/restore-data", { ids: [id] });
  expect((await undo(admin, data.importId)).data).toEqual({ removed: 1, restored: 0, kept: [], left: 0 });
  expect(await countRows("alumni")).toBe(0);
});
