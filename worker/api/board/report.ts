import { Hono } from "hono";
import { boardPath, itemPath, decideReportInput, listReportsQuery, reportInput } from "#worker/contract/board/input.ts";
import {
  decideBoardReport,
  decideReport,
  listBoardReports,
  listReports,
} from "#worker/domain/board/moderation.server.ts";
import { createReport } from "#worker/domain/board/report.server.ts";
import { requireSignIn } from "../kernel/access.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath, validateQuery } from "../kernel/http.ts";

export const boardItemReportApi = new Hono<ApiEnv>()
  .use(requireSignIn)
  .get("/:boardCode", validatePath(boardPath), validateQuery(listReportsQuery), async (c) =>
    sendData(c, await listBoardReports(c.var.scope, c.req.valid("param").boardCode, c.req.valid("query"))),
  )
  .put("/:boardCode/:itemNo", validatePath(itemPath), validateBody(reportInput), async (c) =>
    sendData(c, await createReport(await openContext(c), c.req.valid("param"), c.req.valid("json"))),
  )
  .post("/:boardCode/:itemNo", validatePath(itemPath), validateBody(decideReportInput), async (c) =>
    sendData(c, await decideBoardReport(await openContext(c), c.req.valid("param"), c.req.valid("json"))),
  );

export const adminReportApi = new Hono<ApiEnv>()
  .get("/", validateQuery(listReportsQuery), async (c) =>
    sendData(c, await listReports(c.var.scope, c.req.valid("query"))),
  )
  .post("/:boardCode/:itemNo", validatePath(itemPath), validateBody(decideReportInput), async (c) =>
    sendData(c, await decideReport(await openContext(c), c.req.valid("param"), c.req.valid("json"))),
  );
