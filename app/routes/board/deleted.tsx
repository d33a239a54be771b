import { DeletedList } from "#app/features/list/deleted-list.tsx";
import { useRowPicks } from "#app/features/list/use-row-picks.ts";
import { boardListHref } from "#app/features/board/board-paths.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import { boardCode, deletedItemsQuery } from "#worker/contract/board/input.ts";
import type { DeletedItemRow } from "#worker/contract/board/view.ts";
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

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: loaderData ? `${loaderData.board.boardName} 휴지통` : "휴지통" });

const titleCell = (row: DeletedItemRow) => (
  <>
    {row.title} <span className="text-sm text-gray-60">#{row.itemNo}</span>
  </>
);

export default function DeletedItemsRoute({ loaderData }: Route.ComponentProps) {
  const { board, deletedItems, keptDays } = loaderData;
  const picks = useRowPicks(deletedItems.content.map((row) => row.itemNo));
  const { picked } = picks;
  const param = { boardCode: board.boardCode };
  const onPicked = (action: "restore" | "destroy", label: string, title: string, text: string): Question => ({
    label,
    title,
    text: (
      <>
        <p>{text}</p>
        <p className="mt-2">고른 글: {formatCount(picked.length)}건</p>
      </>
    ),
    danger: action === "destroy",
    work: () => callApi(api["board-item"][":boardCode"].bulk.$post({ param, json: { action, itemNos: [...picked] } })),
    done: action === "restore" ? "글을 되살렸습니다." : "글을 영구 삭제하였습니다.",
    onDone: picks.clear,
  });
  const restoreQuestion = onPicked(
    "restore",
    "되살리기",
    "글을 되살리시겠습니까?",
    "고른 글이 댓글, 첨부파일과 함께 목록으로 돌아갑니다.",
  );
  const destroyQuestion = onPicked(
    "destroy",
    "영구 삭제",
    "영구 삭제하시겠습니까?",
    "고른 글은 댓글, 첨부파일과 함께 없어지며 되살릴 수 없습니다.",
  );
  const emptyQuestion: Question = {
    label: "휴지통 비우기",
    title: "휴지통을 비우시겠습니까?",
    text: <p>휴지통에 있는 모든 글이 없어지며 되살릴 수 없습니다.</p>,
    danger: true,
    work: () => callApi(api["board-item"].bin[":boardCode"].$delete({ param })),
    done: "휴지통을 비웠습니다.",
    onDone: picks.clear,
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
        restore={restoreQuestion}
        destroy={destroyQuestion}
        actions={<QuestionButton question={emptyQuestion} disabled={deletedItems.totalElements === 0} />}
        path={`/board/${board.boardCode}/Bin`}
        back={{ label: "목록", href: boardListHref(board.boardCode) }}
      />
    </>
  );
}
