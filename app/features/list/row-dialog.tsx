import { type ReactNode, type SyntheticEvent, useState } from "react";
import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import { type ShownValues, useConflict } from "#app/features/form/use-conflict.ts";
import { useAction } from "#app/features/form/action.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import type { TextField } from "#app/features/list/ordered-rows.tsx";

export function useEditedRow<Row>(rows: readonly Row[], rowKey: TextField<Row>) {
  const keyOf = (row: Row) => String(row[rowKey]);
  const [opened, setOpened] = useState<{ row: Row | null } | null>(null);
  const from = opened?.row ?? null;
  return {
    isOpen: opened !== null,
    key: opened === null ? "closed" : from === null ? "new" : keyOf(from),
    // Keeps the old row if it was removed meanwhile.
    row: from && (rows.find((row) => keyOf(row) === keyOf(from)) ?? from),
    add: () => setOpened({ row: null }),
    edit: (row: Row) => setOpened({ row }),
    close: () => setOpened(null),
  };
}
export type EditedRow<Row> = Omit<ReturnType<typeof useEditedRow<Row>>, "key">;

interface Versioned {
  version: number;
}
const NEW_ROW: Versioned = { version: 0 };

export interface RowDialogProps<Row extends Versioned, Values> {
  edited: EditedRow<Row>;
  title: string;
  submitLabel?: string;
  size?: "sm" | "md" | "lg";
  read: (form: FormData) => Values;
  /** Row and typed values by field label, for the conflict view. */
  describe?: (values: Values | Row) => ShownValues;
  /** @param row the stored row with the version shown, or null for a new one */
  save: (values: Values, row: Row | null) => Promise<unknown>;
  done: string;
  /** Runs after the dialog is closed. */
  onSaved?: (values: Values) => void | Promise<void>;
  onInput?: (form: FormData) => void;
  /** Runs when the form is reset to the stored values. */
  onTake?: () => void;
  beside?: ReactNode;
  /** `general` is the error without a field. */
  children: (row: Row | null, errors: Record<string, string>, general: string | null) => ReactNode;
  hidesGeneral?: boolean;
}

/** Untouched fields follow the stored values; conflicts show both values. */
export function RowDialog<Row extends Versioned, Values>(props: RowDialogProps<Row, Values>) {
  const { edited, title, submitLabel = "저장", size = "md", read, describe, save, done, children } = props;
  const { busy, run, fields, general, isConflict } = useAction();
  const { conflict, generation, versionToSend, take } = useConflict<Versioned | Row>({
    latest: edited.row ?? NEW_ROW,
    describe: (row) => (row === NEW_ROW ? {} : (describe?.(row as Row) ?? {})),
    isConflict,
    follows: true,
  });
  const submit = async (form: FormData, event: SyntheticEvent) => {
    const values = read(form);
    const version = versionToSend(event, describe?.(values) ?? {});
    if (!(await run(() => save(values, edited.row && { ...edited.row, version }), done))) return;
    edited.close();
    await props.onSaved?.(values);
  };
  return (
    <FormDialog
      open={edited.isOpen}
      onClose={edited.close}
      title={title}
      size={size}
      generation={generation}
      submitLabel={submitLabel}
      busy={busy}
      error={props.hidesGeneral || conflict ? null : general}
      onSubmit={(form, event) => void submit(form, event)}
      onInput={props.onInput}
      beside={props.beside}
    >
      {children(edited.row, fields, general)}
      <ConflictAlert
        conflict={conflict}
        busy={busy}
        onTake={() => {
          take();
          props.onTake?.();
        }}
      />
    </FormDialog>
  );
}
