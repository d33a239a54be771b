import { useWords } from "#app/lib/use-words.ts";
import { AlumniPageHeader } from "#app/features/alumni/alumni-page-header.tsx";
import { AlumniMergeHistory } from "#app/features/alumni/merge-history.tsx";
import { DuplicateGroupCard } from "#app/features/alumni/duplicate-group.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { duplicatesQuery } from "#worker/contract/alumni/input.ts";
import { DUPLICATE_REASON_LABELS, DUPLICATE_REASONS } from "#worker/contract/alumni/merge-rules.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { can } from "#worker/domain/kernel/authorize.server.ts";
import { listDuplicates } from "#worker/domain/alumni/duplicate.server.ts";
import { listMerges } from "#worker/domain/alumni/merge.server.ts";
import type { Route } from "./+types/duplicates";

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
