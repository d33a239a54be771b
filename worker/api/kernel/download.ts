import type { Download } from "#worker/domain/kernel/sheet-file.server.ts";
import { disposition } from "../file/file.ts";

/** A file in the answer itself; its Korean name by RFC 8187. */
export function download({ fileName, contentType, body }: Download): Response {
  return new Response(body, {
    headers: {
      "Content-Type": contentType,
      "Content-Disposition": disposition("attachment", fileName),
      "Cache-Control": "private, no-store",
    },
  });
}
