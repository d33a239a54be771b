import { type AppContext } from "#worker/domain/kernel/context.ts";
import { type UploadTicket } from "#worker/contract/file/view.ts";
import { boardStatement, openBoard } from "./board.server.ts";
import { type Announced, checkAnnounced, issueUploadUrl } from "../file/upload.server.ts";

/** A place to PUT a file that will hang on a board's item; the board's own limits hold. */
export async function boardUploadUrl(ctx: AppContext, input: Announced & { boardCode: string }): Promise<UploadTicket> {
  const rows = await boardStatement(ctx.db, input.boardCode);
  const board = openBoard(ctx, rows, "Write");
  checkAnnounced(input, { maxSize: board.fileMaxSize, extensions: board.fileExtensions });
  return issueUploadUrl(ctx, input, "board", board.boardCode);
}
