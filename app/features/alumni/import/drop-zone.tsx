import FileSpreadsheet from "lucide-react/icons/file-spreadsheet";
import { type DragEvent, useState } from "react";
import { cx } from "#app/ui/cx.ts";

/** A file is dropped or chosen; the label is the button, so that the keyboard finds it. */
export function ImportDropZone({ onFile, disabled }: { onFile: (file: File) => void; disabled: boolean }) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !disabled) onFile(file);
  };
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        "flex cursor-pointer flex-col items-center gap-3 rounded-xl border-2 border-dashed px-4 py-10 text-center transition-colors has-focus-visible:outline-3 has-focus-visible:outline-focus",
        over ? "border-primary-60 bg-primary-5" : "border-gray-40 hover:border-primary-60 hover:bg-primary-5",
      )}
    >
      <FileSpreadsheet aria-hidden="true" className="size-10 text-primary-50" />
      <span className="text-lg font-semibold text-gray-90">파일을 여기에 놓거나 눌러서 고르십시오</span>
      <span className="text-sm text-gray-60">
        xlsx, xls, csv · 20MB, 50,000행까지 · 고르기만 해서는 아무것도 저장되지 않습니다
      </span>
      <input
        type="file"
        accept=".xlsx,.xls,.csv"
        disabled={disabled}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file again must be a change too.
          event.target.value = "";
          if (file) onFile(file);
        }}
      />
    </label>
  );
}
