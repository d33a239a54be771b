import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { createItemWithFile } from "../../samples/board-files.ts";
import { createTestMailing, sentMessages } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  TEST_PASSWORD,
  type TestSession,
} from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readRows, runSql } from "../../support/test-database.ts";
import { alumnusId, everybody, mailingCall, manyAlumni, outcomesOf, sendTestMailing } from "./people.ts";
import { getMailing, messageCount } from "./mailings.ts";

test("one click without a sign-in turns off office mail", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  const id = await sendTestMailing(admin);
  await runScheduledJobs(env);
  const [mail] = await sentMessages("alumnus1@pid.example.kr");
  const token = /\/mail\/off\/(\S+)/.exec(mail?.body ?? "")?.[1] ?? "";
  expect((await fetchApi("GET", `/api/mail/off/${token}`)).status).toBe(302);
  expect(await readRows("SELECT * FROM mail_address")).toEqual([]);
  const forged = token.replace(alumnusId(1), () => alumnusId(2));
  expect((await callJson("POST", `/api/mail/off/${forged}`)).status).toBe(404);
  for (let turn = 0; turn < 2; turn += 1)
    expect((await callJson("POST", `/api/mail/off/${token}`)).code).toBe("SUCCESS");
  expect(await readRows("SELECT address FROM mail_address WHERE refused_date IS NOT NULL")).toEqual([
    { address: "alumnus1@pid.example.kr" },
  ]);
  const next = await createTestMailing(admin, everybody);
  expect((await mailingCall(admin, next, "preview")).data).toMatchObject({
    count: 1,
    leftOut: [{ cause: "refused", count: 1 }],
  });
  expect(
    await readRow("SELECT count(*) AS n FROM audit_log WHERE action = 'mailing.refuse' AND target_id = ?", id),
  ).toEqual({
    n: 1,
  });
});

test("an old mail's link works for readers without an account", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(1)]);
  const reader = await createMemberSession();
  const { email } = reader.user;
  await runSql("UPDATE alumni SET email = ?", email);
  await sendTestMailing(admin);
  await runScheduledJobs(env);
  const [mail] = await sentMessages(email);
  const token = /\/mail\/off\/(\S+)/.exec(mail?.body ?? "")?.[1] ?? "";
  const left = await callAs(reader, "POST", "/api/user/retire", { password: TEST_PASSWORD, alumni: "stay" });
  expect(left.code).toBe("SUCCESS");
  expect((await callJson("POST", `/api/mail/off/${token}`)).code).toBe("SUCCESS");
  expect(await readRows("SELECT address FROM mail_address WHERE refused_date IS NOT NULL")).toEqual([
    { address: email },
  ]);
  await runSql("DELETE FROM alumni");
  expect((await callJson("POST", `/api/mail/off/${token}`)).status).toBe(404);
});

test("a scheduled mailing can be cancelled, a sent one cannot", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(3)]);
  const id = await createTestMailing(admin, everybody);
  const send = { version: 2, count: 3, reason: "총회" };
  const late = new Date(Date.now() + 100 * 86_400_000).toISOString();
  expect((await mailingCall(admin, id, "send", { ...send, sendDate: late })).code).toBe("INVALID_INPUT");
  const sendDate = new Date(Date.now() + 3_600_000).toISOString();
  expect((await mailingCall(admin, id, "send", { ...send, sendDate })).data.sendDate).toBe(sendDate);
  await runScheduledJobs(env);
  expect(await outcomesOf(id)).toEqual({ waiting: 3 });
  expect((await mailingCall(admin, id, "cancel", { version: 2 })).status).toBe(409);
  expect((await mailingCall(admin, id, "cancel", { version: 3 })).code).toBe("SUCCESS");
  expect((await mailingCall(admin, id, "cancel", { version: 4 })).status).toBe(409);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 3_600_000 });
  await runScheduledJobs(env);
  expect(await outcomesOf(id)).toEqual({ cancelled: 3 });
  expect(await messageCount()).toBe(0);
});

test("a sent mailing cannot be changed", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  const id = await sendTestMailing(admin);
  const token = admin.accessToken;
  const text = { kind: "informational", subject: "제목", text: "본문", version: 3 };
  expect((await callJson("PATCH", `/api/admin/mailing/${id}`, { token, body: text })).status).toBe(409);
  expect((await callJson("DELETE", `/api/admin/mailing/${id}?version=3`, { token })).status).toBe(409);
  expect((await mailingCall(admin, id, "send", { version: 3, count: 2, reason: "총회" })).status).toBe(409);
  expect((await mailingCall(admin, id, "resend", { version: 3, reason: "다시" })).status).toBe(409);
  const draft = await createTestMailing(admin, everybody);
  expect((await callJson("DELETE", `/api/admin/mailing/${draft}?version=1`, { token })).status).toBe(409);
  expect((await callJson("DELETE", `/api/admin/mailing/${draft}?version=2`, { token })).code).toBe("SUCCESS");
  expect((await callJson("GET", `/api/admin/mailing/${draft}`, { token })).status).toBe(404);
});

