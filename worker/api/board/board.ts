import { Hono } from "hono";
import { boardPath } from "#worker/contract/board/input.ts";
import { followInput } from "#worker/contract/mail/input.ts";
import { getBoard } from "#worker/domain/board/board.server.ts";
import { followBoard, unfollowBoard } from "#worker/domain/board/follow.server.ts";
import { type ApiEnv, body, ok, opened, path } from "../kernel/http.ts";

export const boardApi = new Hono<ApiEnv>()
  .get("/:boardCode", path(boardPath), async (c) => ok(c, await getBoard(c.var.door, c.req.valid("param").boardCode)))
  .put("/:boardCode/follow", path(boardPath), body(followInput), async (c) =>
    ok(c, await followBoard(await opened(c), c.req.valid("param").boardCode)),
  )
  .delete("/:boardCode/follow", path(boardPath), async (c) =>
    ok(c, await unfollowBoard(await opened(c), c.req.valid("param").boardCode)),
  );
