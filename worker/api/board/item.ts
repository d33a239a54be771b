import type { Context } from "hono";
import type { z } from "zod";
import {
  boardPath,
  boardUploadQuery,
  bulkItemsInput,
  createItemInput,
  decideReportInput,
  deletedItemsQuery,
  draftInput,
  draftPath,
  draftQuery,
  exportBoardQuery,
  fileTextInput,
  fileTextPath,
  itemPath,
  listItemsQuery,
  listReportsQuery,
  reportInput,
  restoreRevisionInput,
  revisionPath,
  searchInput,
  searchQuery,
  updateItemInput,
} from "#worker/contract/board/input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { cleanFileName } from "#worker/contract/file/rules.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { exportBoard } from "#worker/domain/board/export.server.ts";
import { getRevision, listRevisions, restoreRevision } from "#worker/domain/board/history.server.ts";
import { destroyDeletedItems, listDeletedItems } from "#worker/domain/board/deleted.server.ts";
import { bulkItems, restoreItem } from "#worker/domain/board/bulk.server.ts";
import { searchItems } from "#worker/domain/board/search.server.ts";
import { listItems } from "#worker/domain/board/list.server.ts";
import { renderItemCalendar } from "#worker/domain/board/calendar.server.ts";
import { getItem } from "#worker/domain/board/view.server.ts";
import { createItem, deleteItem, updateItem } from "#worker/domain/board/write.server.ts";
import { issueBoardUploadUrl, saveFileText } from "#worker/domain/board/item-file.server.ts";
import { archiveSize, getItemArchive, holdArchiveBytes, streamArchive } from "#worker/domain/board/archive.server.ts";
import { storeEditorImage } from "#worker/domain/file/upload.server.ts";
import { logError } from "#worker/log.ts";
import { type ApiEnv, contentDisposition, openContext, readForm, sendData } from "../kernel/http.ts";
import { recentSecondFactor, requireAccess, requireBoardAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, creatingCall, responseCall, readCall, sent, writeCall } from "../kernel/call.ts";
import * as input from "#worker/contract/board/input.ts";
import { createComment, deleteComment, listComments, updateComment } from "#worker/domain/board/comment.server.ts";
import { deleteItemDraft, getItemDraft, saveItemDraft } from "#worker/domain/board/draft.server.ts";
import {
  createReport,
  decideBoardReport,
  decideReport,
  listBoardReports,
  listReports,
} from "#worker/domain/board/report.server.ts";

const IMAGE_FORM_BYTES = SIZE_LIMITS.imageBytes + 64 * 1024;

export const boardItemApi = apiRoutes()
  .get("/", readCall(listItems, sent.query(listItemsQuery)))
  .post(
    "/search",
    writeCall(
      (ctx, { boardCode, ...at }, given) =>
        searchItems(ctx, { ...given, boardCode: given.boardCode ?? boardCode, ...at }),
      sent.query(searchQuery),
      sent.bodyWithin(SIZE_LIMITS.strangerBytes, searchInput),
    ),
  )
  .use(requireSignIn)
  .put("/images", requireAccess({ action: "Picture.Store" }), async (c) => {
    const ctx = await openContext(c);
    const form = await readForm(c.req.raw, IMAGE_FORM_BYTES);
    const image = form?.get("file");
    if (!(image instanceof File)) throw invalidInput({ file: "그림 파일을 선택해 주십시오." });
    const bytes = new Uint8Array(await image.arrayBuffer());
    return sendData(c, await storeEditorImage(ctx, { fileName: cleanFileName(image.name), bytes }));
  })
  .get(
    "/download-data/:boardCode",
    recentSecondFactor,
    responseCall(
      async (c, boardCode, format) => {
        const file = await exportBoard(await openContext(c), boardCode, format);
        return new Response(file.bytes.stream(), {
          headers: {
            "Content-Type": file.contentType,
            "Content-Length": String(file.bytes.size),
            "Content-Disposition": contentDisposition("attachment", file.fileName),
          },
        });
      },
      sent.path(boardPath, "boardCode"),
      sent.query(exportBoardQuery, "format"),
    ),
  )
  .get(
    "/bin/:boardCode",
    readCall(
      async (scope, boardCode, query) => (await listDeletedItems(scope, boardCode, query)).deletedItems,
      sent.path(boardPath, "boardCode"),
      sent.query(deletedItemsQuery),
    ),
  )
  .delete("/bin/:boardCode", recentSecondFactor, writeCall(destroyDeletedItems, sent.path(boardPath, "boardCode")))
  .post(
    "/:boardCode/bulk",
    requireBoardAccess("Manage"),
    writeCall(bulkItems, sent.path(boardPath, "boardCode"), sent.body(bulkItemsInput)),
  )
  .post("/:boardCode/:itemNo/restore", writeCall(restoreItem, sent.path(itemPath)))
  .get("/:boardCode/:itemNo/revision", readCall(listRevisions, sent.path(itemPath)))
  .get(
    "/:boardCode/:itemNo/revision/:revision",
    readCall(getRevision, sent.path(revisionPath), sent.path(revisionPath, "revision")),
  )
  .post(
    "/:boardCode/:itemNo/revision/:revision/restore",
    writeCall(
      restoreRevision,
      sent.path(revisionPath),
      sent.path(revisionPath, "revision"),
      sent.body(restoreRevisionInput, "version"),
    ),
  )
  .get(
    "/:boardCode/:itemNo/calendar",
    responseCall(async (c, { boardCode, itemNo }) => {
      const headers = {
        "Content-Type": "text/calendar; charset=utf-8",
        "Content-Disposition": contentDisposition("attachment", `${boardCode}-${itemNo}.ics`),
      };
      const language = c.req.query("language") === "en" ? "en" : "ko";
      return new Response(await renderItemCalendar(c.var.scope, { boardCode, itemNo }, language), { headers });
    }, sent.path(itemPath)),
  )
  .get("/:boardCode/:itemNo", readCall(getItem, sent.path(itemPath)))
  .put(
    "/:boardCode",
    requireBoardAccess("Write"),
    creatingCall(
      createItem,
      sent.path(boardPath, "boardCode"),
      sent.bodyWithin(SIZE_LIMITS.postBytes, createItemInput),
    ),
  )
  .patch(
    "/:boardCode/:itemNo",
    requireBoardAccess("Write"),
    writeCall(updateItem, sent.path(itemPath), sent.bodyWithin(SIZE_LIMITS.postBytes, updateItemInput)),
  )
  .delete("/:boardCode/:itemNo", writeCall(deleteItem, sent.path(itemPath)));

