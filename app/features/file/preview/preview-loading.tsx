import { ProgressBar } from "#app/ui/progress.tsx";
import type { ItemFile } from "#worker/contract/file/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { useEffect, useState } from "react";

type PreviewWaiting = { kind: "loading"; percent: number } | { kind: "failed"; message: string };

export function PreviewWait({ state }: { state: PreviewWaiting }) {
  if (state.kind === "failed")
    return (
      <p role="alert" className="rounded-md bg-gray-5 px-5 py-6">
        {state.message}
      </p>
    );
  return (
    <div className="py-10" aria-live="polite">
      <p className="mb-3 text-center text-gray-70">문서를 여는 중입니다.</p>
      <ProgressBar label="문서를 여는 중" value={state.percent} className="mx-auto max-w-60" />
    </div>
  );
}

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

/** Larger files would block the browser for too long. */
const PREVIEW_BYTES = 30 * 1024 * 1024;

const DOWNLOAD_INSTEAD = "파일을 내려받아 열어 주십시오.";

export function useFilePreview<T>(
  file: ItemFile,
  read: (bytes: ArrayBuffer, fileName: string) => Promise<T>,
): PreviewWaiting | { kind: "open"; content: T } {
  const [state, setState] = useState<PreviewWaiting | { kind: "open"; content: T }>({ kind: "loading", percent: 0 });
  useEffect(() => {
    const stopped = new AbortController();
    const fail = (message: string) => stopped.signal.aborted || setState({ kind: "failed", message });
    const open = async () => {
      if (file.size > PREVIEW_BYTES) return fail(`파일이 커서 바로 볼 수 없습니다. ${DOWNLOAD_INSTEAD}`);
      const bytes = await fetchFileBytes(file, stopped.signal, (percent) => setState({ kind: "loading", percent }));
      try {
        const content = await read(bytes, file.fileName);
        if (!stopped.signal.aborted) setState({ kind: "open", content });
      } catch {
        fail(`이 파일은 바로 볼 수 없습니다. 암호가 걸렸거나 손상되었을 수 있습니다. ${DOWNLOAD_INSTEAD}`);
      }
    };
    open().catch((error: unknown) => fail(error instanceof AppError ? error.message : LOADING_FAILED));
    return () => stopped.abort();
  }, [file, read]);
  return state;
}
