import { Hono } from "hono";
import { boardPath } from "#worker/contract/board/input.ts";
import { followInput } from "#worker/contract/mail/input.ts";
import { getBoard } from "#worker/domain/board/board.server.ts";
import { followBoard, unfollowBoard } from "#worker/domain/board/follow.server.ts";
import { requireSignIn } from "../kernel/access.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath } from "../kernel/http.ts";

export const boardApi = new Hono<ApiEnv>()
  .use("/:boardCode/follow", requireSignIn)
  .get("/:boardCode", validatePath(boardPath), async (c) =>
    sendData(c, await getBoard(c.var.scope, c.req.valid("param").boardCode)),
  )
  .put("/:boardCode/follow", validatePath(boardPath), validateBody(followInput), async (c) =>
    sendData(c, await followBoard(await openContext(c), c.req.valid("param").boardCode)),
  )
  .delete("/:boardCode/follow", validatePath(boardPath), async (c) =>
    sendData(c, await unfollowBoard(await openContext(c), c.req.valid("param").boardCode)),
  );
