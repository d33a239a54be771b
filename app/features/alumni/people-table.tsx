import { Link } from "react-router";
import { type AlumniChoice, alumniPath } from "#app/features/alumni/choice.ts";
import { Value } from "#app/features/alumni/contact.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { cx } from "#app/ui/cx.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { SortHeader } from "#app/ui/sort-header.tsx";
import { ALUMNI_SORTS } from "#worker/contract/alumni/sorts.ts";
import { type AlumniField, COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";

interface PeopleProps {
  people: readonly AlumniRow[];
  choice: AlumniChoice;
  selected: ReadonlySet<string>;
  onSelect: (ids: string[], on: boolean) => void;
}

const HEAD =
  "border-b border-gray-30 bg-gray-5 px-3 py-2.5 text-left text-sm font-semibold text-gray-80 whitespace-nowrap";
const CELL = "border-b border-gray-20 px-3 py-3";
const BOX = "size-5.5 accent-primary-60 align-middle";
const isLong = (field: AlumniField) => field === "address" || field === "memo";
const isSortable = (field: AlumniField) => (ALUMNI_SORTS as readonly string[]).includes(field);

/** Wide screens: a table of the chosen columns. */
export function PeopleTable({ people, choice, ...choosing }: PeopleProps) {
  const all = people.map((person) => person.id);
  return (
    <div
      role="region"
      aria-label="동문 목록"
      tabIndex={0}
      className="hidden overflow-x-auto border-t-2 border-primary-80 md:block"
    >
      <table className="tabular w-full">
        <caption className="sr-only">
          동문 목록: {choice.columns.map((field) => COLUMN_LABELS[field]).join(", ")}
        </caption>
        <thead>
          <tr>
            <th scope="col" className={cx(HEAD, "needs-script w-12")}>
              <Box ids={all} label="이 페이지 모두 선택" {...choosing} />
            </th>
            {choice.columns.map((field) =>
              isSortable(field) ? (
                <SortHeader
                  key={field}
                  label={COLUMN_LABELS[field]}
                  field={field}
                  sort={choice.sort}
                  first="ASC"
                  href={(sort) => alumniPath(choice, { sort, page: "1" })}
                  className={HEAD}
                />
              ) : (
                <th key={field} scope="col" className={HEAD}>
                  {COLUMN_LABELS[field]}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr
              key={person.id}
              className={cx("transition-colors", choice.person === person.id ? "bg-primary-5" : "hover:bg-gray-5")}
            >
              <td className={cx(CELL, "needs-script")}>
                <Box ids={[person.id]} label={`${person.name} 선택`} {...choosing} />
              </td>
              {choice.columns.map((field) =>
                field === "name" ? (
                  <th key={field} scope="row" className={cx(CELL, "text-left whitespace-nowrap")}>
                    <NameLink person={person} choice={choice} />
                  </th>
                ) : (
                  <td
                    key={field}
                    className={cx(CELL, "text-gray-70", isLong(field) ? "min-w-48 max-w-80" : "whitespace-nowrap")}
                  >
                    <Value person={person} field={field} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface BoxProps extends Pick<PeopleProps, "selected" | "onSelect"> {
  ids: string[];
  label: string;
  /** Is the label to be seen, or only heard? */
  isShown?: boolean;
  className?: string;
}

/** Ticks these people. A tick before the page listens would be lost: until then there is none. */
function Box({ ids, label, isShown = false, selected, onSelect, className }: BoxProps) {
  return (
    <label className={className}>
      <input
        type="checkbox"
        aria-label={label}
        disabled={!useHydrated()}
        checked={ids.length > 0 && ids.every((id) => selected.has(id))}
        onChange={(event) => onSelect(ids, event.target.checked)}
        className={BOX}
      />
      {isShown && label}
    </label>
  );
}

function NameLink({ person, choice }: { person: AlumniRow; choice: AlumniChoice }) {
  return (
    <span className="inline-flex items-center gap-2">
      <Link
        to={alumniPath(choice, { person: person.id })}
        preventScrollReset
        aria-current={choice.person === person.id ? "true" : undefined}
        className="inline-flex min-h-8 items-center font-semibold text-gray-90 underline-offset-4 hover:text-primary-60 hover:underline"
      >
        {person.name}
      </Link>
      {person.mine && <Badge tone="primary">나</Badge>}
    </span>
  );
}

/** Phones: a card a person, with the number to call and the address to write to under the thumb. */
export function PeopleCards({ people, choice, ...choosing }: PeopleProps) {
  return (
    <ul className="border-t-2 border-primary-80 md:hidden">
      <li className="needs-script border-b border-gray-20 bg-gray-5">
        <Box
          ids={people.map((person) => person.id)}
          label="이 페이지 모두 선택"
          isShown
          {...choosing}
          className="flex min-h-11 items-center gap-3 px-1 text-sm text-gray-70"
        />
      </li>
      {people.map((person) => (
        <li
          key={person.id}
          className={cx(
            "flex items-start gap-3 border-b border-gray-20 px-1 py-4",
            (choice.person === person.id || choosing.selected.has(person.id)) && "bg-primary-5",
          )}
        >
          {/* The whole corner is to be hit by a thumb. */}
          <Box
            ids={[person.id]}
            label={`${person.name} 선택`}
            {...choosing}
            className="needs-script -my-2 -ml-1 flex min-h-12 shrink-0 items-center py-2 pl-1"
          />
          <div className="min-w-0 flex-1">
            <div className="flex items-baseline justify-between gap-3 text-lg">
              <NameLink person={person} choice={choice} />
              <span className="tabular shrink-0 text-sm text-gray-60">
                {[person.cohort && `${person.cohort}기`, person.graduationYear && `${person.graduationYear}년 졸업`]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </div>
            <p className="text-gray-70">
              {[person.affiliation, person.department, person.position].filter(Boolean).join(" ") ||
                (choice.book.fields.includes("affiliation") && "소속 없음")}
            </p>
            <div className="tabular mt-1 flex flex-wrap gap-x-5 text-base">
              {person.mobile && (
                <span className="inline-flex min-h-11 items-center">
                  <Value person={person} field="mobile" />
                </span>
              )}
              {person.email && (
                <span className="inline-flex min-h-11 items-center">
                  <Value person={person} field="email" />
                </span>
              )}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}
