import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { cleanUpAlumni } from "#worker/domain/alumni/clean-up.server.ts";
import { callAs } from "../../support/api-client.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { readRow, readValue, testDatabase } from "../../support/test-database.ts";

const DAY = 86_400_000;
const ROWS = 1200;

const send = (who: TestSession, method: string, path: string, body: unknown = {}) =>
  callAs(who, method, `/api/alumni/import/${path}`, body);

async function previewed(
  admin: TestSession,
  memo: string,
  more: [row: number, cells: string[]][] = [],
): Promise<string> {
  const heads = ["이름", "휴대전화", "메모"];
  const mapping = { 이름: "name", 휴대전화: "mobile", 메모: "memo" };
  const { importId } = (
    await send(admin, "POST", "open", { fileName: "긴 명부.xlsx", headRow: 1, heads, mapping, parts: 3 })
  ).data;
  for (const part of [1, 2, 3]) {
    const rows = Array.from({ length: ROWS / 3 }, (_, at) => {
      const row = ((part - 1) * ROWS) / 3 + at + 2;
      return [row, [`사람${row}`, `010-0000-${String(row).padStart(4, "0")}`, memo.padEnd(990, "-")]];
    });
    expect(
      (await send(admin, "PUT", `${importId}/part/${part}`, { rows: [...rows, ...(part === 3 ? more : [])] })).code,
    ).toBe("SUCCESS");
  }
  expect((await send(admin, "POST", `${importId}/plan`, { mode: "upsert" })).code).toBe("SUCCESS");
  return importId;
}
const commit = (admin: TestSession, importId: string) => send(admin, "POST", `${importId}/commit`);
async function commitAll(admin: TestSession, importId: string) {
  for (;;) {
    const { data } = await commit(admin, importId);
    if (data.left === 0) return data;
  }
}
const peopleWith = async (memo: string) =>
  (await readValue<number>("SELECT count(*) FROM alumni WHERE deleted_date IS NULL AND memo LIKE ?", `${memo}%`)) ?? 0;

test("only its creator can resume a large import", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const importId = await previewed(admin, "가");
  const first = (await commit(admin, importId)).data;
  const begun = await peopleWith("가");
  expect([first.applied, first.inserted, first.left]).toEqual([true, ROWS, 2]);
  expect([begun > 0, begun < ROWS]).toEqual([true, true]);
  expect((await callAs(admin, "GET", "/api/alumni/import/open")).data).toMatchObject({ importId, left: 2 });
  expect((await send(await createAdministratorSession(), "POST", `${importId}/commit`)).code).toBe("NOT_FOUND");
  for (const [method, path, body] of [
    ["POST", `${importId}/plan`, { mode: "upsert" }],
    ["PUT", `${importId}/part/1`, { rows: [[2, ["딴사람"]]] }],
    ["DELETE", importId, {}],
  ] as const)
    expect((await send(admin, method, path, body)).code).toBe("CONFLICT");
  // After two days the rest of the plan is still there.
  await cleanUpAlumni({ db: testDatabase(), now: () => new Date(Date.now() + 2 * DAY) });
  const done = await commitAll(admin, importId);
  expect([done.inserted, done.updated, done.kept, await peopleWith("가")]).toEqual([ROWS, 0, 0, ROWS]);
  expect((await callAs(admin, "GET", "/api/alumni/import/open")).data).toBeNull();
  expect(await commit(admin, importId)).toMatchObject({ data: { inserted: ROWS, left: 0 } });
  expect(await readValue("SELECT count(*) FROM alumni_staged")).toBe(0);
  expect(await readValue("SELECT count(*) FROM audit_log WHERE action = 'alumni.import'")).toBe(1);
});

