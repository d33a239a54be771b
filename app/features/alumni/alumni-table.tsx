import { useWords } from "#app/lib/page-language.ts";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { Link } from "react-router";
import { type AlumniListChoice, alumniListPath } from "#app/features/alumni/list-choice.ts";
import { useSelectedAlumni } from "#app/features/alumni/selection-context.tsx";
import { AlumniValue } from "#app/features/alumni/alumni-value.tsx";
import { Badge, Time } from "#app/ui/inline.tsx";
import { cx } from "#app/ui/cx.ts";
import { toast } from "#app/ui/toast.tsx";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { SortHeader } from "#app/features/list/sort-header.tsx";
import { EMPTY_ALUMNI_VALUES, isOfficeField } from "#worker/contract/alumni/columns.ts";
import { ALUMNI_SORTS } from "#worker/contract/alumni/alumni-settings.ts";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import {
  type AlumniFieldCode,
  bookText,
  isOwnFieldCode,
  isOwnFieldSortable,
  type OwnField,
} from "#worker/contract/alumni/own-fields.ts";
import { SELECTION_LIMITS } from "#worker/contract/alumni/list.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";
import CircleCheck from "lucide-react/icons/circle-check";
import { formatDate } from "#app/lib/format.ts";
import { CONFIRMATION_KIND_NAMES, CONFIRMED_FIELDS } from "#worker/contract/alumni/confirmation-rules.ts";

interface AlumniRowsProps {
  people: readonly AlumniRow[];
  choice: AlumniListChoice;
  canWrite: boolean;
}

const HEADER_CELL =
  "border-b border-gray-30 bg-gray-5 px-3 py-2.5 text-left text-sm font-semibold text-gray-80 whitespace-nowrap";
const CELL = "border-b border-gray-20 px-3 py-3";
/** Rows are 36 px high. */
const DENSE = "text-sm [&_td]:py-1 [&_th]:py-1 [&_td]:h-9 [&_a]:min-h-6 [&_input]:size-5";
const CHECKBOX = "size-5.5 accent-primary-60 align-middle";
const isLongField = (field: AlumniFieldCode, own: readonly OwnField[]) =>
  field === "address" ||
  isOfficeField(field) ||
  own.some(({ code, kind }) => code === field && (kind === "text" || kind === "address" || kind === "choices"));

const isSortableField = (field: AlumniFieldCode, own: readonly OwnField[], canWrite: boolean) =>
  isOwnFieldCode(field)
    ? own.some((each) => each.code === field && isOwnFieldSortable(each) && (canWrite || each.access === "members"))
    : (ALUMNI_SORTS as readonly string[]).includes(field);

const ROW_KEYS: Record<string, (row: Element) => Element | null | undefined> = {
  ArrowDown: (row) => row.nextElementSibling,
  ArrowUp: (row) => row.previousElementSibling,
  Home: (row) => row.parentElement?.firstElementChild,
  End: (row) => row.parentElement?.lastElementChild,
};

/** Arrow keys, Home and End move between names; the space bar ticks the row. */
function workByKeys(event: KeyboardEvent<HTMLElement>): void {
  const row = event.target instanceof HTMLAnchorElement ? event.target.closest("tr") : null;
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
  const isTick = event.key === " ";
  const target = isTick
    ? row.querySelector<HTMLElement>("input[type=checkbox]")
    : ROW_KEYS[event.key]?.(row)?.querySelector<HTMLElement>("th a");
  if (!target) return;
  event.preventDefault();
  if (isTick) target.click();
  else target.focus();
}

/** Returns focus to the row when the panel closes. */
function useReturnToRow(person: string) {
  const body = useRef<HTMLTableSectionElement>(null);
  const last = useRef(person);
  useEffect(() => {
    const before = last.current;
    last.current = person;
    if (person !== "" || before === "") return;
    body.current?.querySelector<HTMLElement>(`[data-person="${CSS.escape(before)}"]`)?.focus({ preventScroll: true });
  }, [person]);
  return body;
}

