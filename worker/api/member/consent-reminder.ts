import { noInput } from "#worker/contract/kernel/fields.ts";
import { updateConsentReminderInput } from "#worker/contract/member/input.ts";
import {
  listDueConsents,
  remindConsents,
  updateConsentSetting,
} from "#worker/domain/member/consent-reminder.server.ts";
import { apiRoutes, scopeCall, contextCall, fromBody } from "../kernel/call.ts";

/** Consents to advertising that the law wants confirmed. */
export const adminConsentApi = apiRoutes()
  .get("/due", scopeCall(listDueConsents))
  .patch("/setting", contextCall(updateConsentSetting, fromBody(updateConsentReminderInput)))
  .post("/remind", contextCall(remindConsents, fromBody(noInput)));
