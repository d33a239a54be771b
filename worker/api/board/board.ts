import { boardPath } from "#worker/contract/board/input.ts";
import { followInput, listActivityQuery, notificationsInput, readActivityInput } from "#worker/contract/mail/input.ts";
import { getBoard } from "#worker/domain/board/board.server.ts";
import {
  changeNotifications,
  followBoard,
  listNotifications,
  unfollowBoard,
} from "#worker/domain/board/follow.server.ts";
import { recentSecondFactor, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, creatingCall, readCall, sent, writeCall } from "../kernel/call.ts";
import {
  boardStateInput,
  copyBoardInput,
  createBoardInput,
  updateBoardInput,
} from "#worker/contract/board/board-setting-input.ts";
import * as boards from "#worker/domain/board/board-setting.server.ts";
import { readActivity } from "#worker/domain/mail/activity.server.ts";
import { listActivity } from "#worker/domain/board/activity-list.server.ts";

export const boardApi = apiRoutes()
  .use("/:boardCode/follow", requireSignIn)
  .get("/:boardCode", readCall(getBoard, sent.path(boardPath, "boardCode")))
  .put("/:boardCode/follow", writeCall(followBoard, sent.path(boardPath, "boardCode"), sent.body(followInput)))
  .delete("/:boardCode/follow", writeCall(unfollowBoard, sent.path(boardPath, "boardCode")));

const boardCode = sent.path(boardPath, "boardCode");

export const adminBoardApi = apiRoutes()
  .get("/", readCall(boards.listBoards))
  .put("/", recentSecondFactor, creatingCall(boards.createBoard, sent.body(createBoardInput)))
  .post("/order", writeCall(boards.orderBoards, sent.order))
  .patch("/:boardCode", recentSecondFactor, writeCall(boards.updateBoard, boardCode, sent.body(updateBoardInput)))
  .post("/:boardCode/copy", recentSecondFactor, creatingCall(boards.copyBoard, boardCode, sent.body(copyBoardInput)))
  .post("/:boardCode/state", writeCall(boards.setBoardClosed, boardCode, sent.body(boardStateInput)))
  .delete("/:boardCode", recentSecondFactor, writeCall(boards.deleteBoard, boardCode, sent.version));

export const notificationApi = apiRoutes()
  .get("/:id/notices", writeCall(listNotifications, sent.id))
  .patch("/:id/notices", writeCall(changeNotifications, sent.id, sent.body(notificationsInput)))
  .get("/:id/activity", writeCall(listActivity, sent.id, sent.query(listActivityQuery)))
  .post("/:id/activity/read", writeCall(readActivity, sent.id, sent.body(readActivityInput)));
