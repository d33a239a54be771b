import { Hono } from "hono";
import {
  boardStateInput,
  copyBoardInput,
  createBoardInput,
  updateBoardInput,
} from "#worker/contract/board/board-setting-input.ts";
import { orderInput, versionQuery } from "#worker/contract/kernel/fields.ts";
import { boardPath } from "#worker/contract/board/input.ts";
import {
  copyBoard,
  createBoard,
  deleteBoard,
  listBoards,
  orderBoards,
  setBoardClosed,
  updateBoard,
} from "#worker/domain/board/board-setting.server.ts";
import { type ApiEnv, body, ok, opened, path, query } from "../kernel/http.ts";

export const adminBoardApi = new Hono<ApiEnv>()
  .get("/", async (c) => ok(c, await listBoards(c.var.door)))
  .put("/", body(createBoardInput), async (c) => ok(c, await createBoard(await opened(c), c.req.valid("json"))))
  .post("/order", body(orderInput), async (c) => ok(c, await orderBoards(await opened(c), c.req.valid("json").codes)))
  .patch("/:boardCode", path(boardPath), body(updateBoardInput), async (c) =>
    ok(c, await updateBoard(await opened(c), c.req.valid("param").boardCode, c.req.valid("json"))),
  )
  .post("/:boardCode/copy", path(boardPath), body(copyBoardInput), async (c) =>
    ok(c, await copyBoard(await opened(c), c.req.valid("param").boardCode, c.req.valid("json"))),
  )
  .post("/:boardCode/state", path(boardPath), body(boardStateInput), async (c) =>
    ok(c, await setBoardClosed(await opened(c), c.req.valid("param").boardCode, c.req.valid("json"))),
  )
  .delete("/:boardCode", path(boardPath), query(versionQuery), async (c) =>
    ok(c, await deleteBoard(await opened(c), c.req.valid("param").boardCode, c.req.valid("query").version)),
  );
