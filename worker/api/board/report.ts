import { boardPath, itemPath, decideReportInput, listReportsQuery, reportInput } from "#worker/contract/board/input.ts";
import {
  decideBoardReport,
  decideReport,
  listBoardReports,
  listReports,
} from "#worker/domain/board/moderation.server.ts";
import { createReport } from "#worker/domain/board/report.server.ts";
import { requireSignIn } from "../kernel/access.ts";
import { apiRoutes, scopeCall, contextCall, creatingCall, fromPath, fromQuery, fromBody } from "../kernel/call.ts";

export const boardItemReportApi = apiRoutes()
  .use(requireSignIn)
  .get("/:boardCode", scopeCall(listBoardReports, fromPath(boardPath, "boardCode"), fromQuery(listReportsQuery)))
  .put("/:boardCode/:itemNo", creatingCall(createReport, fromPath(itemPath), fromBody(reportInput)))
  .post("/:boardCode/:itemNo", contextCall(decideBoardReport, fromPath(itemPath), fromBody(decideReportInput)));

export const adminReportApi = apiRoutes()
  .get("/", scopeCall(listReports, fromQuery(listReportsQuery)))
  .post("/:boardCode/:itemNo", contextCall(decideReport, fromPath(itemPath), fromBody(decideReportInput)));
