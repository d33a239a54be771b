import type { ReactNode } from "react";
import { useAction } from "#app/features/form/use-action.ts";
import { ConfirmDialog } from "#app/ui/dialog.tsx";

/** What is asked before a row is removed, closed or hidden. */
export interface RowQuestion {
  /** On the row's button and in the dialog. */
  label: string;
  title: string;
  text: ReactNode;
  /** Resolves to what is said afterwards. */
  work: () => Promise<string>;
}

/** Asks, does it, and stays open with the reason where it fails. @param question null closes the dialog */
export function RowQuestionDialog({ question, onClose }: { question: RowQuestion | null; onClose: () => void }) {
  const { busy, run, clear, message } = useAction();
  const close = () => {
    onClose();
    clear();
  };
  const carryOut = async () => {
    if (question && (await run(question.work, (outcome) => outcome))) close();
  };
  return (
    <ConfirmDialog
      open={question !== null}
      onClose={close}
      title={question?.title ?? ""}
      confirmLabel={question?.label ?? ""}
      danger
      busy={busy}
      error={message}
      onConfirm={() => void carryOut()}
    >
      {question?.text}
    </ConfirmDialog>
  );
}
