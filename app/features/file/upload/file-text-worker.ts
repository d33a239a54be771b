import "#app/lib/floor.js";
import { type OfficeKind, readOffice, readPdf } from "#app/features/file/upload/read-file-text.ts";

addEventListener("message", ({ data }: MessageEvent<{ kind: "pdf" | OfficeKind; bytes: ArrayBuffer }>) => {
  const { kind, bytes } = data;
  const reading = kind === "pdf" ? readPdf(bytes) : Promise.resolve().then(() => readOffice(kind, bytes));
  reading.then(
    (text) => postMessage({ text }),
    () => postMessage({ text: null }),
  );
});
