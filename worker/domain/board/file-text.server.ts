import { eq, sql } from "drizzle-orm";
import { board, boardItem } from "#db/schema/board.ts";
import { file, fileText } from "#db/schema/file.ts";
import { FILE_TEXT_LETTERS } from "#worker/contract/file/rules.ts";
import type { FileTextInput } from "#worker/contract/board/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { cleanText } from "#worker/contract/kernel/text.ts";
import { replaceResidentNumbers } from "#worker/contract/kernel/resident-number.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { can, requireSignedIn } from "../kernel/authorize.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { reindexItemStatements } from "./search-index.server.ts";

/**
 * Stores a file's text for the search, extracted by the browser and used for nothing else. For the owner or a manager.
 * @throws AppError UNAUTHORIZED, NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function saveFileText(
  ctx: AppContext,
  fileId: string,
  input: FileTextInput,
): Promise<Record<string, never>> {
  const { userId } = requireSignedIn(ctx);
  const boardCode = sql`(SELECT board_code FROM ${file} WHERE ${file.id} = ${fileId})`;
  const [[found], [parent]] = await ctx.db.batch([
    ctx.db.select().from(file).where(eq(file.id, fileId)),
    ctx.db
      .select()
      .from(board)
      .where(sql`${board.boardCode} = ${boardCode}`),
  ]);
  const isStored = found?.purpose === "board" && (found.status === "ready" || found.status === "attached");
  const isTheirs =
    found?.ownerUserId === userId || (parent && can(ctx.actor, { action: "Board.Manage", board: parent }));
  if (!isStored || !isTheirs) throw new AppError("NOT_FOUND", { message: "파일을 찾을 수 없습니다." });
  await countLimits(ctx, ["fileTextHour", userId]);
  // Removes resident numbers silently, because the text of a file cannot be corrected.
  const line = cleanText(input.text).replace(/\s+/g, " ").trim();
  const text = replaceResidentNumbers(line, () => "").slice(0, FILE_TEXT_LETTERS);
  const row = { text, createdDate: ctx.now() };
  await ctx.db
    .insert(fileText)
    .values({ fileId, ...row })
    .onConflictDoUpdate({ target: fileText.fileId, set: row });
  // The file may have been attached before its text arrived.
  const [attached] = await ctx.db
    .select({ id: boardItem.id })
    .from(boardItem)
    .where(
      sql`${boardItem.id} = (SELECT item_id FROM ${file} WHERE ${file.id} = ${fileId} AND ${file.status} = 'attached')`,
    );
  const [first, ...rest] = attached ? await reindexItemStatements(ctx.db, [attached.id]) : [];
  if (first) await ctx.db.batch([first, ...rest]);
  return {};
}
