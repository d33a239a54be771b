/** @module-tag full */
import { Buffer } from "node:buffer";
import { env } from "cloudflare:workers";
import { expect, onTestFinished, test, vi } from "vitest";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { createTestMailing } from "../../support/factories.ts";
import { expectLog } from "../../support/expected-log.ts";
import { acceptMails, RESEND_VARS, runJobsWith, stubMailHost } from "../../hosts/mail-host.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { contextFor } from "../../support/request-scope.ts";
import { listOutbox } from "#worker/domain/mail/message.server.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readRows, runSql } from "../../support/test-database.ts";
import { laterBy, everybody, mailingCall, manyAlumni, outcomesOf, sendTestMailing } from "./people.ts";
import { getMailing } from "./mailings.ts";

const PDF = "%PDF-1.7\n총회 자료";
const NAME = "2026년 총회 자료.pdf";

async function upload(who: TestSession, size = Buffer.byteLength(PDF)): Promise<string> {
  const query = new URLSearchParams({ fileName: NAME, size: String(size) });
  const { data } = await callAs(who, "GET", `/api/file/upload-url?${query}`);
  const body = Buffer.alloc(size, PDF);
  const headers = { "Content-Type": "application/octet-stream" };
  expect((await callJson("PUT", data.uploadUrl, { token: who.accessToken, body, headers })).code).toBe("SUCCESS");
  return data.fileId;
}

const text = { kind: "informational", subject: "제목", text: "본문" };
const patch = (who: TestSession | null, id: string, version: number, attachmentId: string | null) =>
  callAs(who, "PATCH", `/api/admin/mailing/${id}`, { ...text, version, attachmentId });
const storedFiles = () => readRows("SELECT purpose, status FROM file ORDER BY created_date, rowid");
const objects = async () => (await env.FILES.list()).objects.length;

test("one stored file goes to each recipient", async () => {
  // At 01:00 in Korea no backup reads the file.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date().setUTCHours(16, 0, 0, 0) });
  onTestFinished(() => void vi.useRealTimers());
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(12)]);
  const attachmentId = await upload(admin);
  const id = await sendTestMailing(admin, everybody, { attachmentId });
  const plain = await sendTestMailing(admin, everybody, { subject: "첨부 없음" });
  expect((await getMailing(admin, id)).attachment).toEqual({ fileId: attachmentId, fileName: NAME, size: 22 });
  const asked = stubMailHost(acceptMails);
  const reads: string[] = [];
  const FILES = new Proxy(env.FILES, {
    get: (bucket, name: keyof R2Bucket) =>
      name === "get"
        ? (key: string) => (reads.push(key), bucket.get(key))
        : (bucket[name] as () => unknown).bind(bucket),
  });
  await runJobsWith({ ...RESEND_VARS, FILES });
  const [stored] = await readRows<{ key: string }>("SELECT storage_key AS key FROM file");
  expect([await outcomesOf(id), await outcomesOf(plain)]).toEqual([{ sent: 12 }, { sent: 12 }]);
  expect(reads.filter((key) => key === stored?.key)).toHaveLength(1);
  const [single, batch] = [/\/emails$/, /\/batch$/].map((path) => asked.filter(({ url }) => path.test(url)));
  expect([single?.length, new Set(single?.map(({ key }) => key)).size, batch?.length]).toEqual([12, 12, 1]);
  for (const { mails } of single ?? [])
    expect(mails[0]).toMatchObject({
      subject: expect.stringContaining("님께"),
      headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
      attachments: [{ filename: NAME, content_type: "application/pdf", content: Buffer.from(PDF).toString("base64") }],
    });
  expect(JSON.stringify(batch)).not.toContain("attachments");
  expect([await storedFiles(), await objects()]).toEqual([[{ purpose: "mailing", status: "attached" }], 1]);
});

test("an interrupted mailing repeats with the same keys", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(3)]);
  const id = await sendTestMailing(admin, everybody, { attachmentId: await upload(admin) });
  let isDown = true;
  const asked = stubMailHost((sent) => {
    if (isDown && asked.length === 3) return Response.json({ name: "rate_limit_exceeded" }, { status: 429 });
    const isRefused = sent.mails[0]?.to[0] === "alumnus1@pid.example.kr";
    return isRefused ? Response.json({ name: "validation_error" }, { status: 422 }) : acceptMails(sent);
  });
  expectLog(/messages\.failed/);
  await runJobsWith(RESEND_VARS);
  isDown = false;
  laterBy(6);
  await runJobsWith(RESEND_VARS);
  expect(await outcomesOf(id)).toEqual({ failed: 1, sent: 2 });
  const keysOf = (to: string) => new Set(asked.filter(({ mails }) => mails[0]?.to[0] === to).map(({ key }) => key));
  expect(asked.length).toBe(6);
  for (const nth of [1, 2, 3]) expect(keysOf(`alumnus${nth}@pid.example.kr`).size).toBe(1);
});

