import { Hono } from "hono";
import { z } from "zod";
import { id } from "#worker/contract/kernel/fields.ts";
import { noticesInput } from "#worker/contract/mail/input.ts";
import { changeNotices, listNotices } from "#worker/domain/board/follow.server.ts";
import { type ApiEnv, body, ok, opened, path } from "../kernel/http.ts";

const userPath = path(z.object({ id }));

/** Which notifications a person gets; it stands under `/user`. */
export const notificationApi = new Hono<ApiEnv>()
  .get("/:id/notices", userPath, async (c) => ok(c, await listNotices(await opened(c), c.req.valid("param").id)))
  .patch("/:id/notices", userPath, body(noticesInput), async (c) =>
    ok(c, await changeNotices(await opened(c), c.req.valid("param").id, c.req.valid("json"))),
  );
