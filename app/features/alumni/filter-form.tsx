import Search from "lucide-react/icons/search";
import { Form, Link, useNavigate } from "react-router";
import {
  type AlumniListChoice,
  alumniListPath,
  filterPairs,
  hiddenAlumniFields,
  isAlumniFiltered,
} from "#app/features/alumni/list-choice.ts";
import { cx } from "#app/ui/cx.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { type AlumniField, fieldKind, isOfficeField, PRIVATE_FIELDS } from "#worker/contract/alumni/columns.ts";
import {
  ALUMNI_TEXT_LIMITS,
  FIELD_FILTER_LENGTH,
  FILTER_OPERATOR_LABELS,
  FILTER_OPERATORS,
  type FilterOperator,
  fieldFilterKey,
  formatFieldFilter,
  parseFieldFilter,
} from "#worker/contract/alumni/list.ts";
import {
  type AlumniFilterText,
  type ConditionKey,
  type ConditionKind,
  conditionOf,
  type KeyOfKind,
} from "#worker/contract/alumni/conditions.ts";
import { AddedConditions, type AddedKind, useAddedConditions } from "#app/features/alumni/added-condition.tsx";
import { valuesOf } from "#worker/contract/kernel/labels.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import type { AlumniListPage } from "#worker/domain/alumni/list.server.ts";
import { type ReactNode, useState } from "react";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import { bookFields } from "#worker/contract/alumni/alumni-settings.ts";
import { type AlumniFieldCode, isOwnFieldCode, type OwnField } from "#worker/contract/alumni/own-fields.ts";
import { NO, YES } from "#worker/contract/alumni/own-values.ts";

const IN_FORM = valuesOf({ keyword: "", cohort: "", graduationYear: "", affiliation: "" } satisfies Record<
  KeyOfKind<Exclude<ConditionKind, AddedKind>>,
  string
>);

const NUMBERS = [
  { name: "cohort", numbers: "cohorts", label: "기수", unit: "기", width: "lg:w-32" },
  { name: "graduationYear", numbers: "graduationYears", label: "졸업연도", unit: "년", width: "lg:w-36" },
] as const;

/** A plain GET form, so the filter is part of the URL. */
export function AlumniFilterForm({
  choice,
  options,
  can,
  unusable,
  children,
}: {
  choice: AlumniListChoice;
  /** In the line of conditions. */
  children: ReactNode;
} & Pick<AlumniListPage, "options" | "can" | "unusable">) {
  const has = (field: AlumniField) => choice.view.fields.includes(field);
  const looked = ["이름", "ㅎㄱㄷ", has("affiliation") && "소속", (has("mobile") || has("phone")) && "전화번호"];
  const drafts = useConditionDrafts(choice, can);
  const shown = IN_FORM.filter((key) => key === "keyword" || has(key));
  const drafted = Object.keys(drafts.texts);
  return (
    <div className="rounded-xl border border-gray-20 bg-gray-5 px-4 pt-3 pb-2 md:px-5">
      <Form
        action="/Alumni"
        role="search"
        preventScrollReset
        key={IN_FORM.map((key) => choice.filter[key] ?? "").join("\n")}
        onSubmit={(event) => {
          if (!drafts.finish()) event.preventDefault();
        }}
      >
        {[...hiddenAlumniFields(choice, [...shown, ...drafted]), ...Object.entries(drafts.texts)].map(
          ([key, value]) => (
            <input key={key} type="hidden" name={key} value={value} />
          ),
        )}
        <div className="grid grid-cols-2 gap-3 lg:flex lg:items-end">
          <Field label="검색어" className="col-span-2 lg:flex-[2]">
            <Input
              name="keyword"
              type="search"
              maxLength={SIZE_LIMITS.keywordLength}
              defaultValue={choice.filter.keyword}
              placeholder={looked.filter(Boolean).join(", ")}
              autoComplete="off"
            />
          </Field>
          {NUMBERS.filter(({ name }) => has(name)).map(({ name, numbers, label, unit, width }) => (
            <Field key={name} label={label} className={width}>
              <Select
                name={name}
                defaultValue={choice.filter[name]}
                placeholder="전체"
                options={options[numbers].map((value) => ({ value: String(value), label: `${value}${unit}` }))}
              />
            </Field>
          ))}
          {has("affiliation") && (
            <Field label="소속" className="lg:flex-[1.3]">
              <Input
                name="affiliation"
                maxLength={ALUMNI_TEXT_LIMITS.affiliationFilter}
                defaultValue={choice.filter.affiliation}
                list="alumni-affiliations"
              />
              <datalist id="alumni-affiliations">
                {options.affiliations.map((value) => (
                  <option key={value}>{value}</option>
                ))}
              </datalist>
            </Field>
          )}
          <Button type="submit" variant="primary" className="self-end">
            <Search aria-hidden="true" className="size-5" />
            검색
          </Button>
        </div>
      </Form>
      <div className="mt-1 flex flex-wrap items-center gap-x-4 text-sm">
        <FieldConditions choice={choice} unusable={unusable} drafts={drafts} />
        {isAlumniFiltered(choice) && (
          <Link
            to="/Alumni"
            className="inline-flex min-h-11 items-center text-gray-70 underline underline-offset-4 hover:text-primary-60"
          >
            검색 조건 지우기
          </Link>
        )}
        {children}
      </div>
    </div>
  );
}

const PLACEHOLDERS: Partial<Record<FilterOperator, string>> = {
  has: "찾을 말",
  in: "쉼표로 나누어 여러 값",
};

