import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createMemberSession, type TestSession } from "../../support/people.ts";
import { testDatabase } from "../../support/test-database.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { file } from "#db/schema/file.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";

const DRAFT = { title: "쓰던 글", content: "<p>아직 <strong>다</strong> 쓰지 않은 글</p>" };
const put = (session: TestSession, path: string, body: object) =>
  callAs(session, "PUT", `/api/board-item-draft/${path}`, body);
const get = (session: TestSession, path: string) => callAs(session, "GET", `/api/board-item-draft/${path}`);

test("the last saved draft of each place is restored", async () => {
  const author = await createMemberSession();
  const itemNo = await createTestItem(author, "free");
  expect((await get(author, "free")).data).toBeNull();
  await put(author, "free", {
    ...DRAFT,
    fields: { category: "질문", isSecret: true, publishDate: "2026-12-01T10:00" },
  });
  await put(author, `free?itemNo=${itemNo}`, { ...DRAFT, title: "고치던 글", fields: { version: 1 } });
  await put(author, `free?itemNo=${itemNo}`, { ...DRAFT, title: "더 고치던 글", fields: { version: 1 } });

  expect((await get(author, "free")).data).toMatchObject({
    ...DRAFT,
    fields: { category: "질문", isSecret: true, publishDate: "2026-12-01T10:00", isPinned: false, version: 0 },
    files: [],
  });
  expect((await get(author, `free?itemNo=${itemNo}`)).data).toMatchObject({ title: "더 고치던 글" });
});

test("only its author sees a draft", async () => {
  const author = await createMemberSession();
  const other = await createMemberSession();
  await put(author, "free", DRAFT);
  expect((await get(other, "free")).data).toBeNull();
  await callAs(other, "DELETE", "/api/board-item-draft/free");
  expect((await get(author, "free")).data).toMatchObject(DRAFT);
  expect((await callAs(author, "GET", "/api/board-item?boardCode=free")).data.totalElements).toBe(0);
});

test("only its author gets the draft of an item", async () => {
  const author = await createMemberSession();
  const other = await createMemberSession();
  const itemNo = await createTestItem(author, "free");
  expect((await callJson("PUT", "/api/board-item-draft/free", { body: DRAFT })).status).toBe(401);
  expect((await put(author, "notice", DRAFT)).status).toBe(403);
  expect((await put(author, "nowhere", DRAFT)).status).toBe(404);
  expect((await put(other, `free?itemNo=${itemNo}`, DRAFT)).status).toBe(404);
  expect((await put(author, "free?itemNo=999", DRAFT)).status).toBe(404);
  expect((await put(author, "free?itemNo=0", DRAFT)).status).toBe(400);
  expect((await put(author, "free", { ...DRAFT, fields: { fileIds: "x" } })).status).toBe(400);
});

test("publishing removes only its own draft", async () => {
  const author = await createMemberSession();
  const itemNo = await createTestItem(author, "free");
  await put(author, `free?itemNo=${itemNo}`, DRAFT);
  await put(author, "free", DRAFT);
  await createTestItem(author, "free", { title: "올린 글" });
  expect((await get(author, "free")).data).toBeNull();
  expect((await get(author, `free?itemNo=${itemNo}`)).data).toMatchObject(DRAFT);

  const body = { title: "고친 글", version: 1 };
  await callAs(author, "PATCH", `/api/board-item/free/${itemNo}`, body);
  expect((await get(author, `free?itemNo=${itemNo}`)).data).toBeNull();
});

test("a stored draft is sanitised like an item", async () => {
  const author = await createMemberSession();
  await put(author, "free", {
    title: "x",
    content: '<p onclick="a()">글<script>b()</script></p><img src=x onerror=c()>',
  });
  expect((await get(author, "free")).data.content).toBe("<p>글</p>");
});

test("files of a draft survive the cleanup, unreferenced ones do not", async () => {
  const author = await createMemberSession();
  const ids = await Promise.all(["첨부.pdf", "그림.png", "버린 것.pdf"].map((name) => upload(author, name)));
  const [attachment = "", picture = "", loose = ""] = ids;
  const content = `<p>글<img src="/api/file/${picture}" alt=""></p>`;
  await put(author, "free", { title: "쓰던 글", content, fields: { fileIds: [attachment] } });
  await testDatabase()
    .update(file)
    .set({ createdDate: new Date(Date.now() - 2 * DAY_MS) });
  await runScheduledJobs(env);

  const left = (await testDatabase().select({ id: file.id }).from(file)).map((row) => row.id);
  expect(left.toSorted()).toEqual([attachment, picture].toSorted());
  expect((await get(author, "free")).data.files).toEqual([{ fileId: attachment, fileName: "첨부.pdf", size: 3 }]);
  expect(left).not.toContain(loose);
});

test("files of other people in a draft are neither shown nor kept", async () => {
  const author = await createMemberSession();
  const thief = await createMemberSession();
  const fileId = await upload(author, "남의 것.pdf");
  await put(thief, "free", { ...DRAFT, fields: { fileIds: [fileId] } });
  expect((await get(thief, "free")).data.files).toEqual([]);
  await testDatabase()
    .update(file)
    .set({ createdDate: new Date(Date.now() - 2 * DAY_MS) });
  await runScheduledJobs(env);
  expect(await testDatabase().select().from(file)).toEqual([]);
});

test("submitting a form twice creates one item", async () => {
  const author = await createMemberSession();
  const fileId = await upload(author, "첨부.pdf");
  const body = { title: "두 번 누른 글", content: "<p>내용</p>", fileIds: [fileId] };
  const send = (key: string, fields = {}) =>
    callJson("PUT", "/api/board-item/free", {
      token: author.accessToken,
      body: { ...body, ...fields },
      headers: { "Idempotency-Key": key },
    });
  const answers = await Promise.all(Array.from({ length: 6 }, () => send("form-0001")));
  expect(new Set(answers.map((answer) => JSON.stringify([answer.code, answer.data])))).toEqual(
    new Set(['["SUCCESS",{"itemNo":1}]']),
  );
  expect((await callAs(author, "GET", "/api/board-item?boardCode=free")).data.totalElements).toBe(1);
  expect((await send("form-0002", { fileIds: [] })).data.itemNo).toBe(2);
  expect((await send("x")).status).toBe(400);
});

test("the same idempotency key of two authors creates two items", async () => {
  const body = { title: "글", content: "<p>내용</p>", fileIds: [] };
  for (const itemNo of [1, 2]) {
    const { accessToken: token } = await createMemberSession();
    const answer = await callJson("PUT", "/api/board-item/free", {
      token,
      body,
      headers: { "Idempotency-Key": "form-0001" },
    });
    expect(answer.data.itemNo, `${itemNo}`).toBe(itemNo);
  }
});

async function upload(session: TestSession, fileName: string): Promise<string> {
  const id = crypto.randomUUID();
  const storageKey = `f/test/${id}`;
  await env.FILES.put(storageKey, "abc");
  await testDatabase()
    .insert(file)
    .values({
      id,
      purpose: fileName.endsWith("png") ? "image" : "board",
      boardCode: "free",
      ownerUserId: session.user.id,
      fileName,
      size: 3,
      contentType: "application/pdf",
      status: "ready",
      storageKey,
      createdDate: new Date(),
    });
  return id;
}