test("no mail goes out without the attachment that it names", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(1)]);
  const id = await sendTestMailing(admin, everybody, { attachmentId: await upload(admin) });
  for (const { key } of (await env.FILES.list()).objects) await env.FILES.delete(key);
  const asked = stubMailHost(acceptMails);
  expectLog(/messages\.failed/);
  await runJobsWith(RESEND_VARS);
  expect([asked.length, await outcomesOf(id)]).toEqual([0, { queued: 1 }]);
});

test("a test mail or the local outbox carries the attachment", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(1)]);
  const id = await createTestMailing(admin, everybody, { attachmentId: await upload(admin) });
  expect((await mailingCall(admin, id, "test")).code).toBe("SUCCESS");
  expect(await listOutbox(await contextFor(admin))).toMatchObject([
    { to: admin.user.email, attachment: { fileName: NAME, size: 22 } },
  ]);
});

test("an attachment that is no longer used is destroyed", async () => {
  const admin = await createAdministratorSession();
  const whom = { source: "member" as const, target: { ids: [admin.user.id] } };
  const [first, second] = [await upload(admin), await upload(admin)];
  const id = await createTestMailing(admin, whom, { attachmentId: first });
  expect((await patch(admin, id, 2, second)).data.version).toBe(3);
  expect((await patch(admin, id, 3, second)).data.version).toBe(4);
  await runScheduledJobs(env);
  expect([await storedFiles(), await objects()]).toEqual([[{ purpose: "mailing", status: "attached" }], 1]);
  expect((await patch(admin, id, 4, null)).code).toBe("SUCCESS");
  expect((await getMailing(admin, id)).attachment).toBeNull();
  const deleted = await createTestMailing(admin, whom, { attachmentId: await upload(admin) });
  await createTestMailing(admin, whom, { attachmentId: await upload(admin) });
  expect((await callAs(admin, "DELETE", `/api/admin/mailing/${deleted}?version=2`)).code).toBe("SUCCESS");
  await runSql("UPDATE mailing SET modified_date = 1");
  await runScheduledJobs(env);
  await runSql("UPDATE job SET started_date = 1");
  await runScheduledJobs(env);
  expect([await storedFiles(), await objects()]).toEqual([[], 0]);
});

test("a large or foreign file is not attached", async () => {
  const admin = await createAdministratorSession();
  const [clerk, member] = [await createSessionWith(["ADMIN_Access", "Alumni_Read"]), await createMemberSession()];
  await env.DB.batch([manyAlumni(1)]);
  const id = await createTestMailing(admin, everybody);
  const [large, foreign, own] = [await upload(admin, 10 * 1024 * 1024 + 1), await upload(member), await upload(admin)];
  expect((await patch(admin, id, 2, large)).fields.attachmentId).toContain("10MB");
  for (const refused of [foreign, crypto.randomUUID()])
    expect((await patch(admin, id, 2, refused)).fields.attachmentId).toContain("다시 올려");
  for (const [who, status] of [
    [null, 401],
    [member, 403],
    [clerk, 403],
  ] as const)
    expect((await patch(who, id, 2, own)).status).toBe(status);
  expect(await readRow("SELECT attachment_id AS file, version FROM mailing")).toEqual({ file: null, version: 2 });
  expect((await patch(admin, id, 2, own)).code).toBe("SUCCESS");
  const other = await createTestMailing(admin, everybody);
  expect((await patch(admin, other, 2, own)).fields.attachmentId).toContain("다시 올려");
  for (const who of [null, member, clerk, admin])
    expect((await fetchApi("GET", `/api/file/${own}`, who ? { token: who.accessToken } : {})).status).toBe(404);
  const texts = { ...text, channel: "sms", version: 3, attachmentId: own };
  await callAs(admin, "PATCH", `/api/admin/mailing/${id}`, texts);
  expect((await mailingCall(admin, id, "preview")).fields.attachmentId).toContain("메일에만");
  await mailingCall(admin, other, "send", { version: 2, count: 1, reason: "안내" });
  expect((await patch(admin, other, 3, await upload(admin))).status).toBe(409);
});
