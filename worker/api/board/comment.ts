import {
  commentPath,
  commentsQuery,
  createCommentInput,
  itemPath,
  updateCommentInput,
} from "#worker/contract/board/input.ts";
import { createComment, deleteComment, listComments, updateComment } from "#worker/domain/board/comment.server.ts";
import { requireBoardAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, scopeCall, contextCall, fromPath, fromQuery, fromBody } from "../kernel/call.ts";
import { fromIdempotencyHeader } from "../kernel/idempotency.ts";

export const boardItemCommentApi = apiRoutes()
  .use(requireSignIn)
  .get("/", scopeCall(listComments, fromQuery(commentsQuery)))
  .put(
    "/:boardCode/:itemNo",
    requireBoardAccess("Comment"),
    contextCall(createComment, fromPath(itemPath), fromBody(createCommentInput), fromIdempotencyHeader),
  )
  .patch(
    "/:boardCode/:itemNo/:commentId",
    contextCall(updateComment, fromPath(commentPath), fromBody(updateCommentInput)),
  )
  .delete("/:boardCode/:itemNo/:commentId", contextCall(deleteComment, fromPath(commentPath)));
