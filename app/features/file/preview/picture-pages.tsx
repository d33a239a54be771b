import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { useEffect } from "react";
import { Button } from "#app/ui/button.tsx";
import type { ItemFile } from "#worker/contract/file/view.ts";

interface PicturePagesProps {
  file: ItemFile;
  pictures: readonly ItemFile[];
  onShow: (file: ItemFile) => void;
}

export function PicturePages({ file, pictures, onShow }: PicturePagesProps) {
  const at = pictures.findIndex(({ fileId }) => fileId === file.fileId);
  const [before, after] = [pictures[at - 1], pictures[at + 1]];
  useEffect(() => {
    const go = ({ key }: KeyboardEvent) => {
      const next = key === "ArrowLeft" ? before : key === "ArrowRight" ? after : undefined;
      if (next) onShow(next);
    };
    addEventListener("keydown", go);
    return () => removeEventListener("keydown", go);
  }, [before, after, onShow]);
  return (
    <>
      <img src={file.url} alt={file.fileName} className="mx-auto max-h-[70dvh] max-w-full object-contain" />
      {pictures.length > 1 && (
        <div className="mt-4 flex items-center justify-center gap-4">
          <Button size="sm" disabled={!before} onClick={() => before && onShow(before)}>
            <ChevronLeft aria-hidden="true" className="size-4.5" />
            이전 그림
          </Button>
          <p role="status" className="tabular text-sm text-gray-70">
            <span className="sr-only">{file.fileName} </span>
            {at + 1} / {pictures.length}
          </p>
          <Button size="sm" disabled={!after} onClick={() => after && onShow(after)}>
            다음 그림
            <ChevronRight aria-hidden="true" className="size-4.5" />
          </Button>
        </div>
      )}
    </>
  );
}
