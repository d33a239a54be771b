import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { boardItem, itemDraft } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { cleanHtml } from "#worker/adapters/clean-html.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { DraftInput } from "#worker/contract/board/input.ts";
import type { DraftView } from "#worker/contract/board/view.ts";
import { visibleText } from "#worker/contract/kernel/text.ts";
import { AppError, invalid } from "#worker/contract/kernel/errors.ts";
import { RESIDENT_NUMBER_MESSAGE, withoutResidentNumber } from "#worker/contract/kernel/fields.ts";
import { SIZES } from "#worker/contract/kernel/limits.ts";
import { imageIds } from "#worker/contract/kernel/rich-text.ts";
import { permit, signedIn } from "../kernel/authorize.server.ts";
import { boardStatement, openBoard } from "./board.server.ts";
import { ROW_COLUMNS } from "./row.server.ts";
import { itemResource } from "../kernel/resource.server.ts";
import { itemWhere } from "./view.server.ts";

/** A draft of a new item, or of changes to one. */
export interface DraftPath {
  boardCode: string;
  itemNo?: number | undefined;
}

const draftWhere = (userId: string, { boardCode, itemNo = 0 }: DraftPath) =>
  and(eq(itemDraft.userId, userId), eq(itemDraft.boardCode, boardCode), eq(itemDraft.itemNo, itemNo));

/** One's own draft, while one may still write there. */
async function openDraft(ctx: AppContext, path: DraftPath) {
  const { boardCode, itemNo } = path;
  const [boards, items] = await ctx.db.batch([
    boardStatement(ctx.db, boardCode),
    ctx.db
      .select(ROW_COLUMNS)
      .from(boardItem)
      .where(itemNo === undefined ? sql`0` : itemWhere({ boardCode, itemNo })),
  ]);
  const board = openBoard(ctx, boards, "Write");
  const me = signedIn(ctx).userId;
  if (itemNo !== undefined) {
    const item = items[0];
    if (!item || item.deletedDate) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
    permit(ctx, { action: "Item.Change", item: itemResource(board, item), now: ctx.now() }, "hidden");
  }
  return { me, where: draftWhere(me, path) };
}

export async function getDraft(ctx: AppContext, path: DraftPath): Promise<DraftView | null> {
  const { me } = await openDraft(ctx, path);
  return readDraft(ctx, me, path);
}

/** For a caller whose right to write there has been seen to. */
export async function readDraft(ctx: AppContext, me: string, path: DraftPath): Promise<DraftView | null> {
  const [draft] = await ctx.db.select().from(itemDraft).where(draftWhere(me, path));
  if (!draft) return null;
  const { fileIds } = draft.fields;
  const rows = fileIds.length
    ? await ctx.db
        .select({ fileId: file.id, fileName: file.fileName, size: file.size })
        .from(file)
        .leftJoin(boardItem, eq(boardItem.id, file.itemId))
        .where(
          and(
            inArray(file.id, fileIds.slice(0, 90)),
            ne(file.status, "pending"),
            sql`(${boardItem.itemNo} = ${path.itemNo ?? 0} OR (${file.status} = 'ready' AND ${file.ownerUserId} = ${me}))`,
          ),
        )
    : [];
  const files = fileIds.flatMap((id) => rows.filter((row) => row.fileId === id));
  return {
    title: draft.title,
    content: draft.content,
    fields: { ...draft.fields, fileIds: files.map((row) => row.fileId) },
    files,
    modifiedDate: draft.modifiedDate.toISOString(),
  };
}

/** Keeps a form as it stands; it is published by nobody but its writer. */
export async function saveDraft(
  ctx: AppContext,
  path: DraftPath,
  input: DraftInput,
): Promise<{ modifiedDate: string }> {
  const { me } = await openDraft(ctx, path);
  const content = cleanHtml(input.content);
  if (new TextEncoder().encode(content).length > SIZES.contentBytes) throw new AppError("PAYLOAD_TOO_LARGE");
  const resident = { title: input.title, content: visibleText(content) };
  for (const [name, value] of Object.entries(resident)) {
    if (!withoutResidentNumber(value)) throw invalid({ [name]: RESIDENT_NUMBER_MESSAGE });
  }
  const modifiedDate = ctx.now();
  const kept = {
    title: input.title,
    content,
    fields: input.fields,
    fileIds: [...new Set([...input.fields.fileIds, ...imageIds(content)])],
    modifiedDate,
  };
  await ctx.db
    .insert(itemDraft)
    .values({ userId: me, boardCode: path.boardCode, itemNo: path.itemNo ?? 0, ...kept })
    .onConflictDoUpdate({ target: [itemDraft.userId, itemDraft.boardCode, itemDraft.itemNo], set: kept });
  return { modifiedDate: modifiedDate.toISOString() };
}

export async function deleteDraft(ctx: AppContext, path: DraftPath): Promise<Record<string, never>> {
  const { where } = await openDraft(ctx, path);
  await ctx.db.delete(itemDraft).where(where);
  return {};
}

/** For the batch that publishes what the draft was for. */
export function draftRemoval(db: Db, userId: string, path: DraftPath) {
  return db.delete(itemDraft).where(draftWhere(userId, path));
}
