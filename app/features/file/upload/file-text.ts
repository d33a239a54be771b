import { api, callApi } from "#app/lib/api.ts";
import { FILE_TEXT_LETTERS } from "#worker/contract/file/rules.ts";

/** Larger files would block the browser for too long; they are found by name only. */
const READ_BYTES = 30 * 1024 * 1024;
const READ_MS = 60_000;

/** Sends the file's text for the search; an unreadable file is found by name only. */
export async function sendFileText(fileId: string, file: File): Promise<void> {
  try {
    const text = (await readFileText(file))?.trim().slice(0, FILE_TEXT_LETTERS);
    if (text) await callApi(api["board-item-file"][":fileId"].text.$put({ param: { fileId }, json: { text } }));
  } catch {
    // Locked, broken or unknown files are found by name only.
  }
}

/** @returns null for a file type without text */
export async function readFileText(file: File): Promise<string | null> {
  if (file.size > READ_BYTES) return null;
  const extension = /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? "";
  switch (extension) {
    case "hwp":
    case "hwpx":
      return readHangulText(await file.arrayBuffer());
    case "pdf":
    case "docx":
    case "xlsx":
    case "pptx":
      return readInWorker(extension, await file.arrayBuffer());
    case "txt":
    case "csv":
      return decodeText(await file.arrayBuffer());
    default:
      return null;
  }
}

async function readHangulText(bytes: ArrayBuffer): Promise<string> {
  const { HwpReader } = await import("#app/features/file/preview/hwp-reader.ts");
  const reader = new HwpReader();
  try {
    return (await reader.open(bytes)).text;
  } finally {
    reader.close();
  }
}

/** Reads in a worker so that a document that hangs it can be terminated. */
async function readInWorker(kind: "pdf" | "docx" | "xlsx" | "pptx", bytes: ArrayBuffer): Promise<string> {
  const worker = new Worker(new URL("./file-text-worker.ts", import.meta.url), { type: "module" });
  try {
    return await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("slow")), READ_MS);
      worker.addEventListener("message", ({ data }: MessageEvent<{ text?: string | null }>) => {
        // Ignores the ready message of the PDF library.
        if (data.text === undefined) return;
        clearTimeout(timer);
        if (data.text === null) reject(new Error("broken"));
        else resolve(data.text);
      });
      worker.addEventListener("error", () => reject(new Error("broken")));
      worker.postMessage({ kind, bytes }, [bytes]);
    });
  } finally {
    worker.terminate();
  }
}

/** Reads UTF-8 and falls back to CP949. */
function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("euc-kr").decode(bytes);
  }
}
