import type { ComponentProps, ReactNode } from "react";
import { type DoneMessage, useAction } from "#app/features/form/use-action.ts";
import { FormDialog } from "#app/ui/form-dialog.tsx";

type Outcome = Pick<ReturnType<typeof useAction>, "fields" | "general" | "problem">;

interface ActionDialogProps<T> extends Pick<
  ComponentProps<typeof FormDialog>,
  "open" | "onClose" | "title" | "submitLabel" | "size"
> {
  work: (form: FormData) => Promise<T>;
  done: DoneMessage<T>;
  /** What is shown at the foot; of itself what is wrong with no field in particular. */
  errorOf?: (outcome: Outcome) => string | null | undefined;
  /** @param errors by the names of the fields */
  children: (errors: Record<string, string>) => ReactNode;
}

/** A form in a dialog that does one thing: it closes when that is done, and forgets what was wrong when it is closed. */
export function ActionDialog<T>(props: ActionDialogProps<T>) {
  const { onClose, work, done, errorOf = ({ general }) => general, children, ...dialog } = props;
  const { busy, run, clear, fields, general, problem } = useAction();
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
      error={errorOf({ fields, general, problem })}
      onSubmit={(form) => void submit(form)}
    >
      {children(fields)}
    </FormDialog>
  );
}
