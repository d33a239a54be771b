import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { boardItem, itemDraft } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { cleanHtml } from "#worker/adapters/clean-html.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { DraftInput } from "#worker/contract/board/input.ts";
import type { DraftView } from "#worker/contract/board/view.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { containsResidentNumber, residentNumberMessage } from "#worker/contract/kernel/resident-number.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { imageFileIds } from "#worker/contract/kernel/rich-text.ts";
import { authorize, itemResource, requireSignedIn } from "../kernel/authorize.server.ts";
import { htmlToText } from "../kernel/html-text.server.ts";
import { authorizeBoard, boardStatement } from "./board.server.ts";
import { ITEM_ROW_COLUMNS } from "./row.server.ts";
import { itemWhere } from "./view.server.ts";

export interface ItemDraftPath {
  boardCode: string;
  itemNo?: number | undefined;
}

const draftWhere = (userId: string, { boardCode, itemNo = 0 }: ItemDraftPath) =>
  and(eq(itemDraft.userId, userId), eq(itemDraft.boardCode, boardCode), eq(itemDraft.itemNo, itemNo));

async function authorizeDraft(ctx: AppContext, path: ItemDraftPath) {
  const { boardCode, itemNo } = path;
  const [boards, items] = await ctx.db.batch([
    boardStatement(ctx.db, boardCode),
    ctx.db
      .select(ITEM_ROW_COLUMNS)
      .from(boardItem)
      .where(itemNo === undefined ? sql`0` : itemWhere({ boardCode, itemNo })),
  ]);
  const board = authorizeBoard(ctx, boards, "Write");
  const me = requireSignedIn(ctx).userId;
  if (itemNo !== undefined) {
    const item = items[0];
    if (!item || item.deletedDate) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
    authorize(ctx, { action: "Item.Change", item: itemResource(board, item), now: ctx.now() }, "hidden");
  }
  return { me, where: draftWhere(me, path) };
}

export async function getItemDraft(ctx: AppContext, path: ItemDraftPath): Promise<DraftView | null> {
  const { me } = await authorizeDraft(ctx, path);
  return readItemDraft(ctx, me, path);
}

export async function readItemDraft(ctx: AppContext, me: string, path: ItemDraftPath): Promise<DraftView | null> {
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
            // Item numbers are unique only within a board.
            sql`((${boardItem.boardCode} = ${path.boardCode} AND ${boardItem.itemNo} = ${path.itemNo ?? 0}) OR (${file.status} = 'ready' AND ${file.ownerUserId} = ${me}))`,
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

export async function saveItemDraft(
  ctx: AppContext,
  path: ItemDraftPath,
  input: DraftInput,
): Promise<{ modifiedDate: string }> {
  const { me } = await authorizeDraft(ctx, path);
  const content = cleanHtml(input.content);
  if (new TextEncoder().encode(content).length > SIZE_LIMITS.contentBytes) throw new AppError("PAYLOAD_TOO_LARGE");
  const resident = { title: input.title, content: htmlToText(content) };
  for (const [name, value] of Object.entries(resident)) {
    if (containsResidentNumber(value)) throw invalidInput({ [name]: residentNumberMessage(value) });
  }
  const modifiedDate = ctx.now();
  const kept = {
    title: input.title,
    content,
    fields: input.fields,
    fileIds: [...new Set([...input.fields.fileIds, ...imageFileIds(content)])],
    modifiedDate,
  };
  await ctx.db
    .insert(itemDraft)
    .values({ userId: me, boardCode: path.boardCode, itemNo: path.itemNo ?? 0, ...kept })
    .onConflictDoUpdate({ target: [itemDraft.userId, itemDraft.boardCode, itemDraft.itemNo], set: kept });
  return { modifiedDate: modifiedDate.toISOString() };
}

export async function deleteItemDraft(ctx: AppContext, path: ItemDraftPath): Promise<Record<string, never>> {
  const { where } = await authorizeDraft(ctx, path);
  await ctx.db.delete(itemDraft).where(where);
  return {};
}

export function deleteDraftStatement(db: Db, userId: string, path: ItemDraftPath) {
  return db.delete(itemDraft).where(draftWhere(userId, path));
}