test("sending to the address book needs the right to edit", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  const id = await createTestMailing(admin, everybody);
  const clerk = await createSessionWith(["ADMIN_Access", "Alumni_Read"]);
  const office = await createSessionWith(["ADMIN_Access", "Alumni_Write"]);
  const member = await createMemberSession();
  const acts: [method: string, path: string, body?: object][] = [
    ["PUT", "", everybody],
    ["GET", `/${id}`],
    ["GET", `/${id}/recipient`],
    ["PATCH", `/${id}`, { kind: "informational", subject: "제목", text: "본문", version: 2 }],
    ["POST", `/${id}/preview`, {}],
    ["POST", `/${id}/test`, {}],
    ["POST", `/${id}/send`, { version: 2, count: 2, reason: "총회" }],
    ["POST", `/${id}/cancel`, { version: 2 }],
    ["POST", `/${id}/resend`, { version: 2, reason: "다시" }],
    ["DELETE", `/${id}?version=2`],
  ];
  for (const [method, path, body] of acts) {
    const call = async (who: TestSession | null) =>
      (await callAs(who, method, `/api/admin/mailing${path}`, body)).status;
    expect([path, await call(null), await call(member), await call(clerk)]).toEqual([path, 401, 403, 403]);
  }
  expect((await mailingCall(office, id, "preview")).data.count).toBe(2);
  const own = await createTestMailing(clerk, { source: "member", target: { ids: [member.user.id] } });
  const listed = async (session: TestSession) =>
    (await callAs(session, "GET", "/api/admin/mailing")).data.content.map((row: { id: string }) => row.id).toSorted();
  expect([await listed(clerk), await listed(office)]).toEqual([[own], [id, own].toSorted()]);
  expect((await mailingCall(clerk, own, "preview")).data.count).toBe(1);
  expect(await messageCount()).toBe(0);
});

test("the message log shows the mailing subject as a template", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(1)]);
  await sendTestMailing(admin, everybody, { subject: "{{이름}} 님께 {{소속}}" });
  await runScheduledJobs(env);
  const filled = await readRow("SELECT subject FROM message WHERE once_key LIKE 'mailing:%'");
  expect(filled).toEqual({ subject: expect.stringContaining("동문1 님께 한빛대학교병원") });
  const reader = await createSessionWith(["ADMIN_Access", "Alumni_Read", "Alumni_Write"]);
  const subjects = async (query: string, session = reader) =>
    (await callAs(session, "GET", `/api/admin/message${query}`)).data.content.map(
      (row: { subject: string }) => row.subject,
    );
  expect(await subjects("")).toEqual(["{{이름}} 님께 {{소속}}"]);
  expect(await subjects("", await createSessionWith(["ADMIN_Access"]))).toEqual(["주소록에 보낸 메일"]);
  expect(await subjects("?keyword=동문1")).toEqual([]);
  expect(await subjects("?keyword=님께")).toEqual(["{{이름}} 님께 {{소속}}"]);
});

test("a mailing started twice under one key is one", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  const id = await createTestMailing(admin, everybody, { subject: "{{기수}}기 {{이름}} 님" });
  expect((await mailingCall(admin, id, "test")).data).toEqual({ recipient: admin.user.email });
  expect((await sentMessages(admin.user.email)).map(({ subject }) => subject)).toEqual(["[시험] 3기 홍길동 님"]);
  expect(await readRow("SELECT count(*) AS n FROM message")).toEqual({ n: 1 });
  const headers = { "Idempotency-Key": "one-key-of-one-form" };
  const begin = () => callJson("PUT", "/api/admin/mailing", { token: admin.accessToken, body: everybody, headers });
  const [first, second] = [await begin(), await begin()];
  expect(first.data.id).toBe(second.data.id);
  expect(await readRow("SELECT count(*) AS n FROM mailing")).toEqual({ n: 2 });
});

test("an item file is sent as a link with its check", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(1)]);
  const [open, loose] = [await createItemWithFile(admin, "notice"), crypto.randomUUID()];
  const refused = await createTestMailing(admin, everybody, { fileIds: [loose] }).catch(String);
  expect(refused).toContain("INVALID_INPUT");
  const first = await sendTestMailing(admin, everybody, { fileIds: [open.fileId] });
  expect((await getMailing(admin, first)).files).toEqual([
    { id: open.fileId, fileName: expect.any(String), size: expect.any(Number) },
  ]);
  const later = await sendTestMailing(admin, everybody, { fileIds: [open.fileId], subject: "나중" });
  await runSql("UPDATE mailing SET send_date = 9e15 WHERE id = ?", later);
  await runScheduledJobs(env);
  const [mail] = await sentMessages("alumnus1@pid.example.kr");
  expect(mail?.body).toMatch(new RegExp(`첨부파일\\n.+\\n\\S+/api/file/${open.fileId}\\n`));
  // Guests cannot read attachments of this board, and the link gives no further access.
  await runSql("UPDATE role SET permissions = '[]' WHERE role_code = 'guest'");
  expect((await fetchApi("GET", `/api/file/${open.fileId}`)).status).toBe(404);
  // The item was deleted meanwhile, so the mail contains no dead link.
  await runSql("UPDATE board_item SET deleted_date = ?", Date.now());
  await runSql("UPDATE mailing SET send_date = 0 WHERE id = ?", later);
  await runScheduledJobs(env);
  const [, second] = (await sentMessages("alumnus1@pid.example.kr")).toReversed();
  expect([second?.subject, second?.body.includes("/api/file/")]).toEqual(["나중", false]);
});
