import { Hono } from "hono";
import { noInput } from "#worker/contract/kernel/fields.ts";
import { updateConsentReminderInput } from "#worker/contract/member/input.ts";
import {
  listDueConsents,
  remindConsents,
  updateConsentSetting,
} from "#worker/domain/member/consent-reminder.server.ts";
import { type ApiEnv, validateBody, sendData, openContext } from "../kernel/http.ts";

/** Consents to advertising that the law wants confirmed. */
export const adminConsentApi = new Hono<ApiEnv>()
  .get("/due", async (c) => sendData(c, await listDueConsents(c.var.scope)))
  .patch("/setting", validateBody(updateConsentReminderInput), async (c) =>
    sendData(c, await updateConsentSetting(await openContext(c), c.req.valid("json"))),
  )
  .post("/remind", validateBody(noInput), async (c) => sendData(c, await remindConsents(await openContext(c))));
