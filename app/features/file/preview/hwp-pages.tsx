import ZoomIn from "lucide-react/icons/zoom-in";
import ZoomOut from "lucide-react/icons/zoom-out";
import { useCallback, useEffect, useRef, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { fetchFileBytes, LOADING_FAILED, PreviewWait } from "./preview-loading.tsx";
import type { ItemFile } from "#worker/contract/file/view.ts";
import { type HwpProblem, HwpReader, UnreadableDocumentError } from "#app/features/file/preview/hwp-reader.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";

export function HwpPages({ file }: { file: ItemFile }) {
  const { state, more } = useHwpPreview(file);
  const [asText, setAsText] = useState(false);
  const [large, setLarge] = useState(false);
  if (state.kind !== "open") return <PreviewWait state={state} />;
  const { pages, pageCount, text } = state;
  return (
    <>
      <div className="sticky top-0 z-10 flex flex-wrap items-center justify-between gap-2 bg-white pb-3">
        <p className="tabular text-sm text-gray-60" role="status">
          전체 {pageCount}쪽
        </p>
        <div className="flex gap-2">
          {!asText && (
            <Button size="sm" aria-pressed={large} onClick={() => setLarge(!large)}>
              {large ? (
                <ZoomOut aria-hidden="true" className="size-4.5" />
              ) : (
                <ZoomIn aria-hidden="true" className="size-4.5" />
              )}
              <span>{large ? "작게" : "크게"}</span>
            </Button>
          )}
          <Button size="sm" aria-pressed={asText} onClick={() => setAsText(!asText)}>
            글자만 보기
          </Button>
        </div>
      </div>
      {asText ? (
        <p className="rounded-md border border-gray-20 px-5 py-4 whitespace-pre-wrap">
          {text || "글자가 없는 문서입니다."}
        </p>
      ) : (
        <>
          <ol
            aria-label="문서의 쪽"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
            tabIndex={0}
            className="flex flex-col gap-4 overflow-x-auto rounded-md bg-gray-10 p-2 md:p-4"
          >
            {pages.map((drawn, at) => (
              <li key={at}>
                <HwpPage drawn={drawn} label={`${at + 1}쪽`} large={large} />
              </li>
            ))}
          </ol>
          {pages.length < pageCount && (
            <p className="mt-4 text-center">
              <Button busy={state.busy} onClick={more}>
                다음 {Math.min(HWP_PAGES_AT_ONCE, pageCount - pages.length)}쪽 더 보기
              </Button>
            </p>
          )}
        </>
      )}
    </>
  );
}

/** Is one picture for screen readers, because its characters are drawn singly; 글자만 보기 holds the text. */
function HwpPage({ drawn, label, large }: { drawn: SVGElement; label: string; large: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.replaceChildren(drawn), [drawn]);
  return (
    <div
      ref={place}
      role="img"
      aria-label={`${label}. 내용은 글자만 보기에서 읽을 수 있습니다.`}
      className={cx("mx-auto bg-white shadow-sm [&>svg]:h-auto [&>svg]:w-full", large && "w-[68rem]")}
    />
  );
}

const HWP_PAGES_AT_ONCE = 5;

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
function useHwpPreview(file: ItemFile): { state: HwpPreviewState; more: () => void } {
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
