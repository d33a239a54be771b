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
import { apiRoutes, scopeCall, contextCall, creatingCall, fromPath, fromQuery, fromBody } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const adminBoardApi = apiRoutes()
  .get("/", scopeCall(listBoards))
  .put("/", recentSecondFactor, creatingCall(createBoard, fromBody(createBoardInput)))
  .post("/order", contextCall(orderBoards, fromBody(orderInput, "codes")))
  .patch(
    "/:boardCode",
    recentSecondFactor,
    contextCall(updateBoard, fromPath(boardPath, "boardCode"), fromBody(updateBoardInput)),
  )
  .post(
    "/:boardCode/copy",
    recentSecondFactor,
    creatingCall(copyBoard, fromPath(boardPath, "boardCode"), fromBody(copyBoardInput)),
  )
  .post("/:boardCode/state", contextCall(setBoardClosed, fromPath(boardPath, "boardCode"), fromBody(boardStateInput)))
  .delete(
    "/:boardCode",
    recentSecondFactor,
    contextCall(deleteBoard, fromPath(boardPath, "boardCode"), fromQuery(versionQuery, "version")),
  );
