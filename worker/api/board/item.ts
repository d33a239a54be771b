import { type Context, Hono } from "hono";
import {
  boardPath,
  createItemInput,
  idempotencyKey,
  itemPath,
  listItemsQuery,
  updateItemInput,
  boardUploadQuery,
} from "#worker/contract/board/input.ts";
import {
  binQuery,
  bulkInput,
  exportQuery,
  restoreRevisionInput,
  revisionPath,
} from "#worker/contract/board/manage-input.ts";
import { searchInput, searchQuery } from "#worker/contract/board/search-input.ts";
import { AppError, invalid } from "#worker/contract/kernel/errors.ts";
import { cleanFileName } from "#worker/contract/file/rules.ts";
import { SIZES } from "#worker/contract/kernel/limits.ts";
import { exportBoard } from "#worker/domain/board/export.server.ts";
import { getRevision, listRevisions, restoreRevision } from "#worker/domain/board/history.server.ts";
import { emptyBin, listBin } from "#worker/domain/board/deleted.server.ts";
import { bulkItems, restoreItem } from "#worker/domain/board/bulk.server.ts";
import { searchItems } from "#worker/domain/board/search.server.ts";
import { listItems } from "#worker/domain/board/list.server.ts";
import { getItem } from "#worker/domain/board/view.server.ts";
import { createItem, deleteItem, updateItem } from "#worker/domain/board/write.server.ts";
import { archiveSize, itemArchive, streamArchive } from "#worker/domain/board/archive.server.ts";
import { storeImage } from "#worker/domain/file/upload.server.ts";
import { boardUploadUrl } from "#worker/domain/board/upload.server.ts";
import { logError } from "#worker/log.ts";
import { disposition } from "../kernel/download.ts";
import { type ApiEnv, body, ok, opened, path, query, readForm } from "../kernel/http.ts";

/** The picture and the multipart frame around it. */
const IMAGE_FORM_BYTES = SIZES.imageBytes + 64 * 1024;

function formKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = idempotencyKey.safeParse(header);
  if (!key.success) throw invalid({ "Idempotency-Key": "8~100자의 영문, 숫자, -, _로 보내 주십시오." });
  return key.data;
}

export const boardItemApi = new Hono<ApiEnv>()
  .get("/", query(listItemsQuery), async (c) => ok(c, await listItems(c.var.door, c.req.valid("query"))))
  .post("/search", query(searchQuery), body(searchInput), async (c) => {
    const { boardCode, ...at } = c.req.valid("query");
    const input = c.req.valid("json");
    return ok(c, await searchItems(await opened(c), { ...input, boardCode: input.boardCode ?? boardCode, ...at }));
  })
  .put("/images", async (c) => {
    const ctx = await opened(c);
    const form = await readForm(c.req.raw, IMAGE_FORM_BYTES);
    const image = form?.get("file");
    if (!(image instanceof File)) throw invalid({ file: "그림 파일을 선택해 주십시오." });
    const bytes = new Uint8Array(await image.arrayBuffer());
    return ok(c, await storeImage(ctx, { fileName: cleanFileName(image.name), bytes }));
  })
  .get("/download-data/:boardCode", path(boardPath), query(exportQuery), async (c) => {
    const file = await exportBoard(await opened(c), c.req.valid("param").boardCode, c.req.valid("query").format);
    return new Response(file.bytes.stream(), {
      headers: {
        "Content-Type": file.contentType,
        "Content-Length": String(file.bytes.size),
        "Content-Disposition": disposition("attachment", file.fileName),
      },
    });
  })
  .get("/bin/:boardCode", path(boardPath), query(binQuery), async (c) =>
    ok(c, (await listBin(c.var.door, c.req.valid("param").boardCode, c.req.valid("query"))).bin),
  )
  .delete("/bin/:boardCode", path(boardPath), async (c) =>
    ok(c, await emptyBin(await opened(c), c.req.valid("param").boardCode)),
  )
  .post("/:boardCode/bulk", path(boardPath), body(bulkInput), async (c) =>
    ok(c, await bulkItems(await opened(c), c.req.valid("param").boardCode, c.req.valid("json"))),
  )
  .post("/:boardCode/:itemNo/restore", path(itemPath), async (c) =>
    ok(c, await restoreItem(await opened(c), c.req.valid("param"))),
  )
  .get("/:boardCode/:itemNo/revision", path(itemPath), async (c) =>
    ok(c, await listRevisions(c.var.door, c.req.valid("param"))),
  )
  .get("/:boardCode/:itemNo/revision/:revision", path(revisionPath), async (c) =>
    ok(c, await getRevision(c.var.door, c.req.valid("param"), c.req.valid("param").revision)),
  )
  .post("/:boardCode/:itemNo/revision/:revision/restore", path(revisionPath), body(restoreRevisionInput), async (c) => {
    const at = c.req.valid("param");
    return ok(c, await restoreRevision(await opened(c), at, at.revision, c.req.valid("json").version));
  })
  .get("/:boardCode/:itemNo", path(itemPath), async (c) => ok(c, await getItem(c.var.door, c.req.valid("param"))))
  .put("/:boardCode", path(boardPath), body(createItemInput, SIZES.postBytes), async (c) =>
    ok(
      c,
      await createItem(
        await opened(c),
        c.req.valid("param").boardCode,
        c.req.valid("json"),
        formKey(c.req.header("Idempotency-Key")),
      ),
    ),
  )
  .patch("/:boardCode/:itemNo", path(itemPath), body(updateItemInput, SIZES.postBytes), async (c) =>
    ok(c, await updateItem(await opened(c), c.req.valid("param"), c.req.valid("json"))),
  )
  .delete("/:boardCode/:itemNo", path(itemPath), async (c) =>
    ok(c, await deleteItem(await opened(c), c.req.valid("param"))),
  );

export const boardItemFileApi = new Hono<ApiEnv>()
  .get("/upload-url", query(boardUploadQuery), async (c) =>
    ok(c, await boardUploadUrl(await opened(c), c.req.valid("query"))),
  )
  .get("/:boardCode/:itemNo/archive", path(itemPath), async (c) => {
    const archive = await itemArchive(c.var.door, c.req.valid("param"));
    const size = archiveSize(archive);
    const headers = {
      "Content-Type": "application/zip",
      "Content-Length": String(size),
      "Content-Disposition": disposition("attachment", archive.fileName),
    };
    if (c.req.method === "HEAD") return new Response(null, { headers });
    // Only a stream of known length tells the browser how far it is; one that breaks is a download that failed.
    const { readable, writable } = new FixedLengthStream(size);
    const bytes = await streamArchive(c.env.FILES, archive);
    void bytes.pipeTo(writable).catch((cause: unknown) => logBroken(c, cause));
    return new Response(readable, { headers });
  });

/** A reader who goes away in the middle is nothing to tell of. */
function logBroken(c: Context<ApiEnv>, cause: unknown): void {
  if (cause instanceof AppError)
    logError({ requestId: c.var.requestId, path: c.req.path, code: "ARCHIVE", cause: cause.cause });
}
