import { useState } from "react";
import { splitLines } from "#app/features/form/action.tsx";
import { readRow, RowControls } from "#app/features/form/row-fields.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { isImportable, type OwnField } from "#worker/contract/alumni/own-fields.ts";
import { guessRenames } from "#worker/contract/kernel/choice-rename.ts";
import { alumniFieldRow } from "#worker/contract/alumni/rows.ts";
import { particleOf } from "#worker/contract/kernel/wording.ts";

interface OwnFieldFieldsProps {
  /** With a version once the field exists, whose kind can no longer change. */
  values: (Partial<OwnField> & { version?: number }) | null;
  errors: Record<string, string | undefined>;
  /** Whether the field takes a column of a file. */
  isImported?: boolean;
}

const { fields } = alumniFieldRow;
const kinds = Object.entries(fields.kind.options ?? {});
const IMPORTED = Object.fromEntries(kinds.filter(([kind]) => isImportable({ kind: kind as OwnField["kind"] })));

export const readOwnFieldForm = (form: FormData) => ({
  ...readRow(fields, form),
  renames: form.getAll("renames").map((pair) => {
    const [from = "", to = ""] = String(pair).split("\n");
    return { from, to };
  }),
});
export type OwnFieldForm = ReturnType<typeof readOwnFieldForm>;

export function OwnFieldFields({ values, errors, isImported = false }: OwnFieldFieldsProps) {
  const { choices: before = [], kind, version } = values ?? {};
  const [choices, setChoices] = useState<readonly string[]>(before);
  const renames = guessRenames(before, choices);
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
      {renames.length > 0 && (
        <fieldset>
          <legend className="mb-1 font-semibold">이름을 바꾼 말</legend>
          {renames.map(({ from, to }) => (
            <Checkbox
              key={`${from}\n${to}`}
              name="renames"
              value={`${from}\n${to}`}
              defaultChecked
              label={`‘${from}’${particleOf(from, "을/를")} 고른 사람의 값도 ‘${to}’${particleOf(to, "으로/로")} 바꿉니다.`}
            />
          ))}
        </fieldset>
      )}
      <RowControls {...controls} only={["access", "personEdits", "required", "inList"]} />
    </>
  );
}
