import { boardPath } from "#worker/contract/board/input.ts";
import { followInput } from "#worker/contract/mail/input.ts";
import { getBoard } from "#worker/domain/board/board.server.ts";
import { followBoard, unfollowBoard } from "#worker/domain/board/follow.server.ts";
import { requireSignIn } from "../kernel/access.ts";
import { apiRoutes, writeCall, readCall, sent } from "../kernel/call.ts";

export const boardApi = apiRoutes()
  .use("/:boardCode/follow", requireSignIn)
  .get("/:boardCode", readCall(getBoard, sent.path(boardPath, "boardCode")))
  .put("/:boardCode/follow", writeCall(followBoard, sent.path(boardPath, "boardCode"), sent.body(followInput)))
  .delete("/:boardCode/follow", writeCall(unfollowBoard, sent.path(boardPath, "boardCode")));
