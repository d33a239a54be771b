import { expect, test } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { createTestMailing } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, retireUser } from "../../support/people.ts";
import { readRow, readRows, runSql } from "../../support/test-database.ts";
import { createEntry, createRepresentative, propose } from "../alumni/cohorts.ts";

async function memberWithRows() {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  const entryId = await createEntry(admin, { name: "홍길동", cohort: 3, email: member.user.email });
  const friendId = await createEntry(admin, { name: "김동기", cohort: 3 });
  await callAs(member, "PUT", "/api/certificate", { purpose: "회사 제출" });
  await callAs(admin, "PUT", "/api/certificate/issued", { alumniId: entryId, reason: "본인의 전화" });
  await runSql(
    `INSERT INTO confirmation_round (id, target, status, reminder_days, start_date, created_user_id, created_date, modified_date)
     VALUES ('round', '{"filter":{}}', 'closed', 14, 5, 'x', 1, 1)`,
  );
  await runSql(
    "INSERT INTO confirmation_answer (round_id, person_id, kind, created_date) VALUES ('round', ?, 'confirmed', 6)",
    entryId,
  );
  const other = await createRepresentative(admin, 3);
  await propose(other, entryId, { affiliation: "새봄연구소" });
  const appointed = await callAs(admin, "PUT", "/api/admin/representative", {
    who: member.user.userId,
    cohort: 3,
    to: "2099-12-31",
    reason: "총회",
  });
  expect(appointed.code).toBe("SUCCESS");
  expect((await propose(member, friendId, { mobile: "010-0000-7777", note: "친구와 통화" })).code).toBe("SUCCESS");
  return { admin, member, entryId, friendId };
}

test("the personal data export contains only own certificates or answers", async () => {
  const { member } = await memberWithRows();
  const { data } = await callAs(member, "GET", `/api/user/${member.user.id}/export`);
  expect(data.certificates.map(({ purpose }: { purpose: string }) => purpose)).toEqual(["회사 제출", ""]);
  expect(data.confirmations).toMatchObject([{ kind: "confirmed" }]);
  expect(data.corrections).toMatchObject([
    { fields: ["affiliation"], values: { affiliation: "새봄연구소" }, state: "waiting" },
  ]);
  expect(data.proposals).toMatchObject([{ cohort: 3, fields: ["mobile"], note: "친구와 통화", state: "waiting" }]);
  expect(JSON.stringify(data)).not.toMatch(/010-0000-7777|김동기|이대표/);
  const nobody = await createMemberSession();
  const empty = (await callAs(nobody, "GET", `/api/user/${nobody.user.id}/export`)).data;
  expect([empty.certificates, empty.confirmations, empty.corrections, empty.proposals]).toEqual([[], [], [], []]);
});

test("the personal data export shows mailings to the own number", async () => {
  const { admin, member, entryId } = await memberWithRows();
  const mailingId = await createTestMailing(admin, { source: "alumni", target: { ids: [entryId] } });
  await runSql(
    "INSERT INTO mailing_recipient (mailing_id, person_id, address, state, state_date) VALUES (?, ?, '010-0000-1111', 'queued', 1)",
    mailingId,
    entryId,
  );
  const { data } = await callAs(member, "GET", `/api/user/${member.user.id}/export`);
  expect(data.mailings).toMatchObject([{ address: "010-0000-1111", subject: "{{이름}} 님께" }]);
});

test("the personal data export shows nothing of a held entry", async () => {
  const { member, entryId } = await memberWithRows();
  await runSql("UPDATE alumni SET email_hold = 'before@pid.example.kr' WHERE id = ?", entryId);
  const { data } = await callAs(member, "GET", `/api/user/${member.user.id}/export`);
  expect(data.certificates.map(({ purpose }: { purpose: string }) => purpose)).toEqual(["회사 제출"]);
  expect([data.alumniEntry, data.confirmations, data.corrections, data.dues]).toEqual([null, [], [], []]);
});

test("the personal data export contains only own drafts or views", async () => {
  const admin = await createAdministratorSession();
  const other = await createMemberSession();
  const draft = { title: "쓰던 글", content: "<p>아직</p>", fileIds: [] };
  expect((await callAs(admin, "PUT", "/api/board-item-draft/free", draft)).code).toBe("SUCCESS");
  const content = { filter: { cohort: 3 }, sort: "", columns: ["name"], isDense: true, size: 50 };
  expect((await callAs(admin, "PUT", "/api/alumni/view", { name: "3기", content })).code).toBe("SUCCESS");
  const { data } = await callAs(admin, "GET", `/api/user/${admin.user.id}/export`);
  expect(data.drafts).toMatchObject([{ boardCode: "free", itemNo: 0, title: "쓰던 글", content: "<p>아직</p>" }]);
  expect(data.savedViews).toMatchObject([{ name: "3기", isShared: false, content: { filter: { cohort: "3" } } }]);
  const theirs = (await callAs(other, "GET", `/api/user/${other.user.id}/export`)).data;
  expect([theirs.drafts, theirs.savedViews]).toEqual([[], []]);
});

test("the entry of a retired member keeps only office data", async () => {
  const { member, friendId } = await memberWithRows();
  await retireUser(member);
  expect(await readRows("SELECT 1 FROM role_grant WHERE user_id = ?", member.user.id)).toEqual([]);
  expect(await readRows("SELECT alumni_id FROM alumni_correction WHERE alumni_id = ?", friendId)).toEqual([]);
  const certificate = await readRow<{ purpose: string; withdrawn_date: number | null }>(
    "SELECT purpose, withdrawn_date FROM alumni_certificate WHERE user_id = ?",
    member.user.id,
  );
  expect(certificate?.purpose).toBe("");
  expect(certificate?.withdrawn_date).not.toBeNull();
});

test("the certificate of a destroyed entry becomes invalid", async () => {
  const { admin, entryId } = await memberWithRows();
  await callAs(admin, "DELETE", `/api/alumni/${entryId}`);
  expect((await callAs(admin, "POST", "/api/alumni/destroy-data", { ids: [entryId] })).data).toEqual({ destroyed: 1 });
  expect(await readRows("SELECT 1 FROM alumni_correction WHERE alumni_id = ?", entryId)).toEqual([]);
  expect(await readRows("SELECT 1 FROM confirmation_answer WHERE person_id = ?", entryId)).toEqual([]);
  const certificate = await readRow<{ withdrawn_date: number | null }>(
    "SELECT withdrawn_date FROM alumni_certificate WHERE alumni_id = ?",
    entryId,
  );
  expect(certificate?.withdrawn_date).not.toBeNull();
});
