import { env } from "cloudflare:workers";
import { read, utils, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import { cleanUpAlumni } from "#worker/domain/alumni/clean-up.server.ts";
import { downloadFile, importAlumniFile, importCounts, exportListed } from "../../samples/alumni-files.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { makeBackup } from "../../support/backup.ts";
import { fetchFile, PDF_BYTES, putFile, readFileStatus } from "../../samples/board-files.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { readRow, readValue, runSql, testDatabase } from "../../support/test-database.ts";

const DAY = 86_400_000;

async function upload(who: TestSession, fileName: string): Promise<string> {
  const query = new URLSearchParams({ fileName, size: String(PDF_BYTES.byteLength) });
  const { data } = await callJson("GET", `/api/file/upload-url?${query}`, { token: who.accessToken });
  expect((await putFile(data.uploadUrl, PDF_BYTES)).code).toBe("SUCCESS");
  return data.fileId;
}
const makeField = async (admin: TestSession, more: object) =>
  (
    await callAs(admin, "PUT", "/api/admin/setting/alumni/field", {
      name: "증빙",
      kind: "file",
      access: "openable",
      personEdits: true,
      ...more,
    })
  ).data.code as string;
const status = async (who: TestSession | null, id: string, code: string) =>
  (await fetchApi("GET", `/api/alumni/${id}/file/${code}`, { token: who?.accessToken })).status;
const storageKeyOf = (fileId: string) => readValue<string>("SELECT storage_key FROM file WHERE id = ?", fileId);

async function withFile() {
  const [admin, person, other] = [
    await createAdministratorSession(),
    await createMemberSession(),
    await createMemberSession(),
  ];
  const code = await makeField(admin, {});
  const fileId = await upload(person, "재직 증명.pdf");
  const { id } = (await callAs(admin, "PUT", "/api/alumni", { name: "홍길동", email: person.user.email })).data;
  const edit = (who: TestSession, version: number, body: object) =>
    callAs(who, "PATCH", `/api/alumni/${id}`, { version, ...body });
  expect((await edit(person, 1, { own: { [code]: { fileId } } })).data).toEqual({ id, version: 2 });
  return { admin, person, other, code, fileId, id: id as string, edit };
}

test("a person can attach their own upload", async () => {
  const { person, code, fileId, id } = await withFile();
  expect(JSON.parse(String((await readRow("SELECT own FROM alumni WHERE id = ?", id))?.own))).toEqual({
    [code]: { fileId, fileName: "재직 증명.pdf" },
  });
  expect(await readFileStatus(fileId)).toBe("attached");
  const response = await fetchApi("GET", `/api/alumni/${id}/file/${code}`, { token: person.accessToken });
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(PDF_BYTES);
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
});

test("a file is served to those who see its field", async () => {
  const { admin, person, other, code, fileId, id, edit } = await withFile();
  const seen = async () => [
    await status(admin, id, code),
    await status(person, id, code),
    await status(other, id, code),
    await status(null, id, code),
  ];
  expect(await seen()).toEqual([200, 200, 404, 401]);
  expect((await fetchFile(fileId, admin)).status).toBe(404);
  await edit(person, 2, { openFields: [code] });
  expect(await seen()).toEqual([200, 200, 200, 401]);
  expect(await status(admin, id, "own40")).toBe(404);
  expect(await status(admin, id, "name")).toBe(404);

  const field = (await callAs(admin, "GET", "/api/admin/setting/alumni/field")).data[0];
  const { name, version } = field;
  const office = { name, choices: [], access: "office", personEdits: false, version };
  expect((await callAs(admin, "PATCH", `/api/admin/setting/alumni/field/${code}`, office)).code).toBe("SUCCESS");
  expect(await seen()).toEqual([200, 404, 404, 401]);
  expect((await edit(person, 3, { own: { [code]: "" } })).code).toBe("INVALID_INPUT");
  await callAs(admin, "DELETE", `/api/alumni/${id}`);
  expect(await status(admin, id, code)).toBe(404);
});

test("a foreign file is refused", async () => {
  const { admin, person, other, code, fileId, id, edit } = await withFile();
  const foreign = await upload(other, "남의 것.pdf");
  const refused = async (value: unknown) => (await edit(person, 2, { own: { [code]: value } })).fields;
  const gone = { [`own.${code}`]: "올린 파일을 찾을 수 없습니다. 파일을 다시 올려 주십시오." };
  expect(await refused({ fileId: foreign })).toEqual(gone);
  expect(await refused({ fileId: crypto.randomUUID() })).toEqual(gone);
  expect(await refused("다른 파일.pdf")).toEqual({
    [`own.${code}`]: "파일은 이름으로 넣을 수 없습니다. 파일을 올려 주십시오.",
  });
  const text = await makeField(admin, { name: "별칭", kind: "text" });
  expect((await edit(person, 2, { own: { [text]: { fileId: await upload(person, "a.pdf") } } })).fields).toEqual({
    [`own.${text}`]: gone[`own.${code}`],
  });
  const twice = await callAs(admin, "PUT", "/api/alumni", { name: "김하나", own: { [code]: { fileId } } });
  expect(twice.fields).toEqual(gone);

  const late = await upload(person, "늦은 것.pdf");
  expect((await edit(admin, 2, { position: "먼저" })).code).toBe("SUCCESS");
  expect((await edit(person, 2, { own: { [code]: { fileId: late } } })).code).toBe("CONFLICT");
  expect([await readFileStatus(late), await readFileStatus(fileId)]).toEqual(["ready", "attached"]);
  // Resending the current file or its name is allowed.
  expect((await edit(person, 3, { own: { [code]: { fileId } } })).code).toBe("SUCCESS");
  expect((await edit(person, 4, { own: { [code]: "재직 증명.pdf" } })).code).toBe("SUCCESS");
  expect(await status(person, id, code)).toBe(200);
});

test("a file is listed by its name", { tags: "full" }, async () => {
  const { admin, code, fileId, id } = await withFile();
  await callAs(admin, "PUT", "/api/alumni", { name: "김하나", mobile: "010-0000-0002" });
  const names = async (query: string) =>
    (await callAs(admin, "GET", `/api/alumni?${query}`)).data.content.map(({ name }: { name: string }) => name).join();
  expect(await names("keyword=재직")).toBe("홍길동");
  expect(await names(`keyword=${fileId.slice(0, 8)}`)).toBe("");
  expect(await names(`f_${code}=filled`)).toBe("홍길동");
  expect(await names(`f_${code}=has:증명`)).toBe("홍길동");
  expect(await names(`f_${code}=empty`)).toBe("김하나");
  expect(await names(`sort=${code},ASC`)).toBe("홍길동,김하나");

  const exported = await exportListed(admin, { format: "xlsx", reason: "확인" });
  const sheet = read(await downloadFile(admin, exported.data.url)).Sheets;
  const rows = utils.sheet_to_json<Record<string, string>>(Object.values(sheet)[0] as object);
  expect(rows.map((row) => [row.이름, row.증빙])).toEqual([
    ["김하나", undefined],
    ["홍길동", "재직 증명.pdf"],
  ]);
  const changed = rows.map((row) =>
    row.이름 === "홍길동" ? { ...row, 증빙: "", 직위: "교수" } : { ...row, 증빙: "x.pdf" },
  );
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.json_to_sheet(changed), "명부");
  const bytes = new Uint8Array(write(book, { type: "array", bookType: "xlsx" }) as ArrayBuffer);
  const imported = await importAlumniFile(admin, "명부.xlsx", bytes, { emptied: "clear", confirmed: "take" });
  expect(importCounts(imported)).toEqual([0, 1, 1, 0]);
  expect(imported.data.notes).toEqual(
    expect.arrayContaining(["파일 항목은 이름만 내보냅니다. 파일은 사람마다 주소록에서 올려 주십시오."]),
  );
  expect(await status(admin, id, code)).toBe(200);
  expect((await importAlumniFile(admin, "명부.xlsx", bytes, { mapping: { 이름: "name", 증빙: code } })).code).toBe(
    "INVALID_INPUT",
  );
});

