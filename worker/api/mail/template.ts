import { Hono } from "hono";
import { letterPath, letterTextInput, updateLetterInput } from "#worker/contract/mail/input.ts";
import { versionQuery } from "#worker/contract/kernel/fields.ts";
import {
  getLetter,
  listLetters,
  restoreLetter,
  testLetter,
  updateLetter,
} from "#worker/domain/mail/template.server.ts";
import { type ApiEnv, body, ok, opened, path, query } from "../kernel/http.ts";

/** How letters are worded. */
export const adminLetterApi = new Hono<ApiEnv>()
  .get("/", async (c) => ok(c, await listLetters(c.var.door)))
  .get("/:kind", path(letterPath), async (c) => ok(c, await getLetter(c.var.door, c.req.valid("param").kind)))
  .patch("/:kind", path(letterPath), body(updateLetterInput), async (c) =>
    ok(c, await updateLetter(await opened(c), c.req.valid("param").kind, c.req.valid("json"))),
  )
  .delete("/:kind", path(letterPath), query(versionQuery), async (c) =>
    ok(c, await restoreLetter(await opened(c), c.req.valid("param").kind, c.req.valid("query").version)),
  )
  .post("/:kind/test", path(letterPath), body(letterTextInput), async (c) =>
    ok(c, await testLetter(await opened(c), c.req.valid("param").kind, c.req.valid("json"))),
  );
