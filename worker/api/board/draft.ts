import { Hono } from "hono";
import { draftInput, draftPath, draftQuery } from "#worker/contract/board/input.ts";
import { SIZES } from "#worker/contract/kernel/limits.ts";
import { deleteDraft, getDraft, saveDraft } from "#worker/domain/board/draft.server.ts";
import { type ApiEnv, body, ok, opened, path, query } from "../kernel/http.ts";

export const boardItemDraftApi = new Hono<ApiEnv>()
  .get("/:boardCode", path(draftPath), query(draftQuery), async (c) =>
    ok(c, await getDraft(await opened(c), { ...c.req.valid("param"), ...c.req.valid("query") })),
  )
  .put("/:boardCode", path(draftPath), query(draftQuery), body(draftInput, SIZES.postBytes), async (c) =>
    ok(c, await saveDraft(await opened(c), { ...c.req.valid("param"), ...c.req.valid("query") }, c.req.valid("json"))),
  )
  .delete("/:boardCode", path(draftPath), query(draftQuery), async (c) =>
    ok(c, await deleteDraft(await opened(c), { ...c.req.valid("param"), ...c.req.valid("query") })),
  );
