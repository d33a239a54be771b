import ZoomIn from "lucide-react/icons/zoom-in";
import ZoomOut from "lucide-react/icons/zoom-out";
import { useEffect, useRef, useState } from "react";
import { HWP_PAGES_AT_ONCE, useHwpPreview } from "#app/features/file/preview/use-hwp-preview.ts";
import { Button } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { PreviewWait } from "#app/features/file/preview/preview-wait.tsx";
import type { ItemFile } from "#worker/contract/file/view.ts";

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
