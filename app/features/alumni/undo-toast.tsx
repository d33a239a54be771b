import { useState } from "react";
import { toast } from "#app/ui/toast.tsx";

const LIFE_MS = 10_000;

export function showUndoToast(text: string, undo: () => unknown): void {
  toast(<UndoToast text={text} undo={undo} />, "success", LIFE_MS);
}

function UndoToast({ text, undo }: { text: string; undo: () => unknown }) {
  const [taken, setTaken] = useState(false);
  return (
    <span className="flex items-center justify-between gap-3">
      {text}
      {!taken && (
        <button
          type="button"
          onClick={() => {
            setTaken(true);
            undo();
          }}
          className="-my-1.5 min-h-11 shrink-0 rounded-md px-3 font-semibold underline underline-offset-4 hover:bg-white/15"
        >
          되돌리기
        </button>
      )}
    </span>
  );
}
