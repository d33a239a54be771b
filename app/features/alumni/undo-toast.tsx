import { useState } from "react";
import { errorMessage } from "#app/features/account/error-messages.ts";
import { toast } from "#app/ui/toast.tsx";

const LIFE_MS = 10_000;

interface UndoToastProps {
  text: string;
  /** Runs when its caller may be gone. @returns the text of the toast that follows */
  undo: () => Promise<string | null>;
  reload: () => unknown;
}

export const showUndoToast = (props: UndoToastProps) => toast(<UndoToast {...props} />, "success", LIFE_MS);

function UndoToast({ text, undo, reload }: UndoToastProps) {
  const [taken, setTaken] = useState(false);
  const take = async () => {
    setTaken(true);
    try {
      const done = await undo();
      if (done) toast(done, "success");
      await reload();
    } catch (thrown) {
      toast(errorMessage(thrown), "error");
    }
  };
  return (
    <span className="flex items-center justify-between gap-3">
      {text}
      {!taken && (
        <button
          type="button"
          onClick={() => void take()}
          className="-my-1.5 min-h-11 shrink-0 rounded-md px-3 font-semibold underline underline-offset-4 hover:bg-white/15"
        >
          되돌리기
        </button>
      )}
    </span>
  );
}
