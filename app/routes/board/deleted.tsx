import { useState } from "react";
import { DeletedList } from "#app/features/list/deleted-list.tsx";
import { useRowPicks } from "#app/features/list/use-row-picks.ts";
import { boardListHref } from "#app/features/board/board-paths.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { boardCode } from "#worker/contract/board/input.ts";
import type { DeletedItemRow } from "#worker/contract/board/view.ts";
import { deletedItemsQuery } from "#worker/contract/board/manage-input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { listDeletedItems } from "#worker/domain/board/deleted.server.ts";
import type { Route } from "./+types/deleted";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const code = boardCode.safeParse(params.boardCode.toLowerCase());
  if (!code.success) throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  return listDeletedItems(
    scope,
    code.data,
    parseInput(deletedItemsQuery, Object.fromEntries(new URL(request.url).searchParams)),
  );
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta({ matches, title: loaderData ? `${loaderData.board.boardName} 휴지통` : "휴지통" });
}

const titleCell = (row: DeletedItemRow) => (
  <>
    {row.title} <span className="text-sm text-gray-60">#{row.itemNo}</span>
  </>
);

type DeletedItemAction = "restore" | "destroy" | "empty";
const ACTION_TEXTS: Record<DeletedItemAction, { title: string; label: string; done: string; text: string }> = {
  restore: {
    title: "글을 복원하시겠습니까?",
    label: "복원",
    done: "글을 복원하였습니다.",
    text: "고른 글이 댓글, 첨부파일과 함께 목록으로 돌아갑니다.",
  },
  destroy: {
    title: "영구 삭제하시겠습니까?",
    label: "영구 삭제",
    done: "글을 영구 삭제하였습니다.",
    text: "고른 글은 댓글, 첨부파일과 함께 없어지며 되살릴 수 없습니다.",
  },
  empty: {
    title: "휴지통을 비우시겠습니까?",
    label: "휴지통 비우기",
    done: "휴지통을 비웠습니다.",
    text: "휴지통에 있는 모든 글이 없어지며 되살릴 수 없습니다.",
  },
};

export default function DeletedItemsRoute({ loaderData }: Route.ComponentProps) {
  const { board, deletedItems, keptDays } = loaderData;
  const picks = useRowPicks(deletedItems.content.map((row) => row.itemNo));
  const { picked } = picks;
  const [asked, setAsked] = useState<DeletedItemAction | null>(null);
  const { busy, problem, clear, run } = useAction();
  const param = { boardCode: board.boardCode };
  const confirm = async () => {
    if (!asked) return;
    const work = (): Promise<unknown> =>
      asked === "empty"
        ? callApi(api["board-item"].bin[":boardCode"].$delete({ param }))
        : callApi(api["board-item"][":boardCode"].bulk.$post({ param, json: { action: asked, itemNos: [...picked] } }));
    if (!(await run(work, ACTION_TEXTS[asked].done))) return;
    setAsked(null);
    picks.clear();
  };
  const ask = (next: DeletedItemAction) => {
    clear();
    setAsked(next);
  };
  return (
    <>
      <PageHeader
        title="휴지통"
        description={
          keptDays === null
            ? "지운 글은 직접 비울 때까지 보관합니다."
            : `지운 글은 ${keptDays}일 동안 보관한 뒤 첨부파일과 함께 없어집니다.`
        }
        parents={[{ label: board.boardName, href: boardListHref(board.boardCode) }]}
      />
      <DeletedList
        caption={`${board.boardName} 휴지통`}
        deletedRows={deletedItems}
        unit="건"
        picks={picks}
        keyOf={(row) => row.itemNo}
        nameOf={(row) => row.title}
        headers={["제목", "작성자"]}
        first={titleCell}
        second={(row) => row.createdUserName}
        actions={
          <>
            <Button size="sm" disabled={picked.length === 0} onClick={() => ask("restore")}>
              선택 복원
            </Button>
            <Button size="sm" variant="danger" disabled={picked.length === 0} onClick={() => ask("destroy")}>
              선택 영구 삭제
            </Button>
            <Button size="sm" variant="danger" disabled={deletedItems.totalElements === 0} onClick={() => ask("empty")}>
              휴지통 비우기
            </Button>
          </>
        }
        path={`/board/${board.boardCode}/Bin`}
        back={{ label: "목록", href: boardListHref(board.boardCode) }}
      />
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={asked ? ACTION_TEXTS[asked].title : ""}
        confirmLabel={asked ? ACTION_TEXTS[asked].label : ""}
        danger={asked !== "restore"}
        busy={busy}
        error={problem}
        onConfirm={confirm}
      >
        <p>{asked ? ACTION_TEXTS[asked].text : ""}</p>
        {asked && asked !== "empty" && <p className="mt-2">고른 글: {formatCount(picked.length)}건</p>}
      </ConfirmDialog>
    </>
  );
}
