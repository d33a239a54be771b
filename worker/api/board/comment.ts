import { Hono } from "hono";
import {
  commentPath,
  commentsQuery,
  createCommentInput,
  itemPath,
  updateCommentInput,
} from "#worker/contract/board/input.ts";
import { createComment, deleteComment, listComments, updateComment } from "#worker/domain/board/comment.server.ts";
import { requireBoardAccess, requireSignIn } from "../kernel/access.ts";
import { readIdempotencyKey } from "../kernel/idempotency.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath, validateQuery } from "../kernel/http.ts";

export const boardItemCommentApi = new Hono<ApiEnv>()
  .use(requireSignIn)
  .get("/", validateQuery(commentsQuery), async (c) =>
    sendData(c, await listComments(c.var.scope, c.req.valid("query"))),
  )
  .put(
    "/:boardCode/:itemNo",
    requireBoardAccess("Comment"),
    validatePath(itemPath),
    validateBody(createCommentInput),
    async (c) =>
      sendData(
        c,
        await createComment(await openContext(c), c.req.valid("param"), c.req.valid("json"), readIdempotencyKey(c)),
      ),
  )
  .patch("/:boardCode/:itemNo/:commentId", validatePath(commentPath), validateBody(updateCommentInput), async (c) =>
    sendData(c, await updateComment(await openContext(c), c.req.valid("param"), c.req.valid("json"))),
  )
  .delete("/:boardCode/:itemNo/:commentId", validatePath(commentPath), async (c) =>
    sendData(c, await deleteComment(await openContext(c), c.req.valid("param"))),
  );
