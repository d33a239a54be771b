import { type ReactNode, useState } from "react";
import { useAction } from "#app/features/form/use-action.ts";
import { FormDialog } from "#app/ui/form-dialog.tsx";

/** Which row is being written: one of the list as it is stored now, a new one, or none. */
export function useEditedRow<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const [opened, setOpened] = useState<{ row: Row | null } | null>(null);
  const from = opened?.row ?? null;
  return {
    isOpen: opened !== null,
    /** Another row is another form. */
    key: opened === null ? "closed" : from === null ? "new" : keyOf(from),
    // One that somebody removed meanwhile stays as it was.
    row: from && (rows.find((row) => keyOf(row) === keyOf(from)) ?? from),
    add: () => setOpened({ row: null }),
    edit: (row: Row) => setOpened({ row }),
    close: () => setOpened(null),
  };
}
export type EditedRow<Row> = Omit<ReturnType<typeof useEditedRow<Row>>, "key">;

interface RowDialogProps<Row> {
  edited: EditedRow<Row>;
  title: string;
  submitLabel?: string;
  size?: "sm" | "md" | "lg";
  /** What is stored; called again with the newest row after a conflict. */
  save: (form: FormData, row: Row | null) => Promise<unknown>;
  done: string;
  /** After the dialog is closed. */
  onSaved?: (form: FormData) => void | Promise<void>;
  onInput?: (form: FormData) => void;
  beside?: ReactNode;
  /** `general` is what is wrong with no field in particular. */
  children: (row: Row | null, errors: Record<string, string>, general: string | null) => ReactNode;
  /** Shown beside a field instead of at the end of the form. */
  hidesGeneral?: boolean;
}

/** Adds or changes one row of a list. What was typed stays when somebody else was first; the rest follows what is stored. */
export function RowDialog<Row>(props: RowDialogProps<Row>) {
  const { edited, title, submitLabel = "저장", size = "md", save, done, onSaved, onInput, beside, children } = props;
  const { busy, run, fields, general } = useAction();
  const submit = async (form: FormData) => {
    if (!(await run(() => save(form, edited.row), done))) return;
    edited.close();
    await onSaved?.(form);
  };
  return (
    <FormDialog
      open={edited.isOpen}
      onClose={edited.close}
      title={title}
      size={size}
      submitLabel={submitLabel}
      busy={busy}
      error={props.hidesGeneral ? null : general}
      onSubmit={(form) => void submit(form)}
      {...(onInput ? { onInput } : {})}
      beside={beside}
    >
      {children(edited.row, fields, general)}
    </FormDialog>
  );
}
