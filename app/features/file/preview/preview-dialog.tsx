import { useState } from "react";
import { HwpPages } from "#app/features/file/preview/hwp-pages.tsx";
import { PicturePages } from "#app/features/file/preview/picture-pages.tsx";
import { previewKindOf } from "#app/features/file/preview/preview-kind.ts";
import { SheetPages } from "#app/features/file/preview/sheet-pages.tsx";
import { WordsPages } from "#app/features/file/preview/words-pages.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import type { ItemFile } from "#worker/contract/file/view.ts";

export interface PreviewOfFile {
  file: ItemFile;
  pictures: readonly ItemFile[];
}

export function PreviewDialog({ file: first, pictures, onClose }: PreviewOfFile & { onClose: () => void }) {
  const [file, setFile] = useState(first);
  const kind = previewKindOf(file.fileName);
  return (
    <Dialog
      open
      onClose={onClose}
      title={file.fileName}
      size={kind === "sheet" || kind === "picture" ? "xl" : "lg"}
      footer={
        <a href={`${file.url}?download=true`} className="font-semibold text-primary-60 underline underline-offset-4">
          파일 내려받기
        </a>
      }
    >
      {kind === "hangul" && <HwpPages file={file} />}
      {kind === "words" && <WordsPages file={file} />}
      {kind === "sheet" && <SheetPages file={file} />}
      {kind === "picture" && <PicturePages file={file} pictures={pictures} onShow={setFile} />}
    </Dialog>
  );
}
