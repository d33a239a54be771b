import { useWords } from "#app/lib/use-words.ts";
import { AlumniPageHeader } from "#app/features/alumni/alumni-page-header.tsx";
import { OwnFieldsProvider } from "#app/features/alumni/column-label.tsx";
import { AlumniMergeForm } from "#app/features/alumni/merge-form.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { mergeAlumniQuery } from "#worker/contract/alumni/input.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { getMergePage } from "#worker/domain/alumni/merge.server.ts";
import type { Route } from "./+types/merge";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const search = new URL(request.url).searchParams;
  const { ids } = parseInput(mergeAlumniQuery, { ids: search.get("ids") ?? "" });
  const back = search.get("back") ?? "";
  return {
    ...(await getMergePage(await scope.context(), ids)),
    back: /^\/alumni([/?]|$)/i.test(back) ? back : "/Alumni/Duplicates",
  };
});

export const meta = titledMeta("{동문} 합치기");

export default function AlumniMerge({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const { people, undoDays, own, back } = loaderData;
  return (
    <OwnFieldsProvider own={own}>
      <AlumniPageHeader
        title="{동문} 합치기"
        parent={{ label: say("중복 의심 {동문}"), href: "/Alumni/Duplicates" }}
        description="다른 항목마다 남길 값을 골라 주십시오. 처음에는 더 나중에 고친 값이 골라져 있습니다."
      />
      <div className="container-page container-reading pt-6 pb-16 md:pt-8 md:pb-24">
        <AlumniMergeForm
          key={people.map((person) => `${person.id}${person.version}`).join()}
          people={people}
          undoDays={undoDays}
          own={own}
          back={back}
        />
      </div>
    </OwnFieldsProvider>
  );
}
