import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { type AlumniListChoice, alumniListPath } from "#app/features/alumni/list-choice.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import { bookFields } from "#worker/contract/alumni/alumni-settings.ts";
import { PRIVATE_FIELDS } from "#worker/contract/alumni/columns.ts";
import { type AlumniFieldCode, isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import { NO, YES } from "#worker/contract/alumni/own-values.ts";
import {
  FIELD_FILTER_LENGTH,
  type FieldFilter,
  FILTER_OPERATOR_LABELS,
  FILTER_OPERATORS,
  type FilterOperator,
  parseFieldFilter,
} from "#worker/contract/alumni/list.ts";

const PLACEHOLDERS: Partial<Record<FilterOperator, string>> = {
  has: "찾을 말",
  in: "쉼표로 나누어 여러 값",
};

const conditionText = (label: string, { operator, values }: FieldFilter) => {
  const [from = "", to = ""] = values;
  if (operator === "between") return `${label} ${from || "처음"}~${to || "끝"}`;
  return values.length === 0
    ? `${label} ${FILTER_OPERATOR_LABELS[operator]}`
    : `${label} ${values.join(", ")} ${FILTER_OPERATOR_LABELS[operator]}`;
};

export function FieldConditions({ choice, canWrite }: { choice: AlumniListChoice; canWrite: boolean }) {
  const { conditions } = choice;
  const labelOf = useColumnLabel();
  const without = (condition: FieldFilter) =>
    alumniListPath(choice, { conditions: conditions.filter((each) => each !== condition), page: "1", person: "" });
  return (
    <div className="mt-2 text-sm">
      {conditions.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="항목별 조건">
          {conditions.map((condition) => (
            <li key={condition.field}>
              <Link
                to={without(condition)}
                preventScrollReset
                className="inline-flex min-h-11 items-center gap-1.5 rounded-md bg-primary-10 px-3 text-primary-80 md:min-h-9"
              >
                {conditionText(labelOf(condition.field), condition)}
                <span aria-hidden="true">×</span>
                <span className="sr-only"> 조건 지우기</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {useIsHydrated() && <AddCondition choice={choice} canWrite={canWrite} />}
    </div>
  );
}

function AddCondition({ choice, canWrite }: { choice: AlumniListChoice; canWrite: boolean }) {
  const navigate = useNavigate();
  const labelOf = useColumnLabel();
  const { own } = choice.view;
  const isAskable = (field: AlumniFieldCode) =>
    canWrite ||
    (isOwnFieldCode(field)
      ? own.some(({ code, access }) => code === field && access === "members")
      : field !== "memo" && !(PRIVATE_FIELDS as readonly string[]).includes(field));
  const fields = bookFields(choice.view).filter((field) => isAskable(field));
  const [field, setField] = useState<AlumniFieldCode>(fields[0] ?? "name");
  const [operator, setOperator] = useState<FilterOperator>("has");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const add = () => {
    const texts = operator === "between" ? [from, to] : [from];
    const condition = parseFieldFilter(field, `${operator}:${texts.join(",")}`);
    setProblem(condition ? null : "찾을 값을 맞게 적어 주십시오.");
    if (condition === null) return;
    setFrom("");
    setTo("");
    const conditions = [...choice.conditions.filter((each) => each.field !== field), condition];
    void navigate(alumniListPath(choice, { conditions, page: "1", person: "" }), { preventScrollReset: true });
  };
  const chosen = own.find(({ code }) => code === field);
  const choices = chosen?.kind === "yesNo" ? [YES, NO] : (chosen?.choices ?? []);
  const hasValue = operator !== "empty" && operator !== "filled";
  const value = (label: string, text: string, set: (text: string) => void) => (
    <Field label={label} className="min-w-0 flex-1" error={problem}>
      <Input
        value={text}
        maxLength={FIELD_FILTER_LENGTH}
        placeholder={PLACEHOLDERS[operator]}
        list={choices.length > 0 ? "field-choices" : undefined}
        onChange={(event) => set(event.target.value)}
      />
    </Field>
  );
  return (
    <details>
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-gray-70 underline underline-offset-4">
        항목별 조건
      </summary>
      <div className="flex flex-wrap items-end gap-3 pb-2">
        <Field label="항목" className="w-40">
          <Select
            value={field}
            options={fields.map((each) => ({ value: each, label: labelOf(each) }))}
            onChange={(event) => setField(event.target.value as AlumniFieldCode)}
          />
        </Field>
        <Field label="조건" className="w-44">
          <Select
            value={operator}
            options={FILTER_OPERATORS.map((each) => ({ value: each, label: FILTER_OPERATOR_LABELS[each] }))}
            onChange={(event) => setOperator(event.target.value as FilterOperator)}
          />
        </Field>
        {hasValue && value(operator === "between" ? "부터" : "값", from, setFrom)}
        {operator === "between" && value("까지", to, setTo)}
        {choices.length > 0 && (
          <datalist id="field-choices">
            {choices.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </datalist>
        )}
        <Button onClick={add}>조건 더하기</Button>
      </div>
    </details>
  );
}
