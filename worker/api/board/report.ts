import { boardPath, itemPath, decideReportInput, listReportsQuery, reportInput } from "#worker/contract/board/input.ts";
import {
  decideBoardReport,
  decideReport,
  listBoardReports,
  listReports,
} from "#worker/domain/board/moderation.server.ts";
import { createReport } from "#worker/domain/board/report.server.ts";
import { requireSignIn } from "../kernel/access.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";

export const boardItemReportApi = apiRoutes()
  .use(requireSignIn)
  .get("/:boardCode", readCall(listBoardReports, sent.path(boardPath, "boardCode"), sent.query(listReportsQuery)))
  .put("/:boardCode/:itemNo", creatingCall(createReport, sent.path(itemPath), sent.body(reportInput)))
  .post("/:boardCode/:itemNo", writeCall(decideBoardReport, sent.path(itemPath), sent.body(decideReportInput)));

export const adminReportApi = apiRoutes()
  .get("/", readCall(listReports, sent.query(listReportsQuery)))
  .post("/:boardCode/:itemNo", writeCall(decideReport, sent.path(itemPath), sent.body(decideReportInput)));
