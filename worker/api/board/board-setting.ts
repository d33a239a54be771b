import {
  boardStateInput,
  copyBoardInput,
  createBoardInput,
  updateBoardInput,
} from "#worker/contract/board/board-setting-input.ts";
import { boardPath } from "#worker/contract/board/input.ts";
import * as boards from "#worker/domain/board/board-setting.server.ts";
import {
  apiRoutes,
  bodyOrder,
  contextCall,
  creatingCall,
  fromBody,
  fromPath,
  queryVersion,
  scopeCall,
} from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

const boardCode = fromPath(boardPath, "boardCode");

export const adminBoardApi = apiRoutes()
  .get("/", scopeCall(boards.listBoards))
  .put("/", recentSecondFactor, creatingCall(boards.createBoard, fromBody(createBoardInput)))
  .post("/order", contextCall(boards.orderBoards, bodyOrder))
  .patch("/:boardCode", recentSecondFactor, contextCall(boards.updateBoard, boardCode, fromBody(updateBoardInput)))
  .post("/:boardCode/copy", recentSecondFactor, creatingCall(boards.copyBoard, boardCode, fromBody(copyBoardInput)))
  .post("/:boardCode/state", contextCall(boards.setBoardClosed, boardCode, fromBody(boardStateInput)))
  .delete("/:boardCode", recentSecondFactor, contextCall(boards.deleteBoard, boardCode, queryVersion));
