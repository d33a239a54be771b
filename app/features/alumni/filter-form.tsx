import Search from "lucide-react/icons/search";
import { Form, Link, useNavigate } from "react-router";
import {
  type AlumniListChoice,
  alumniListPath,
  hiddenAlumniFields,
  isAlumniFiltered,
} from "#app/features/alumni/list-choice.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { type AlumniField, fieldKind, isOfficeField, PRIVATE_FIELDS } from "#worker/contract/alumni/columns.ts";
import {
  ALUMNI_TEXT_LIMITS,
  FIELD_FILTER_LENGTH,
  type FieldFilter,
  FILTER_OPERATOR_LABELS,
  FILTER_OPERATORS,
  type FilterOperator,
  duesFilterWords,
  parseDuesFilter,
  parseFieldFilter,
} from "#worker/contract/alumni/list.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import type { AlumniListPage } from "#worker/domain/alumni/list.server.ts";
import { useState } from "react";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import { bookFields } from "#worker/contract/alumni/alumni-settings.ts";
import { type AlumniFieldCode, isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import { now } from "#app/lib/clock.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { NO, YES } from "#worker/contract/alumni/own-values.ts";

const NUMBERS = [
  { name: "cohort", numbers: "cohorts", label: "기수", unit: "기", width: "lg:w-32" },
  { name: "graduationYear", numbers: "graduationYears", label: "졸업연도", unit: "년", width: "lg:w-36" },
] as const;

/** A plain GET form, so the filter is part of the URL. */
export function AlumniFilterForm({
  choice,
  options,
  can,
}: {
  choice: AlumniListChoice;
} & Pick<AlumniListPage, "options" | "can">) {
  const own = ["keyword", "cohort", "graduationYear", "affiliation"] as const;
  const has = (field: AlumniField) => choice.view.fields.includes(field);
  const looked = ["이름", "ㅎㄱㄷ", has("affiliation") && "소속", (has("mobile") || has("phone")) && "전화번호"];
  return (
    <div className="rounded-xl border border-gray-20 bg-gray-5 p-4 md:p-5">
      <Form action="/Alumni" role="search" preventScrollReset key={own.map((key) => choice[key]).join("\n")}>
        {hiddenAlumniFields(choice, own).map(([key, value]) => (
          <input key={key} type="hidden" name={key} value={value} />
        ))}
        <div className="grid grid-cols-2 gap-3 lg:flex lg:items-end">
          <Field label="검색어" className="col-span-2 lg:flex-[2]">
            <Input
              name="keyword"
              type="search"
              maxLength={SIZE_LIMITS.keywordLength}
              defaultValue={choice.keyword}
              placeholder={looked.filter(Boolean).join(", ")}
              autoComplete="off"
            />
          </Field>
          {NUMBERS.filter(({ name }) => has(name)).map(({ name, numbers, label, unit, width }) => (
            <Field key={name} label={label} className={width}>
              <Select
                name={name}
                defaultValue={choice[name]}
                placeholder="전체"
                options={options[numbers].map((value) => ({ value: String(value), label: `${value}${unit}` }))}
              />
            </Field>
          ))}
          {has("affiliation") && (
            <Field label="소속" className="col-span-2 lg:flex-[1.3]">
              <Input
                name="affiliation"
                maxLength={ALUMNI_TEXT_LIMITS.affiliationFilter}
                defaultValue={choice.affiliation}
                list="alumni-affiliations"
              />
              <datalist id="alumni-affiliations">
                {options.affiliations.map((value) => (
                  <option key={value}>{value}</option>
                ))}
              </datalist>
            </Field>
          )}
          <Button type="submit" variant="primary" className="col-span-2">
            <Search aria-hidden="true" className="size-5" />
            검색
          </Button>
        </div>
        {isAlumniFiltered(choice) && (
          <Link
            to="/Alumni"
            className="mt-2 inline-flex min-h-11 items-center text-sm text-gray-70 underline underline-offset-4 hover:text-primary-60"
          >
            검색 조건 지우기
          </Link>
        )}
      </Form>
      <FieldConditions choice={choice} can={can} />
    </div>
  );
}

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

function FieldConditions({ choice, can }: { choice: AlumniListChoice; can: AlumniListPage["can"] }) {
  const { conditions } = choice;
  const labelOf = useColumnLabel();
  const without = (condition: FieldFilter) =>
    alumniListPath(choice, { conditions: conditions.filter((each) => each !== condition), page: "1", person: "" });
  const dues = parseDuesFilter(choice.dues);
  const chips = [
    ...conditions.map((condition) => ({
      text: conditionText(labelOf(condition.field), condition),
      to: without(condition),
    })),
    ...(dues ? [{ text: duesFilterWords(dues), to: alumniListPath(choice, { dues: "", page: "1", person: "" }) }] : []),
  ];
  return (
    <div className="mt-2 text-sm">
      {chips.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="항목별 조건">
          {chips.map(({ text, to }) => (
            <li key={text}>
              <Link
                to={to}
                preventScrollReset
                className="inline-flex min-h-11 items-center gap-1.5 rounded-md bg-primary-10 px-3 text-primary-80 md:min-h-9"
              >
                {text}
                <span aria-hidden="true">×</span>
                <span className="sr-only"> 조건 지우기</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {useIsHydrated() && (
        <>
          <AddCondition choice={choice} canWrite={can.write} />
          {can.dues && <AddDuesCondition choice={choice} />}
        </>
      )}
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
      : !isOfficeField(field) && !(PRIVATE_FIELDS as readonly string[]).includes(field));
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
  const choices =
    chosen?.kind === "yesNo"
      ? [YES, NO]
      : (chosen?.choices ?? (isOwnFieldCode(field) ? [] : (fieldKind(field)?.choices ?? [])));
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

const YEARS = "years";
const DUES_CHOICES = [
  { value: "unpaid", label: "미납" },
  { value: "partial", label: "일부" },
  { value: "unpaid,partial", label: "미납과 일부" },
  { value: "paid", label: "완납" },
  { value: "exempt", label: "면제" },
  { value: YEARS, label: "여러 해 미납" },
];

function AddDuesCondition({ choice }: { choice: AlumniListChoice }) {
  const navigate = useNavigate();
  const [states, setStates] = useState("unpaid,partial");
  const [year, setYear] = useState(() => koreanDay(new Date(now())).slice(0, 4));
  const [years, setYears] = useState("2");
  const [problem, setProblem] = useState<string | null>(null);
  const isYears = states === YEARS;
  const add = () => {
    const dues = isYears ? `${YEARS}:${years}` : `${year.trim()}:${states}`;
    const isRight = parseDuesFilter(dues) !== null;
    setProblem(isRight ? null : isYears ? "햇수는 1에서 20까지 적어 주십시오." : "연도는 2026처럼 적어 주십시오.");
    if (isRight) void navigate(alumniListPath(choice, { dues, page: "1", person: "" }), { preventScrollReset: true });
  };
  return (
    <details>
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-gray-70 underline underline-offset-4">
        회비 조건
      </summary>
      <div className="flex flex-wrap items-end gap-3 pb-2">
        <Field label="회비" className="w-44">
          <Select value={states} options={DUES_CHOICES} onChange={(event) => setStates(event.target.value)} />
        </Field>
        <Field label={isYears ? "몇 해 이상" : "연도"} className="w-40" error={problem}>
          <Input
            value={isYears ? years : year}
            maxLength={isYears ? 2 : 13}
            inputMode="numeric"
            onChange={(event) => (isYears ? setYears : setYear)(event.target.value)}
          />
        </Field>
        <Button onClick={add}>조건 더하기</Button>
      </div>
    </details>
  );
}
