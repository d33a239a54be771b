import { expect, test } from "vitest";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import {
  announceUpload,
  countObjects,
  fetchFile,
  PDF_BYTES,
  PNG_BYTES,
  putFile,
  readFileStatus,
  uploadBoardFile,
} from "../../samples/board-files.ts";
import { advanceClock, createTestItem } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createTestRole,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";

const READER = ["Board_free_List", "Board_free_View", "Board_free_Comment"];
const itemPath = (itemNo: number, boardCode = "free") => `/api/board-item/${boardCode}/${itemNo}`;
const patchItem = (session: TestSession, itemNo: number, body: object, boardCode = "free") =>
  callAs(session, "PATCH", itemPath(itemNo, boardCode), body);
const readItem = async (session: TestSession, itemNo: number, boardCode = "free") =>
  (await callAs(session, "GET", itemPath(itemNo, boardCode))).data;
const storePicture = (session: TestSession | null) => {
  const body = new FormData();
  body.set("file", new File([PNG_BYTES], "사진.png"));
  return callAs(session, "PUT", "/api/board-item/images", body);
};
const showing = (fileId: string) => `<p><img src="/api/file/${fileId}" alt="사진" /></p>`;

test("an author who lost Write cannot change or delete their items", async () => {
  const roleCode = await createTestRole([...READER, "Board_free_Write"]);
  const author = await createSession({ roleCode });
  const itemNo = await createTestItem(author, "free", { title: "처음" });
  expect((await patchItem(author, itemNo, { title: "다음", version: 1 })).status).toBe(200);
  await runSql("UPDATE role SET permissions = ? WHERE role_code = ?", JSON.stringify(READER), roleCode);
  const token = author.accessToken;
  const refused = [
    await patchItem(author, itemNo, { title: "바꿈", version: 2 }),
    await callJson("DELETE", itemPath(itemNo), { token }),
    await callJson("PUT", `/api/board-item-draft/free?itemNo=${itemNo}`, { token, body: { title: "바꿈" } }),
  ];
  for (const { status } of refused) expect([403, 404]).toContain(status);
  expect(await readItem(author, itemNo)).toMatchObject({ title: "다음", version: 2 });
});

test("a person without any Write right cannot upload pictures", async () => {
  const reader = await createSessionWith([...READER, "Alumni_Read"]);
  expect((await storePicture(null)).status).toBe(401);
  expect((await storePicture(reader)).status).toBe(403);
  expect(await countObjects()).toBe(0);
  expect(await readValue("SELECT count(*) AS n FROM file")).toBe(0);
  const writer = await createSessionWith([...READER, "Board_free_Write"]);
  expect((await storePicture(writer)).status).toBe(200);
});

test("an upload path expires", async () => {
  const person = await createMemberSession();
  const announce = () => announceUpload(person, { fileName: "안내.pdf", size: PDF_BYTES.byteLength });
  const [late, inTime] = [(await announce()).data, (await announce()).data];
  advanceClock(TOKEN_LIMITS.uploadTtlSeconds * 1000 - 5000);
  expect((await putFile(inTime.uploadUrl, PDF_BYTES)).status).toBe(200);
  advanceClock(10_000);
  const refused = await putFile(late.uploadUrl, PDF_BYTES);
  expect([refused.status, refused.message]).toEqual([
    404,
    "올릴 수 있는 시간이 지났습니다. 파일을 다시 선택해 주십시오.",
  ]);
  expect(await countObjects()).toBe(1);
});

test("a file accepted on one board cannot be attached on another", async () => {
  const admin = await createAdministratorSession();
  const fileId = await uploadBoardFile(admin, "안내.pdf", PDF_BYTES, "notice");
  const body = { title: "글", content: "<p>글</p>", fileIds: [fileId] };
  const answer = await callAs(admin, "PUT", "/api/board-item/free", body);
  expect([answer.code, Object.keys(answer.fields ?? {})]).toEqual(["INVALID_INPUT", ["fileIds"]]);
  const itemNo = await createTestItem(admin, "free");
  expect((await patchItem(admin, itemNo, { fileIds: [fileId], version: 1 })).code).toBe("INVALID_INPUT");
  expect(await readFileStatus(fileId)).toBe("ready");
  expect(await createTestItem(admin, "notice", { fileIds: [fileId] })).toBe(1);
});

