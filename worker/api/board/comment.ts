import {
  commentPath,
  commentsQuery,
  createCommentInput,
  itemPath,
  updateCommentInput,
} from "#worker/contract/board/input.ts";
import { createComment, deleteComment, listComments, updateComment } from "#worker/domain/board/comment.server.ts";
import { requireBoardAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, scopeCall, contextCall, creatingCall, fromPath, fromQuery, fromBody } from "../kernel/call.ts";

export const boardItemCommentApi = apiRoutes()
  .use(requireSignIn)
  .get("/", scopeCall(listComments, fromQuery(commentsQuery)))
  .put(
    "/:boardCode/:itemNo",
    requireBoardAccess("Comment"),
    creatingCall(createComment, fromPath(itemPath), fromBody(createCommentInput)),
  )
  .patch(
    "/:boardCode/:itemNo/:commentId",
    contextCall(updateComment, fromPath(commentPath), fromBody(updateCommentInput)),
  )
  .delete("/:boardCode/:itemNo/:commentId", contextCall(deleteComment, fromPath(commentPath)));
