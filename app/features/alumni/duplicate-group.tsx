import { useState } from "react";
import { AlumniValue } from "#app/features/alumni/alumni-value.tsx";
import { showUndoToast } from "#app/features/alumni/undo-toast.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Time } from "#app/ui/time.tsx";
import { type AlumniField, cellText, ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { MERGE_MAX, DUPLICATE_REASON_LABELS } from "#worker/contract/alumni/merge-rules.ts";
import type { DuplicateGroup } from "#worker/contract/alumni/merge-view.ts";

const COMPARED_FIELDS = ["cohort", "graduationYear", "affiliation", "department", "mobile", "email"] as const;

interface DuplicateGroupCardProps {
  group: DuplicateGroup;
  back: string;
  canMerge: boolean;
}

export function DuplicateGroupCard({ group, back, canMerge }: DuplicateGroupCardProps) {
  const { people, count, reasons } = group;
  const [ticked, setTicked] = useState<readonly string[]>(people.slice(0, MERGE_MAX).map((person) => person.id));
  const { busy, problem, run } = useAction();
  const chosen = people.filter((person) => ticked.includes(person.id)).map((person) => person.id);
  const markDistinct = (ids: string[], distinct: boolean): Promise<boolean> =>
    run(async () => {
      await callApi(api.alumni.distinct.$post({ json: { ids, distinct } }));
      if (distinct) showUndoToast("다른 사람으로 기억하였습니다.", () => markDistinct(ids, false));
    }, null);
  const query = new URLSearchParams({ ids: chosen.join(","), back });
  return (
    <li className="rounded-xl border border-gray-20 bg-white p-4 md:p-5">
      <p className="mb-3 flex flex-wrap items-center gap-2">
        {reasons.map((reason) => (
          <Badge key={reason} tone={reason === "mobile" || reason === "email" ? "warning" : "gray"}>
            {DUPLICATE_REASON_LABELS[reason]}
          </Badge>
        ))}
        <span className="tabular text-sm text-gray-60">
          {formatCount(count)}명{count > people.length && ` 가운데 ${people.length}명`}
        </span>
      </p>
      <ul className="divide-y divide-gray-20 border-y border-gray-20">
        {people.map((person) => (
          <li key={person.id} className="flex items-start gap-3 py-3">
            <input
              type="checkbox"
              aria-label={`${person.name} ${cellText(person.affiliation)} 고르기`}
              checked={ticked.includes(person.id)}
              onChange={(event) =>
                setTicked(event.target.checked ? [...ticked, person.id] : ticked.filter((id) => id !== person.id))
              }
              className="needs-script mt-1 size-5.5 shrink-0 accent-primary-60"
            />
            <div className="tabular grid min-w-0 flex-1 gap-x-4 gap-y-0.5 md:grid-cols-[9rem_repeat(3,minmax(0,1fr))]">
              <p className="font-semibold text-gray-90">
                {person.name}
                <span className="block text-sm font-normal text-gray-60">
                  <Time date={person.modifiedDate} /> 수정
                </span>
              </p>
              <AlumniFacts person={person} fields={COMPARED_FIELDS.slice(0, 2)} />
              <AlumniFacts person={person} fields={COMPARED_FIELDS.slice(2, 4)} />
              <AlumniFacts person={person} fields={COMPARED_FIELDS.slice(4)} />
            </div>
          </li>
        ))}
      </ul>
      <ErrorAlert className="mt-3">{problem}</ErrorAlert>
      <div className="needs-script mt-4 flex flex-wrap items-center justify-end gap-2">
        {chosen.length > MERGE_MAX && (
          <p className="mr-auto text-sm text-gray-60">한 번에 {MERGE_MAX}명까지 합칠 수 있습니다.</p>
        )}
        <Button size="sm" busy={busy} disabled={chosen.length < 2} onClick={() => void markDistinct(chosen, true)}>
          서로 다른 사람
        </Button>
        {canMerge && chosen.length >= 2 && chosen.length <= MERGE_MAX && (
          <ButtonLink size="sm" variant="primary" to={`/Alumni/Merge?${query}`}>
            비교하여 합치기
          </ButtonLink>
        )}
      </div>
    </li>
  );
}

function AlumniFacts({ person, fields }: { person: DuplicateGroup["people"][number]; fields: readonly AlumniField[] }) {
  const filled = fields.filter((field) => cellText(person[field]) !== "");
  return (
    <ul className={cx("min-w-0 text-gray-70", filled.length === 0 && "hidden md:block")}>
      {filled.map((field) => (
        <li key={field} className="[overflow-wrap:anywhere]">
          <span className="sr-only">{ALUMNI_COLUMN_LABELS[field]} </span>
          <AlumniValue person={person} field={field} own={[]} />
          {field === "graduationYear" && <span>년 졸업</span>}
        </li>
      ))}
    </ul>
  );
}