export function AlumniTable({ people, choice, canWrite }: AlumniRowsProps) {
  const say = useWords();
  const labelOf = useColumnLabel();
  const { own } = choice.view;
  const all = people.map((person) => person.id);
  return (
    <div
      role="region"
      aria-label={say("{동문} 목록")}
      aria-describedby="alumni-keys"
      tabIndex={0}
      className="hidden overflow-x-auto border-t-2 border-primary-80 md:block"
    >
      <p id="alumni-keys" className="sr-only">
        위·아래 화살표로 이동, 스페이스바로 선택, 엔터로 열기
      </p>
      <table className={cx("tabular w-full", choice.density === "dense" && DENSE)}>
        <caption className="sr-only">
          {say("{동문} 목록")}: {choice.columns.map((field) => labelOf(field)).join(", ")}
        </caption>
        <thead>
          <tr>
            <th scope="col" className={cx(HEADER_CELL, "needs-script w-12")}>
              <SelectionCheckbox ids={all} label="이 페이지 모두 선택" />
            </th>
            {choice.columns.map((field) =>
              isSortableField(field, own, canWrite) ? (
                <SortHeader
                  key={field}
                  label={labelOf(field)}
                  field={field}
                  sort={choice.sort}
                  first="ASC"
                  href={(sort) => alumniListPath(choice, { sort, page: "1" })}
                  className={HEADER_CELL}
                />
              ) : (
                <th key={field} scope="col" className={HEADER_CELL}>
                  {labelOf(field)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody ref={useReturnToRow(choice.person)} onKeyDown={workByKeys}>
          {people.map((person) => (
            <tr
              key={person.id}
              className={cx("transition-colors", choice.person === person.id ? "bg-primary-5" : "hover:bg-gray-5")}
            >
              <td className={cx(CELL, "needs-script")}>
                <SelectionCheckbox ids={[person.id]} label={`${person.name} 선택`} />
              </td>
              {choice.columns.map((field) =>
                field === "name" ? (
                  <th key={field} scope="row" className={cx(CELL, "text-left whitespace-nowrap")}>
                    <AlumniNameLink person={person} choice={choice} />
                  </th>
                ) : (
                  <td
                    key={field}
                    className={cx(
                      CELL,
                      "text-gray-70",
                      isLongField(field, own) ? "min-w-48 max-w-80" : "whitespace-nowrap",
                    )}
                  >
                    <AlumniValue person={person} field={field} own={own} />
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

const tooManySelected = (isAll: boolean) =>
  isAll
    ? `모두 고른 뒤 ${SELECTION_LIMITS.except}명까지 뺄 수 있습니다.`
    : `한 명씩 고르는 것은 ${SELECTION_LIMITS.ids}명까지입니다. 조건에 맞는 사람을 모두 선택해 주십시오.`;

interface SelectionCheckboxProps {
  ids: string[];
  label: string;
  isShown?: boolean;
  className?: string;
}

/** Is rendered only after hydration: an earlier tick would be lost. */
function SelectionCheckbox({ ids, label, isShown = false, className }: SelectionCheckboxProps) {
  const selected = useSelectedAlumni();
  return (
    <label className={className}>
      <input
        type="checkbox"
        aria-label={label}
        disabled={!useIsHydrated()}
        checked={ids.length > 0 && ids.every((id) => selected.has(id))}
        onChange={(event) => {
          if (!selected.select(ids, event.target.checked)) toast(tooManySelected(selected.isAll), "error");
        }}
        className={CHECKBOX}
      />
      {isShown && <span>{label}</span>}
    </label>
  );
}

function AlumniNameLink({ person, choice }: { person: AlumniRow; choice: AlumniListChoice }) {
  return (
    <span className="inline-flex items-center gap-2">
      <Link
        to={alumniListPath(choice, { person: person.id })}
        preventScrollReset
        aria-current={choice.person === person.id ? "true" : undefined}
        data-person={person.id}
        className="inline-flex min-h-8 items-center font-semibold text-gray-90 underline-offset-4 hover:text-primary-60 hover:underline"
      >
        {person.name}
      </Link>
      {person.mine && <Badge tone="primary">나</Badge>}
      {person.state !== "" && person.state !== EMPTY_ALUMNI_VALUES.state && <Badge tone="gray">{person.state}</Badge>}
      <ConfirmedMark person={person} />
    </span>
  );
}

export function AlumniCards({ people, choice }: Omit<AlumniRowsProps, "canWrite">) {
  return (
    <ul className="border-t-2 border-primary-80 md:hidden">
      <li className="needs-script border-b border-gray-20 bg-gray-5">
        <SelectionCheckbox
          ids={people.map((person) => person.id)}
          label="이 페이지 모두 선택"
          isShown

          className="flex min-h-11 items-center gap-3 px-1 text-sm text-gray-70"
        />
      </li>
      {people.map((person) => (
        <li
          key={person.id}
          className={cx(
            "flex items-start gap-3 border-b border-gray-20 px-1 py-4 has-checked:bg-primary-5",
            choice.person === person.id && "bg-primary-5",
          )}
        >
          {/* Enlarges the touch target to the whole corner. */}
          <SelectionCheckbox
            ids={[person.id]}
            label={`${person.name} 선택`}

            className="needs-script -my-2 -ml-1 flex min-h-12 shrink-0 items-center py-2 pl-1"
          />
          <div className="min-w-0 flex-1">
            <div className="flex items-baseline justify-between gap-x-3 text-lg @max-[20rem]/page:flex-wrap">
              <AlumniNameLink person={person} choice={choice} />
              <span className="tabular shrink-0 text-sm text-gray-60">
                {[person.cohort && `${person.cohort}기`, person.graduationYear && `${person.graduationYear}년 졸업`]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </div>
            <p className="text-gray-70">
              {[person.affiliation, person.department, person.position].filter(Boolean).join(" ") ||
                (choice.view.fields.includes("affiliation") && "소속 없음")}
            </p>
            <div className="tabular mt-1 flex flex-wrap gap-x-5 text-base">
              {person.mobile && (
                <span className="inline-flex min-h-11 items-center">
                  <AlumniValue person={person} field="mobile" own={[]} />
                </span>
              )}
              {person.email && (
                <span className="inline-flex min-h-11 min-w-0 items-center [overflow-wrap:anywhere]">
                  <AlumniValue person={person} field="email" own={[]} />
                </span>
              )}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Renders nothing if the person never confirmed or the viewer may not know. */
function ConfirmedMark({ person: { confirmation } }: { person: AlumniRow }) {
  if (!confirmation) return null;
  const isWhole = confirmation.changedSince.length === 0;
  const text = `${formatDate(confirmation.date)} 본인 확인${isWhole ? "" : ", 그 뒤에 바뀐 항목 있음"}`;
  return (
    <span role="img" aria-label={text} title={text} className={isWhole ? "text-success-60" : "text-gray-50"}>
      <CircleCheck aria-hidden="true" className="size-4" />
    </span>
  );
}

export function PersonFreshness({ person: { confirmation } }: { person: AlumniRow }) {
  if (!confirmation) return <>확인한 적 없음</>;
  return (
    <>
      <Time date={confirmation.date} /> {CONFIRMATION_KIND_NAMES[confirmation.kind]}
    </>
  );
}

/** Marks a value that someone else changed after the person confirmed it. */
export function FieldFreshness({ person, field }: { person: AlumniRow; field: AlumniFieldCode }) {
  const { confirmation } = person;
  const confirmed = CONFIRMED_FIELDS.find((each) => each === field);
  if (!confirmation || !confirmed || bookText(person, field) === "") return null;
  if (confirmation.changedSince.includes(confirmed))
    return <span className="ml-2 text-sm text-warning-60">본인 확인 뒤에 바뀜</span>;
  return (
    <span
      role="img"
      aria-label="본인이 확인함"
      title={`${formatDate(confirmation.date)} 본인이 확인함`}
      className="ml-1.5 inline-block align-[-0.15em] text-success-60"
    >
      <CircleCheck aria-hidden="true" className="size-4" />
    </span>
  );
}
