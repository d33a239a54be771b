import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestMailing, sentMessages } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";
import { alumnusId, everybody, mailingCall, manyAlumni, sendTestMailing } from "./people.ts";

const tokenOf = async (address: string) => {
  const [mail] = await sentMessages(address);
  return /\/mail\/off\/(\S+)/.exec(mail?.body ?? "")?.[1] ?? "";
};
const refuse = async (address: string) =>
  expect((await callJson("POST", `/api/mail/off/${await tokenOf(address)}`)).code).toBe("SUCCESS");
const refusals = () => readRows("SELECT refuses AS r FROM alumni ORDER BY id").then((rows) => rows.map(({ r }) => r));
const mailOf = (member: TestSession, office: boolean) =>
  callAs(member, "PATCH", `/api/user/${member.user.id}/notices`, { office });

test("a refusal by one click survives a new address", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  await sendTestMailing(admin);
  await runScheduledJobs(env);
  await refuse("alumnus1@pid.example.kr");
  expect(await refusals()).toEqual(["이메일", ""]);
  const version = await readValue<number>("SELECT version FROM alumni WHERE id = ?", alumnusId(1));
  const corrected = { email: "new@pid.example.kr", version };
  expect((await callAs(admin, "PATCH", `/api/alumni/${alumnusId(1)}`, corrected)).code).toBe("SUCCESS");
  const next = await createTestMailing(admin, everybody);
  expect((await mailingCall(admin, next, "preview")).data).toMatchObject({
    count: 1,
    leftOut: [{ cause: "refused", count: 1 }],
  });
});

test("an earlier refusal of other means stays when a mail is refused", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(1)]);
  await runSql("UPDATE alumni SET refuses = '문자, 우편'");
  await sendTestMailing(admin);
  await runScheduledJobs(env);
  await refuse("alumnus1@pid.example.kr");
  expect(await refusals()).toEqual(["이메일, 문자, 우편"]);
});

test("each of two people at one address refuses alone", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2, 2)]);
  await sendTestMailing(admin, everybody, { isEach: true });
  await runScheduledJobs(env);
  const mails = await sentMessages("office@pid.example.kr");
  const tokens = mails.map(({ body }) => /\/mail\/off\/(\S+)/.exec(body)?.[1] ?? "");
  await callJson("POST", `/api/mail/off/${tokens[0]}`);
  expect((await refusals()).toSorted()).toEqual(["", "이메일"]);
  await callJson("POST", `/api/mail/off/${tokens[1]}`);
  expect(await refusals()).toEqual(["이메일", "이메일"]);
});

test("a member who takes mail ends only their own refusal", async () => {
  const member = await createMemberSession();
  await env.DB.batch([manyAlumni(2)]);
  await runSql("UPDATE alumni SET email = ?, refuses = '우편' WHERE id = ?", member.user.email, alumnusId(1));
  await runSql("UPDATE alumni SET refuses = '이메일' WHERE id = ?", alumnusId(2));
  expect((await mailOf(member, false)).code).toBe("SUCCESS");
  expect(await refusals()).toEqual(["이메일, 우편", "이메일"]);
  expect((await mailOf(member, true)).code).toBe("SUCCESS");
  expect(await refusals()).toEqual(["우편", "이메일"]);
});

test("a held address lets nobody refuse for the entry", async () => {
  const member = await createMemberSession();
  await env.DB.batch([manyAlumni(1)]);
  await runSql("UPDATE alumni SET email = ?, email_hold = 'old@pid.example.kr'", member.user.email);
  expect((await mailOf(member, false)).code).toBe("SUCCESS");
  expect(await refusals()).toEqual([""]);
});

test("the undo of a bulk change leaves later refusals", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  await sendTestMailing(admin);
  await runScheduledJobs(env);
  const segment = { ids: [alumnusId(1), alumnusId(2)] };
  const body = { segment, set: { refuses: "이메일" }, own: {}, count: 2 };
  const { importId } = (await callAs(admin, "POST", "/api/alumni/bulk", body)).data;
  await refuse("alumnus1@pid.example.kr");
  const { data } = await callAs(admin, "POST", `/api/alumni/import/${importId}/undo`, {});
  const reason = "그 뒤에 본인이 수신을 거부하였습니다.";
  expect(data).toMatchObject({ restored: 1, kept: [{ id: alumnusId(1), reason }], left: 0 });
  expect(await refusals()).toEqual(["이메일", ""]);
});
