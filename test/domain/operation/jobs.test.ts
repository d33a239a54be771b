import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { refreshToken, session } from "#db/schema/account.ts";
import { boardItemView } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { rateLimit } from "#db/schema/kernel.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { testDatabase } from "../../support/test-database.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";

const DAY_MS = 86_400_000;
const PDF = new TextEncoder().encode("%PDF-1.4 test");

async function upload(session_: TestSession): Promise<string> {
  const query = `boardCode=notice&fileName=${encodeURIComponent("안내문.pdf")}&size=${PDF.byteLength}`;
  const ticket = await callAs(session_, "GET", `/api/board-item-file/upload-url?${query}`);
  const stored = await callJson("PUT", ticket.data.uploadUrl, {
    body: PDF,
    headers: { "Content-Type": "application/pdf" },
  });
  expect(stored.code).toBe("SUCCESS");
  return ticket.data.fileId;
}

const age = (fileId: string, ms: number) =>
  testDatabase()
    .update(file)
    .set({ createdDate: new Date(Date.now() - ms) })
    .where(eq(file.id, fileId));

test("an unused upload is deleted with its object after 24 hours; a used one stays", async () => {
  const admin = await createAdministratorSession();
  const [loose, fresh, used] = [await upload(admin), await upload(admin), await upload(admin)];
  const itemNo = await createTestItem(admin, "notice", { fileIds: [used] });
  await Promise.all([age(loose, DAY_MS + 1000), age(used, DAY_MS + 1000), age(fresh, DAY_MS - 60_000)]);

  await runScheduledJobs(env);

  const left = await testDatabase().select().from(file);
  expect(left.map((row) => row.id).toSorted()).toEqual([fresh, used].toSorted());
  expect((await env.FILES.list({ prefix: "f/" })).objects).toHaveLength(2);
  const view = await callJson("GET", `/api/board-item/notice/${itemNo}`);
  expect(view.data.files).toMatchObject([{ fileId: used, fileName: "안내문.pdf", contentType: "application/pdf" }]);
});

test("expired counters, views and sessions are deleted, and valid ones stay", async () => {
  const person = await createMemberSession();
  const past = new Date(Date.now() - 2 * DAY_MS);
  await testDatabase().batch([
    testDatabase().insert(rateLimit).values({ key: "old", count: 3, resetDate: past }),
    testDatabase()
      .insert(boardItemView)
      .values({ itemId: 1, day: past.toISOString().slice(0, 10), part: 0, viewers: 1 }),
  ]);
  const gone = await createMemberSession();
  await testDatabase()
    .update(refreshToken)
    .set({ expiresDate: past })
    .where(eq(refreshToken.sessionId, await sessionOf(gone)));
  await testDatabase().update(session).set({ expiresDate: past }).where(eq(session.userId, gone.user.id));

  await runScheduledJobs(env);

  expect(await testDatabase().select().from(rateLimit).where(eq(rateLimit.key, "old"))).toEqual([]);
  expect(await testDatabase().select().from(boardItemView)).toEqual([]);
  expect((await testDatabase().select().from(session)).map((row) => row.userId)).toEqual([person.user.id]);
  expect((await callAs(person, "GET", `/api/user/${person.user.id}`)).status).toBe(200);
});

async function sessionOf(person: TestSession): Promise<string> {
  const [row] = await testDatabase().select().from(session).where(eq(session.userId, person.user.id));
  return row?.id ?? "";
}
