import { BOARD_ACTIONS } from "#worker/contract/kernel/permissions.ts";
import { oldestWithin } from "#worker/contract/kernel/day-ends.ts";
import type { BoardBefore } from "#worker/contract/moving/moving.ts";
import { MOVED_CONSENT, MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import { storageKeysOf } from "../file/picture.server.ts";
import type { MovingStep } from "./moving-step.server.ts";

const PORTION = 100;

interface ThingToUndo {
  oldKey: string;
  targetId: string;
}

/** Undoes a move in portions; later changes stay and are reported. */
export async function undoMove(step: MovingStep): Promise<void> {
  while (!step.isSpent()) {
    const kind = KINDS[step.state.phase];
    if (!kind) return finishUndo(step);
    await undoKind(step, kind);
  }
}

type Phase = MovingStep["state"]["phase"];

interface KindToUndo {
  kind: "item" | "note" | "member" | "board";
  undo: (step: MovingStep, things: ThingToUndo[]) => Promise<D1PreparedStatement[]>;
  next: Phase;
}

const KINDS: Partial<Record<Phase, KindToUndo>> = {
  records: { kind: "item", undo: undoItems, next: "index" },
  index: { kind: "note", undo: undoNotes, next: "directory" },
  directory: { kind: "member", undo: undoMembers, next: "boards" },
  boards: { kind: "board", undo: undoBoards, next: "tidy" },
};

async function undoKind(step: MovingStep, { kind, undo, next }: KindToUndo): Promise<void> {
  step.spend(1);
  const { results } = await step.d1
    .prepare(
      `SELECT rowid AS position, old_key AS oldKey, target_id AS targetId FROM moved_thing INDEXED BY moved_thing_moving
       WHERE moving_id = ?1 AND kind = ?2 AND was_here = 0 AND rowid > ?3 ORDER BY rowid LIMIT ${PORTION}`,
    )
    .bind(step.row.id, kind, step.state.position)
    .all<ThingToUndo & { position: number }>();
  const last = results.at(-1);
  const statements = last ? await undo(step, results) : next === "boards" ? await restoreBoards(step) : [];
  if (last) step.state.position = last.position;
  else Object.assign(step.state, { phase: next, position: 0 });
  await step.commit(statements);
}

const targetsOf = (things: ThingToUndo[]) => things.map(({ targetId }) => targetId);

/** No one has changed the item, commented or attached a file here. */
const UNTOUCHED_ITEM = `i.version = 1
  AND NOT EXISTS (SELECT 1 FROM board_item_comment AS c WHERE c.item_id = i.id AND (c.version > 1 OR c.deleted_date IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM moved_thing AS m WHERE m.kind = 'comment' AND m.target_id = c.id AND m.moving_id = ?2)))
  AND NOT EXISTS (SELECT 1 FROM file AS f WHERE f.item_id = i.id
    AND NOT EXISTS (SELECT 1 FROM moved_thing AS m WHERE m.kind = 'file' AND m.target_id = f.id AND m.moving_id = ?2))
  AND NOT EXISTS (SELECT 1 FROM item_report AS r WHERE r.item_id = i.id)`;

async function undoItems(step: MovingStep, things: ThingToUndo[]): Promise<D1PreparedStatement[]> {
  const { d1, row } = step;
  step.spend(2);
  const [untouched, files] = await d1.batch<Record<string, string | number>>([
    d1
      .prepare(
        `SELECT i.id AS id FROM board_item AS i WHERE i.id IN (SELECT CAST(value AS INTEGER) FROM json_each(?1)) AND ${UNTOUCHED_ITEM}`,
      )
      .bind(JSON.stringify(targetsOf(things)), row.id),
    d1
      .prepare(
        "SELECT id, item_id AS itemId, storage_key AS storageKey, file_name AS fileName FROM file WHERE item_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?1))",
      )
      .bind(JSON.stringify(targetsOf(things))),
  ]);
  const ids = new Set(untouched?.results.map(({ id }) => String(id)));
  nameKept(step, things, ids, "글");
  const gone = (files?.results ?? []).filter(({ itemId }) => ids.has(String(itemId)));
  const objects = gone.flatMap((file) =>
    storageKeysOf({ storageKey: String(file.storageKey), fileName: String(file.fileName) }),
  );
  for (let at = 0; at < objects.length; at += 1000) await step.ctx.files.delete(objects.slice(at, at + 1000));
  const json = JSON.stringify([...ids].map(Number));
  const comments = "SELECT id FROM board_item_comment WHERE item_id IN (SELECT value FROM json_each(?1))";
  step.count("removed", "items", ids.size);
  step.count("removed", "files", gone.length);
  return [
    `DELETE FROM moved_thing WHERE kind = 'comment' AND target_id IN (${comments})`,
    "DELETE FROM moved_thing WHERE kind = 'file' AND target_id IN (SELECT id FROM file WHERE item_id IN (SELECT value FROM json_each(?1)))",
    ...["board_item_comment", "file", "board_item_view", "board_item_revision"].map(
      (table) => `DELETE FROM ${table} WHERE item_id IN (SELECT value FROM json_each(?1))`,
    ),
    "DELETE FROM board_item WHERE id IN (SELECT value FROM json_each(?1))",
    "DELETE FROM moved_thing WHERE kind = 'item' AND target_id IN (SELECT CAST(value AS TEXT) FROM json_each(?1))",
  ].map((sql) => d1.prepare(sql).bind(json));
}

function nameKept(step: MovingStep, things: ThingToUndo[], removed: ReadonlySet<string>, what: string): void {
  for (const { oldKey, targetId } of things)
    if (!removed.has(targetId)) step.addIssue("undo-kept", `${what} ${oldKey}`);
}

async function undoNotes(step: MovingStep, things: ThingToUndo[]): Promise<D1PreparedStatement[]> {
  const json = JSON.stringify(targetsOf(things));
  step.count("removed", "notes", things.length);
  return [
    "DELETE FROM old_note WHERE id IN (SELECT value FROM json_each(?1))",
    "DELETE FROM moved_thing WHERE kind = 'note' AND target_id IN (SELECT value FROM json_each(?1))",
  ].map((sql) => step.d1.prepare(sql).bind(json));
}

/** The member never signed in, and all their remaining content is part of the undo. */
const UNTOUCHED_MEMBER = `u.version = 1 AND u.last_signin_date IS NULL AND (u.password_hash = '' OR u.password_hash LIKE 'imported$%')
  AND NOT EXISTS (SELECT 1 FROM board_item WHERE created_user_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM board_item_comment WHERE created_user_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM user_consent WHERE user_id = u.id AND version <> '${MOVED_CONSENT}')
  AND NOT EXISTS (SELECT 1 FROM old_note WHERE user_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM role_grant WHERE user_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM privacy_request WHERE user_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM inquiry WHERE user_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM file WHERE owner_user_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM session WHERE user_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM user_key WHERE user_id = u.id AND verified_date IS NOT NULL)`;

/** JSON keys of untouched rows; the others are reported as kept. */
async function keysToRemove(
  step: MovingStep,
  things: ThingToUndo[],
  { untouched, noun, counted }: { untouched: string; noun: string; counted: "members" | "boards" },
): Promise<string> {
  step.spend(1);
  const statement = step.d1.prepare(untouched).bind(JSON.stringify(targetsOf(things)));
  const keys = new Set((await statement.raw<[string]>()).map(([key]) => key));
  nameKept(step, things, keys, noun);
  step.count("removed", counted, keys.size);
  return JSON.stringify([...keys]);
}

async function undoMembers(step: MovingStep, things: ThingToUndo[]): Promise<D1PreparedStatement[]> {
  const untouched = `SELECT u.id FROM user AS u WHERE u.id IN (SELECT value FROM json_each(?1)) AND ${UNTOUCHED_MEMBER}`;
  const json = await keysToRemove(step, things, { untouched, noun: "회원", counted: "members" });
  return [
    "DELETE FROM user_key WHERE user_id IN (SELECT value FROM json_each(?1))",
    "DELETE FROM notice_choice WHERE user_id IN (SELECT value FROM json_each(?1))",
    "DELETE FROM user_consent WHERE user_id IN (SELECT value FROM json_each(?1))",
    "DELETE FROM activity WHERE user_id IN (SELECT value FROM json_each(?1))",
    "DELETE FROM user WHERE id IN (SELECT value FROM json_each(?1))",
    "DELETE FROM moved_thing WHERE kind = 'member' AND target_id IN (SELECT value FROM json_each(?1))",
  ].map((sql) => step.d1.prepare(sql).bind(json));
}

/** Computed once per statement; per right, the cost would be quadratic in the boards. */
const RIGHTS_ON_GONE = `(SELECT 'Board_' || gone.value || '_' || act.value FROM json_each(?1) AS gone, json_each('${JSON.stringify(BOARD_ACTIONS)}') AS act)`;
const IS_RIGHT_ON_GONE = `held.value IN ${RIGHTS_ON_GONE}`;

async function undoBoards(step: MovingStep, things: ThingToUndo[]): Promise<D1PreparedStatement[]> {
  const untouched = `SELECT b.board_code FROM board AS b WHERE b.board_code IN (SELECT value FROM json_each(?1)) AND b.version = 1
    AND NOT EXISTS (SELECT 1 FROM board_item WHERE board_code = b.board_code)
    AND NOT EXISTS (SELECT 1 FROM item_draft WHERE board_code = b.board_code)`;
  const json = await keysToRemove(step, things, { untouched, noun: "게시판", counted: "boards" });
  return [
    `DELETE FROM board_item_count WHERE board_code IN (SELECT value FROM json_each(?1))`,
    `DELETE FROM notice_choice WHERE kind = 'item' AND target IN (SELECT value FROM json_each(?1))`,
    `UPDATE role SET version = version + 1, permissions = (SELECT json_group_array(held.value) FROM json_each(role.permissions) AS held WHERE NOT ${IS_RIGHT_ON_GONE})
     WHERE EXISTS (SELECT 1 FROM json_each(role.permissions) AS held WHERE ${IS_RIGHT_ON_GONE})`,
    "DELETE FROM board WHERE board_code IN (SELECT value FROM json_each(?1))",
    "DELETE FROM moved_thing WHERE kind = 'board' AND target_id IN (SELECT value FROM json_each(?1))",
  ].map((sql) => step.d1.prepare(sql).bind(json));
}

const changedVersion = ({ version, isChanged }: BoardBefore) => version + Number(isChanged);

/**
 * Restores boards that were here, unless this or a newer move still has items there. Older moves that were undone since
 * this one began had changed them first.
 */
async function restoreBoards({ d1, row, state }: MovingStep): Promise<D1PreparedStatement[]> {
  const moment = row.committedDate?.getTime() ?? 0;
  const { results } = await d1
    .prepare(
      "SELECT state ->> '$.before.boards' AS boards FROM moving WHERE status = 'undone' AND committed_date < ?1 AND ended_date > ?1 ORDER BY committed_date DESC",
    )
    .bind(moment)
    .all<{ boards: string }>();
  const undone = results.map(({ boards }) => JSON.parse(boards) as Record<string, BoardBefore>);
  return Object.entries(state.before.boards).flatMap(([boardCode, own]) => {
    const before = undone.reduce(
      (later, { [boardCode]: each }) => (each && changedVersion(each) === later.version ? each : later),
      own,
    );
    const { categories, useSecret, lastItemNo, version } = before;
    return [
      d1
        .prepare(
          `UPDATE board SET categories = ?2, use_secret = ?3, version = ?4 WHERE board_code = ?1 AND version = ?5 AND version > ?4
           AND NOT EXISTS (SELECT 1 FROM board_item AS i JOIN moved_thing AS m ON m.kind = 'item' AND m.target_id = CAST(i.id AS TEXT)
             JOIN moving ON moving.id = m.moving_id WHERE i.board_code = ?1 AND moving.committed_date >= ?6)`,
        )
        .bind(boardCode, JSON.stringify(categories), Number(useSecret), version, changedVersion(own), moment),
      d1
        .prepare(
          "UPDATE board SET last_item_no = max(?2, coalesce((SELECT max(item_no) FROM board_item WHERE board_code = ?1), 0)) WHERE board_code = ?1",
        )
        .bind(boardCode, lastItemNo),
      d1.prepare("DELETE FROM board_item_count WHERE board_code = ?1 AND count = 0").bind(boardCode),
    ];
  });
}

/** Another move may need the kept rows, so its undo tries them again. */
async function finishUndo(step: MovingStep): Promise<void> {
  const { ctx, d1, row } = step;
  const undoEnd = oldestWithin(ctx.now(), MOVING_LIMITS.undoDays).getTime();
  const statements = [
    "DELETE FROM moved_thing WHERE moving_id = ?1 AND was_here = 1",
    `DELETE FROM profile_field WHERE code IN (SELECT target_id FROM moved_thing WHERE moving_id = ?1 AND kind = 'field') AND version = 1
     AND code NOT IN (SELECT held.key FROM user, json_each(user.profile) AS held)`,
    "DELETE FROM moved_thing WHERE moving_id = ?1 AND kind = 'field' AND target_id NOT IN (SELECT code FROM profile_field)",
    `UPDATE moved_thing SET moving_id = coalesce((SELECT id FROM moving WHERE status = 'committed' AND committed_date > ${undoEnd} ORDER BY committed_date DESC LIMIT 1), moving_id) WHERE moving_id = ?1`,
  ].map((sql) => d1.prepare(sql).bind(row.id));
  step.state.phase = "done";
  await step.commit(statements, { status: "undone", endedDate: ctx.now() });
}
