import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { cleanUpFiles } from "#worker/domain/file/clean-up.server.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createMemberSession } from "../../support/people.ts";
import { readValue, testDatabase } from "../../support/test-database.ts";
import {
  uploadBoardFile,
  createItemWithFile,
  countObjects,
  announceUpload,
  PDF_BYTES,
  fetchFile,
  PNG_BYTES,
  putFile,
  readFileStatus,
} from "../../samples/board-files.ts";
import { expectLog } from "../../support/expected-log.ts";

const cleanUpIn = (hours: number) =>
  cleanUpFiles({ db: testDatabase(), files: env.FILES, now: () => new Date(Date.now() + hours * 3_600_000) }, 24);

test("a wrong file is refused before storing anything", async () => {
  const person = await createMemberSession();
  const size = PDF_BYTES.byteLength;
  expect((await announceUpload(null, { fileName: "a.pdf", size })).status).toBe(401);
  for (const [fileName, bytes] of [
    ["a.exe", size],
    ["a.svg", size],
    ["a.html", size],
    ["a", size],
    ["", size],
    ["a.pdf", 0],
    ["a.pdf", 21 * 1024 * 1024],
    ["a.png", 11 * 1024 * 1024],
  ] as const) {
    expect((await announceUpload(person, { fileName, size: bytes })).code, fileName).toBe("INVALID_INPUT");
  }
  expect((await announceUpload(person, { boardCode: "notice", fileName: "a.pdf", size })).status).toBe(403);
  expect(await countObjects()).toBe(0);
});

test("a person can upload 200 MB a day", async () => {
  const person = await createMemberSession();
  const size = 20 * 1024 * 1024;
  for (let count = 1; count <= 10; count++)
    expect((await announceUpload(person, { fileName: `${count}.pdf`, size })).status, `${count}`).toBe(200);
  const refused = await announceUpload(person, { fileName: "11.pdf", size });
  expect([refused.status, refused.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(3600);
  expect((await announceUpload(await createMemberSession(), { fileName: "1.pdf", size })).status).toBe(200);
});

test("an upload path accepts only its file, once", async () => {
  const person = await createMemberSession();
  const { data } = await announceUpload(person, { fileName: "a.pdf", size: PDF_BYTES.byteLength });
  const longer = new Uint8Array([...PDF_BYTES, 0x20]);
  expect((await putFile(data.uploadUrl, longer)).code).toBe("PAYLOAD_TOO_LARGE");
  expect((await putFile(data.uploadUrl, new Blob([longer]).stream())).code).toBe("PAYLOAD_TOO_LARGE");
  expect((await putFile(data.uploadUrl, PDF_BYTES.slice(0, 20))).code).toBe("INVALID_INPUT");
  expect((await putFile(data.uploadUrl, new Uint8Array(PDF_BYTES.byteLength).fill(0x41))).code).toBe(
    "UNSUPPORTED_FILE",
  );
  expect(await countObjects()).toBe(0);
  expect(await readFileStatus(data.fileId)).toBe("pending");
  expect((await putFile(data.uploadUrl, PDF_BYTES)).status).toBe(200);
  expect((await putFile(data.uploadUrl, PDF_BYTES)).code).toBe("CONFLICT");
  expect(await countObjects()).toBe(1);
});

test("an altered or foreign upload path is not found", async () => {
  const person = await createMemberSession();
  const { data } = await announceUpload(person, { fileName: "a.pdf", size: PDF_BYTES.byteLength });
  const flipped = data.uploadUrl.endsWith("A") ? "B" : "A";
  expect((await putFile(data.uploadUrl.slice(0, -1) + flipped, PDF_BYTES)).status).toBe(404);
  expect((await putFile("/api/file/upload/x.y", PDF_BYTES)).status).toBe(404);
});

test("a file's extension must match its content", async () => {
  const person = await createMemberSession();
  for (const [fileName, bytes] of [
    ["a.png", PDF_BYTES],
    ["a.pdf", PNG_BYTES],
    ["a.jpg", PNG_BYTES],
    ["a.hwp", PDF_BYTES],
    ["a.docx", PDF_BYTES],
    ["a.txt", PNG_BYTES],
  ] as const) {
    const { data } = await announceUpload(person, { fileName, size: bytes.byteLength });
    expect((await putFile(data.uploadUrl, bytes)).code, fileName).toBe("UNSUPPORTED_FILE");
  }
  expect(await countObjects()).toBe(0);
});

test("an interrupted upload leaves no object or ready row", async () => {
  const person = await createMemberSession();
  const { data } = await announceUpload(person, { fileName: "a.pdf", size: PDF_BYTES.byteLength });
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(PDF_BYTES.slice(0, 10));
      controller.close();
    },
  });
  expect((await putFile(data.uploadUrl, broken)).code).toBe("INVALID_INPUT");
  expect(await countObjects()).toBe(0);
  expect(await readFileStatus(data.fileId)).toBe("pending");
  expect(await uploadBoardFile(person)).toBeTruthy();
});

