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
import { scopeCall, contextCall, fromPath, fromQuery, fromBody } from "../kernel/call.ts";
import type { ApiEnv } from "../kernel/http.ts";

export const adminBoardApi = new Hono<ApiEnv>()
  .get("/", scopeCall(listBoards))
  .put("/", contextCall(createBoard, fromBody(createBoardInput)))
  .post("/order", contextCall(orderBoards, fromBody(orderInput, "codes")))
  .patch("/:boardCode", contextCall(updateBoard, fromPath(boardPath, "boardCode"), fromBody(updateBoardInput)))
  .post("/:boardCode/copy", contextCall(copyBoard, fromPath(boardPath, "boardCode"), fromBody(copyBoardInput)))
  .post("/:boardCode/state", contextCall(setBoardClosed, fromPath(boardPath, "boardCode"), fromBody(boardStateInput)))
  .delete(
    "/:boardCode",
    contextCall(deleteBoard, fromPath(boardPath, "boardCode"), fromQuery(versionQuery, "version")),
  );
