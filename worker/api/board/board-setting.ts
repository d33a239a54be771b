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
import { type ApiEnv, validateBody, sendData, openContext, validatePath, validateQuery } from "../kernel/http.ts";

export const adminBoardApi = new Hono<ApiEnv>()
  .get("/", async (c) => sendData(c, await listBoards(c.var.scope)))
  .put("/", validateBody(createBoardInput), async (c) =>
    sendData(c, await createBoard(await openContext(c), c.req.valid("json"))),
  )
  .post("/order", validateBody(orderInput), async (c) =>
    sendData(c, await orderBoards(await openContext(c), c.req.valid("json").codes)),
  )
  .patch("/:boardCode", validatePath(boardPath), validateBody(updateBoardInput), async (c) =>
    sendData(c, await updateBoard(await openContext(c), c.req.valid("param").boardCode, c.req.valid("json"))),
  )
  .post("/:boardCode/copy", validatePath(boardPath), validateBody(copyBoardInput), async (c) =>
    sendData(c, await copyBoard(await openContext(c), c.req.valid("param").boardCode, c.req.valid("json"))),
  )
  .post("/:boardCode/state", validatePath(boardPath), validateBody(boardStateInput), async (c) =>
    sendData(c, await setBoardClosed(await openContext(c), c.req.valid("param").boardCode, c.req.valid("json"))),
  )
  .delete("/:boardCode", validatePath(boardPath), validateQuery(versionQuery), async (c) =>
    sendData(c, await deleteBoard(await openContext(c), c.req.valid("param").boardCode, c.req.valid("query").version)),
  );
