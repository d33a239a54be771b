import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestMailing, sentMessages } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  retireUser,
  type TestSession,
} from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRows, runSql } from "../../support/test-database.ts";
import { alumnusId, everybody, mailingCall, manyAlumni, sendTestMailing } from "./people.ts";
import { startTestRound } from "./rounds.ts";

const offLink = async (address: string) => {
  const [mail] = await sentMessages(address);
  return /\/mail\/off\/(\S+)/.exec(mail?.body ?? "")?.[1] ?? "";
};

test("a permanently deleted entry leaves nothing in a mailing", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(3)]);
  await sendTestMailing(admin);
  await runScheduledJobs(env);
  for (const nth of [1, 2]) await callJson("POST", `/api/mail/off/${await offLink(`alumnus${nth}@pid.example.kr`)}`);
  await runSql("UPDATE alumni SET email = 'alumnus2@pid.example.kr' WHERE id = ?", alumnusId(3));
  const ids = [alumnusId(1), alumnusId(2)];
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids });
  expect((await callAs(admin, "POST", "/api/alumni/destroy-data", { ids })).data).toEqual({ destroyed: 2 });
  expect(await readRows("SELECT person_id FROM mailing_recipient")).toEqual([{ person_id: alumnusId(3) }]);
  expect(await sentMessages("alumnus1@pid.example.kr")).toEqual([]);
  expect(await readRows("SELECT address FROM mail_address")).toEqual([{ address: "alumnus2@pid.example.kr" }]);
});

test("the personal data export contains received mailings, which are deleted on retirement", async () => {
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  await env.DB.batch([manyAlumni(1)]);
  await sendTestMailing(admin, everybody);
  await sendTestMailing(admin, { source: "member", target: { ids: [person.user.id] } }, { subject: "총회" });
  await runScheduledJobs(env);
  await callJson("POST", `/api/mail/off/${await offLink(person.user.email)}`);
  const own = await callAs(person, "GET", `/api/user/${person.user.id}/export`);
  expect(own.data.mailings).toMatchObject([{ subject: "총회", address: person.user.email, state: "sent" }]);
  expect(own.data.mailAddresses).toMatchObject([{ address: person.user.email }]);
  await retireUser(person);
  expect(await readRows("SELECT person_id FROM mailing_recipient")).toEqual([{ person_id: alumnusId(1) }]);
  expect(await readRows("SELECT * FROM mail_address")).toEqual([]);
});

async function createRecipient() {
  const admin = await createAdministratorSession();
  const [person, other] = [await createMemberSession(), await createMemberSession()];
  const whom = { source: "member" as const, target: { ids: [person.user.id] } };
  await sendTestMailing(admin, whom);
  await runScheduledJobs(env);
  const notices = `/api/user/${person.user.id}/notices`;
  const reached = async () => {
    const id = await createTestMailing(admin, whom);
    return (await mailingCall(admin, id, "preview")).data.count;
  };
  return { person, other, notices, reached };
}

test("a member turns office mail off by the link of a letter", { tags: "full" }, async () => {
  const { person, other, notices, reached } = await createRecipient();
  expect((await callAs(person, "GET", notices)).data.office).toBe(true);
  await callJson("POST", `/api/mail/off/${await offLink(person.user.email)}`);
  expect((await callAs(person, "GET", notices)).data.office).toBe(false);
  expect(await reached()).toBe(0);
  expect((await callAs(other, "PATCH", notices, { office: true })).status).toBe(404);
  expect((await callAs(null, "PATCH", notices, { office: true })).status).toBe(401);
  expect(await reached()).toBe(0);
});

test("a member turns office mail on again", { tags: "full" }, async () => {
  const { person, notices, reached } = await createRecipient();
  await callJson("POST", `/api/mail/off/${await offLink(person.user.email)}`);
  for (let turn = 0; turn < 2; turn += 1)
    expect((await callAs(person, "PATCH", notices, { office: true })).data).toMatchObject({
      office: true,
      comments: true,
    });
  expect(await reached()).toBe(1);
  expect(await readRows("SELECT * FROM mail_address")).toEqual([]);
  expect(await readRows("SELECT target_id AS id FROM audit_log WHERE action = 'mailing.accept'")).toEqual([
    { id: person.user.id },
  ]);
});

test("a member cannot turn on office mail after a bounce", { tags: "full" }, async () => {
  const { person, notices, reached } = await createRecipient();
  expect((await callAs(person, "PATCH", notices, { office: false })).data.office).toBe(false);
  expect(await reached()).toBe(0);
  await runSql("UPDATE mail_address SET complained_date = 1, bounced_date = 1");
  await callAs(person, "PATCH", notices, { office: true });
  expect(await readRows("SELECT refused_date, complained_date, bounced_date FROM mail_address")).toEqual([
    { refused_date: null, complained_date: null, bounced_date: 1 },
  ]);
  expect(await reached()).toBe(0);
  await runSql("UPDATE user_key SET verified_date = NULL WHERE user_id = ?", person.user.id);
  expect((await callAs(person, "GET", notices)).data.office).toBeNull();
  expect((await callAs(person, "PATCH", notices, { office: true })).fields).toHaveProperty("office");
});

