import { api, callApi } from "#app/lib/api.ts";
import { FILE_TEXT_LETTERS } from "#worker/contract/file/rules.ts";

/** Above this the browser would be busy for long, and the file is found by its name. */
const READ_BYTES = 30 * 1024 * 1024;
const READ_MS = 60_000;

/** Sends what stands in a file, so that it is found by it; a file that cannot be read is found by its name alone. */
export async function sendFileText(fileId: string, file: File): Promise<void> {
  try {
    const text = (await readFileText(file))?.trim().slice(0, FILE_TEXT_LETTERS);
    if (text) await callApi(api["board-item-file"][":fileId"].text.$put({ param: { fileId }, json: { text } }));
  } catch {
    // Locked, broken or of another program: its name is searched all the same.
  }
}

/** @returns null for a kind of file that has no text */
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

/** A worker of its own, ended with a document that would hang it. */
async function readInWorker(kind: "pdf" | "docx" | "xlsx" | "pptx", bytes: ArrayBuffer): Promise<string> {
  const worker = new Worker(new URL("./file-text-worker.ts", import.meta.url), { type: "module" });
  try {
    return await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("slow")), READ_MS);
      worker.addEventListener("message", ({ data }: MessageEvent<{ text?: string | null }>) => {
        // The library of PDF says a word of its own when it is ready.
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

/** As Korean offices write: UTF-8, or else CP949. */
function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("euc-kr").decode(bytes);
  }
}
