import { Hono } from "hono";
import {
  commentPath,
  commentsQuery,
  createCommentInput,
  itemPath,
  updateCommentInput,
} from "#worker/contract/board/input.ts";
import { createComment, deleteComment, listComments, updateComment } from "#worker/domain/board/comment.server.ts";
import { type ApiEnv, body, ok, opened, path, query } from "../kernel/http.ts";

export const boardItemCommentApi = new Hono<ApiEnv>()
  .get("/", query(commentsQuery), async (c) => ok(c, await listComments(c.var.door, c.req.valid("query"))))
  .put("/:boardCode/:itemNo", path(itemPath), body(createCommentInput), async (c) =>
    ok(c, await createComment(await opened(c), c.req.valid("param"), c.req.valid("json"))),
  )
  .patch("/:boardCode/:itemNo/:commentId", path(commentPath), body(updateCommentInput), async (c) =>
    ok(c, await updateComment(await opened(c), c.req.valid("param"), c.req.valid("json"))),
  )
  .delete("/:boardCode/:itemNo/:commentId", path(commentPath), async (c) =>
    ok(c, await deleteComment(await opened(c), c.req.valid("param"))),
  );
