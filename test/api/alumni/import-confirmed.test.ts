import { utils, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import { importAlumniFile, importCounts } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { advanceClock } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";
import { readRow, runSql } from "../../support/test-database.ts";

const MINUTE_MS = 60_000;
const FIELDS = "/api/admin/setting/alumni/field";

function oldList(id: string, saved: Date | null): Uint8Array<ArrayBuffer> {
  const book = utils.book_new();
  if (saved) book.Props = { ModifiedDate: saved };
  const rows = [
    ["ID", "이름", "휴대전화", "소속", "전공", "동호회"],
    [id, "가나다", "010-1111-1111", "옛병원", "내과", "옛 모임"],
  ];
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), "명부");
  return new Uint8Array(write(book, { type: "array", bookType: "xlsx" }) as ArrayBuffer);
}

async function correctedPerson() {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  const club = { name: "동호회", kind: "text", access: "members", personEdits: true };
  const { code } = (await callAs(admin, "PUT", FIELDS, club)).data;
  const entry = {
    name: "가나다",
    email: member.user.email,
    mobile: "010-1111-1111",
    affiliation: "옛병원",
    major: "외과",
  };
  const { id } = (await callAs(admin, "PUT", "/api/alumni", entry)).data;
  const before = new Date();
  advanceClock(MINUTE_MS);
  const corrected = { version: 1, mobile: "010-2222-2222", affiliation: "새병원", own: { [code]: "새 모임" } };
  expect((await callAs(member, "PATCH", `/api/alumni/${id}`, corrected)).code).toBe("SUCCESS");
  advanceClock(MINUTE_MS);
  const stored = () => readRow("SELECT mobile, affiliation, major, own FROM alumni WHERE id = ?", id);
  return { admin, id: id as string, code: code as string, before, stored };
}

const kept = (data: { confirmed: { samples: Record<string, unknown>[] } }) =>
  data.confirmed.samples.map(({ field, before, after, by }) => [field, before, after, by]);

test("an old list keeps corrections made after it was saved", async () => {
  const { admin, id, code, before, stored } = await correctedPerson();
  const answer = await importAlumniFile(admin, "명부.xlsx", oldList(id, before));
  expect(importCounts(answer)).toEqual([0, 0, 1, 0]);
  // Saving the own entry confirms all of its fields.
  expect(kept(answer.data)).toEqual([
    ["major", "외과", "내과", "person"],
    ["affiliation", "새병원", "옛병원", "person"],
    ["mobile", "010-2222-2222", "010-1111-1111", "person"],
    [code, "새 모임", "옛 모임", "person"],
  ]);
  expect(answer.data.confirmed.savedDate.slice(0, 10)).toBe(before.toISOString().slice(0, 10));
  expect(await stored()).toMatchObject({
    mobile: "010-2222-2222",
    affiliation: "새병원",
    own: JSON.stringify({ [code]: "새 모임" }),
  });
});

test("values from a file saved later win", async () => {
  const { admin, id, before, stored } = await correctedPerson();
  const chosen = await importAlumniFile(admin, "명부.xlsx", oldList(id, before), { confirmed: "take" });
  expect(chosen.data.confirmed.count).toBeGreaterThan(0);
  expect(await stored()).toMatchObject({ mobile: "010-1111-1111", affiliation: "옛병원", major: "내과" });

  await runSql("UPDATE alumni SET mobile = '010-2222-2222', affiliation = '새병원' WHERE id = ?", id);
  const later = await importAlumniFile(admin, "명부.xlsx", oldList(id, new Date(before.getTime() + 1.5 * MINUTE_MS)));
  expect(later.data.confirmed.count).toBe(0);
  expect(await stored()).toMatchObject({ mobile: "010-1111-1111", affiliation: "옛병원" });
});

test("a file without a valid date overwrites nothing confirmed", async () => {
  const { admin, id, before, stored } = await correctedPerson();
  for (const saved of [null, new Date(before.getTime() + 9000 * MINUTE_MS)]) {
    const { data } = await importAlumniFile(admin, "명부.xlsx", oldList(id, saved));
    expect([saved, data.confirmed.savedDate, data.confirmed.count > 0]).toEqual([saved, null, true]);
    expect(await stored()).toMatchObject({ mobile: "010-2222-2222", affiliation: "새병원" });
  }
});

test("an import overwrites an office change but no accepted correction", async () => {
  const { admin, id, before, stored } = await correctedPerson();
  expect((await callAs(admin, "PATCH", `/api/alumni/${id}`, { version: 2, mobile: "010-3333-3333" })).code).toBe(
    "SUCCESS",
  );
  await runSql(
    `INSERT INTO alumni_correction (id, alumni_id, user_id, cohort, fields, "values", note, state, answer, created_date, decided_date)
     VALUES ('c1', ?, 'u1', 1, '["major"]', '{}', '', 'accepted', '', 0, ?)`,
    id,
    before.getTime() + 1.9 * MINUTE_MS,
  );
  const { data } = await importAlumniFile(admin, "명부.xlsx", oldList(id, before));
  expect(kept(data)).toContainEqual(["major", "외과", "내과", "representative"]);
  expect(await stored()).toMatchObject({ mobile: "010-1111-1111", major: "외과", affiliation: "새병원" });
});

test("an importer learns no hidden field from the kept values", async () => {
  const { id, before, stored } = await correctedPerson();
  const importer = await createSessionWith(["Alumni_Import", "Alumni_Read"]);
  const answers = [];
  for (const mobile of ["010-2222-2222", "010-1111-1111", "010-3333-3333"]) {
    await runSql("UPDATE alumni SET mobile = ? WHERE id = ?", mobile, id);
    const { data } = await importAlumniFile(importer, "명부.xlsx", oldList(id, before));
    answers.push(kept(data).filter(([field]) => field === "mobile"));
    expect(await stored()).toMatchObject({ mobile });
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify([["mobile", "(비공개)", "010-1111-1111", "person"]])]),
  );
});
