import { type ComponentProps, type ReactNode, useState } from "react";
import { type ActionOptions, type DoneMessage, outcomeOf, useAction } from "#app/features/form/action.tsx";
import { ReasonField } from "#app/features/form/reason-field.tsx";
import { Button } from "#app/ui/button.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";

type Outcome = Pick<ReturnType<typeof useAction>, "fields" | "general" | "message" | "problem">;

interface ActionDialogProps<T> extends Pick<
  ComponentProps<typeof FormDialog>,
  "open" | "onClose" | "title" | "submitLabel" | "size" | "danger"
> {
  reloads?: ActionOptions["reloads"];
  work: (form: FormData) => Promise<T>;
  done: DoneMessage<T>;
  /** Runs after the dialog is closed. */
  onDone?: ((result: T) => unknown) | undefined;
  /** Returns the error shown below the form; by default the one without a field. */
  errorOf?: (outcome: Outcome) => string | null | undefined;
  /** Adds a reason field with this example. */
  reasonExample?: string;
  /** @param errors by field name */
  children: (errors: Record<string, string>) => ReactNode;
}

/** Closes when the work succeeds and clears its errors when it is closed. */
export function ActionDialog<T>(props: ActionDialogProps<T>) {
  const {
    onClose,
    reloads,
    work,
    done,
    onDone,
    errorOf = ({ general }) => general,
    reasonExample,
    children,
    ...dialog
  } = props;
  const { busy, run, clear, fields, general, message, problem } = useAction({ reloads });
  const close = () => {
    clear();
    onClose();
  };
  const submit = async (form: FormData) => {
    const outcome = await outcomeOf(run, () => work(form), done);
    if (!outcome) return;
    close();
    await onDone?.(outcome.result);
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

interface ActionButtonProps<T> extends Omit<ActionDialogProps<T>, "open" | "onClose"> {
  label: string;
  className?: string;
  /** For a link to the dialog itself. */
  startsOpen?: boolean;
}

/** Opens the dialog of an action. */
export function ActionButton<T>({ label, className, startsOpen = false, ...dialog }: ActionButtonProps<T>) {
  const [open, setOpen] = useState(startsOpen);
  return (
    <>
      <Button size="sm" className={className} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <ActionDialog {...dialog} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
