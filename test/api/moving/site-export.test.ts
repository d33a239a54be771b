import { env } from "cloudflare:workers";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { callJson, fetchApi } from "../../support/api-client.ts";
import { EXPORT_REASON, exportSite, commitMove, MOVING, sendArchives, undoMove } from "../../support/move.ts";
import { createTestItem } from "../../support/factories.ts";
import { oldComment, oldDocument, oldFile, oldMember, oldNote } from "../../samples/moving-archive.ts";
import { moveSite } from "../../support/moving-site.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createTestRole,
} from "../../support/people.ts";
import { readRows, runSql } from "../../support/test-database.ts";
import { AMOUNT, charge, insertPerson } from "../alumni/people-with-dues.ts";

const asJson = (token: string, body: object) => ({
  token,
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json" },
});

async function readSite() {
  const members = await readRows(
    "SELECT user_name, role_code, user_type, status, profile, created_date / 1000 AS created, (SELECT group_concat(code) FROM (SELECT user_key_type || ' ' || user_key_code AS code FROM user_key WHERE user_id = user.id ORDER BY 1)) AS keys FROM user ORDER BY keys",
  );
  const items = await readRows(
    "SELECT board_code, item_no, title, content, category, is_pinned, is_secret, created_user_name, created_date / 1000 AS created, view_count, comment_count, file_count FROM board_item WHERE board_code LIKE 'old-%' AND deleted_date IS NULL ORDER BY 1, 2",
  );
  const comments = await readRows(
    "SELECT i.board_code, i.item_no, c.content, c.created_user_name, c.created_date / 1000 AS created, (SELECT content FROM board_item_comment AS p WHERE p.id = c.parent_comment_id) AS parent FROM board_item_comment AS c JOIN board_item AS i ON i.id = c.item_id WHERE i.board_code LIKE 'old-%' ORDER BY 1, 2, 3",
  );
  const files = await readRows(
    "SELECT i.board_code, i.item_no, f.file_name, f.size, f.hash, f.purpose FROM file AS f JOIN board_item AS i ON i.id = f.item_id WHERE i.board_code LIKE 'old-%' AND f.purpose = 'board' ORDER BY 1, 2, 3",
  );
  const notes = await readRows(
    "SELECT folder, other_name, title, content, sent_date / 1000 AS sent, (SELECT user_key_code FROM user_key AS k WHERE k.user_id = old_note.user_id AND user_key_type = 'Id') AS owner FROM old_note ORDER BY 1, 2, 3",
  );
  const blank = (html: unknown) => String(html).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id");
  return { members, items: items.map((item) => ({ ...item, content: blank(item.content) })), comments, files, notes };
}

test("a site export can be reimported unchanged", { tags: "full" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  const { id } = await moveSite(token);
  await runSql("UPDATE board_item SET view_count = 77 WHERE item_no = 1");
  const before = await readSite();
  expect(before.items.length).toBeGreaterThan(2);
  expect(before.files.length).toBeGreaterThan(1);
  expect(before.notes).toHaveLength(2);
  const archives = await exportSite(token);
  expect(archives.map(({ part }) => part.kind)).toEqual(["members", "items", "files"]);
  await runSql("UPDATE board_item SET view_count = 12 WHERE item_no = 1");
  await undoMove(token, id);
  expect((await readSite()).items).toEqual([]);

  const again = await sendArchives(
    token,
    archives.map(({ part, bytes }) => ({ kind: part.kind === "files" ? "files" : "rdx", bytes })),
  );
  const board = { to: "new", boardCode: "old-free-talk", boardName: "자유게시판", boardType: "list", access: "public" };
  const view = await commitMove(token, again, { boards: { "old-free-talk": board } });
  expect(view.status).toBe("committed");
  expect(await readSite()).toEqual(before);
});

test("an exported record has every property of the format", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await moveSite(token);
  const archives = await exportSite(token);
  const records = new Map<string, Record<string, unknown>[]>();
  for (const { bytes } of archives)
    for (const [name, list] of Object.entries(unzipSync(bytes)).filter(([each]) => each.endsWith(".jsonl")))
      records.set(
        name,
        strFromU8(list)
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line)),
      );
  const documents = records.get("boards/old-free-talk_1.jsonl") ?? [];
  const within = (name: string) => documents.flatMap((each) => each[name] as Record<string, unknown>[]);
  for (const [found, sample] of [
    [records.get("members/member_1.jsonl") ?? [], oldMember("x")],
    [records.get("messages/message_1.jsonl") ?? [], oldNote(1, "a", "b")],
    [documents, oldDocument(1)],
    [within("comments"), oldComment(1)],
    [within("files"), oldFile(1, "a.txt", "a.txt")],
  ] as const) {
    expect(found.length).toBeGreaterThan(0);
    for (const record of found) expect(Object.keys(record).toSorted()).toEqual(Object.keys(sample).toSorted());
  }
});

