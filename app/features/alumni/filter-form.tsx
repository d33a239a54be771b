import Search from "lucide-react/icons/search";
import { Form, Link } from "react-router";
import { type AlumniChoice, carried, isFiltered } from "#app/features/alumni/choice.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Select } from "#app/ui/select.tsx";
import type { AlumniListPage } from "#worker/contract/alumni.ts";

/** A plain GET form: what is looked for stands in the address. */
export function FilterForm({ choice, options }: { choice: AlumniChoice; options: AlumniListPage["options"] }) {
  const own = ["keyword", "cohort", "graduationYear", "affiliation"] as const;
  return (
    <Form
      action="/Alumni"
      role="search"
      preventScrollReset
      key={own.map((key) => choice[key]).join("\n")}
      className="rounded-xl border border-gray-20 bg-gray-5 p-4 md:p-5"
    >
      {carried(choice, own).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-[minmax(0,2fr)_8rem_9rem_minmax(0,1.3fr)_auto] lg:items-end">
        <Field label="검색어" className="col-span-2 lg:col-span-1">
          <Input
            name="keyword"
            type="search"
            maxLength={100}
            defaultValue={choice.keyword}
            placeholder="이름, ㅎㄱㄷ, 소속, 전화번호"
            autoComplete="off"
          />
        </Field>
        <Field label="기수">
          <Select
            name="cohort"
            defaultValue={choice.cohort}
            placeholder="전체"
            options={options.cohorts.map((value) => ({ value: String(value), label: `${value}기` }))}
          />
        </Field>
        <Field label="졸업연도">
          <Select
            name="graduationYear"
            defaultValue={choice.graduationYear}
            placeholder="전체"
            options={options.graduationYears.map((value) => ({ value: String(value), label: `${value}년` }))}
          />
        </Field>
        <Field label="소속" className="col-span-2 lg:col-span-1">
          <Input name="affiliation" maxLength={100} defaultValue={choice.affiliation} list="alumni-affiliations" />
        </Field>
        <datalist id="alumni-affiliations">
          {options.affiliations.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </datalist>
        <Button type="submit" variant="primary" className="col-span-2 lg:col-span-1">
          <Search aria-hidden="true" className="size-5" />
          검색
        </Button>
      </div>
      {isFiltered(choice) && (
        <Link
          to="/Alumni"
          className="mt-2 inline-flex min-h-11 items-center text-sm text-gray-70 underline underline-offset-4 hover:text-primary-60"
        >
          검색 조건 지우기
        </Link>
      )}
    </Form>
  );
}
