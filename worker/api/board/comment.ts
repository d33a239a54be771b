import * as input from "#worker/contract/board/input.ts";
import { createComment, deleteComment, listComments, updateComment } from "#worker/domain/board/comment.server.ts";
import { requireBoardAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";

export const boardItemCommentApi = apiRoutes()
  .use(requireSignIn)
  .get("/", readCall(listComments, sent.query(input.commentsQuery)))
  .put(
    "/:boardCode/:itemNo",
    requireBoardAccess("Comment"),
    creatingCall(createComment, sent.path(input.itemPath), sent.body(input.createCommentInput)),
  )
  .patch(
    "/:boardCode/:itemNo/:commentId",
    writeCall(updateComment, sent.path(input.commentPath), sent.body(input.updateCommentInput)),
  )
  .delete("/:boardCode/:itemNo/:commentId", writeCall(deleteComment, sent.path(input.commentPath)));
