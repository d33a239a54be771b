import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { importCounts, importAlumniFile } from "../../samples/alumni-files.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { readValue } from "../../support/test-database.ts";

const HEADERS = ["이름", "소속", "이메일"];
const MAPPING = { 이름: "name", 소속: "affiliation", 이메일: "email" };
type PartRow = [row: number, cells: string[]];
const person = (row: number, name = `사람${row}`): PartRow => [row, [name, "한빛병원", `p${row}@pid.example.kr`]];
const TWO: PartRow[][] = [[person(2), person(3)], [person(4)]];

const send = (session: TestSession | null, method: string, path: string, body: unknown) =>
  callAs(session, method, `/api/alumni/import/${path}`, body);
async function open(session: TestSession, parts: number) {
  const body = { fileName: "동문.xlsx", headRow: 1, heads: HEADERS, mapping: MAPPING, parts };
  return (await send(session, "POST", "open", body)).data.importId as string;
}
async function opened(session: TestSession, parts: PartRow[][] = TWO) {
  const importId = await open(session, parts.length);
  for (const [at, rows] of parts.entries()) await send(session, "PUT", `${importId}/part/${at + 1}`, { rows });
  return importId;
}
const sendPreview = (session: TestSession, importId: string, mode = "upsert") =>
  send(session, "POST", `${importId}/plan`, { mode });
const sendCommit = (session: TestSession, importId: string, skipInvalid = false) =>
  send(session, "POST", `${importId}/commit`, { skipInvalid });
const names = async () =>
  (await env.DB.prepare("SELECT name FROM alumni WHERE deleted_date IS NULL ORDER BY name").raw()).flat();

test("a multi-part import writes nothing until the commit", async () => {
  const admin = await createAdministratorSession();
  const importId = await opened(admin);
  const dry = await sendPreview(admin, importId);
  expect([dry.data.total, ...importCounts(dry), dry.data.applied]).toEqual([3, 3, 0, 0, 0, false]);
  expect(dry.data.preview[0]).toMatchObject({ row: 2, kind: "insert", name: "사람2" });
  expect(await names()).toEqual([]);

  const answers = await Promise.all([sendCommit(admin, importId), sendCommit(admin, importId)]);
  for (const answer of [...answers, await sendCommit(admin, importId)]) {
    expect([answer.data.importId, ...importCounts(answer), answer.data.applied]).toEqual([importId, 3, 0, 0, 0, true]);
  }
  expect(await names()).toEqual(["사람2", "사람3", "사람4"]);
  expect((await callAs(admin, "GET", "/api/alumni/import")).data).toMatchObject([
    { importId, fileName: "동문.xlsx", inserted: 3, undoable: true },
  ]);
  expect(await readValue("SELECT count(*) AS n FROM alumni_staged")).toBe(0);
  for (const answer of [
    await sendPreview(admin, importId),
    await send(admin, "PUT", `${importId}/part/1`, { rows: TWO[0] }),
    await send(admin, "DELETE", importId, {}),
  ])
    expect(answer.code).toBe("CONFLICT");
});

test("a part sent twice counts once", async () => {
  const admin = await createAdministratorSession();
  const importId = await open(admin, 2);
  const first = await send(admin, "PUT", `${importId}/part/1`, { rows: TWO[0] });
  expect(await send(admin, "PUT", `${importId}/part/1`, { rows: TWO[0] })).toMatchObject({ data: first.data });
  const early = await sendPreview(admin, importId);
  expect([early.code, early.message]).toEqual(["CONFLICT", "아직 다 보내지 않았습니다. 1부분이 남았습니다."]);

  const { data } = await callAs(admin, "GET", "/api/alumni/import/open");
  expect(data).toMatchObject({ importId, fileName: "동문.xlsx", headRow: 1, heads: HEADERS, parts: 2 });
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(TWO[0])));
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  expect(data.received).toEqual([{ partNo: 1, hash }]);

  await send(admin, "PUT", `${importId}/part/2`, { rows: TWO[1] });
  expect(importCounts(await sendPreview(admin, importId))).toEqual([3, 0, 0, 0]);
  expect(importCounts(await sendCommit(admin, importId))).toEqual([3, 0, 0, 0]);
  expect((await callAs(admin, "GET", "/api/alumni/import/open")).data).toBeNull();
});

