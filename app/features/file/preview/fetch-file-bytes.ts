import type { ItemFile } from "#worker/contract/file/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";

export const LOADING_FAILED = "파일을 불러오지 못했습니다. 연결을 확인한 뒤 다시 시도해 주십시오.";

/** @throws AppError with the server's message */
export async function fetchFileBytes(file: ItemFile, signal: AbortSignal, onProgress: (percent: number) => void) {
  const response = await fetch(file.url, { signal });
  if (!response.ok || !response.body) {
    const { message } = (await response.json().catch(() => ({}))) as { message?: string };
    throw new AppError("NOT_FOUND", {
      message: message ?? "파일을 불러오지 못했습니다. 잠시 후 다시 시도해 주십시오.",
    });
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let loaded = 0;
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    loaded += value.byteLength;
    onProgress(Math.min(90, Math.floor((loaded / file.size) * 90)));
  }
  return new Blob(chunks).arrayBuffer();
}
