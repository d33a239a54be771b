import { boardPath, itemPath, decideReportInput, listReportsQuery, reportInput } from "#worker/contract/board/input.ts";
import {
  decideBoardReport,
  decideReport,
  listBoardReports,
  listReports,
} from "#worker/domain/board/moderation.server.ts";
import { createReport } from "#worker/domain/board/report.server.ts";
import { requireSignIn } from "../kernel/access.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";

export const boardItemReportApi = apiRoutes()
  .use(requireSignIn)
  .get("/:boardCode", scopeCall(listBoardReports, sent.path(boardPath, "boardCode"), sent.query(listReportsQuery)))
  .put("/:boardCode/:itemNo", creatingCall(createReport, sent.path(itemPath), sent.body(reportInput)))
  .post("/:boardCode/:itemNo", contextCall(decideBoardReport, sent.path(itemPath), sent.body(decideReportInput)));

export const adminReportApi = apiRoutes()
  .get("/", scopeCall(listReports, sent.query(listReportsQuery)))
  .post("/:boardCode/:itemNo", contextCall(decideReport, sent.path(itemPath), sent.body(decideReportInput)));