test("a corrected part requires a new dry run", async () => {
  const admin = await createAdministratorSession();
  const importId = await opened(admin, [
    [person(2)],
    [
      [3, ["", "새봄병원", ""]],
      [4, person(2)[1]],
    ],
  ]);
  expect((await sendCommit(admin, importId)).code).toBe("CONFLICT");
  const dry = await sendPreview(admin, importId);
  expect(importCounts(dry)).toEqual([1, 0, 0, 2]);
  expect(dry.data.errors.map(({ row, message }: { row: number; message: string }) => [row, message])).toEqual([
    [3, "이름을 입력해 주십시오."],
    [4, "2행과 같은 사람입니다. 한 행만 남겨 주십시오."],
  ]);
  const none = await sendCommit(admin, importId);
  expect([none.data.applied, ...importCounts(none)]).toEqual([false, 0, 0, 0, 2]);
  await send(admin, "PUT", `${importId}/part/2`, { rows: [[3, ["김하나", "새봄병원", ""]], person(4)] });
  expect((await sendCommit(admin, importId, true)).code).toBe("CONFLICT");
  expect(await names()).toEqual([]);
  expect(importCounts(await sendPreview(admin, importId))).toEqual([3, 0, 0, 0]);
  expect(importCounts(await sendCommit(admin, importId))).toEqual([3, 0, 0, 0]);
});

async function uploadFaultyParts() {
  const admin = await createAdministratorSession();
  const importId = await opened(admin, [[person(2)], [[3, ["", "새봄병원", "틀린주소"]], person(4)]]);
  const correct = (...cells: object[]) => callAs(admin, "PATCH", `/api/alumni/import/${importId}/cells`, { cells });
  return { admin, importId, correct };
}

const CORRECTED_NAME = { row: 3, column: "이름", value: "김하나" };

test("a wrong cell leaves uploaded parts as they are", async () => {
  const { admin, importId, correct } = await uploadFaultyParts();
  expect(importCounts(await sendPreview(admin, importId))).toEqual([2, 0, 0, 1]);
  const before = (await send(admin, "GET", "open", undefined)).data;
  expect([before.parts, before.plannedParts]).toEqual([2, 2]);
  expect((await correct(CORRECTED_NAME, { ...CORRECTED_NAME, column: "기수" })).fields).toHaveProperty([
    "cells.1.column",
  ]);
  expect((await correct(CORRECTED_NAME, { ...CORRECTED_NAME, row: 9 })).code).toBe("INVALID_INPUT");
  expect((await correct()).code).toBe("INVALID_INPUT");
  expect((await send(admin, "GET", "open", undefined)).data.received).toEqual(before.received);
});

test("cells of uploaded parts are corrected together", async () => {
  const { admin, importId, correct } = await uploadFaultyParts();
  await sendPreview(admin, importId);
  const before = (await send(admin, "GET", "open", undefined)).data;
  expect((await correct(CORRECTED_NAME, { row: 3, column: "이메일", value: "p3@pid.example.kr" })).data).toEqual({
    corrected: 2,
  });
  expect((await sendCommit(admin, importId)).code).toBe("CONFLICT");
  expect((await send(admin, "GET", "open", undefined)).data.received[0]).toEqual(before.received[0]);
  expect(importCounts(await sendPreview(admin, importId))).toEqual([3, 0, 0, 0]);
  expect(importCounts(await sendCommit(admin, importId))).toEqual([3, 0, 0, 0]);
  expect(await names()).toEqual(["김하나", "사람2", "사람4"]);
  expect((await correct(CORRECTED_NAME)).code).toBe("CONFLICT");
});

test("a changed book needs another preview only for a changed outcome", async () => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  const importId = await opened(admin);
  await sendPreview(admin, importId);
  await callJson("PUT", "/api/alumni", { token, body: { name: "다른이" } });
  expect(importCounts(await sendCommit(admin, importId))).toEqual([3, 0, 0, 0]);

  const second = await opened(admin, [[person(7), person(8)]]);
  await sendPreview(admin, second);
  expect(
    importCounts(await importAlumniFile(admin, "동문.csv", "이름,소속,이메일\n사람7,한빛병원,p7@pid.example.kr\n")),
  ).toEqual([1, 0, 0, 0]);
  const refused = await sendCommit(admin, second);
  expect([refused.code, refused.message]).toEqual(["CONFLICT", expect.stringContaining("다시 미리보기")]);
  expect(await names()).not.toContain("사람8");
  expect(importCounts(await sendPreview(admin, second))).toEqual([1, 0, 1, 0]);
  expect(importCounts(await sendCommit(admin, second))).toEqual([1, 0, 1, 0]);
});

