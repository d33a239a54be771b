import { Hono } from "hono";
import { z } from "zod";
import { retireInput } from "#worker/contract/account/input.ts";
import { id } from "#worker/contract/kernel/fields.ts";
import { ownRequestInput } from "#worker/contract/privacy/input.ts";
import { exportOwnData } from "#worker/domain/privacy/own-data.server.ts";
import { askOwnRequest, listOwnRequests } from "#worker/domain/privacy/request.server.ts";
import { retire } from "#worker/domain/privacy/retire.server.ts";
import { resumeOwn } from "#worker/domain/privacy/suspension.server.ts";
import { clearSessionCookie } from "../kernel/cookie.ts";
import { type ApiEnv, body, ok, opened, path } from "../kernel/http.ts";

const userPath = path(z.object({ id }));

/** What people do with their own data; it stands under `/user`, before the calls that take an id there. */
export const ownPrivacyApi = new Hono<ApiEnv>()
  .post("/retire", body(retireInput), async (c) => {
    await retire(await opened(c), c.req.valid("json"));
    clearSessionCookie(c);
    return ok(c, {});
  })
  .get("/privacy-request", async (c) => ok(c, await listOwnRequests(await opened(c))))
  .post("/privacy-request", body(ownRequestInput), async (c) =>
    ok(c, await askOwnRequest(await opened(c), c.req.valid("json"))),
  )
  .get("/:id/export", userPath, async (c) => {
    const data = await exportOwnData(await opened(c), c.req.valid("param").id);
    c.header("Content-Disposition", 'attachment; filename="my-data.json"');
    return ok(c, data);
  })
  .delete("/:id/suspension", userPath, async (c) => ok(c, await resumeOwn(await opened(c), c.req.valid("param").id)));
