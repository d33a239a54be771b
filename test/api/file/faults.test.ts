import { createHash } from "node:crypto";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { cleanUpFiles } from "#worker/domain/file/clean-up.server.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { readValue, testDatabase } from "../../support/test-database.ts";
import { callRawWith, callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import {
  announceUpload,
  readFileStatus,
  fetchFile,
  countObjects,
  PDF_BYTES,
  PNG_BYTES,
  putFile,
  uploadBoardFile,
} from "../../samples/board-files.ts";
import { JPEG_WITH_METADATA, makePng, makePngChunk } from "../../samples/picture-samples.ts";
import { expectLog } from "../../support/expected-log.ts";

const tomorrow = (files: R2Bucket = env.FILES) =>
  cleanUpFiles({ db: testDatabase(), files, now: () => new Date(Date.now() + 25 * 3_600_000) }, 24);
const write = (person: TestSession, fileIds: string[], content = "<p>내용</p>") =>
  callAs(person, "PUT", "/api/board-item/free", { title: "제목", content, fileIds });
const itemCount = () => readValue<number>("SELECT count(*) AS n FROM board_item");
const without = (method: "put" | "get" | "delete") =>
  new Proxy(env.FILES, {
    get: (target, key) =>
      key === method
        ? () => Promise.reject(new Error("R2 is away (10001)"))
        : (target[key as keyof R2Bucket] as (...args: unknown[]) => unknown).bind(target),
  });

test("a file claimed by the cleanup cannot be attached", async () => {
  const person = await createMemberSession();
  const fileId = await uploadBoardFile(person);
  await expect(tomorrow(without("delete"))).rejects.toThrow();
  expect(await readFileStatus(fileId)).toBe("swept");
  expect((await fetchFile(fileId, person)).status).toBe(404);
  expect((await write(person, [fileId])).fields.fileIds).toBeTruthy();
  expect(await itemCount()).toBe(0);
  await tomorrow();
  expect([await readFileStatus(fileId), await countObjects()]).toEqual([null, 0]);
});

test("an attached file is never cleaned up, however old", async () => {
  const person = await createMemberSession();
  const fileId = await uploadBoardFile(person);
  await write(person, [fileId]);
  await tomorrow();
  expect((await fetchFile(fileId, person)).status).toBe(200);
});

test.each(["PUT", "PATCH"] as const)("a file swept before the batch of a %s gives an error", async (method) => {
  const person = await createMemberSession();
  const fileId = await uploadBoardFile(person);
  const itemNo = method === "PATCH" ? await createTestItem(person, "free") : 0;
  const path = method === "PATCH" ? `/api/board-item/free/${itemNo}` : "/api/board-item/free";
  const { DB, broke } = faultyDatabase({
    sql: /(insert into|update) "board_item"/i,
    when: () => tomorrow(),
    times: 1,
  });
  const body = { title: "새 제목", content: "<p>내용</p>", fileIds: [fileId], version: 1 };
  const answer = await callApiWith({ DB }, method, path, { token: person.accessToken, body });
  expect([answer.status, answer.code, broke()]).toEqual([400, "INVALID_INPUT", 1]);
  expect(await itemCount()).toBe(method === "PATCH" ? 1 : 0);
  if (method === "PATCH") {
    const { data } = await callAs(person, "GET", path);
    expect([data.version, data.files, data.fileCount]).toEqual([1, [], 0]);
  }
});

test("only one of two forms can attach the same file", async () => {
  const person = await createMemberSession();
  const fileId = await uploadBoardFile(person);
  const answers = await Promise.all([write(person, [fileId]), write(person, [fileId])]);
  expect(answers.map(({ code }) => code).toSorted()).toEqual(["INVALID_INPUT", "SUCCESS"]);
  expect(await itemCount()).toBe(1);
});

test("a database failure while attaching leaves no partial item", async () => {
  expectLog(/D1_ERROR: Network connection lost/);
  const person = await createMemberSession();
  const fileId = await uploadBoardFile(person);
  const { DB } = faultyDatabase({ sql: /insert into "board_item"/i, when: "before" });
  const body = { title: "제목", content: "<p>내용</p>", fileIds: [fileId] };
  expect((await callApiWith({ DB }, "PUT", "/api/board-item/free", { token: person.accessToken, body })).status).toBe(
    500,
  );
  expect([await itemCount(), await readFileStatus(fileId)]).toEqual([0, "ready"]);
  expect((await write(person, [fileId])).code).toBe("SUCCESS");
});

test("the path of an aborted upload still accepts the file", async () => {
  const person = await createMemberSession();
  const big = new Uint8Array([...PDF_BYTES, ...new Uint8Array(50_000).fill(0x20)]);
  for (const [fileName, bytes, sent] of [
    ["a.pdf", big, 10],
    ["a.pdf", big, 20_000],
    ["a.png", PNG_BYTES, 20],
  ] as const) {
    const { data } = await announceUpload(person, { fileName, size: bytes.byteLength });
    let first = true;
    const gone = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (first) controller.enqueue(bytes.slice(0, sent));
        else controller.error(new Error("Network connection lost."));
        first = false;
      },
    });
    expect((await putFile(data.uploadUrl, gone)).code, `${fileName} ${sent}`).toBe("INVALID_INPUT");
    expect([await countObjects(), await readFileStatus(data.fileId)]).toEqual([0, "pending"]);
    expect((await putFile(data.uploadUrl, bytes)).code, `${fileName}`).toBe("SUCCESS");
    await env.FILES.delete((await env.FILES.list()).objects.map(({ key }) => key));
  }
});

