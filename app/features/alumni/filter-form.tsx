import Search from "lucide-react/icons/search";
import { Form, Link } from "react-router";
import { FieldConditions } from "#app/features/alumni/field-conditions.tsx";
import { type AlumniListChoice, hiddenAlumniFields, isAlumniFiltered } from "#app/features/alumni/list-choice.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import type { AlumniField } from "#worker/contract/alumni/columns.ts";
import { ALUMNI_TEXT_LIMITS } from "#worker/contract/alumni/list.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import type { AlumniListPage } from "#worker/domain/alumni/list.server.ts";

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
      <FieldConditions choice={choice} canWrite={can.write} />
    </div>
  );
}
