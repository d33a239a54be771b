import { useEffect, useState } from "react";
import { fetchFileBytes, LOADING_FAILED } from "#app/features/file/preview/fetch-file-bytes.ts";
import type { PreviewWaiting } from "#app/features/file/preview/preview-wait.tsx";
import type { ItemFile } from "#worker/contract/file/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";

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
