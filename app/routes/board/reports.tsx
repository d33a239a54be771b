import { useSearchParams } from "react-router";
import { boardListHref } from "#app/features/board/board-paths.ts";
import { ReportList } from "#app/features/board/report-list.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { loadSearchedList, pageLoader } from "#app/lib/page-loader.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { boardCode, listReportsQuery } from "#worker/contract/board/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { listBoardReports } from "#worker/domain/board/report.server.ts";
import type { Route } from "./+types/reports";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const code = boardCode.safeParse(params.boardCode.toLowerCase());
  if (!code.success) throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  return loadSearchedList(request, listReportsQuery, (query) => listBoardReports(scope, code.data, query));
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: loaderData ? `${loaderData.board.boardName} 신고` : "신고" });

export default function BoardReports({ loaderData }: Route.ComponentProps) {
  const { board } = loaderData;
  return (
    <>
      <PageHeader
        title="신고"
        description="회원이 이 게시판에서 신고한 글과 댓글입니다. 신고한 사람은 표시하지 않습니다."
        parents={[{ label: board.boardName, href: boardListHref(board.boardCode) }]}
      />
      <div className="container-page container-reading pt-8 pb-16 md:pt-10 md:pb-24">
        <ReportList
          reports={loaderData}
          status={useSearchParams()[0].get("status") ?? "open"}
          path={`/board/${board.boardCode}/Reports`}
          onDecide={({ itemNo, commentId }, decision) =>
            callApi(
              api["board-item-report"][":boardCode"][":itemNo"].$post({
                param: { boardCode: board.boardCode, itemNo: String(itemNo) },
                json: { decision, commentId },
              }),
            )
          }
        />
        <ButtonLink to={boardListHref(board.boardCode)} size="sm" className="mt-6">
          목록
        </ButtonLink>
      </div>
    </>
  );
}
