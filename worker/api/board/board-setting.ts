import {
  boardStateInput,
  copyBoardInput,
  createBoardInput,
  updateBoardInput,
} from "#worker/contract/board/board-setting-input.ts";
import { boardPath } from "#worker/contract/board/input.ts";
import * as boards from "#worker/domain/board/board-setting.server.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

const boardCode = sent.path(boardPath, "boardCode");

export const adminBoardApi = apiRoutes()
  .get("/", readCall(boards.listBoards))
  .put("/", recentSecondFactor, creatingCall(boards.createBoard, sent.body(createBoardInput)))
  .post("/order", writeCall(boards.orderBoards, sent.order))
  .patch("/:boardCode", recentSecondFactor, writeCall(boards.updateBoard, boardCode, sent.body(updateBoardInput)))
  .post("/:boardCode/copy", recentSecondFactor, creatingCall(boards.copyBoard, boardCode, sent.body(copyBoardInput)))
  .post("/:boardCode/state", writeCall(boards.setBoardClosed, boardCode, sent.body(boardStateInput)))
  .delete("/:boardCode", recentSecondFactor, writeCall(boards.deleteBoard, boardCode, sent.version));
