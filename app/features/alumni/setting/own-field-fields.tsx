import { useState } from "react";
import { formText, splitLines } from "#app/features/form/form-values.ts";
import { Checkbox, RadioGroup } from "#app/ui/choice.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import {
  guessRenames,
  hasChoices,
  OWN_FIELD_ACCESS,
  OWN_FIELD_ACCESS_LABELS,
  OWN_FIELD_KIND_LABELS,
  OWN_FIELD_KINDS,
  OWN_FIELD_LIMITS,
  type OwnField,
  type OwnFieldAccess,
  type OwnFieldKind,
} from "#worker/contract/alumni/own-fields.ts";
import { particleOf } from "#worker/contract/kernel/wording.ts";

interface OwnFieldFieldsProps {
  start: Partial<OwnField>;
  errors: Record<string, string>;
  /** False once values exist, because the kind can no longer change. */
  canChooseKind: boolean;
  kinds?: readonly OwnFieldKind[];
}

export const readOwnFieldForm = (form: FormData) => {
  const access = formText(form, "access") as OwnFieldAccess;
  return {
    name: formText(form, "name"),
    kind: formText(form, "kind") as OwnFieldKind,
    choices: splitLines(formText(form, "choices")),
    renames: form.getAll("renames").map((pair) => {
      const [from = "", to = ""] = String(pair).split("\n");
      return { from, to };
    }),
    required: form.has("required"),
    access,
    personEdits: access !== "office" && form.has("personEdits"),
    inList: form.has("inList"),
  };
};

export function OwnFieldFields({ start, errors, canChooseKind, kinds = OWN_FIELD_KINDS }: OwnFieldFieldsProps) {
  const [kind, setKind] = useState<OwnFieldKind>(start.kind ?? "text");
  const [choices, setChoices] = useState<readonly string[]>(start.choices ?? []);
  const renames = guessRenames(start.choices ?? [], choices);
  const [access, setAccess] = useState<OwnFieldAccess>(start.access ?? "office");
  return (
    <>
      <Field label="항목 이름" required error={errors.name}>
        <Input name="name" defaultValue={start.name ?? ""} maxLength={OWN_FIELD_LIMITS.name} />
      </Field>
      {canChooseKind ? (
        <Field label="적는 방법" error={errors.kind} hint="만든 뒤에는 바꿀 수 없습니다.">
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
        <Field label="고를 수 있는 말" hint="한 줄에 하나씩 적습니다." required error={errors.choices}>
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
        legend="볼 수 있는 사람"
        name="access"
        error={errors.access}
        options={OWN_FIELD_ACCESS.map((value) => ({ value, label: OWN_FIELD_ACCESS_LABELS[value] }))}
        value={access}
        onChange={(value) => setAccess(value as OwnFieldAccess)}
      />
      <div className="grid">
        {access !== "office" && (
          <Checkbox
            name="personEdits"
            label="본인이 자기 정보에서 고칠 수 있습니다"
            defaultChecked={start.personEdits ?? false}
          />
        )}
        <Checkbox name="required" label="반드시 적어야 합니다" defaultChecked={start.required ?? false} />
        <Checkbox name="inList" label="목록에 처음부터 열로 보입니다" defaultChecked={start.inList ?? false} />
      </div>
    </>
  );
}
