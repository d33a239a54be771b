import Eye from "lucide-react/icons/eye";
import { lazy, useState } from "react";
import { useTexts } from "#app/lib/page-language.ts";
import type { PreviewOfFile } from "#app/features/file/preview/preview-dialog.tsx";
import { previewKindOf } from "#app/features/file/preview/preview-kind.ts";
import type { ItemFile } from "#worker/contract/file/view.ts";
import { LazyPart } from "#app/ui/lazy-part.tsx";

/** Loads on click and only in the browser. */
const LazyPreviewDialog = lazy(async () => {
  if (import.meta.env.SSR) throw new Error("a preview needs a browser");
  const { PreviewDialog: dialog } = await import("#app/features/file/preview/preview-dialog.tsx");
  return { default: dialog };
});

const PREVIEW_BUTTON =
  "inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-md border border-gray-40 bg-white px-3 text-sm font-semibold hover:border-primary-60 hover:text-primary-70 md:min-h-9 print:hidden";

export function FilePreview({ file, files }: { file: ItemFile; files: readonly ItemFile[] }) {
  const [open, setOpen] = useState(false);
  const texts = useTexts();
  const kind = previewKindOf(file.fileName);
  if (!kind) return null;
  const pictures = kind === "picture" ? files.filter(({ fileName }) => previewKindOf(fileName) === "picture") : [];
  const name = (
    <>
      <Eye aria-hidden="true" className="size-4" />
      {texts.files.preview}
    </>
  );
  if (kind === "pdf")
    return (
      <a
        href={file.url}
        target="_blank"
        rel="noopener"
        title={texts.newWindow}
        aria-label={texts.files.previewOf(file.fileName)}
        className={PREVIEW_BUTTON}
      >
        {name}
      </a>
    );
  return (
    <>
      <button
        type="button"
        aria-label={texts.files.previewOf(file.fileName)}
        data-preview={JSON.stringify({ file, pictures } satisfies PreviewOfFile)}
        className={`${PREVIEW_BUTTON} needs-script`}
        onClick={() => setOpen(true)}
      >
        {name}
      </button>
      {open && (
        <LazyPart>
          <LazyPreviewDialog file={file} pictures={pictures} onClose={() => setOpen(false)} />
        </LazyPart>
      )}
    </>
  );
}