test("an unattached picture of another person is unusable by its id", async () => {
  const owner = await createMemberSession();
  const thief = await createMemberSession();
  const fileId = (await storePicture(owner)).data.fileId as string;
  const itemNo = await createTestItem(thief, "free", { content: `<p>글</p>${showing(fileId)}` });
  expect((await patchItem(thief, itemNo, { content: `<p>또</p>${showing(fileId)}`, version: 1 })).status).toBe(200);
  expect(await readFileStatus(fileId)).toBe("ready");
  expect((await fetchFile(fileId, thief)).status).toBe(404);
  await createTestItem(owner, "free", { content: showing(fileId) });
  expect((await fetchFile(fileId, thief)).status).toBe(200);
});

test("a refused stale edit leaves files or pictures unchanged", async () => {
  const author = await createMemberSession();
  const kept = await uploadBoardFile(author, "남음.pdf");
  const itemNo = await createTestItem(author, "free", { fileIds: [kept] });
  await patchItem(author, itemNo, { title: "먼저", version: 1 });
  const added = await uploadBoardFile(author, "새것.pdf");
  const picture = (await storePicture(author)).data.fileId as string;
  const stale = await patchItem(author, itemNo, { fileIds: [added], content: showing(picture), version: 1 });
  expect(stale.code).toBe("CONFLICT");
  expect((await readItem(author, itemNo)).files.map(({ fileId }: { fileId: string }) => fileId)).toEqual([kept]);
  expect([await readFileStatus(kept), await readFileStatus(added), await readFileStatus(picture)]).toEqual([
    "attached",
    "ready",
    "ready",
  ]);
});

test("only the date of a scheduled item can be moved", async () => {
  const admin = await createAdministratorSession();
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
  const itemNo = await createTestItem(admin, "notice");
  const { createdDate } = await readItem(admin, itemNo, "notice");
  const edit = await patchItem(admin, itemNo, { publishDate: day(3), version: 1 }, "notice");
  expect(edit.data.version).toBe(2);
  expect((await readItem(admin, itemNo, "notice")).createdDate).toBe(createdDate);
  expect((await fetchApi("GET", itemPath(itemNo, "notice"))).status).toBe(200);
  const coming = await createTestItem(admin, "notice", { publishDate: day(1) });
  const moved = day(5);
  await patchItem(admin, coming, { publishDate: moved, version: 1 }, "notice");
  expect((await readItem(admin, coming, "notice")).createdDate).toBe(moved);
});

test("a secret item is listed for guests without its content", async () => {
  await runSql("UPDATE board SET use_secret = 1, board_type = 'gallery' WHERE board_code = 'free'");
  const guest = { roleCode: "guest" };
  await runSql(
    "UPDATE role SET permissions = ? WHERE role_code = ?",
    JSON.stringify(["Board_free_List", "Board_free_View", "Board_free_Download"]),
    guest.roleCode,
  );
  const author = await createMemberSession();
  const open = (await storePicture(author)).data.fileId as string;
  const hidden = (await storePicture(author)).data.fileId as string;
  await createTestItem(author, "free", { title: "열린 글", content: showing(open) });
  await createTestItem(author, "free", { title: "숨긴 낱말", content: showing(hidden), isSecret: true });
  const attached = await uploadBoardFile(author, "사진.png", PNG_BYTES);
  await createTestItem(author, "free", { title: "숨긴 첨부", fileIds: [attached], isSecret: true });

  const list = async (session: TestSession | null) =>
    (await callAs(session, "GET", "/api/board-item?boardCode=free")).data;
  const seen = await list(null);
  expect(seen.totalElements).toBe(seen.content.length);
  expect(seen.content.map(({ title }: { title: string }) => title)).toEqual([
    "비밀글입니다.",
    "비밀글입니다.",
    "열린 글",
  ]);
  expect(seen.content.map((row: { fileCount: number }) => row.fileCount)).toEqual([0, 0, 0]);
  const text = JSON.stringify(seen);
  for (const secret of [hidden, attached, "숨긴"]) expect(text).not.toContain(secret);
  expect(text).toContain(open);
  const own = JSON.stringify(await list(author));
  for (const secret of [hidden, attached, "숨긴 낱말"]) expect(own).toContain(secret);

  const search = async (session: TestSession | null) =>
    (await callAs(session, "POST", "/api/board-item/search", { keyword: "숨긴" })).data;
  expect([(await search(null)).totalElements, (await search(author)).totalElements]).toEqual([0, 2]);
});
