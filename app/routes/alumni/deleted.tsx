import { useWords } from "#app/lib/page-language.ts";
import { DeletedList } from "#app/features/list/deleted-list.tsx";
import { useRowPicks } from "#app/features/list/use-row-picks.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { AlumniPageHeader } from "#app/features/alumni/alumni-page-header.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import type { Question } from "#app/features/form/action.tsx";
import { deletedAlumniQuery } from "#worker/contract/alumni/input.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { type DeletedAlumniView, listDeletedAlumni } from "#worker/domain/alumni/deleted.server.ts";
import type { Route } from "./+types/deleted";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  listDeletedAlumni(scope, parseInput(deletedAlumniQuery, Object.fromEntries(new URL(request.url).searchParams))),
);

export const meta = titledMeta("{동문} 휴지통");

const personCell = (row: DeletedAlumniView["content"][number]) => (
  <>
    <span className="font-semibold text-gray-90">{row.name}</span>
    {row.cohort !== null && <span className="ml-2 text-sm text-gray-60">{row.cohort}기</span>}
    {row.mergedInto && <span className="block text-sm text-gray-60">‘{row.mergedInto.name}’님에 합쳐졌습니다.</span>}
  </>
);

export default function DeletedAlumniRoute({ loaderData: bin }: Route.ComponentProps) {
  const say = useWords();
  const picks = useRowPicks(bin.content.map((row) => row.id));
  const { picked } = picks;
  const count = `${formatCount(picked.length)}명`;
  const json = { ids: [...picked] };
  const restoreQuestion: Question<{ restored: number }> = {
    label: `${count} 되살리기`,
    title: say(`{동문} ${count}을 되살리시겠습니까?`),
    text: <p>{say("고른 {동문:이/가} 주소록으로 돌아갑니다.")}</p>,
    work: () => callApi(api.alumni["restore-data"].$post({ json })),
    done: ({ restored }) => `${formatCount(restored)}명을 주소록으로 되돌렸습니다.`,
    onDone: picks.clear,
  };
  const destroyQuestion: Question<{ destroyed: number }> = {
    label: `${count} 영구 삭제`,
    title: say(`{동문} ${count}을 영구 삭제하시겠습니까?`),
    text: <p>고른 사람의 정보가 모두 없어지며 되살릴 수 없습니다.</p>,
    danger: true,
    work: () => callApi(api.alumni["destroy-data"].$post({ json })),
    done: ({ destroyed }) => `${formatCount(destroyed)}명을 영구 삭제하였습니다.`,
    onDone: picks.clear,
  };
  return (
    <>
      <AlumniPageHeader
        title="{동문} 휴지통"
        description={
          bin.binDays === null
            ? "지운 {동문:은/는} 영구 삭제할 때까지 여기에 남아 있습니다."
            : `지운 {동문:은/는} ${bin.binDays}일 동안 보관한 뒤 완전히 지워집니다.`
        }
      />
      <DeletedList
        caption={say("{동문} 휴지통")}
        deletedRows={bin}
        unit="명"
        picks={picks}
        keyOf={(row) => row.id}
        nameOf={(row) => row.name}
        headers={["이름", "소속"]}
        first={personCell}
        second={(row) => row.affiliation}
        restore={restoreQuestion}
        destroy={destroyQuestion}
        path="/Alumni/Bin"
        back={{ label: say("{동문주소록}"), href: "/Alumni" }}
      />
    </>
  );
}
