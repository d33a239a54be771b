import { useState } from "react";
import { deferSubmit } from "#app/features/form/unsaved.ts";
import { ConfirmDialog } from "#app/ui/dialog.tsx";

/** Asks before a submit that has consequences and sends others at once. */
export function useConsequences() {
  const [asked, setAsked] = useState<{ title: string; consequences: readonly string[]; send: () => void } | null>(null);
  const sendAsked = (title: string, consequences: readonly string[], send: () => void) => {
    if (consequences.length === 0) send();
    else {
      const defer = deferSubmit();
      setAsked({ title, consequences, send: () => defer(send) });
    }
  };
  const dialog = (
    <ConfirmDialog
      open={asked !== null}
      onClose={() => setAsked(null)}
      title={asked?.title ?? ""}
      confirmLabel="저장"
      danger
      onConfirm={() => {
        asked?.send();
        setAsked(null);
      }}
    >
      <ul className="list-disc space-y-1 pl-5">
        {asked?.consequences.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
  return { sendAsked, dialog };
}
