import { type ReactNode, useState } from "react";
import { formText } from "#app/features/form/form-values.ts";
import { LongReasonField } from "#app/features/form/reason-field.tsx";
import { type ActionOptions, type DoneMessage, useAction } from "#app/features/form/use-action.ts";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";

export interface Question<T = unknown> extends Pick<ActionOptions, "reloads"> {
  label: string;
  title: string;
  text?: ReactNode;
  danger?: boolean;
  /** The hint of a reason field; the audit log keeps the reason. */
  reasonHint?: string;
  work: (reason: string) => Promise<T>;
  done: DoneMessage<T>;
  disabled?: boolean;
  /** Runs after the dialog is closed. */
  onDone?: ((result: T) => unknown) | undefined;
}

export const REASON_HINT = "감사 기록에 남습니다.";

/** Stays open with an error if the work fails. @param question null closes the dialog */
export function QuestionDialog<T>({ question, onClose }: { question: Question<T> | null; onClose: () => void }) {
  const { busy, run, clear, fields, message } = useAction({ reloads: question?.reloads });
  const close = () => {
    onClose();
    clear();
  };
  const carryOut = async (reason: string) => {
    if (!question) return;
    const outcome: T[] = [];
    const work = async () => {
      const result = await question.work(reason);
      outcome.push(result);
      return result;
    };
    if (!(await run(work, question.done))) return;
    close();
    for (const result of outcome) await question.onDone?.(result);
  };
  const { label = "", title = "", text, danger = false, disabled = false, reasonHint } = question ?? {};
  const dialog = { open: question !== null, onClose: close, title, danger, disabled, busy };
  if (reasonHint === undefined)
    return (
      <ConfirmDialog {...dialog} confirmLabel={label} error={message} onConfirm={() => void carryOut("")}>
        {text}
      </ConfirmDialog>
    );
  return (
    <FormDialog {...dialog} submitLabel={label} onSubmit={(form) => void carryOut(formText(form, "reason").trim())}>
      {text}
      <LongReasonField hint={reasonHint} error={fields.reason ?? message} />
    </FormDialog>
  );
}

export function QuestionButton<T>({
  question,
  children = question.label,
  ...button
}: Omit<ButtonProps, "onClick"> & { question: Question<T> }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant={question.danger ? "danger" : undefined} {...button} onClick={() => setOpen(true)}>
        {children}
      </Button>
      <QuestionDialog question={open ? question : null} onClose={() => setOpen(false)} />
    </>
  );
}
