import Eye from "lucide-react/icons/eye";
import { lazy, useState } from "react";
import type { ItemFile } from "#worker/contract/file/view.ts";
import { LazyPart } from "#app/ui/lazy-part.tsx";

/** Asked for by a click alone, and by the browser alone. */
const LazyHwpDialog = lazy(async () => {
  if (import.meta.env.SSR) throw new Error("a preview needs a browser");
  const { HwpDialog: dialog } = await import("#app/features/file/preview/hwp-dialog.tsx");
  return { default: dialog };
});

const PREVIEW_BUTTON =
  "inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-md border border-gray-40 bg-white px-3 text-sm font-semibold hover:border-primary-60 hover:text-primary-70 md:min-h-9";

/** 바로보기, for the documents that can be looked at without another program. */
export function FilePreview({ file }: { file: ItemFile }) {
  const [open, setOpen] = useState(false);
  const kind = /\.(pdf|hwpx?)$/i.exec(file.fileName)?.[1]?.toLowerCase();
  if (!kind) return null;
  const name = (
    <>
      <Eye aria-hidden="true" className="size-4" />
      바로보기
    </>
  );
  if (kind === "pdf")
    return (
      <a
        href={file.url}
        target="_blank"
        rel="noopener"
        title="새 창 열림"
        aria-label={`${file.fileName} 바로보기`}
        className={PREVIEW_BUTTON}
      >
        {name}
      </a>
    );
  return (
    <>
      <button
        type="button"
        aria-label={`${file.fileName} 바로보기`}
        data-hwp={JSON.stringify(file)}
        className={`${PREVIEW_BUTTON} needs-script`}
        onClick={() => setOpen(true)}
      >
        {name}
      </button>
      {open && (
        <LazyPart>
          <LazyHwpDialog file={file} onClose={() => setOpen(false)} />
        </LazyPart>
      )}
    </>
  );
}