test("bad rows of a multi-part import can be downloaded", async () => {
  const admin = await createAdministratorSession();
  const importId = await opened(admin, [[person(2), [3, ["", "새봄병원", "틀린주소"]]]]);
  const dry = await sendPreview(admin, importId);
  const committed = await sendCommit(admin, importId, true);
  expect(importCounts(committed)).toEqual([1, 0, 0, 1]);
  for (const { errorFileUrl } of [dry.data, committed.data])
    expect(errorFileUrl).toMatch(/^\/api\/alumni\/export-data\//);
});

test("a multi-part import belongs to its creator", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const importId = await opened(admin);
  const writer = await createSessionWith(["Alumni_Read", "Alumni_Write", "Alumni_Export"]);
  const calls = [
    ["GET", "open", undefined],
    ["POST", "open", { fileName: "a.csv", headRow: 1, heads: HEADERS, mapping: MAPPING, parts: 1 }],
    ["PUT", `${importId}/part/1`, { rows: [person(9)] }],
    ["PATCH", `${importId}/cells`, { cells: [{ row: 2, column: "이름", value: "다른이" }] }],
    ["POST", `${importId}/plan`, { mode: "upsert" }],
    ["POST", `${importId}/commit`, {}],
    ["DELETE", importId, {}],
  ] as const;
  for (const [method, path, body] of calls) {
    expect((await send(null, method, path, body)).code, `${method} ${path}`).toBe("UNAUTHORIZED");
    for (const someone of [await createMemberSession(), writer])
      expect((await send(someone, method, path, body)).code, `${method} ${path}`).toBe("FORBIDDEN");
  }
  const other = await createAdministratorSession();
  expect((await send(other, "GET", "open", undefined)).data).toBeNull();
  for (const [method, path, body] of calls.slice(2))
    expect((await send(other, method, path, body)).code, `${method} ${path}`).toBe("NOT_FOUND");
  expect((await send(admin, "PUT", `${importId}/part/3`, { rows: [person(9)] })).code).toBe("INVALID_INPUT");

  expect(importCounts(await sendPreview(admin, importId))).toEqual([3, 0, 0, 0]);
  const newer = await opened(admin, [[person(2)]]);
  expect((await sendCommit(admin, importId)).code).toBe("NOT_FOUND");
  expect((await send(admin, "DELETE", newer, {})).data).toEqual({ importId: newer });
  expect((await sendPreview(admin, newer)).code).toBe("NOT_FOUND");
  expect(await names()).toEqual([]);
});

test("a part of an import holds at most 2,000 rows", async () => {
  const admin = await createAdministratorSession();
  const importId = await open(admin, 1);
  const put = (rows: unknown) => send(admin, "PUT", `${importId}/part/1`, { rows });
  const many = Array.from({ length: 2001 }, (_, at) => person(at + 2));
  expect((await put(many)).code).toBe("INVALID_INPUT");
  expect((await put([[2, Array.from({ length: 101 }, () => "")]])).code).toBe("INVALID_INPUT");
  expect((await put([])).code).toBe("INVALID_INPUT");
  const heavy = Array.from({ length: 60 }, (_, at) => [at + 2, ["가".repeat(10_000)]]);
  expect((await put(heavy)).code).toBe("PAYLOAD_TOO_LARGE");
  expect((await put(many.slice(1))).code).toBe("SUCCESS");
  const heads = Array.from({ length: 101 }, (_, at) => `열${at}`);
  const wide = { fileName: "a.csv", headRow: 1, heads, mapping: MAPPING, parts: 1 };
  expect((await send(admin, "POST", "open", wide)).code).toBe("INVALID_INPUT");
  const nameless = { fileName: "a.csv", headRow: 1, heads: HEADERS, mapping: { 소속: "affiliation" }, parts: 1 };
  expect((await send(admin, "POST", "open", nameless)).fields).toHaveProperty("mapping");
});
