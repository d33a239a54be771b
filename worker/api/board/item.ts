import type { Context } from "hono";
import {
  boardPath,
  createItemInput,
  itemPath,
  listItemsQuery,
  updateItemInput,
  boardUploadQuery,
  fileTextInput,
  fileTextPath,
} from "#worker/contract/board/input.ts";
import {
  deletedItemsQuery,
  bulkItemsInput,
  exportBoardQuery,
  restoreRevisionInput,
  revisionPath,
} from "#worker/contract/board/manage-input.ts";
import { searchInput, searchQuery } from "#worker/contract/board/search-input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { cleanFileName } from "#worker/contract/file/rules.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { exportBoard } from "#worker/domain/board/export.server.ts";
import { getRevision, listRevisions, restoreRevision } from "#worker/domain/board/history.server.ts";
import { destroyDeletedItems, listDeletedItems } from "#worker/domain/board/deleted.server.ts";
import { bulkItems, restoreItem } from "#worker/domain/board/bulk.server.ts";
import { searchItems } from "#worker/domain/board/search.server.ts";
import { listItems } from "#worker/domain/board/list.server.ts";
import { renderItemCalendar } from "#worker/domain/board/calendar-feed.server.ts";
import { getItem } from "#worker/domain/board/view.server.ts";
import { createItem, deleteItem, updateItem } from "#worker/domain/board/write.server.ts";
import { saveFileText } from "#worker/domain/board/file-text.server.ts";
import { archiveSize, getItemArchive, holdArchiveBytes, streamArchive } from "#worker/domain/board/archive.server.ts";
import { storeEditorImage } from "#worker/domain/file/upload.server.ts";
import { issueBoardUploadUrl } from "#worker/domain/board/upload.server.ts";
import { logError } from "#worker/log.ts";
import { contentDisposition } from "../kernel/download.ts";
import { requireAccess, requireBoardAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";
import {
  type ApiEnv,
  validateBody,
  sendData,
  openContext,
  validatePath,
  validateQuery,
  readForm,
} from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

const IMAGE_FORM_BYTES = SIZE_LIMITS.imageBytes + 64 * 1024;

export const boardItemApi = apiRoutes()
  .get("/", readCall(listItems, sent.query(listItemsQuery)))
  .post("/search", validateQuery(searchQuery), validateBody(searchInput, SIZE_LIMITS.strangerBytes), async (c) => {
    const { boardCode, ...at } = c.req.valid("query");
    const input = c.req.valid("json");
    return sendData(
      c,
      await searchItems(await openContext(c), { ...input, boardCode: input.boardCode ?? boardCode, ...at }),
    );
  })
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
    validatePath(boardPath),
    validateQuery(exportBoardQuery),
    async (c) => {
      const file = await exportBoard(await openContext(c), c.req.valid("param").boardCode, c.req.valid("query").format);
      return new Response(file.bytes.stream(), {
        headers: {
          "Content-Type": file.contentType,
          "Content-Length": String(file.bytes.size),
          "Content-Disposition": contentDisposition("attachment", file.fileName),
        },
      });
    },
  )
  .get("/bin/:boardCode", validatePath(boardPath), validateQuery(deletedItemsQuery), async (c) =>
    sendData(
      c,
      (await listDeletedItems(c.var.scope, c.req.valid("param").boardCode, c.req.valid("query"))).deletedItems,
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
  .get("/:boardCode/:itemNo/calendar", validatePath(itemPath), async (c) => {
    const { boardCode, itemNo } = c.req.valid("param");
    const headers = {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": contentDisposition("attachment", `${boardCode}-${itemNo}.ics`),
    };
    const language = c.req.query("language") === "en" ? "en" : "ko";
    return new Response(await renderItemCalendar(c.var.scope, { boardCode, itemNo }, language), { headers });
  })
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
  .get("/:boardCode/:itemNo/archive", validatePath(itemPath), async (c) => {
    const archive = await getItemArchive(c.var.scope, c.req.valid("param"));
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
  });

function logBrokenArchive(c: Context<ApiEnv>, cause: unknown): void {
  if (cause instanceof AppError)
    logError({ requestId: c.var.requestId, path: c.req.path, code: "ARCHIVE", cause: cause.cause });
}
