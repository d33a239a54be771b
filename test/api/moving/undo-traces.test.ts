/** @module-tag full */
import { expect, test } from "vitest";
import { undoMove } from "../../support/move.ts";
import { moveSite } from "../../support/moving-site.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { readValue, runSql } from "../../support/test-database.ts";

type Id = string | number;
type Row = Record<string, Id>;
type Trace = (id: Id) => Promise<unknown>;
const insert = (table: string, row: Row) =>
  runSql(
    `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row)
      .map(() => "?")
      .join(", ")})`,
    ...Object.values(row),
  );
const movedId = (kind: string, oldKey: string) =>
  readValue<string>("SELECT target_id FROM moved_thing WHERE kind = ? AND old_key = ?", kind, oldKey);
const dates = { created_date: 1, modified_date: 1 };
const file = (row: Row) =>
  insert("file", {
    id: "later",
    purpose: "board",
    owner_user_id: "x",
    file_name: "나중.pdf",
    size: 1,
    content_type: "application/pdf",
    status: "attached",
    storage_key: "later",
    created_date: 1,
    ...row,
  });

const ITEM_TRACES: Record<string, Trace> = {
  "an edit": (id) => runSql("UPDATE board_item SET version = 2 WHERE id = ?", id),
  "an edit of a comment": (id) => runSql("UPDATE board_item_comment SET version = 2 WHERE item_id = ?", id),
  "a comment in the bin": (id) => runSql("UPDATE board_item_comment SET deleted_date = 1 WHERE item_id = ?", id),
  "a new comment": (id) =>
    insert("board_item_comment", {
      id: "later",
      item_id: id,
      content: "새 댓글",
      created_user_id: "x",
      created_user_name: "새",
      ...dates,
    }),
  "a report": (id) =>
    insert("item_report", { id: "later", item_id: id, reporter_user_id: "x", reason: "spam", created_date: 1 }),
  "a file": (id) => file({ item_id: id }),
};
const MEMBER_TRACES: Record<string, Trace> = {
  "an edit": (id) => runSql("UPDATE user SET version = 2 WHERE id = ?", id),
  "a sign-in": (id) => runSql("UPDATE user SET last_signin_date = 1 WHERE id = ?", id),
  "a verified address": (id) => runSql("UPDATE user_key SET verified_date = 1 WHERE user_id = ?", id),
  "a consent": (id) =>
    insert("user_consent", { user_id: id, code: "a", version: "1", agreed: 1, text_hash: "", created_date: 1 }),
  "a role for a time": (id) =>
    insert("role_grant", { id: "later", user_id: id, role_code: "member", start_date: 1, created_date: 1 }),
  "a privacy request": (id) =>
    insert("privacy_request", {
      id: "later",
      kind: "read",
      status: "open",
      user_id: id,
      requester_name: "박",
      content: "",
      received_date: 1,
      due_date: 1,
      modified_date: 1,
    }),
  "an inquiry": (id) =>
    insert("inquiry", {
      id: "later",
      user_id: id,
      category: "etc",
      subject: "문의",
      status: "waiting",
      created_date: 1,
      last_date: 1,
    }),
  "a session": (id) =>
    insert("session", {
      id: "later",
      user_id: id,
      created_date: 1,
      last_used_date: 1,
      expires_date: 1,
      user_agent: "",
      address: "",
    }),
  "a file": (id) => file({ owner_user_id: id }),
};

async function keptAfter(kind: string, oldKey: string, write: Trace): Promise<string[]> {
  const { accessToken: token } = await createAdministratorSession();
  const { id } = await moveSite(token);
  await write(requirePresent(await movedId(kind, oldKey)));
  const { issues } = await undoMove(token, id);
  return issues.find(({ code }) => code === "undo-kept")?.subjects ?? [];
}

test.for(Object.entries(ITEM_TRACES))("%s keeps a moved item by name", async ([, write]) => {
  expect(await keptAfter("item", "free_talk/1", write)).toContain("글 free_talk/1");
  expect(await readValue("SELECT count(*) FROM board_item WHERE item_no = 1 AND board_code = 'old-free-talk'")).toBe(1);
});

test.for(Object.entries(MEMBER_TRACES))("%s keeps a moved member by name", async ([, write]) => {
  expect(await keptAfter("member", "lee", write)).toEqual(["회원 lee"]);
  expect(await readValue("SELECT count(*) FROM user_key WHERE user_key_code = 'lee'")).toBe(1);
});

test("an undo keeps an imported board that a draft names", async () => {
  const draft = { user_id: "x", title: "", content: "", fields: "{}", file_ids: "[]", modified_date: 1 };
  const write: Trace = (boardCode) => insert("item_draft", { ...draft, board_code: boardCode });
  expect(await keptAfter("board", "free_talk", write)).toEqual(["게시판 free_talk"]);
});
