import { useSearchParams } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { ReportList } from "#app/features/board/report-list.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { listReportsQuery } from "#worker/contract/board/input.ts";
import { listReports } from "#worker/domain/board/report.server.ts";
import type { Route } from "./+types/reports";

export const loader = searchedListLoader(listReportsQuery, listReports);

export default function ReportsPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader description="회원이 신고한 글과 댓글입니다. 신고한 사람은 표시하지 않습니다. 숨긴 글은 게시판의 휴지통에서 되살릴 수 있습니다." />
      <ReportList
        reports={loaderData}
        status={useSearchParams()[0].get("status") ?? "open"}
        path="/Admin/Reports"
        onDecide={({ boardCode, itemNo, commentId }, decision) =>
          callApi(
            api.admin.report[":boardCode"][":itemNo"].$post({
              param: { boardCode, itemNo: String(itemNo) },
              json: { decision, commentId },
            }),
          )
        }
      />
    </>
  );
}
