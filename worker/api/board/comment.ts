import * as input from "#worker/contract/board/input.ts";
import { createComment, deleteComment, listComments, updateComment } from "#worker/domain/board/comment.server.ts";
import { requireBoardAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";

export const boardItemCommentApi = apiRoutes()
  .use(requireSignIn)
  .get("/", scopeCall(listComments, sent.query(input.commentsQuery)))
  .put(
    "/:boardCode/:itemNo",
    requireBoardAccess("Comment"),
    creatingCall(createComment, sent.path(input.itemPath), sent.body(input.createCommentInput)),
  )
  .patch(
    "/:boardCode/:itemNo/:commentId",
    contextCall(updateComment, sent.path(input.commentPath), sent.body(input.updateCommentInput)),
  )
  .delete("/:boardCode/:itemNo/:commentId", contextCall(deleteComment, sent.path(input.commentPath)));
