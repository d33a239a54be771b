import { type ApiEnv, contentDisposition, openContext, sendData } from "../kernel/http.ts";
import type { Context } from "hono";
import { extensionOf } from "#worker/contract/file/rules.ts";
import { fileQuery, uploadQuery } from "#worker/contract/file/input.ts";
import type { ThumbnailWidth } from "#worker/contract/file/view.ts";
import { fetchStoredFile, type FileToServe, getFileToServe } from "#worker/domain/file/read.server.ts";
import {
  chooseThumbnailWidth,
  fetchThumbnail,
  isPictureFileName,
  thumbnailFile,
} from "#worker/domain/file/picture.server.ts";
import { issueOwnUploadUrl, receiveUpload } from "#worker/domain/file/upload.server.ts";
import { isNotModified } from "#worker/edge/not-modified.ts";
import { apiRoutes, responseCall, sent, writeCall } from "../kernel/call.ts";

const PDF_POLICY = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'";

export function fileHeaders(file: FileToServe, download: boolean): Headers {
  const isPdf = extensionOf(file.fileName) === "pdf";
  const inline = !download && (isPdf || isPictureFileName(file.fileName));
  return new Headers({
    "Content-Type": file.contentType,
    "Content-Disposition": contentDisposition(inline ? "inline" : "attachment", file.fileName),
    // Browsers' PDF readers do not run in a sandbox; scripts in a PDF cannot reach the site.
    "Content-Security-Policy": inline && isPdf ? PDF_POLICY : "sandbox; default-src 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": file.isPublic ? "public, no-cache" : "private, no-store",
    "Accept-Ranges": "bytes",
    ETag: file.etag,
  });
}

function readRange(
  header: string | undefined,
  size: number,
): { offset: number; length: number } | "unsatisfiable" | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return null;
  const start = match[1] === "" ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = match[1] === "" || match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  return start > end || start >= size ? "unsatisfiable" : { offset: start, length: end - start + 1 };
}

export const fileApi = apiRoutes()
  .get("/upload-url", writeCall(issueOwnUploadUrl, sent.query(uploadQuery)))
  .put("/upload/:ticket", async (c) => {
    const length = c.req.header("Content-Length");
    const upload = { body: c.req.raw.body, contentLength: length === undefined ? null : Number(length) };
    return sendData(c, await receiveUpload(await openContext(c), c.req.param("ticket"), upload));
  })
  .get(
    "/:id",
    responseCall(
      async (c, id, { download = false, thumbnail = false, ...box }) => {
        const file = await getFileToServe(c.var.scope, id);
        const width = thumbnail ? chooseThumbnailWidth(file, box) : null;
        const small = width === null ? null : await serveThumbnail(c, file, width, download);
        return small ?? serveFile(c, file, download);
      },
      sent.id,
      sent.query(fileQuery),
    ),
  );

export async function serveFile(c: Context<ApiEnv>, file: FileToServe, download: boolean): Promise<Response> {
  const headers = fileHeaders(file, download);
  if (isNotModified(c.req.header("If-None-Match"), file.etag)) return new Response(null, { status: 304, headers });
  // The browser's part belongs to another version.
  const ifRange = c.req.header("If-Range");
  const range = ifRange && ifRange !== file.etag ? null : readRange(c.req.header("Range"), file.size);
  if (range === "unsatisfiable") {
    headers.set("Content-Range", `bytes */${file.size}`);
    return new Response(null, { status: 416, headers });
  }
  const stored = c.req.method === "HEAD" ? null : await fetchStoredFile(c.env.FILES, file.storageKey, range);
  headers.set("Content-Length", String(range?.length ?? file.size));
  if (range) headers.set("Content-Range", `bytes ${range.offset}-${range.offset + range.length - 1}/${file.size}`);
  return new Response(stored, { status: range ? 206 : 200, headers });
}

/** Never served in ranges; null when the original is served instead. */
async function serveThumbnail(c: Context<ApiEnv>, file: FileToServe, width: ThumbnailWidth, download: boolean) {
  const small = thumbnailFile(file, width);
  const headers = fileHeaders(small, download);
  headers.set("Accept-Ranges", "none");
  if (isNotModified(c.req.header("If-None-Match"), small.etag)) return new Response(null, { status: 304, headers });
  const made = await fetchThumbnail(await c.var.scope.context(), file, width, c.req.method === "HEAD");
  if (!made) return null;
  headers.set("Content-Length", String(made.size));
  return new Response(made.body, { headers });
}
