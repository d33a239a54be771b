import { type AppContext } from "#worker/domain/kernel/context.ts";
import { type UploadTicket } from "#worker/contract/file/view.ts";
import { boardStatement, authorizeBoard } from "./board.server.ts";
import { type AnnouncedFile, checkAnnouncedFile, issueUploadUrl } from "../file/upload.server.ts";

export async function issueBoardUploadUrl(
  ctx: AppContext,
  input: AnnouncedFile & { boardCode: string },
): Promise<UploadTicket> {
  const rows = await boardStatement(ctx.db, input.boardCode).all();
  const board = authorizeBoard(ctx, rows, "Write");
  checkAnnouncedFile(input, { maxSize: board.fileMaxSize, extensions: board.fileExtensions });
  return issueUploadUrl(ctx, input, "board", board.boardCode);
}