const chipText = (key: ConditionKey, text: string, own: readonly OwnField[]) => {
  const value = conditionOf(key).parse(text);
  return value === null || value === undefined ? text : conditionOf(key).words(value, own);
};

interface ConditionsProps extends Pick<AlumniListPage, "unusable"> {
  choice: AlumniListChoice;
  drafts: ConditionDrafts;
}

function FieldConditions({ choice, unusable, drafts }: ConditionsProps) {
  const navigate = useNavigate();
  const reasons = new Map(unusable.map(({ key, words, reason }) => [key, { words, reason }]));
  const chips = filterPairs(choice.filter).filter(
    ([key]) => !(IN_FORM as readonly string[]).includes(key) || reasons.has(key),
  );
  return (
    <>
      {chips.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="항목별 조건">
          {chips.map(([key, text]) => {
            const refused = reasons.get(key);
            return (
              <li key={key}>
                <Link
                  to={alumniListPath(choice, { filter: { ...choice.filter, [key]: "" }, page: "1", person: "" })}
                  preventScrollReset
                  className={cx(
                    "inline-flex min-h-11 items-center gap-1.5 rounded-md px-3 md:min-h-9",
                    refused ? "bg-gray-10 text-gray-70" : "bg-primary-10 text-primary-80",
                  )}
                >
                  {refused ? (
                    <span className="py-1.5">
                      <s>{refused.words}</s> {refused.reason}
                    </span>
                  ) : (
                    chipText(key, text, choice.view.own)
                  )}
                  <span aria-hidden="true">×</span>
                  <span className="sr-only"> 조건 지우기</span>
                </Link>
              </li>
            );
          })}
        </ul>
      )}
      {useIsHydrated() && (
        <>
          <AddCondition choice={choice} draft={drafts.field} />
          <AddedConditions
            {...drafts.added}
            onAdd={(texts) => void navigate(addedPath(choice, texts), { preventScrollReset: true })}
          />
        </>
      )}
    </>
  );
}

function useFieldDraft(choice: AlumniListChoice, canWrite: boolean) {
  const { own } = choice.view;
  const isAskable = (field: AlumniFieldCode) =>
    canWrite ||
    (isOwnFieldCode(field)
      ? own.some(({ code, access }) => code === field && access === "members")
      : !isOfficeField(field) && !(PRIVATE_FIELDS as readonly string[]).includes(field));
  const fields = bookFields(choice.view).filter((field) => isAskable(field));
  const [isOpen, setOpen] = useState(false);
  const [field, setField] = useState<AlumniFieldCode>(fields[0] ?? "name");
  const [operator, setOperator] = useState<FilterOperator>("has");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const hasValue = operator !== "empty" && operator !== "filled";
  const condition = parseFieldFilter(field, `${operator}:${(operator === "between" ? [from, to] : [from]).join(",")}`);
  const isChosen = isOpen && (!hasValue || from !== "" || to !== "");
  const texts: AlumniFilterText =
    isChosen && condition ? { [fieldFilterKey(field)]: formatFieldFilter(condition) } : {};
  /** @returns false for an unreadable value */
  const finish = (isAsked: boolean): boolean => {
    const isWrong = isAsked && condition === null;
    setProblem(isWrong ? "찾을 값을 맞게 적어 주십시오." : null);
    if (isWrong) return false;
    if (isAsked) {
      setFrom("");
      setTo("");
      setOpen(false);
    }
    return true;
  };
  const input = { field, setField, operator, setOperator, from, setFrom, to, setTo };
  return { ...input, fields, isOpen, setOpen, hasValue, isChosen, condition, texts, problem, finish };
}

/** Conditions that are chosen and not yet added; the search includes them. */
function useConditionDrafts(choice: AlumniListChoice, can: AlumniListPage["can"]) {
  const field = useFieldDraft(choice, can.write);
  const added = useAddedConditions(can);
  const texts: AlumniFilterText = Object.assign({ ...field.texts }, ...added.offered.map((draft) => draft.texts));
  const finish = () => [field.finish(field.isChosen), ...added.offered.map((draft) => draft.finish())].every(Boolean);
  return { field, added, texts, finish };
}

type ConditionDrafts = ReturnType<typeof useConditionDrafts>;

const addedPath = (choice: AlumniListChoice, texts: AlumniFilterText) =>
  alumniListPath(choice, { filter: { ...choice.filter, ...texts }, page: "1", person: "" });

function AddCondition({ choice, draft }: { choice: AlumniListChoice; draft: ConditionDrafts["field"] }) {
  const navigate = useNavigate();
  const labelOf = useColumnLabel();
  const { own } = choice.view;
  const { field, operator, from, to, setFrom, setTo, setField, setOperator, fields, hasValue, problem } = draft;
  const add = () => {
    const { condition } = draft;
    if (!draft.finish(true) || condition === null) return;
    const texts = { [fieldFilterKey(field)]: formatFieldFilter(condition) };
    void navigate(addedPath(choice, texts), { preventScrollReset: true });
  };
  const chosen = own.find(({ code }) => code === field);
  const choices =
    chosen?.kind === "yesNo"
      ? [YES, NO]
      : (chosen?.choices ?? (isOwnFieldCode(field) ? [] : (fieldKind(field)?.choices ?? [])));
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
    <details
      className="open:basis-full"
      open={draft.isOpen}
      onToggle={(event) => draft.setOpen(event.currentTarget.open)}
    >
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-gray-70 underline underline-offset-4">
        항목별 조건
      </summary>
      <div className="flex flex-wrap items-start gap-3 pb-2">
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
        <Button className="self-end" onClick={add}>
          조건 더하기
        </Button>
      </div>
    </details>
  );
}
