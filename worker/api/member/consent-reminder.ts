import { Hono } from "hono";
import { noInput } from "#worker/contract/kernel/fields.ts";
import { updateConsentReminderInput } from "#worker/contract/member/input.ts";
import {
  listDueConsents,
  remindConsents,
  updateConsentSetting,
} from "#worker/domain/member/consent-reminder.server.ts";
import { scopeCall, contextCall, fromBody } from "../kernel/call.ts";
import type { ApiEnv } from "../kernel/http.ts";

/** Consents to advertising that the law wants confirmed. */
export const adminConsentApi = new Hono<ApiEnv>()
  .get("/due", scopeCall(listDueConsents))
  .patch("/setting", contextCall(updateConsentSetting, fromBody(updateConsentReminderInput)))
  .post("/remind", contextCall(remindConsents, fromBody(noInput)));
