import { useState } from "react";
import { splitLines } from "#app/features/form/form-values.ts";
import { readRow, RowControls } from "#app/features/form/row-fields.tsx";
import { Checkbox, RadioGroup } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import {
  guessRenames,
  hasChoices,
  OWN_FIELD_ACCESS,
  OWN_FIELD_ACCESS_LABELS,
  OWN_FIELD_KIND_LABELS,
  OWN_FIELD_KINDS,
  type OwnField,
  type OwnFieldAccess,
  type OwnFieldKind,
} from "#worker/contract/alumni/own-fields.ts";
import { alumniFieldRow } from "#worker/contract/alumni/rows.ts";
import { particleOf } from "#worker/contract/kernel/wording.ts";

interface OwnFieldFieldsProps {
  /** With a version once the field exists, whose kind can no longer change. */
  values: (Partial<OwnField> & { version?: number }) | null;
  errors: Record<string, string | undefined>;
  kinds?: readonly OwnFieldKind[];
}

const { fields } = alumniFieldRow;

export const readOwnFieldForm = (form: FormData) => ({
  ...readRow(fields, form),
  renames: form.getAll("renames").map((pair) => {
    const [from = "", to = ""] = String(pair).split("\n");
    return { from, to };
  }),
});
export type OwnFieldForm = ReturnType<typeof readOwnFieldForm>;

export function OwnFieldFields({ values, errors, kinds = OWN_FIELD_KINDS }: OwnFieldFieldsProps) {
  const start = values ?? {};
  const [kind, setKind] = useState<OwnFieldKind>(start.kind ?? "text");
  const [choices, setChoices] = useState<readonly string[]>(start.choices ?? []);
  const renames = guessRenames(start.choices ?? [], choices);
  const [access, setAccess] = useState<OwnFieldAccess>(start.access ?? "office");
  const controls = { fields, values, errors };
  return (
    <>
      <RowControls {...controls} only={["name"]} />
      {start.version === undefined ? (
        <Field label={fields.kind.label} error={errors.kind} hint={fields.kind.hint}>
          <Select
            name="kind"
            value={kind}
            options={kinds.map((value) => ({ value, label: OWN_FIELD_KIND_LABELS[value] }))}
            onChange={(event) => setKind(event.target.value as OwnFieldKind)}
          />
        </Field>
      ) : (
        <input type="hidden" name="kind" value={kind} />
      )}
      {hasChoices(kind) && (
        <Field label={fields.choices.label} hint={fields.choices.hint} required error={errors.choices}>
          <Textarea
            name="choices"
            rows={4}
            defaultValue={(start.choices ?? []).join("\n")}
            onChange={(event) => setChoices(splitLines(event.target.value))}
          />
        </Field>
      )}
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
      <RadioGroup
        legend={fields.access.label}
        name="access"
        error={errors.access}
        options={OWN_FIELD_ACCESS.map((value) => ({ value, label: OWN_FIELD_ACCESS_LABELS[value] }))}
        value={access}
        onChange={(value) => setAccess(value as OwnFieldAccess)}
      />
      <div className="grid">
        <RowControls
          {...controls}
          only={access === "office" ? ["required", "inList"] : ["personEdits", "required", "inList"]}
        />
      </div>
    </>
  );
}