test("the personal data export names the file", async () => {
  const { person, code, fileId, id } = await withFile();
  const own = (await callAs(person, "GET", `/api/user/${person.user.id}/export`)).data;
  expect(own.alumniEntry.증빙).toEqual({ fileName: "재직 증명.pdf", url: `/api/alumni/${id}/file/${code}` });
  expect(JSON.parse(String(await readValue("SELECT detail FROM audit_log WHERE action = 'alumni.update'")))).toEqual({
    fields: ["증빙"],
    own: true,
  });
  await makeBackup();
  expect(await env.BACKUPS.head(`files/${await storageKeyOf(fileId)}`)).not.toBeNull();
});

test("a file is kept while an undo can restore it", { tags: "full" }, async () => {
  const { admin, code, fileId, id, edit } = await withFile();
  const first = await storageKeyOf(fileId);
  const next = await upload(admin, "새 증명.pdf");
  expect((await edit(admin, 2, { own: { [code]: { fileId: next } } })).code).toBe("SUCCESS");
  expect([await readFileStatus(fileId), await readFileStatus(next)]).toEqual(["swept", "attached"]);

  // The file belongs to the merged entry; the replaced one stays for the 30-day undo.
  const third = await upload(admin, "셋째.pdf");
  const twin = (await callAs(admin, "PUT", "/api/alumni", { name: "홍길동", own: { [code]: { fileId: third } } })).data
    .id;
  const people = [
    { id, version: 3 },
    { id: twin, version: 1 },
  ];
  const merged = await callAs(admin, "POST", "/api/alumni/merge", { keepId: id, people, source: { [code]: twin } });
  expect(merged.code).toBe("SUCCESS");
  expect(await callAs(admin, "POST", "/api/alumni/destroy-data", { ids: [twin] })).toMatchObject({
    data: { destroyed: 1 },
  });
  expect([await readFileStatus(next), await readFileStatus(third)]).toEqual(["attached", "attached"]);
  await runSql("DELETE FROM age_clock");
  await cleanUpAlumni({ db: testDatabase(), now: () => new Date(Date.now() + 31 * DAY) });
  expect([await readFileStatus(next), await readFileStatus(third)]).toEqual(["swept", "attached"]);

  const key = await storageKeyOf(third);
  await callAs(admin, "DELETE", `/api/alumni/${id}`);
  expect(await readFileStatus(third)).toBe("attached");
  expect(await callAs(admin, "POST", "/api/alumni/destroy-data", { ids: [id] })).toMatchObject({
    data: { destroyed: 1 },
  });
  expect([await readFileStatus(fileId), await readFileStatus(next), await readFileStatus(third)]).toEqual([
    null,
    null,
    null,
  ]);
  expect([await env.FILES.head(String(first)), await env.FILES.head(String(key))]).toEqual([null, null]);
});