test("only a draft describes its recipients by the filter", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(5)]);
  await runSql(
    "INSERT INTO profile_field (code, name, input_type, detail) VALUES ('hospital', '근무 병원', 'Text', '[]')",
  );
  const segmentOf = async (whom: Parameters<typeof createTestMailing>[1]) =>
    (await callAs(admin, "GET", `/api/admin/mailing/${await createTestMailing(admin, whom)}`)).data.segment;
  const members = (filter: object) => segmentOf({ source: "member", target: { filter } });
  expect(await segmentOf(everybody)).toEqual(["기수 12"]);
  expect(await segmentOf({ source: "alumni", target: { ids: [alumnusId(1)] } })).toEqual([]);
  expect(await segmentOf({ source: "alumni", target: { filter: { keyword: "동문" } } })).toEqual(["검색어 ‘동문’"]);
  expect(await segmentOf({ source: "alumni", target: { filter: {} } })).toEqual(["모든 사람"]);
  expect(await members({})).toEqual(["모든 회원"]);
  expect(await members({ status: "active", roleCode: "member", from: "2026-01-01" })).toEqual([
    "상태 ‘정상’",
    "역할 ‘회원’",
    "가입일 2026-01-01~",
  ]);
  expect(await members({ profileCode: "hospital", profileValue: "한빛" })).toEqual(["근무 병원 ‘한빛’"]);
  const sent = await sendTestMailing(admin, everybody);
  expect((await callAs(admin, "GET", `/api/admin/mailing/${sent}`)).data.segment).toEqual([]);
});

const peopleOf = async (who: TestSession, path: string) =>
  Object.fromEntries(
    (await callAs(who, "GET", `/api/admin/${path}`)).data.content.map(
      (row: { personId: string; address: string; canMend: boolean }) => [row.personId, [row.address, row.canMend]],
    ),
  );

test("the office can mend a bounced address of the book", async () => {
  const office = await createSessionWith(["ADMIN_Access", "Alumni_Read", "Alumni_Write"]);
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(3)]);
  const [id, round] = [await sendTestMailing(office), await startTestRound(admin)];
  await runSql(
    "UPDATE mailing_recipient SET state = 'bounced', cause = 'no-mailbox' WHERE person_id = ?",
    alumnusId(1),
  );
  await runSql("UPDATE mailing_recipient SET state = 'left', cause = 'bounced' WHERE person_id = ?", alumnusId(2));
  await runSql("INSERT INTO mail_address (address, bounced_date) VALUES ('alumnus1@pid.example.kr', 1)");
  const seen = {
    [alumnusId(1)]: ["alumnus1@pid.example.kr", true],
    [alumnusId(2)]: ["alumnus2@pid.example.kr", true],
    [alumnusId(3)]: ["a***@pid.example.kr", false],
  };
  expect(await peopleOf(office, `mailing/${id}/recipient`)).toEqual(seen);
  expect(await peopleOf(office, `round/${round}/person`)).toEqual(seen);
  const clerk = await createSessionWith(["ADMIN_Access", "Alumni_Read"]);
  for (const path of [`mailing/${id}/recipient`, `round/${round}/person`])
    expect((await callAs(clerk, "GET", `/api/admin/${path}`)).status).toBe(403);
  const mended = { version: 1, email: "mended@pid.example.kr" };
  expect((await callAs(office, "PATCH", `/api/alumni/${alumnusId(1)}`, mended)).code).toBe("SUCCESS");
  expect((await mailingCall(office, await createTestMailing(office, everybody), "preview")).data.count).toBe(3);
  await runSql("UPDATE alumni SET deleted_date = 1 WHERE id = ?", alumnusId(2));
  expect((await peopleOf(office, `mailing/${id}/recipient`))[alumnusId(2)]).toEqual(["a***@pid.example.kr", false]);
});

test("only its administrators see a member's bounced address", async () => {
  const [admin, member, clerk] = [
    await createAdministratorSession(),
    await createMemberSession(),
    await createSessionWith(["ADMIN_Access"]),
  ];
  const ids = [member.user.id, admin.user.id];
  const id = await sendTestMailing(clerk, { source: "member", target: { ids } });
  const masked = (who: TestSession) => [who.user.email.replace(/^(.).*@/, "$1***@"), false];
  expect(await peopleOf(admin, `mailing/${id}/recipient`)).toEqual(
    Object.fromEntries([member, admin].map((who) => [who.user.id, masked(who)])),
  );
  await runSql("UPDATE mailing_recipient SET state = 'bounced', cause = 'no-mailbox'");
  const open = [member.user.email, true];
  expect(await peopleOf(clerk, `mailing/${id}/recipient`)).toEqual({
    [member.user.id]: open,
    [admin.user.id]: masked(admin),
  });
  expect(await peopleOf(admin, `mailing/${id}/recipient`)).toEqual({
    [member.user.id]: open,
    [admin.user.id]: [admin.user.email, true],
  });
});