export const boardItemFileApi = apiRoutes()
  .get("/upload-url", writeCall(issueBoardUploadUrl, sent.query(boardUploadQuery)))
  .put(
    "/:fileId/text",
    requireSignIn,
    writeCall(saveFileText, sent.path(fileTextPath, "fileId"), sent.bodyWithin(SIZE_LIMITS.postBytes, fileTextInput)),
  )
  .get("/:boardCode/:itemNo/archive", responseCall(serveArchive, sent.path(itemPath)));

async function serveArchive(c: Context<ApiEnv>, at: z.output<typeof itemPath>): Promise<Response> {
  const archive = await getItemArchive(c.var.scope, at);
  const size = archiveSize(archive);
  const headers = {
    "Content-Type": "application/zip",
    "Content-Length": String(size),
    "Content-Disposition": contentDisposition("attachment", archive.fileName),
  };
  if (c.req.method === "HEAD") return new Response(null, { headers });
  // A known length gives the browser its progress and makes an aborted stream a failed download.
  const { readable, writable } = new FixedLengthStream(size);
  const close = await holdArchiveBytes(await openContext(c), size);
  try {
    const bytes = await streamArchive(c.env.FILES, archive);
    void bytes
      .pipeTo(writable)
      .catch((cause: unknown) => logBrokenArchive(c, cause))
      .finally(close);
  } catch (cause) {
    close();
    throw cause;
  }
  return new Response(readable, { headers });
}

function logBrokenArchive(c: Context<ApiEnv>, cause: unknown): void {
  if (cause instanceof AppError)
    logError({ requestId: c.var.requestId, path: c.req.path, code: "ARCHIVE", cause: cause.cause });
}

export const boardItemCommentApi = apiRoutes()
  .use(requireSignIn)
  .get("/", readCall(listComments, sent.query(input.commentsQuery)))
  .put(
    "/:boardCode/:itemNo",
    requireBoardAccess("Comment"),
    creatingCall(createComment, sent.path(input.itemPath), sent.body(input.createCommentInput)),
  )
  .patch(
    "/:boardCode/:itemNo/:commentId",
    writeCall(updateComment, sent.path(input.commentPath), sent.body(input.updateCommentInput)),
  )
  .delete("/:boardCode/:itemNo/:commentId", writeCall(deleteComment, sent.path(input.commentPath)));

const draftAt = [sent.path(draftPath), sent.query(draftQuery)] as const;

export const boardItemDraftApi = apiRoutes()
  .use("/:boardCode", requireBoardAccess("Write"))
  .get(
    "/:boardCode",
    writeCall((ctx, path, query) => getItemDraft(ctx, { ...path, ...query }), ...draftAt),
  )
  .put(
    "/:boardCode",
    writeCall(
      (ctx, path, query, given) => saveItemDraft(ctx, { ...path, ...query }, given),
      ...draftAt,
      sent.bodyWithin(SIZE_LIMITS.postBytes, draftInput),
    ),
  )
  .delete(
    "/:boardCode",
    writeCall((ctx, path, query) => deleteItemDraft(ctx, { ...path, ...query }), ...draftAt),
  );

export const boardItemReportApi = apiRoutes()
  .use(requireSignIn)
  .get("/:boardCode", readCall(listBoardReports, sent.path(boardPath, "boardCode"), sent.query(listReportsQuery)))
  .put("/:boardCode/:itemNo", creatingCall(createReport, sent.path(itemPath), sent.body(reportInput)))
  .post("/:boardCode/:itemNo", writeCall(decideBoardReport, sent.path(itemPath), sent.body(decideReportInput)));

export const adminReportApi = apiRoutes()
  .get("/", readCall(listReports, sent.query(listReportsQuery)))
  .post("/:boardCode/:itemNo", writeCall(decideReport, sent.path(itemPath), sent.body(decideReportInput)));
