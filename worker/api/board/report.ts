import { Hono } from "hono";
import { boardPath, itemPath, decideReportInput, listReportsQuery, reportInput } from "#worker/contract/board/input.ts";
import {
  decideBoardReport,
  decideReport,
  listBoardReports,
  listReports,
} from "#worker/domain/board/moderation.server.ts";
import { createReport } from "#worker/domain/board/report.server.ts";
import { type ApiEnv, body, ok, opened, path, query } from "../kernel/http.ts";

export const boardItemReportApi = new Hono<ApiEnv>()
  .get("/:boardCode", path(boardPath), query(listReportsQuery), async (c) =>
    ok(c, await listBoardReports(c.var.door, c.req.valid("param").boardCode, c.req.valid("query"))),
  )
  .put("/:boardCode/:itemNo", path(itemPath), body(reportInput), async (c) =>
    ok(c, await createReport(await opened(c), c.req.valid("param"), c.req.valid("json"))),
  )
  .post("/:boardCode/:itemNo", path(itemPath), body(decideReportInput), async (c) =>
    ok(c, await decideBoardReport(await opened(c), c.req.valid("param"), c.req.valid("json"))),
  );

export const adminReportApi = new Hono<ApiEnv>()
  .get("/", query(listReportsQuery), async (c) => ok(c, await listReports(c.var.door, c.req.valid("query"))))
  .post("/:boardCode/:itemNo", path(itemPath), body(decideReportInput), async (c) =>
    ok(c, await decideReport(await opened(c), c.req.valid("param"), c.req.valid("json"))),
  );
