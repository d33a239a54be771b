import FileSpreadsheet from "lucide-react/icons/file-spreadsheet";
import { type DragEvent, useState } from "react";
import { cx } from "#app/ui/cx.ts";

const KINDS = ".xlsx,.xlsm,.xlsb,.xls,.ods,.csv,.tsv,.txt,.htm,.html,.xml,.cell";

interface SheetDropZoneProps {
  hint: string;
  multiple?: boolean;
  disabled: boolean;
  onFiles: (files: File[]) => void;
}

/** The button is a label so that the keyboard reaches it. */
export function SheetDropZone({ hint, multiple = false, disabled, onFiles }: SheetDropZoneProps) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0 && !disabled) onFiles(files);
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
        엑셀(xlsx, xls 등), ods, csv, txt · {hint} · 고르기만 해서는 아무것도 저장되지 않습니다
      </span>
      <input
        type="file"
        multiple={multiple}
        accept={KINDS}
        disabled={disabled}
        className="sr-only"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // Resets the input so that choosing the same file again fires a change event.
          event.target.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </label>
  );
}
