import { expect, test } from "vitest";
import { importAlumniFile, importCounts } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { readRow, readValue } from "../../support/test-database.ts";

const DEAD = { name: "송미성", state: "작고", stateDate: "2024-03-01", refuses: "우편" };
const make = async (admin: TestSession, values: object = DEAD): Promise<string> =>
  (await callAs(admin, "PUT", "/api/alumni", values)).data.id;
const stored = (id: string) =>
  readRow("SELECT state, state_date AS day, refuses, affiliation FROM alumni WHERE id = ?", id);
const sheet = (id: string, state: string, refuses = "우편", affiliation = "") =>
  `ID,이름,상태,상태 날짜,수신 거부,소속\n${id},송미성,${state},,${refuses},${affiliation}`;
const takeOld = (session: TestSession, id: string, options: object = {}, affiliation = "") =>
  importAlumniFile(session, "옛 명부.csv", sheet(id, "활동", "우편", affiliation), options as never);

test("an old list does not end a death, which its preview names", async () => {
  const admin = await createAdministratorSession();
  const id = await make(admin);
  const answer = await takeOld(admin, id);
  expect(importCounts(answer)).toEqual([0, 0, 1, 0]);
  expect(answer.data.ended).toEqual([
    { row: 2, id, name: "송미성", field: "state", before: "작고", after: "활동", isTaken: false },
  ]);
  expect(await stored(id)).toMatchObject({ state: "작고", day: "2024-03-01", refuses: "우편" });
});

test("a person with a kept state takes the file's other values", async () => {
  const admin = await createAdministratorSession();
  const id = await make(admin);
  expect(importCounts(await takeOld(admin, id, {}, "한빛병원"))).toEqual([0, 1, 0, 0]);
  expect(await stored(id)).toMatchObject({ state: "작고", day: "2024-03-01", affiliation: "한빛병원" });
});

test("a ticked person takes the state of the file", async () => {
  const admin = await createAdministratorSession();
  const id = await make(admin);
  expect(importCounts(await takeOld(admin, id, { ended: [id] }))).toEqual([0, 1, 0, 0]);
  expect(await stored(id)).toMatchObject({ state: "활동" });
  expect(
    await readValue("SELECT detail ->> '$.ended' FROM audit_log WHERE action = 'alumni.import' ORDER BY rowid DESC"),
  ).toBe(JSON.stringify([id]));
});

test.each([
  ["탈퇴", "활동", true],
  ["탈퇴", "작고", false],
  ["휴면", "활동", false],
  ["연락 두절", "활동", false],
])("a file that says otherwise: %s to %s asks: %s", async (before, after, asks) => {
  const admin = await createAdministratorSession();
  const id = await make(admin, { name: "송미성", state: before });
  await importAlumniFile(admin, "명부.csv", sheet(id, after, ""));
  expect(await stored(id)).toMatchObject({ state: asks ? before : after });
});

test.each(["", "이메일"])("a file ends a refusal by ‘%s’ only if ticked", async (refuses) => {
  const admin = await createAdministratorSession();
  const id = await make(admin, { name: "송미성", refuses: "이메일, 우편" });
  const file = sheet(id, "", refuses);
  const answer = await importAlumniFile(admin, "명부.csv", file, { emptied: "clear" });
  expect(answer.data.ended).toMatchObject([{ field: "refuses", before: "이메일, 우편", isTaken: false }]);
  expect(await stored(id)).toMatchObject({ refuses: "이메일, 우편" });
  await importAlumniFile(admin, "명부.csv", file, { emptied: "clear", ended: [id] });
  expect(await stored(id)).toMatchObject({ refuses });
});

test("an importer who cannot read states learns of none", async () => {
  const admin = await createAdministratorSession();
  const importer = await createSessionWith(["Alumni_Read", "Alumni_Import"]);
  const id = await make(admin);
  const answer = await takeOld(importer, id, { ended: [id] });
  expect(answer.data.ended).toEqual([]);
  expect(await stored(id)).toMatchObject({ state: "작고", refuses: "우편" });
});

test("a bulk change of a state leaves out the dead", async () => {
  const admin = await createAdministratorSession();
  const dead = await make(admin);
  const living = await make(admin, { name: "가" });
  const change = { segment: { ids: [dead, living] }, set: { state: "휴면" } };
  const call = (more: object) => callAs(admin, "POST", "/api/alumni/bulk", { ...change, ...more });
  expect((await call({})).data).toMatchObject({
    count: 1,
    names: ["가"],
    ended: [{ id: dead, name: "송미성", field: "state", before: "작고", isTaken: false }],
  });
  expect((await call({ count: 1 })).code).toBe("SUCCESS");
  expect(await stored(dead)).toMatchObject({ state: "작고" });
  expect((await call({ ended: [dead], count: 1 })).code).toBe("SUCCESS");
  expect(await stored(dead)).toMatchObject({ state: "휴면" });
});

test("a bulk change of refusals leaves out who refused more", async () => {
  const admin = await createAdministratorSession();
  const id = await make(admin, { name: "가", refuses: "이메일" });
  const change = { segment: { ids: [id] }, set: { refuses: "" } };
  expect((await callAs(admin, "POST", "/api/alumni/bulk", change)).data).toMatchObject({
    count: 0,
    ended: [{ id, field: "refuses" }],
  });
});
