import { Hono } from "hono";
import { noInput } from "#worker/contract/kernel/fields.ts";
import { updateConsentInput } from "#worker/contract/member/input.ts";
import {
  listDueConsents,
  remindConsents,
  updateConsentSetting,
} from "#worker/domain/member/consent-reminder.server.ts";
import { type ApiEnv, body, ok, opened } from "../kernel/http.ts";

/** Consents to advertising that the law wants confirmed. */
export const adminConsentApi = new Hono<ApiEnv>()
  .get("/due", async (c) => ok(c, await listDueConsents(c.var.door)))
  .patch("/setting", body(updateConsentInput), async (c) =>
    ok(c, await updateConsentSetting(await opened(c), c.req.valid("json"))),
  )
  .post("/remind", body(noInput), async (c) => ok(c, await remindConsents(await opened(c))));
