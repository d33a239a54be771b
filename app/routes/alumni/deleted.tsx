import { useState } from "react";
import { useAction } from "#app/features/form/use-action.ts";
import { DeletedList } from "#app/features/list/deleted-list.tsx";
import { useRowPicks } from "#app/features/list/use-row-picks.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { deletedAlumniQuery } from "#worker/contract/alumni/input.ts";
import type { DeletedAlumniRow } from "#worker/contract/alumni/merge-view.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { listDeletedAlumni } from "#worker/domain/alumni/deleted.server.ts";
import type { Route } from "./+types/deleted";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  listDeletedAlumni(scope, parseInput(deletedAlumniQuery, Object.fromEntries(new URL(request.url).searchParams))),
);

export const meta = titledMeta("동문 휴지통");

const personCell = (row: DeletedAlumniRow) => (
  <>
    <span className="font-semibold text-gray-90">{row.name}</span>
    {row.cohort !== null && <span className="ml-2 text-sm text-gray-60">{row.cohort}기</span>}
    {row.mergedInto && <span className="block text-sm text-gray-60">‘{row.mergedInto.name}’ 님에 합쳐졌습니다.</span>}
  </>
);

type DeletedAlumniAction = "restore" | "destroy";

export default function DeletedAlumniRoute({ loaderData: bin }: Route.ComponentProps) {
  const picks = useRowPicks(bin.content.map((row) => row.id));
  const { picked } = picks;
  const [asked, setAsked] = useState<DeletedAlumniAction | null>(null);
  const { busy, problem, clear, run } = useAction();
  const confirm = async () => {
    const json = { ids: [...picked] };
    const work = async () => {
      if (asked === "restore") {
        const { restored } = await callApi(api.alumni["restore-data"].$post({ json }));
        return `${formatCount(restored)}명을 주소록으로 되돌렸습니다.`;
      }
      const { destroyed } = await callApi(api.alumni["destroy-data"].$post({ json }));
      return `${formatCount(destroyed)}명을 영구 삭제하였습니다.`;
    };
    if (!(await run(work, (outcome) => outcome))) return;
    setAsked(null);
    picks.clear();
  };
  const ask = (next: DeletedAlumniAction) => {
    clear();
    setAsked(next);
  };
  return (
    <>
      <PageHeader
        title="동문 휴지통"
        description={
          bin.binDays === null
            ? "지운 동문은 영구 삭제할 때까지 여기에 남아 있습니다."
            : `지운 동문은 ${bin.binDays}일 동안 보관한 뒤 완전히 지워집니다.`
        }
        parents={[{ label: "동문주소록", href: "/Alumni" }]}
      />
      <DeletedList
        caption="동문 휴지통"
        deletedRows={bin}
        unit="명"
        picks={picks}
        keyOf={(row) => row.id}
        nameOf={(row) => row.name}
        headers={["이름", "소속"]}
        first={personCell}
        second={(row) => row.affiliation}
        actions={
          <>
            <Button size="sm" disabled={picked.length === 0} onClick={() => ask("restore")}>
              선택 복원
            </Button>
            <Button size="sm" variant="danger" disabled={picked.length === 0} onClick={() => ask("destroy")}>
              선택 영구 삭제
            </Button>
          </>
        }
        path="/Alumni/Bin"
        back={{ label: "동문주소록", href: "/Alumni" }}
      />
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={
          asked === "restore"
            ? `동문 ${formatCount(picked.length)}명을 복원하시겠습니까?`
            : `동문 ${formatCount(picked.length)}명을 영구 삭제하시겠습니까?`
        }
        confirmLabel={
          asked === "restore" ? `${formatCount(picked.length)}명 복원` : `${formatCount(picked.length)}명 영구 삭제`
        }
        danger={asked === "destroy"}
        busy={busy}
        error={problem}
        onConfirm={confirm}
      >
        <p>
          {asked === "restore"
            ? "고른 동문이 주소록으로 돌아갑니다."
            : "고른 동문의 정보가 모두 없어지며 되살릴 수 없습니다."}
        </p>
      </ConfirmDialog>
    </>
  );
}