test("a path works again after a failed storage write", async () => {
  expectLog(/file\/upload.*UPSTREAM_UNAVAILABLE/);
  const person = await createMemberSession();
  for (const [fileName, bytes] of [
    ["a.pdf", PDF_BYTES],
    ["a.png", PNG_BYTES],
  ] as const) {
    const { data } = await announceUpload(person, { fileName, size: bytes.byteLength });
    const answer = await callRawWith({ FILES: without("put") }, "PUT", data.uploadUrl, { body: bytes });
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "UPSTREAM_UNAVAILABLE" }]);
    expect(await readFileStatus(data.fileId), `${fileName}`).toBe("pending");
    expect((await putFile(data.uploadUrl, bytes)).code, `${fileName}`).toBe("SUCCESS");
  }
});

test("a failing storage read affects only its file", async () => {
  expectLog(/UPSTREAM_UNAVAILABLE.*R2 is away/);
  const person = await createMemberSession();
  const fileId = await uploadBoardFile(person, "a.png", makePng(1000, 300, "noise"));
  await write(person, [fileId]);
  for (const query of ["", "?thumbnail=true"]) {
    const answer = await callRawWith({ FILES: without("get") }, "GET", `/api/file/${fileId}${query}`, {
      token: person.accessToken,
    });
    expect([answer.status, await answer.json()], JSON.stringify(query)).toMatchObject([
      503,
      { code: "UPSTREAM_UNAVAILABLE" },
    ]);
  }
  const { status } = await callApiWith({ FILES: without("get") }, "GET", "/api/board-item/free/1", {
    token: person.accessToken,
  });
  expect(status).toBe(200);
});

test("2 MB of HTML are refused with a message", async () => {
  const person = await createMemberSession();
  const content = `<p>${"가나다라마바사 ".repeat(95_000)}</p>`;
  const answer = await write(person, [], content);
  expect([answer.status, answer.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  expect(answer.message).toMatch(/[가-힣]/);
  const half = await write(person, [], content.slice(0, content.length / 3));
  expect([half.status, half.message]).toEqual([413, "본문이 너무 깁니다. 그림은 파일로 올리고 글을 나누어 주십시오."]);
  const fields = {
    category: "",
    isPinned: false,
    pinnedUntil: "",
    isSecret: false,
    showItemToMain: false,
    publishDate: "",
    fileIds: [],
    version: 0,
  };
  const draft = await callAs(person, "PUT", "/api/board-item-draft/free", { title: "제목", content, fields });
  expect(draft.status).toBe(413);
  expect(await itemCount()).toBe(0);
});

test("a truncated picture is refused with a reason", async () => {
  const person = await createMemberSession();
  for (const [fileName, bytes] of [
    ["a.jpg", JPEG_WITH_METADATA.slice(0, 900)],
    ["a.png", PNG_BYTES.slice(0, 50)],
  ] as const) {
    const { data } = await announceUpload(person, { fileName, size: bytes.byteLength });
    const answer = await putFile(data.uploadUrl, bytes);
    expect([answer.code, answer.message]).toEqual([
      "UNSUPPORTED_FILE",
      "그림 파일이 손상되었거나 끝까지 저장되지 않은 파일입니다.",
    ]);
  }
  expect(await countObjects()).toBe(0);
});

test("a decompression bomb is refused by its dimensions", async () => {
  const person = await createMemberSession();
  const fileId = await uploadBoardFile(person, "a.jpg", JPEG_WITH_METADATA);
  const answer = await fetchFile(fileId, person);
  const stored = await answer.arrayBuffer();
  expect(answer.headers.get("Content-Length")).toBe(String(stored.byteLength));
  expect(stored.byteLength).toBeLessThan(JPEG_WITH_METADATA.byteLength);
  const digest = createHash("sha256").update(new Uint8Array(stored)).digest("hex");
  expect(answer.headers.get("ETag")).toBe(`"${digest}"`);
  const bomb = makePng(1, 1);
  const head = bomb.slice(16, 29);
  new DataView(head.buffer).setUint32(0, 30_000);
  new DataView(head.buffer).setUint32(4, 30_000);
  const bytes = new Uint8Array([...bomb.slice(0, 8), ...makePngChunk("IHDR", head), ...bomb.slice(33)]);
  const { data } = await announceUpload(person, { fileName: "a.png", size: bytes.byteLength });
  expect((await putFile(data.uploadUrl, bytes)).code).toBe("PAYLOAD_TOO_LARGE");
});

test("a picture in a published agreement is public", async () => {
  const admin = await createAdministratorSession();
  const form = new FormData();
  form.set("file", new File([PNG_BYTES], "a.png"));
  const { data } = await callAs(admin, "PUT", "/api/board-item/images", form);
  expect((await fetchApi("GET", data.url)).status).toBe(404);
  const body = {
    code: "research",
    baseVersion: "",
    version: "1",
    title: "연구 참여 동의",
    required: false,
    content: `<p>내용</p><p><img src="${data.url}" alt="그림"></p>`,
    effectiveDate: new Date(Date.now() - 60_000).toISOString(),
  };
  const published = await callAs(admin, "PUT", "/api/admin/setting/agreement", body);
  expect(published.code).toBe("SUCCESS");
  await tomorrow();
  expect((await fetchApi("GET", data.url)).status).toBe(200);
});
