import { useEffect, useState } from "react";
import { HwpPages } from "#app/features/file/preview/hwp-pages.tsx";
import { previewKindOf } from "#app/features/file/preview/preview-kind.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import type { ItemFile } from "#worker/contract/file/view.ts";
import { askPreviewWorker } from "./ask-preview-worker.ts";
import { PreviewWait, useFilePreview } from "./preview-loading.tsx";
import { WordPages } from "./word-pages.tsx";
import { readFileText } from "#app/features/file/upload/file-text.ts";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { Button } from "#app/ui/button.tsx";
import {
  SHEET_COLUMNS,
  SHEET_ROWS,
  type SheetAnswer,
  type ShownSheet,
} from "#app/features/file/preview/sheet-protocol.ts";

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
      {kind === "word" && <WordPages file={file} />}
      {kind === "words" && <WordsPages file={file} />}
      {kind === "sheet" && <SheetPages file={file} />}
      {kind === "picture" && <PicturePages file={file} pictures={pictures} onShow={setFile} />}
    </Dialog>
  );
}

/** Longer texts are cut; the file holds the rest. */
const SHOWN_LETTERS = 100_000;

const readWords = async (bytes: ArrayBuffer, fileName: string): Promise<string> =>
  (await readFileText(new File([bytes], fileName))) ?? "";

function WordsPages({ file }: { file: ItemFile }) {
  const state = useFilePreview(file, readWords);
  if (state.kind !== "open") return <PreviewWait state={state} />;
  const text = state.content.trim();
  return (
    <>
      <p className="mb-3 text-sm text-gray-60" role="status">
        글자만 보여 드립니다.{text.length > SHOWN_LETTERS && " 긴 문서라 앞부분만 보입니다."}
      </p>
      <p className="rounded-md border border-gray-20 px-5 py-4 whitespace-pre-wrap">
        {text.slice(0, SHOWN_LETTERS) || "글자가 없는 문서입니다."}
      </p>
    </>
  );
}

interface PicturePagesProps {
  file: ItemFile;
  pictures: readonly ItemFile[];
  onShow: (file: ItemFile) => void;
}

function PicturePages({ file, pictures, onShow }: PicturePagesProps) {
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

/** Reads in a worker so that a file that hangs it can be terminated. */
async function readSheets(bytes: ArrayBuffer): Promise<ShownSheet[]> {
  const worker = new Worker(new URL("./sheet-worker.ts", import.meta.url), { type: "module" });
  const answer = await askPreviewWorker<SheetAnswer>(worker, bytes);
  if ("problem" in answer) throw new Error("broken");
  return answer.sheets;
}

function SheetPages({ file }: { file: ItemFile }) {
  const state = useFilePreview(file, readSheets);
  if (state.kind !== "open") return <PreviewWait state={state} />;
  const sheets = state.content.filter(({ rows }) => rows.length > 0);
  if (sheets.length === 0) return <p role="status">비어 있는 파일입니다.</p>;
  return sheets.map((sheet, at) => <SheetTable key={sheet.name} sheet={sheet} place={at + 1} />);
}

function SheetTable({ sheet, place }: { sheet: ShownSheet; place: number }) {
  const { name, rows, isCut } = sheet;
  const id = `sheet-${place}`;
  return (
    <section aria-labelledby={id} className="not-first:mt-8">
      <h3 id={id} className="text-lg">
        {name}
      </h3>
      {isCut && (
        <p className="mt-1 text-sm text-gray-60">
          처음 {SHEET_ROWS}행, {SHEET_COLUMNS}열까지 보여 드립니다.
        </p>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <div role="group" aria-label={`${name} 표`} tabIndex={0} className="mt-3 overflow-x-auto border border-gray-20">
        <table className="w-full text-sm">
          <caption className="sr-only">{name}</caption>
          <tbody>
            {rows.map((row, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows of a file have no other name
              <tr key={at} className="border-b border-gray-10 last:border-0">
                {row.map((cell, column) => (
                  // oxlint-disable-next-line react/no-array-index-key -- nor have its cells
                  <td key={column} className="px-2 py-1.5 align-top whitespace-pre-wrap">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
