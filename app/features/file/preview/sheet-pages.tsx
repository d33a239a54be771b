import { PreviewWait, useFilePreview } from "./preview-loading.tsx";
import {
  SHEET_COLUMNS,
  SHEET_ROWS,
  type SheetAnswer,
  type ShownSheet,
} from "#app/features/file/preview/sheet-protocol.ts";
import type { ItemFile } from "#worker/contract/file/view.ts";

const READ_MS = 30_000;

/** Reads in a worker so that a file that hangs it can be terminated. */
async function readSheets(bytes: ArrayBuffer): Promise<ShownSheet[]> {
  const worker = new Worker(new URL("./sheet-worker.ts", import.meta.url), { type: "module" });
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("slow")), READ_MS);
      const end = (act: () => void) => {
        clearTimeout(timer);
        act();
      };
      worker.addEventListener("message", ({ data }: MessageEvent<SheetAnswer>) =>
        end(() => ("problem" in data ? reject(new Error("broken")) : resolve(data.sheets))),
      );
      worker.addEventListener("error", () => end(() => reject(new Error("broken"))));
      worker.postMessage({ bytes }, [bytes]);
    });
  } finally {
    worker.terminate();
  }
}

export function SheetPages({ file }: { file: ItemFile }) {
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
