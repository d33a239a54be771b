import type { ItemFile } from "#worker/contract/file/view.ts";
import { cx } from "#app/ui/cx.ts";
import { askPreviewWorker } from "./ask-preview-worker.ts";
import { PreviewWait, useFilePreview } from "./preview-loading.tsx";
import type { WordAnswer, WordBlock, WordPicture, WordTable } from "./word-blocks.ts";

/** Reads in a worker so that a file that hangs it can be terminated. */
const readWord = async (bytes: ArrayBuffer): Promise<WordBlock[]> => {
  const worker = new Worker(new URL("./word-worker.ts", import.meta.url), { type: "module" });
  const answer = await askPreviewWorker<WordAnswer>(worker, bytes);
  if ("problem" in answer) throw new Error("broken");
  return answer.blocks;
};

/** Shows text and tables of a document without its look. */
export function WordPages({ file }: { file: ItemFile }) {
  const state = useFilePreview(file, readWord);
  if (state.kind !== "open") return <PreviewWait state={state} />;
  return (
    <>
      <p className="mb-3 text-sm text-gray-60" role="status">
        글, 표와 그림을 보여 드립니다. 서식은 파일에서 보실 수 있습니다.
      </p>
      <div className="space-y-2 rounded-md border border-gray-20 px-5 py-4">
        {state.content.length === 0 ? <p>내용이 없는 문서입니다.</p> : <WordBlocks blocks={state.content} />}
      </div>
    </>
  );
}

const ALIGNS = { left: "", center: "text-center", right: "text-right" };

function WordBlocks({ blocks }: { blocks: readonly WordBlock[] }) {
  return blocks.map((block) =>
    "rows" in block ? (
      <WordTableView key={block.id} table={block} />
    ) : "src" in block ? (
      <WordPictureView key={block.id} picture={block} />
    ) : (
      <p
        key={block.id}
        className={cx("min-h-[1lh] whitespace-pre-wrap", ALIGNS[block.align], block.isBold && "font-bold text-gray-90")}
      >
        {block.text}
      </p>
    ),
  );
}

function WordPictureView({ picture: { src, alt, width } }: { picture: WordPicture }) {
  if (src === "") return <p className="text-sm text-gray-60">[그림{alt && `: ${alt}`}. 파일에서 보실 수 있습니다.]</p>;
  return (
    <img
      src={src}
      alt={alt || "문서의 그림"}
      width={width || undefined}
      decoding="async"
      className="h-auto max-h-[70dvh] max-w-full object-contain"
    />
  );
}

function WordTableView({ table }: { table: WordTable }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div role="group" aria-label="문서의 표" tabIndex={0} className="overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <tbody>
          {table.rows.map(({ id, cells }) => (
            <tr key={id}>
              {cells.map((cell) => (
                <td
                  key={cell.id}
                  colSpan={cell.columns}
                  rowSpan={cell.rows}
                  className="border border-gray-30 px-2 py-1.5 align-top"
                >
                  <WordBlocks blocks={cell.blocks} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
