import { crc32 } from "node:zlib";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { holdArchiveBytes, uniqueFileNames } from "#worker/domain/board/archive.server.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { callRawWith } from "../../support/faulty-database.ts";
import { PDF_BYTES, uploadBoardFile } from "../../samples/board-files.ts";
import { openRequestScope } from "../../support/open-scope.ts";
import { expectLog } from "../../support/expected-log.ts";
import { readRows, runSql } from "../../support/test-database.ts";

const ask = (session: TestSession | null, itemNo: number, boardCode = "free", method = "GET") =>
  fetchApi(method, `/api/board-item-file/${boardCode}/${itemNo}/archive`, { token: session?.accessToken });
const text = (content: string) => new TextEncoder().encode(content);

function unzip(bytes: Uint8Array): [name: string, content: string][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = (from: number, length: number) => new TextDecoder().decode(bytes.subarray(from, from + length));
  const end = bytes.length - 22;
  const entries: [string, string][] = [];
  for (let at = view.getUint32(end + 16, true); at < end; at += 46 + view.getUint16(at + 28, true)) {
    const [crc, size] = [view.getUint32(at + 16, true), view.getUint32(at + 24, true)];
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    expect(crc32(bytes.subarray(start, start + size)), `${at}`).toBe(crc);
    entries.push([words(at + 46, view.getUint16(at + 28, true)), words(start, size)]);
  }
  return entries;
}

test("the files of an item form one archive in order", async () => {
  const person = await createMemberSession();
  const fileIds = [
    await uploadBoardFile(person, "한글 안내.pdf"),
    await uploadBoardFile(person, "안내.txt", text("첫째")),
    await uploadBoardFile(person, "안내.txt", text("둘째")),
  ];
  const itemNo = await createTestItem(person, "free", { title: "2026년 안내 / 서식", fileIds });
  const answer = await ask(person, itemNo);
  const bytes = await answer.bytes();
  expect(answer.headers.get("Content-Type")).toBe("application/zip");
  expect(answer.headers.get("Content-Length")).toBe(String(bytes.byteLength));
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  const name = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "";
  expect(decodeURIComponent(name)).toBe("서식.zip");
  expect(unzip(bytes)).toEqual([
    ["한글 안내.pdf", new TextDecoder().decode(PDF_BYTES)],
    ["안내.txt", "첫째"],
    ["안내 (2).txt", "둘째"],
  ]);
  // Flag bit 11 marks the name as UTF-8.
  expect(new DataView(bytes.buffer, bytes.byteOffset).getUint16(6, true) & 0x800).toBe(0x800);
  const head = await ask(person, itemNo, "free", "HEAD");
  expect([head.headers.get("Content-Length"), (await head.arrayBuffer()).byteLength]).toEqual([
    String(bytes.byteLength),
    0,
  ]);
});

test.for([0, -1, 4e12])("an item dated outside the zip format (%s) has an archive", async (createdDate) => {
  const person = await createMemberSession();
  const itemNo = await createTestItem(person, "free", { fileIds: [await uploadBoardFile(person, "안내.pdf")] });
  await runSql("UPDATE board_item SET created_date = ? WHERE item_no = ? AND board_code = 'free'", createdDate, itemNo);
  const bytes = await (await ask(await createAdministratorSession(), itemNo)).bytes();
  expect(unzip(bytes).map(([name]) => name)).toEqual(["안내.pdf"]);
});

test("names that a file system treats as equal are made distinct", () => {
  const names = ["a.txt", "A.TXT", "a (2).txt", "b", "b", ".x", ".x"];
  const apart = ["a.txt", "A (2).TXT", "a (2) (2).txt", "b", "b (2)", ".x", ".x (2)"];
  expect(uniqueFileNames(names)).toEqual(apart);
});

test("an archive needs the right to download", async () => {
  const admin = await createAdministratorSession();
  const itemNo = await createTestItem(admin, "free", { fileIds: [await uploadBoardFile(admin)] });
  const reader = await createSessionWith(["Board_free_List", "Board_free_View"]);
  expect((await ask(reader, itemNo)).status).toBe(403);
  expect((await ask(null, itemNo)).status).toBe(401);
  expect((await ask(admin, 99)).status).toBe(404);
  expect((await ask(admin, await createTestItem(admin, "free"))).status).toBe(404);
});

