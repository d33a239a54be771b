import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import { type Authors, ItemPortion, type ItemRows, type ItemTarget } from "./item-portion.server.ts";
import { type StoredInline, storeInlinePictures } from "./commit-files.server.ts";
import { findAccounts, findMoved, findMovedOrTwice, findSeen, movedStatement } from "./moved-key.server.ts";
import type { MovingStep } from "./moving-step.server.ts";
import { fileKeysOf, filesOf, findStoredPaths, oldFilePaths } from "./old-file.server.ts";
import { addressesIn } from "./old-body.server.ts";
import type { OldDocument } from "./rdx-record.server.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";

export async function commitItems(step: MovingStep, target: ItemTarget, documents: readonly OldDocument[]) {
  const rows = await prepareItems(step, target, documents);
  return itemStatements(step, target, rows, await storeInlinePictures(step, rows.inline));
}

export async function prepareItems(step: MovingStep, target: ItemTarget, documents: readonly OldDocument[]) {
  const keyOf = ({ id }: { id: number }) => `${target.boardKey}/${id}`;
  const { known, twice } = await findMovedOrTwice(step, "item", documents.map(keyOf));
  const authors = await findAuthors(step, documents);
  const paths = documents.flatMap((each) => [
    ...[each.body, ...each.comments.map(({ body }) => body)]
      .flatMap(addressesIn)
      .flatMap((address) => oldFilePaths(address, step.row.oldOrigin)),
    ...filesOf(each).map(({ path }) => path),
  ]);
  const stored = await findStoredPaths(step, paths);
  const fileKeys = documents.flatMap((each) => fileKeysOf(keyOf(each), each));
  const movedFiles = await findMoved(step, "file", fileKeys);
  const portion = new ItemPortion(step, target, authors, stored, movedFiles);
  for (const each of documents) {
    const itemId = known.get(keyOf(each));
    if (itemId === undefined) {
      known.set(keyOf(each), "");
      portion.addItem(keyOf(each), each);
    } else if (itemId === "" || twice.has(keyOf(each))) step.addIssue("item-twice", keyOf(each));
    else portion.addKnownItem(keyOf(each), Number(itemId), each);
  }
  return portion.rows;
}

async function findAuthors(step: MovingStep, documents: readonly OldDocument[]): Promise<Authors> {
  const names = documents.flatMap((each) => [each.author.userId, ...each.comments.map(({ author }) => author.userId)]);
  const ids = [...new Set(names.filter(Boolean).map((name) => normaliseUserKey("Id", name)))];
  return { accounts: await findAccounts(step, ids), left: await findSeen(step, "left", ids) };
}

function itemStatements(step: MovingStep, { boardCode }: ItemTarget, rows: ItemRows, inline: readonly StoredInline[]) {
  const { d1, row } = step;
  const count = rows.items.length;
  const itemIdAt = (index: string) =>
    `(SELECT id FROM board_item WHERE board_code = ?1 AND item_no = (SELECT last_item_no FROM board WHERE board_code = ?1) - ?2 + 1 + ${index})`;
  const arrays = (sql: string, values: readonly unknown[], ...more: unknown[]) =>
    jsonArrays(values).map((json) => d1.prepare(sql).bind(boardCode, count, json, ...more));
  const items = rows.items.map((item, index) => ({ ...item, index }));
  const keys = rows.itemKeys.map((key, index) => ({ ...key, index }));
  const numbers =
    count === 0
      ? []
      : [d1.prepare("UPDATE board SET last_item_no = last_item_no + ?2 WHERE board_code = ?1").bind(boardCode, count)];
  return [
    ...numbers,
    ...arrays(
      `INSERT INTO board_item (board_code, item_no, title, content, category, is_pinned, is_secret, is_comment_closed, created_user_id, created_user_name,
           created_date, modified_date, deleted_date, view_count, comment_count, thumbnail_file_id)
         SELECT ?1, (SELECT last_item_no FROM board WHERE board_code = ?1) - ?2 + 1 + (value ->> 'index'), value ->> 'title', value ->> 'content',
           value ->> 'category', value ->> 'isPinned', value ->> 'isSecret', value ->> 'isCommentClosed', value ->> 'createdUserId', value ->> 'createdUserName',
           value ->> 'createdDate', value ->> 'modifiedDate', value ->> 'deletedDate', value ->> 'viewCount', value ->> 'commentCount', value ->> 'thumbnailFileId'
         FROM json_each(?3)`,
      items,
    ),
    ...arrays(
      `INSERT INTO moved_thing (site, kind, old_key, old_number, target_id, moving_id)
         SELECT ?4, 'item', value ->> 'oldKey', value ->> 'oldNumber', ${itemIdAt("(value ->> 'index')")}, ?5 FROM json_each(?3)`,
      keys,
      row.site,
      row.id,
    ),
    ...arrays(
      `INSERT OR IGNORE INTO board_item_comment (id, item_id, parent_comment_id, content, created_user_id, created_user_name, created_date, modified_date)
         SELECT value ->> 'id', ${itemIdAt("(value ->> 'index')")}, value ->> 'parentCommentId', value ->> 'content',
           value ->> 'createdUserId', value ->> 'createdUserName', value ->> 'createdDate', value ->> 'createdDate' FROM json_each(?3)`,
      rows.comments,
    ),
    movedStatement(step, "comment", rows.movedComments),
    ...arrays(
      `INSERT OR IGNORE INTO moving_file (id, moving_id, item_id, board_code, owner_user_id, old_key, old_number, path, file_name, purpose, sort_order, created_date)
         SELECT value ->> 'id', ?4, coalesce(value ->> 'itemId', ${itemIdAt("(value ->> 'index')")}), ?1, value ->> 'ownerUserId', value ->> 'oldKey', value ->> 'oldNumber',
           value ->> 'path', value ->> 'fileName', value ->> 'purpose', value ->> 'sortOrder', value ->> 'createdDate' FROM json_each(?3)`,
      rows.files,
      row.id,
    ),
    ...arrays(
      `INSERT OR IGNORE INTO file (id, purpose, board_code, item_id, owner_user_id, file_name, size, content_type, hash, pixel_width, pixel_height, status, storage_key, created_date)
         SELECT value ->> 'id', value ->> 'purpose', ?1, ${itemIdAt("(value ->> 'index')")}, value ->> 'ownerUserId', value ->> 'fileName', value ->> 'size', value ->> 'contentType',
           value ->> 'hash', value ->> 'width', value ->> 'height', 'attached', value ->> 'storageKey', value ->> 'createdDate' FROM json_each(?3)`,
      inline,
    ),
    movedStatement(
      step,
      "file",
      inline.map(({ id, oldKey }) => ({ oldKey, targetId: id })),
    ),
    ...arrays(
      `UPDATE board_item SET file_count = (SELECT count(*) FROM file WHERE item_id = board_item.id AND purpose = 'board' AND status = 'attached')
         WHERE id IN (SELECT item_id FROM file WHERE id IN (SELECT value ->> 'id' FROM json_each(?3))) AND board_code = ?1 AND ?2 >= 0`,
      inline.filter(({ purpose }) => purpose === "board"),
    ),
  ];
}
