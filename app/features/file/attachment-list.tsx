import Download from "lucide-react/icons/download";
import FolderDown from "lucide-react/icons/folder-down";
import { useSection, useTexts } from "#app/lib/page-language.ts";
import { KOREAN_CONTENT_TEXTS } from "#app/lib/texts/korean-content.ts";
import { UserText } from "#app/ui/user-text.tsx";
import { FileSize } from "./file-size.tsx";
import type { ItemFile } from "#worker/contract/file/view.ts";
import Eye from "lucide-react/icons/eye";
import { lazy, useState } from "react";
import type { PreviewOfFile } from "#app/features/file/preview/preview-dialog.tsx";
import { previewKindOf } from "#app/features/file/preview/preview-kind.ts";
import { LazyPart } from "#app/ui/lazy-part.tsx";

const extensionLabel = (fileName: string): string | undefined =>
  /\.([a-z0-9]{1,5})$/i.exec(fileName)?.[1]?.toUpperCase();

interface AttachmentListProps {
  files: readonly ItemFile[];
  canDownload: boolean;
  archiveUrl?: string;
  /** Before the name. */
  noteOf?: (file: ItemFile) => string | undefined;
}

export function AttachmentList({ files, canDownload, archiveUrl, noteOf }: AttachmentListProps) {
  const texts = useSection("content", KOREAN_CONTENT_TEXTS).files;
  if (files.length === 0) return null;
  return (
    <section aria-labelledby="attachments" className="@container rounded-lg bg-gray-5 px-4 py-3 print:px-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id="attachments" className="py-1 text-sm text-gray-70">
          {texts.title} <span className="tabular text-primary-60">{files.length}</span>
        </h2>
        {archiveUrl && canDownload && files.length > 1 && (
          <a
            href={archiveUrl}
            className="flex min-h-11 items-center gap-1.5 text-sm print:hidden font-semibold text-primary-70 underline-offset-4 hover:underline md:min-h-9"
          >
            <FolderDown aria-hidden="true" className="size-4.5" />
            {texts.all}
            <span className="font-normal text-gray-60">
              (zip, <FileSize bytes={files.reduce((sum, { size }) => sum + size, 0)} />)
            </span>
          </a>
        )}
      </div>
      <ul className="mt-1 divide-y divide-gray-20">
        {files.map((file) => (
          <li key={file.fileId} className="flex flex-wrap items-center gap-x-3 has-[button,a+a]:@max-md:pb-2">
            {canDownload ? (
              <>
                <a href={`${file.url}?download=true`} className="file-link group">
                  <AttachmentLine file={file} note={noteOf?.(file)} />
                  <Download
                    aria-hidden="true"
                    className="size-5 shrink-0 text-gray-50 group-hover:text-primary-60 print:hidden"
                  />
                  <span className="sr-only">{texts.download}</span>
                </a>
                <FilePreview file={file} files={files} />
              </>
            ) : (
              <span className="flex min-h-12 flex-1 items-center gap-3 py-2 text-gray-70 @max-[19rem]:flex-wrap">
                <AttachmentLine file={file} note={noteOf?.(file)} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {!canDownload && <p className="pb-1 text-sm text-gray-60">{texts.notAllowed}</p>}
    </section>
  );
}

function AttachmentLine({ file, note }: { file: ItemFile; note: string | undefined }) {
  const texts = useSection("content", KOREAN_CONTENT_TEXTS).files;
  return (
    <>
      <span className="file-format">{extensionLabel(file.fileName) ?? texts.file}</span>
      <span className="file-name">
        {note && <span className="mr-2 text-sm text-gray-60">{note}</span>}
        <UserText>{file.fileName}</UserText>
      </span>
      <span className="text-sm text-gray-60">
        <FileSize bytes={file.size} />
      </span>
    </>
  );
}

/** Loads on click and only in the browser. */
const LazyPreviewDialog = lazy(async () => {
  if (import.meta.env.SSR) throw new Error("a preview needs a browser");
  const { PreviewDialog: dialog } = await import("#app/features/file/preview/preview-dialog.tsx");
  return { default: dialog };
});

function FilePreview({ file, files }: { file: ItemFile; files: readonly ItemFile[] }) {
  const [open, setOpen] = useState(false);
  const { newWindow } = useTexts();
  const texts = useSection("content", KOREAN_CONTENT_TEXTS).files;
  const kind = previewKindOf(file.fileName);
  if (!kind) return null;
  const pictures = kind === "picture" ? files.filter(({ fileName }) => previewKindOf(fileName) === "picture") : [];
  const name = (
    <>
      <Eye aria-hidden="true" className="size-4" />
      {texts.preview}
    </>
  );
  if (kind === "pdf")
    return (
      <a
        href={file.url}
        target="_blank"
        rel="noopener"
        title={newWindow}
        aria-label={texts.previewOf(file.fileName)}
        className="file-preview"
      >
        {name}
      </a>
    );
  return (
    <>
      <button
        type="button"
        aria-label={texts.previewOf(file.fileName)}
        data-preview={JSON.stringify({ file, pictures } satisfies PreviewOfFile)}
        className="file-preview needs-script"
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
