import { useCallback, useEffect, useRef, useState } from "react";
import { HwpReader, UnreadableDocumentError } from "#app/features/file/preview/hwp-reader.ts";
import { type HwpProblem } from "#app/features/file/preview/hwp-protocol.ts";
import { fetchFileBytes, LOADING_FAILED } from "#app/features/file/preview/fetch-file-bytes.ts";
import type { ItemFile } from "#worker/contract/file/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";

export const HWP_PAGES_AT_ONCE = 5;

type HwpPreviewState =
  | { kind: "loading"; percent: number }
  | { kind: "failed"; message: string }
  | {
      kind: "open";
      pageCount: number;
      text: string;
      pages: SVGElement[];
      busy: boolean;
    };

const DOWNLOAD_INSTEAD = "파일을 내려받아 한글 프로그램에서 열어 주십시오.";
const PROBLEM_MESSAGES: Record<HwpProblem, string> = {
  locked: `암호가 걸린 문서라서 바로 볼 수 없습니다. ${DOWNLOAD_INSTEAD}`,
  broken: `이 문서는 바로 볼 수 없습니다. 배포용 문서이거나 파일이 손상되었을 수 있습니다. ${DOWNLOAD_INSTEAD}`,
  slow: `문서가 커서 바로 볼 수 없습니다. ${DOWNLOAD_INSTEAD}`,
  unsupported: `이 브라우저에서는 문서를 바로 볼 수 없습니다. ${DOWNLOAD_INSTEAD}`,
};

/** Releases the document when its dialog closes. */
export function useHwpPreview(file: ItemFile): { state: HwpPreviewState; more: () => void } {
  const [state, setState] = useState<HwpPreviewState>({ kind: "loading", percent: 0 });
  const reader = useRef<HwpReader | null>(null);

  const draw = useCallback(async (from: number, pageCount: number) => {
    const current = reader.current;
    for (let page = from; page < Math.min(from + HWP_PAGES_AT_ONCE, pageCount); page++) {
      const drawn = await current?.page(page);
      if (!drawn || reader.current !== current) return;
      setState((known) => (known.kind === "open" ? { ...known, pages: [...known.pages, drawn] } : known));
    }
    setState((known) => (known.kind === "open" ? { ...known, busy: false } : known));
  }, []);
  const fail = useCallback((error: unknown) => setState({ kind: "failed", message: hwpErrorMessage(error) }), []);

  useEffect(() => {
    const stopped = new AbortController();
    const open = async () => {
      const bytes = await fetchFileBytes(file, stopped.signal, (percent) => setState({ kind: "loading", percent }));
      reader.current = new HwpReader();
      const { pageCount, text } = await reader.current.open(bytes);
      setState({ kind: "open", pageCount, text, pages: [], busy: true });
      await draw(0, pageCount);
    };
    open().catch((error: unknown) => stopped.signal.aborted || fail(error));
    return () => {
      stopped.abort();
      reader.current?.close();
      reader.current = null;
    };
  }, [file, draw, fail]);

  return {
    state,
    more() {
      if (state.kind !== "open" || state.busy) return;
      setState({ ...state, busy: true });
      draw(state.pages.length, state.pageCount).catch(fail);
    },
  };
}

function hwpErrorMessage(error: unknown): string {
  if (error instanceof UnreadableDocumentError) return PROBLEM_MESSAGES[error.problem];
  if (error instanceof AppError) return error.message;
  return LOADING_FAILED;
}
