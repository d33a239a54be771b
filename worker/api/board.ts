import { Hono } from "hono";
import { boardPath } from "#worker/contract/board.ts";
import { getBoard } from "#worker/domain/board/board.server.ts";
import { type ApiEnv, ok, path } from "./http.ts";

export const boardApi = new Hono<ApiEnv>().get("/:boardCode", path(boardPath), async (c) =>
  ok(c, await getBoard(c.var.door, c.req.valid("param").boardCode)),
);