test("the item of a missing object can be read", async () => {
  expectLog(/UPSTREAM_UNAVAILABLE.*no object/);
  const person = await createMemberSession();
  const { fileId, itemNo } = await createItemWithFile(person);
  const key = await readValue<string>("SELECT storage_key FROM file WHERE id = ?", fileId);
  await env.FILES.delete(key ?? "");
  const answer = await callAs(person, "GET", `/api/file/${fileId}`);
  expect([answer.status, answer.code]).toEqual([503, "UPSTREAM_UNAVAILABLE"]);
  expect((await callAs(person, "GET", `/api/board-item/free/${itemNo}`)).status).toBe(200);
});

test("a file never attached is deleted after 24 hours", async () => {
  const person = await createMemberSession();
  const loose = await uploadBoardFile(person);
  const { fileId } = await createItemWithFile(person);
  await cleanUpIn(23);
  expect(await countObjects()).toBe(2);
  await cleanUpIn(25);
  expect(await countObjects()).toBe(1);
  expect(await readFileStatus(loose)).toBeNull();
  expect(await readFileStatus(fileId)).toBe("attached");
});

test("a file belongs to one item of its owner", async () => {
  const person = await createMemberSession();
  const other = await createMemberSession();
  const fileId = await uploadBoardFile(person);
  const body = { title: "제목", content: "<p>내용</p>", fileIds: [fileId] };
  expect((await callAs(other, "PUT", "/api/board-item/free", body)).code).toBe("INVALID_INPUT");
  const itemNo = await createTestItem(person, "free", { fileIds: [fileId] });
  expect((await callAs(person, "PUT", "/api/board-item/free", body)).code).toBe("INVALID_INPUT");
  expect((await fetchFile(fileId, other)).status).toBe(200);
  const patch = { fileIds: [], version: 1 };
  await callAs(person, "PATCH", `/api/board-item/free/${itemNo}`, patch);
  expect((await fetchFile(fileId, other)).status).toBe(404);
  expect(await readFileStatus(fileId)).toBe("ready");
});

test("with 11 files where 10 are allowed nothing is written", async () => {
  const person = await createMemberSession();
  const fileIds = await Promise.all(Array.from({ length: 11 }, (_, at) => uploadBoardFile(person, `${at}.pdf`)));
  const body = { title: "제목", content: "<p>내용</p>", fileIds };
  const answer = await callAs(person, "PUT", "/api/board-item/free", body);
  expect(answer.fields.fileIds).toBe("파일은 10개까지 첨부할 수 있습니다.");
  expect(await readFileStatus(fileIds[0] ?? "")).toBe("ready");
});

test("a picture for the editor is private until shown", async () => {
  const person = await createMemberSession();
  const other = await createMemberSession();
  const send = (name: string, bytes: Uint8Array<ArrayBuffer>, token?: string) => {
    const body = new FormData();
    body.set("file", new File([bytes], name));
    return callJson("PUT", "/api/board-item/images", { body, token });
  };
  expect((await send("a.png", PNG_BYTES)).status).toBe(401);
  expect((await send("a.svg", new TextEncoder().encode("<svg/>"), person.accessToken)).status).toBe(415);
  expect((await send("a.png", PDF_BYTES, person.accessToken)).status).toBe(415);
  expect((await send("a.png", new Uint8Array(), person.accessToken)).status).toBe(400);
  expect(await countObjects()).toBe(0);
  const { data } = await send("a.png", PNG_BYTES, person.accessToken);
  expect((await fetchFile(data.fileId, other)).status).toBe(404);
  await createTestItem(person, "free", { content: `<p><img src="${data.url}" alt="그림"></p>` });
  expect((await fetchFile(data.fileId, other)).status).toBe(200);
  expect((await fetchFile(data.fileId, null)).status).toBe(404);
});