test("a missing object is reported before the first byte", async () => {
  expectLog(/UPSTREAM_UNAVAILABLE.*no object/);
  const person = await createMemberSession();
  const itemNo = await createTestItem(person, "free", {
    fileIds: [await uploadBoardFile(person), await uploadBoardFile(person, "b.pdf")],
  });
  const { objects } = await env.FILES.list();
  await env.FILES.delete(objects[0]?.key ?? "");
  const answer = await callAs(person, "GET", `/api/board-item-file/free/${itemNo}/archive`);
  expect([answer.status, answer.code]).toEqual([503, "UPSTREAM_UNAVAILABLE"]);
});

test("files are fetched one at a time while the client is connected", async () => {
  const person = await createMemberSession();
  const big = new Uint8Array([...PDF_BYTES, ...new Uint8Array(300_000).fill(0x20)]);
  const fileIds = [
    await uploadBoardFile(person, "a.pdf", big),
    await uploadBoardFile(person, "b.pdf", big),
    await uploadBoardFile(person, "c.pdf", big),
  ];
  const itemNo = await createTestItem(person, "free", { fileIds });
  let fetched = 0;
  const FILES = new Proxy(env.FILES, {
    get(target, key) {
      if (key === "get") fetched += 1;
      return (target[key as keyof R2Bucket] as (...args: unknown[]) => unknown).bind(target);
    },
  });
  const answer = await callRawWith({ FILES }, "GET", `/api/board-item-file/free/${itemNo}/archive`, {
    token: person.accessToken,
  });
  const reader = answer.body?.getReader();
  await reader?.read();
  expect(fetched).toBe(1);
  await reader?.cancel();
  expect(fetched).toBe(1);
});

test("simultaneous downloads of one address are limited by size", async () => {
  const person = await createMemberSession();
  const megabytes = (count: number) => count * 1024 * 1024;
  const open = async (size: number, address = "203.0.113.5") => {
    const headers = { "CF-Connecting-IP": address, Authorization: `Bearer ${person.accessToken}` };
    const request = new Request("http://localhost/", { headers });
    const credential = { token: person.accessToken };
    const scope = openRequestScope({ request, env, requestId: "", credential, defer: () => undefined });
    return holdArchiveBytes(await scope.context(), size);
  };
  // A single archive may exceed the limit.
  const close = await open(megabytes(150));
  await expect(open(1)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS", retryAfterSeconds: 10 });
  (await open(megabytes(50), "203.0.113.6"))();
  close();
  close();
  const [first, second] = [await open(megabytes(50)), await open(megabytes(50))];
  await expect(open(1)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  first();
  (await open(megabytes(50)))();
  second();
  // A download refused by the hourly limit does not count as running.
  await expect(open(megabytes(1024))).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  (await open(1))();
});

test("archives are limited by bytes an hour", async () => {
  const person = await createMemberSession();
  const itemNo = await createTestItem(person, "free", { fileIds: [await uploadBoardFile(person)] });
  for (let count = 0; count < 3; count += 1)
    expect((await (await ask(person, itemNo)).bytes()).length).toBeGreaterThan(0);
  const [limit] = await readRows<{ n: number }>("SELECT max(count) AS n FROM rate_limit WHERE count > 100");
  const size = Number((await ask(person, itemNo, "free", "HEAD")).headers.get("Content-Length"));
  expect(limit?.n).toBe(3 * size);
  await runSql("UPDATE rate_limit SET count = 1024 * 1024 * 1024 WHERE count = ?1", 3 * size);
  const refused = await callAs(person, "GET", `/api/board-item-file/free/${itemNo}/archive`);
  expect([refused.status, refused.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(3000);
  expect(refused.message).toMatch(/뒤에 다시 시도해 주십시오/);
  expect((await ask(await createMemberSession(), itemNo)).status).toBe(200);
});
