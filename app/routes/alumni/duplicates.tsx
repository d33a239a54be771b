import { useWords } from "#app/lib/page-language.ts";
import { AlumniPageHeader } from "#app/features/alumni/alumni-page-header.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { duplicatesQuery } from "#worker/contract/alumni/input.ts";
import { DUPLICATE_REASON_LABELS, DUPLICATE_REASONS, MERGE_MAX } from "#worker/contract/alumni/duplicate.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { can } from "#worker/domain/kernel/authorize.server.ts";
import { type DuplicatePage, listDuplicates } from "#worker/domain/alumni/duplicate.server.ts";
import { listMerges, type MergeEntry } from "#worker/domain/alumni/merge.server.ts";
import type { Route } from "./+types/duplicates";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { AlumniValue } from "#app/features/alumni/alumni-value.tsx";
import { showUndoToast } from "#app/features/alumni/undo-toast.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Badge, Time } from "#app/ui/inline.tsx";
import { cx } from "#app/ui/cx.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { ALUMNI_COLUMN_LABELS, type AlumniField, cellText } from "#worker/contract/alumni/columns.ts";
import { formatPeopleCount } from "#app/features/alumni/undo-deed.ts";
import { ALL_DEEDS_LINK, UndoHistory } from "#app/features/alumni/undo-history.tsx";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const query = parseInput(duplicatesQuery, Object.fromEntries(new URL(request.url).searchParams));
  const ctx = await scope.context();
  const [duplicates, merges] = await Promise.all([listDuplicates(ctx, query), listMerges(ctx)]);
  return { query, duplicates, merges, canMerge: can(ctx.actor, { action: "Alumni_Delete" }) };
});

export const meta = titledMeta("중복 의심 {동문}");

export default function AlumniDuplicates({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const { query, duplicates, merges, canMerge } = loaderData;
  const path = (change: Record<string, string>) => {
    const search = new URLSearchParams(query.importId ? { importId: query.importId, ...change } : change);
    return `/Alumni/Duplicates?${search}`;
  };
  const here = path({ reason: duplicates.reason, ...(query.after ? { after: query.after } : {}) });
  const count = (number: number) => (number >= 100 ? "100+" : String(number));
  const any = Object.values(duplicates.counts).some((number) => number > 0);
  return (
    <>
      <AlumniPageHeader
        title="중복 의심 {동문}"
        description="같은 사람으로 보이는 {동문:을/를} 모았습니다. 비교하여 하나로 합치거나, 서로 다른 사람이라고 알려 주십시오. 저절로 합쳐지는 일은 없습니다."
      />
      <div className="container-page container-reading pt-6 pb-16 md:pt-8 md:pb-24">
        {query.importId && (
          <p className="mb-4 flex flex-wrap items-center gap-3 text-gray-70">
            {say("가져온 {동문:이/가} 들어 있는 묶음만 보고 있습니다.")}
            <ButtonLink size="sm" to="/Alumni/Duplicates">
              전체 보기
            </ButtonLink>
          </p>
        )}
        {any && (
          <Tabs
            label="같아 보이는 이유"
            tabs={DUPLICATE_REASONS.filter(
              (reason) => duplicates.counts[reason] > 0 || reason === duplicates.reason,
            ).map((reason) => ({
              label: `${DUPLICATE_REASON_LABELS[reason]} ${count(duplicates.counts[reason])}`,
              href: path({ reason }),
              current: reason === duplicates.reason,
            }))}
          />
        )}
        {duplicates.groups.length === 0 ? (
          <Empty className={any ? "" : "border-y border-gray-20"}>
            {any ? say("이 이유로 같아 보이는 {동문:이/가} 없습니다.") : say("같아 보이는 {동문:이/가} 없습니다.")}
          </Empty>
        ) : (
          <ul className="mt-5 grid gap-4">
            {duplicates.groups.map((group) => (
              <DuplicateGroupCard
                key={group.people.map((person) => person.id).join()}
                group={group}
                back={here}
                canMerge={canMerge}
              />
            ))}
          </ul>
        )}
        <nav aria-label="중복 의심 페이지 이동" className="mt-6 flex justify-center gap-2">
          {query.after && (
            <ButtonLink size="sm" to={path({ reason: duplicates.reason })}>
              처음으로
            </ButtonLink>
          )}
          {duplicates.next && (
            <ButtonLink size="sm" to={path({ reason: duplicates.reason, after: duplicates.next })}>
              다음 묶음
            </ButtonLink>
          )}
        </nav>
        <AlumniMergeHistory merges={merges} canUndo={canMerge} />
      </div>
    </>
  );
}

const COMPARED_FIELDS = ["cohort", "graduationYear", "affiliation", "department", "mobile", "email"] as const;

type DuplicateGroup = DuplicatePage["groups"][number];

function DuplicateGroupCard({ group, back, canMerge }: { group: DuplicateGroup; back: string; canMerge: boolean }) {
  const { people, count, reasons } = group;
  const [ticked, setTicked] = useState<readonly string[]>(people.slice(0, MERGE_MAX).map((person) => person.id));
  const { busy, problem, run } = useAction();
  const chosen = people.filter((person) => ticked.includes(person.id)).map((person) => person.id);
  const { revalidate } = useRevalidator();
  const markDistinct = (ids: string[]) =>
    run(async () => {
      const mark = (distinct: boolean) => callApi(api.alumni.distinct.$post({ json: { ids, distinct } }));
      await mark(true);
      const undo = () => mark(false).then(() => null);
      showUndoToast({ text: "다른 사람으로 기억하였습니다.", undo, reload: revalidate });
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
        <Button size="sm" busy={busy} disabled={chosen.length < 2} onClick={() => void markDistinct(chosen)}>
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
        <li key={field}>
          <span className="sr-only">{ALUMNI_COLUMN_LABELS[field]} </span>
          <AlumniValue person={person} field={field} own={[]} />
          {field === "graduationYear" && <span>년 졸업</span>}
        </li>
      ))}
    </ul>
  );
}

function AlumniMergeHistory({ merges, canUndo }: { merges: readonly MergeEntry[]; canUndo: boolean }) {
  const say = useWords();
  const deeds = merges.map(({ mergeId, people, ...entry }) => ({
    ...entry,
    kind: "merge" as const,
    id: mergeId,
    added: 0,
    changed: people,
    undoable: canUndo,
  }));
  return (
    <UndoHistory
      title="합친 기록"
      deeds={deeds}
      headers={[say("남은 {동문}"), "합친 수", "한 사람"]}
      cells={({ name, changed, userName }) => [
        name || say("지워진 {동문}"),
        `${formatPeopleCount(changed)}을 하나로`,
        userName,
      ]}
      link={ALL_DEEDS_LINK}
    />
  );
}
