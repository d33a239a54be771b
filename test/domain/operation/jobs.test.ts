import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { refreshToken, session } from "#db/schema/account.ts";
import { boardItemView } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { rateLimit } from "#db/schema/kernel.ts";
import { runJobs } from "#worker/jobs.ts";
import { call } from "../../client.ts";
import { administrator, createItem, db, member, type Session } from "../../factories.ts";

const DAY_MS = 86_400_000;
const PDF = new TextEncoder().encode("%PDF-1.4 test");

async function upload(session_: Session): Promise<string> {
  const query = `boardCode=notice&fileName=${encodeURIComponent("안내문.pdf")}&size=${PDF.byteLength}`;
  const ticket = await call("GET", `/api/board-item-file/upload-url?${query}`, { token: session_.accessToken });
  const stored = await call("PUT", ticket.data.uploadUrl, {
    body: PDF,
    headers: { "Content-Type": "application/pdf" },
  });
  expect(stored.code).toBe("SUCCESS");
  return ticket.data.fileId;
}

const age = (fileId: string, ms: number) =>
  db()
    .update(file)
    .set({ createdDate: new Date(Date.now() - ms) })
    .where(eq(file.id, fileId));

test("an upload that nothing refers to is removed after 24 hours with its object; one that is used stays", async () => {
  const admin = await administrator();
  const [loose, fresh, used] = [await upload(admin), await upload(admin), await upload(admin)];
  const itemNo = await createItem(admin, "notice", { fileIds: [used] });
  await Promise.all([age(loose, DAY_MS + 1000), age(used, DAY_MS + 1000), age(fresh, DAY_MS - 60_000)]);

  await runJobs(env);

  const left = await db().select().from(file);
  expect(left.map((row) => row.id).toSorted()).toEqual([fresh, used].toSorted());
  expect((await env.FILES.list({ prefix: "f/" })).objects).toHaveLength(2);
  const view = await call("GET", `/api/board-item/notice/${itemNo}`);
  expect(view.data.files).toMatchObject([{ fileId: used, fileName: "안내문.pdf", contentType: "application/pdf" }]);
});

test("counters, views and sessions that ran out are removed, and the living ones stay", async () => {
  const person = await member();
  const past = new Date(Date.now() - 2 * DAY_MS);
  await db().batch([
    db().insert(rateLimit).values({ key: "old", count: 3, resetDate: past }),
    db()
      .insert(boardItemView)
      .values({ itemId: 1, viewerHash: "x", day: past.toISOString().slice(0, 10) }),
  ]);
  const gone = await member();
  await db()
    .update(refreshToken)
    .set({ expiresDate: past })
    .where(eq(refreshToken.sessionId, await sessionOf(gone)));
  await db().update(session).set({ expiresDate: past }).where(eq(session.userId, gone.user.id));

  await runJobs(env);

  expect(await db().select().from(rateLimit).where(eq(rateLimit.key, "old"))).toEqual([]);
  expect(await db().select().from(boardItemView)).toEqual([]);
  expect((await db().select().from(session)).map((row) => row.userId)).toEqual([person.user.id]);
  expect((await call("GET", `/api/user/${person.user.id}`, { token: person.accessToken })).status).toBe(200);
});

async function sessionOf(person: Session): Promise<string> {
  const [row] = await db().select().from(session).where(eq(session.userId, person.user.id));
  return row?.id ?? "";
}