test("an export contains no password or deleted item", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await moveSite(token);
  await runSql("UPDATE board_item SET deleted_date = 1 WHERE item_no = 2");
  await runSql("UPDATE board_item SET created_date = 4102444800000 WHERE item_no = 4");
  const [members, items] = await exportSite(token);
  const people = strFromU8(unzipSync(members?.bytes ?? new Uint8Array())["members/member_1.jsonl"] ?? new Uint8Array());
  expect(
    people
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).password),
  ).toEqual(
    people
      .trim()
      .split("\n")
      .map(() => ""),
  );
  expect(people).toContain('"user_id":"kim_1"');
  expect(people).not.toMatch(/argon2|pbkdf2|sha256/);
  const files = unzipSync(items?.bytes ?? new Uint8Array());
  const documents = Object.entries(files)
    .filter(([name]) => name.startsWith("boards/"))
    .flatMap(([, bytes]) =>
      strFromU8(bytes)
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
  expect(documents.map(({ id }) => id)).not.toContain(2);
  expect(documents.find(({ id }) => id === 4)?.status).toBe("SECRET");
  expect(JSON.parse(strFromU8(files["index.json"] ?? new Uint8Array()))).toMatchObject({
    version: "1.0",
    tz: "Asia/Seoul",
  });
});

test("an export has the dues of its members", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const member = await createMemberSession();
  const id = await insertPerson("홍길동", member.user.email);
  await charge(id, "2025", { paid: AMOUNT });
  await charge(id, "2026");
  const [members] = await exportSite(token);
  const lines = strFromU8(unzipSync(members?.bytes ?? new Uint8Array())["members/member_1.jsonl"] ?? new Uint8Array());
  const dues = lines
    .trim()
    .split("\n")
    .flatMap((line) => (JSON.parse(line) as { extra_vars: { 회비?: string } }).extra_vars.회비 ?? []);
  expect(dues).toEqual(["2025 연회비 73,150원 완납 (2026-03-02)\n2026 연회비 73,150원 미납"]);
});

test("only system administrators can export the site", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const role = await createTestRole(["ADMIN_Access", "Board_notice_Manage"]);
  const { accessToken: partial } = await createSession({ roleCode: role });
  const { accessToken: member } = await createMemberSession();
  const body = { kind: "members", first: "0", last: "z", partNo: 1, reason: EXPORT_REASON };
  for (const [by, code] of [
    [{}, "UNAUTHORIZED"],
    [{ token: member }, "FORBIDDEN"],
    [{ token: partial }, "FORBIDDEN"],
  ] as const) {
    expect((await callJson("POST", `${MOVING}/export/parts`, { ...by, body: {} })).code).toBe(code);
    expect((await callJson("POST", `${MOVING}/export`, { ...by, body })).code).toBe(code);
  }
  const bad = await callJson("POST", `${MOVING}/export`, { token, body: { ...body, kind: "items" } });
  expect(bad.code).toBe("INVALID_INPUT");
  expect((await callJson("POST", `${MOVING}/export`, { token, body: { ...body, reason: "" } })).code).toBe(
    "INVALID_INPUT",
  );
  await exportSite(token);
  const rows = await readRows(
    "SELECT reason, subject_count, json_extract(detail, '$.kind') AS kind, (SELECT json_array_length(ids) FROM audit_subject WHERE audit_id = audit_log.id) AS named FROM audit_log WHERE action = 'moving.export' ORDER BY id",
  );
  const people = await readRows("SELECT count(*) AS count FROM user WHERE status <> 'retired'");
  expect(rows).toEqual([
    { reason: EXPORT_REASON, subject_count: people[0]?.count, kind: "members", named: people[0]?.count },
  ]);
});

test("archives count toward the ten exports a day", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const body = { kind: "members", first: "0", last: "z", partNo: 1, reason: EXPORT_REASON };
  for (let turn = 0; turn < 10; turn += 1)
    expect((await fetchApi("POST", `${MOVING}/export`, asJson(token, body))).status).toBe(200);
  expect((await fetchApi("POST", `${MOVING}/export`, asJson(token, body))).status).toBe(429);
  expect((await fetchApi("POST", `${MOVING}/export`, asJson(token, { ...body, kind: "files" }))).status).toBe(200);
});

test("a range larger than one archive is refused", async () => {
  const administrator = await createAdministratorSession();
  const { accessToken: token } = administrator;
  await createTestItem(administrator, "notice");
  const id = Number((await readRows("SELECT min(id) AS id FROM board_item"))[0]?.id);
  await runSql(`WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2001)
    INSERT INTO file (id, purpose, status, item_id, owner_user_id, file_name, storage_key, content_type, size, created_date)
    SELECT printf('00000000-0000-4000-8000-%012d', i), 'board', 'attached', ${id}, 'nobody', 'a.txt', 'none/' || i, 'text/plain', 1, 0 FROM n`);
  const body = { kind: "files", first: "0", last: "z", partNo: 1, reason: EXPORT_REASON };
  expect((await callJson("POST", `${MOVING}/export`, { token, body })).code).toBe("INVALID_INPUT");
  expect(await readRows("SELECT id FROM audit_log WHERE action = 'moving.export'")).toEqual([]);
});

test("a file missing from storage is listed in its archive", { tags: "full" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  await moveSite(token);
  const [lost] = await readRows(
    "SELECT storage_key, file_name FROM file WHERE purpose = 'board' AND status = 'attached'",
  );
  await env.FILES.delete(String(lost?.storage_key));
  const files = (await exportSite(token)).find(({ part }) => part.kind === "files");
  const list = unzipSync(files?.bytes ?? new Uint8Array())["저장소에 없는 파일.txt"] ?? new Uint8Array();
  expect(strFromU8(list).trim().split("\n")).toEqual([expect.stringContaining(String(lost?.file_name))]);
});
