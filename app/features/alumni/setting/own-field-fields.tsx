import { useState } from "react";
import { splitLines } from "#app/features/form/action.tsx";
import { ChoiceRenames, readRenames } from "#app/features/form/choice-renames.tsx";
import { readRow, RowControls } from "#app/features/form/row-fields.tsx";
import { isImportable, type OwnField } from "#worker/contract/alumni/own-fields.ts";
import { alumniFieldRow } from "#worker/contract/alumni/rows.ts";

interface OwnFieldFieldsProps {
  /** With a version once the field exists, whose kind can no longer change. */
  values: (Partial<OwnField> & { version?: number }) | null;
  errors: Record<string, string | undefined>;
  /** Whether the field takes a column of a file. */
  isImported?: boolean;
}

const { fields } = alumniFieldRow;
const kinds = Object.entries(fields.kind.options);
const IMPORTED = Object.fromEntries(kinds.filter(([kind]) => isImportable({ kind: kind as OwnField["kind"] })));

export const readOwnFieldForm = (form: FormData) => ({
  ...readRow(fields, form),
  ...readRenames(form),
});
export type OwnFieldForm = ReturnType<typeof readOwnFieldForm>;

export function OwnFieldFields({ values, errors, isImported = false }: OwnFieldFieldsProps) {
  const { choices: before = [], kind, version } = values ?? {};
  const [choices, setChoices] = useState<readonly string[]>(before);
  const shown = isImported ? { ...fields, kind: { ...fields.kind, options: IMPORTED } } : fields;
  const controls = { fields: shown, values, errors };
  return (
    <>
      <div
        className="contents"
        onInput={({ target }) => {
          if (target instanceof HTMLTextAreaElement) setChoices(splitLines(target.value));
        }}
      >
        <RowControls {...controls} only={["name", ...(version === undefined ? (["kind"] as const) : []), "choices"]} />
      </div>
      {version !== undefined && <input type="hidden" name="kind" value={kind} />}
      <ChoiceRenames before={before} choices={choices} error={errors["choices"]} />
      <RowControls {...controls} only={["access", "personEdits", "required", "inList"]} />
    </>
  );
}
