import type { ComponentProps, ReactNode } from "react";
import { type DoneMessage, useAction } from "#app/features/form/use-action.ts";
import { ReasonField } from "#app/features/form/reason-field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";

type Outcome = Pick<ReturnType<typeof useAction>, "fields" | "general" | "message" | "problem">;

interface ActionDialogProps<T> extends Pick<
  ComponentProps<typeof FormDialog>,
  "open" | "onClose" | "title" | "submitLabel" | "size"
> {
  work: (form: FormData) => Promise<T>;
  done: DoneMessage<T>;
  /** Returns the error shown below the form; by default the one without a field. */
  errorOf?: (outcome: Outcome) => string | null | undefined;
  /** Adds a reason field with this example. */
  reasonExample?: string;
  /** @param errors by field name */
  children: (errors: Record<string, string>) => ReactNode;
}

/** Closes when the work succeeds and clears its errors when it is closed. */
export function ActionDialog<T>(props: ActionDialogProps<T>) {
  const { onClose, work, done, errorOf = ({ general }) => general, reasonExample, children, ...dialog } = props;
  const { busy, run, clear, fields, general, message, problem } = useAction();
  const close = () => {
    clear();
    onClose();
  };
  const submit = async (form: FormData) => {
    if (await run(() => work(form), done)) close();
  };
  return (
    <FormDialog
      {...dialog}
      onClose={close}
      busy={busy}
      error={errorOf({ fields, general, message, problem })}
      onSubmit={(form) => void submit(form)}
    >
      {children(fields)}
      {reasonExample !== undefined && <ReasonField error={fields.reason} placeholder={reasonExample} />}
    </FormDialog>
  );
}
