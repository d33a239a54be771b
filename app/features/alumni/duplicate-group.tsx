import { useState } from "react";
import { useRevalidator } from "react-router";
import { Value } from "#app/features/alumni/contact.tsx";
import { toastWithUndo } from "#app/features/alumni/undo-toast.tsx";
import { useAct } from "#app/features/form/use-act.ts";
import { api, call } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { Notice } from "#app/ui/notice.tsx";
import { Time } from "#app/ui/time.tsx";
import { type AlumniField, cellText, COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { MERGE_MAX, TWIN_LABELS } from "#worker/contract/alumni/merge-rules.ts";
import type { TwinGroup } from "#worker/contract/alumni/merge-view.ts";

const SHOWN = ["cohort", "graduationYear", "affiliation", "department", "mobile", "email"] as const;

interface TwinGroupProps {
  group: TwinGroup;
  /** Where the reader comes back to after a merge. */
  back: string;
  canMerge: boolean;
}

/** People who look the same, what they have in common, and the two things to say about it. */
export function TwinGroupCard({ group, back, canMerge }: TwinGroupProps) {
  const { people, count, reasons } = group;
  const [ticked, setTicked] = useState<readonly string[]>(people.slice(0, MERGE_MAX).map((person) => person.id));
  const { busy, error, act } = useAct();
  const { revalidate } = useRevalidator();
  const chosen = people.filter((person) => ticked.includes(person.id)).map((person) => person.id);
  const tell = (ids: string[], distinct: boolean) =>
    act(async () => {
      await call(api.alumni.distinct.$post({ json: { ids, distinct } }));
      if (distinct) toastWithUndo("다른 사람으로 기억하였습니다.", () => tell(ids, false));
      await revalidate();
    });
  const query = new URLSearchParams({ ids: chosen.join(","), back });
  return (
    <li className="rounded-xl border border-gray-20 bg-white p-4 md:p-5">
      <p className="mb-3 flex flex-wrap items-center gap-2">
        {reasons.map((reason) => (
          <Badge key={reason} tone={reason === "mobile" || reason === "email" ? "warning" : "gray"}>
            {TWIN_LABELS[reason]}
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
              <Facts person={person} fields={SHOWN.slice(0, 2)} />
              <Facts person={person} fields={SHOWN.slice(2, 4)} />
              <Facts person={person} fields={SHOWN.slice(4)} />
            </div>
          </li>
        ))}
      </ul>
      {error && (
        <Notice tone="error" className="mt-3">
          {error}
        </Notice>
      )}
      <div className="needs-script mt-4 flex flex-wrap items-center justify-end gap-2">
        {chosen.length > MERGE_MAX && (
          <p className="mr-auto text-sm text-gray-60">한 번에 {MERGE_MAX}명까지 합칠 수 있습니다.</p>
        )}
        <Button size="sm" busy={busy} disabled={chosen.length < 2} onClick={() => void tell(chosen, true)}>
          서로 다른 사람
        </Button>
        {canMerge && chosen.length >= 2 && chosen.length <= MERGE_MAX && (
          <ButtonLink size="sm" variant="primary" to={`/Alumni/Merge?${query}`}>
            견주어 합치기
          </ButtonLink>
        )}
      </div>
    </li>
  );
}

function Facts({ person, fields }: { person: TwinGroup["people"][number]; fields: readonly AlumniField[] }) {
  const filled = fields.filter((field) => cellText(person[field]) !== "");
  return (
    <ul className={cx("min-w-0 text-gray-70", filled.length === 0 && "hidden md:block")}>
      {filled.map((field) => (
        <li key={field} className="[overflow-wrap:anywhere]">
          <span className="sr-only">{COLUMN_LABELS[field]} </span>
          <Value person={person} field={field} />
          {field === "graduationYear" && "년 졸업"}
        </li>
      ))}
    </ul>
  );
}
