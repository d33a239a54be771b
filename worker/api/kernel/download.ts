import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import type { SheetDownload } from "#worker/domain/kernel/sheet-download.server.ts";

export function fileResponse({
  fileName,
  contentType,
  body,
}: Omit<SheetDownload, "body"> & { body: Blob | ReadableStream<Uint8Array> }): Response {
  return new Response(body, {
    headers: {
      "Content-Type": contentType,
      "Content-Disposition": contentDisposition("attachment", fileName),
      "Cache-Control": "private, no-store",
    },
  });
}

/** RFC 6266 and 8187: an ASCII fallback and the Korean name, without line breaks. */
export function contentDisposition(kind: "inline" | "attachment", fileName: string): string {
  const name = normaliseUnicode(fileName, "NFC").replace(/[\u0000-\u001f\u007f]|\p{Surrogate}/gu, "");
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
