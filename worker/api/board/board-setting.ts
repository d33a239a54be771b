import {
  boardStateInput,
  copyBoardInput,
  createBoardInput,
  updateBoardInput,
} from "#worker/contract/board/board-setting-input.ts";
import { boardPath } from "#worker/contract/board/input.ts";
import * as boards from "#worker/domain/board/board-setting.server.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

const boardCode = sent.path(boardPath, "boardCode");

export const adminBoardApi = apiRoutes()
  .get("/", scopeCall(boards.listBoards))
  .put("/", recentSecondFactor, creatingCall(boards.createBoard, sent.body(createBoardInput)))
  .post("/order", contextCall(boards.orderBoards, sent.order))
  .patch("/:boardCode", recentSecondFactor, contextCall(boards.updateBoard, boardCode, sent.body(updateBoardInput)))
  .post("/:boardCode/copy", recentSecondFactor, creatingCall(boards.copyBoard, boardCode, sent.body(copyBoardInput)))
  .post("/:boardCode/state", contextCall(boards.setBoardClosed, boardCode, sent.body(boardStateInput)))
  .delete("/:boardCode", recentSecondFactor, contextCall(boards.deleteBoard, boardCode, sent.version));