test("a change made during a commit stays", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await commitAll(admin, await previewed(admin, "앞"));
  const importId = await previewed(admin, "뒤");
  expect((await commit(admin, importId)).data).toMatchObject({ updated: ROWS, left: 2 });
  const late = String((await readRow("SELECT id FROM alumni WHERE name = ?", `사람${ROWS}`))?.id);
  const gone = String((await readRow("SELECT id FROM alumni WHERE name = ?", `사람${ROWS + 1}`))?.id);
  // At least a millisecond after the import started.
  await env.DB.prepare("UPDATE alumni_staging SET committed_date = committed_date - 1").run();
  expect((await callAs(admin, "PATCH", `/api/alumni/${late}`, { memo: "손으로", version: 1 })).code).toBe("SUCCESS");
  expect((await callAs(admin, "DELETE", `/api/alumni/${gone}`)).code).toBe("SUCCESS");
  const done = await commitAll(admin, importId);
  expect([done.updated, done.kept, await peopleWith("뒤"), await peopleWith("손으로")]).toEqual([
    ROWS - 2,
    2,
    ROWS - 2,
    1,
  ]);
  expect((await callAs(admin, "GET", "/api/alumni/import")).data[0]).toMatchObject({ importId, updated: ROWS - 2 });
  const steps = [];
  do steps.push((await send(admin, "POST", `${importId}/undo`)).data);
  while (steps.at(-1).left > 0);
  expect(steps.reduce((sum, { restored }) => sum + restored, 0)).toBe(ROWS - 2);
  expect(steps.flatMap(({ kept }) => kept)).toEqual([]);
  expect([await peopleWith("앞"), await peopleWith("손으로")]).toEqual([ROWS - 2, 1]);
});

test("a half-committed import can be undone", async () => {
  const admin = await createAdministratorSession();
  const importId = await previewed(admin, "가");
  await commit(admin, importId);
  expect((await callAs(admin, "GET", "/api/alumni/import")).data[0]).toMatchObject({ importId, undoable: true });
  expect((await send(admin, "POST", `${importId}/undo`)).data.left).toBe(0);
  expect(await peopleWith("가")).toBe(0);
  expect((await callAs(admin, "GET", "/api/alumni/import/open")).data).toBeNull();
  await commit(admin, importId);
  expect(await peopleWith("가")).toBe(0);
});

test("a plan replaced during its commit reports no rows", async () => {
  const admin = await createAdministratorSession();
  const importId = await previewed(admin, "다");
  const { DB, broke } = faultyDatabase({
    sql: /insert into "alumni_import"/i,
    times: 1,
    when: () => send(admin, "POST", `${importId}/plan`, { mode: "upsert" }),
  });
  const path = `/api/alumni/import/${importId}/commit`;
  const first = await callApiWith({ DB }, "POST", path, { token: admin.accessToken, body: {} });
  expect([first.code, broke()]).toEqual(["SUCCESS", 1]);
  expect(await peopleWith("다")).toBeGreaterThan(0);
  if (first.data?.left !== 0) await commitAll(admin, importId);
  expect(await peopleWith("다")).toBe(ROWS);
});

test("a commit blocked by refused rows ends at once", async () => {
  const admin = await createAdministratorSession();
  const importId = await previewed(admin, "나", [[ROWS + 2, ["", "010-9999-9999", ""]]]);
  const refused = await commit(admin, importId);
  expect(refused.data).toMatchObject({ applied: false, inserted: 0, rejected: 1, left: 0 });
  expect(await peopleWith("나")).toBe(0);
  expect((await send(admin, "POST", `${importId}/commit`, { skipInvalid: true })).data).toMatchObject({
    applied: true,
  });
});

test("a commit resumed after an undo reports how many added people remain", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const importId = await previewed(admin, "다");
  await commit(admin, importId);
  const edited = String((await readRow("SELECT id FROM alumni WHERE memo LIKE '다%' LIMIT 1"))?.id);
  expect((await callAs(admin, "PATCH", `/api/alumni/${edited}`, { memo: "손으로", version: 1 })).code).toBe("SUCCESS");
  const other = await createAdministratorSession();
  for (let left = 1; left > 0;)
    left = (await callAs(other, "POST", `/api/alumni/import/${importId}/undo`, {})).data.left;
  const late = await commit(admin, importId);
  expect([late.code, late.message]).toEqual([
    "CONFLICT",
    "되돌린 가져오기입니다. 이 파일로 추가한 사람은 지금 주소록에 1명 있습니다.",
  ]);
});
