import { noInput } from "#worker/contract/kernel/fields.ts";
import { updateConsentReminderInput } from "#worker/contract/member/input.ts";
import * as reminders from "#worker/domain/member/consent-reminder.server.ts";
import { apiRoutes, contextCall, scopeCall, sent } from "../kernel/call.ts";

/** Consents to advertising that the law requires to be confirmed. */
export const adminConsentApi = apiRoutes()
  .get("/due", scopeCall(reminders.listDueConsents))
  .patch("/setting", contextCall(reminders.updateConsentSetting, sent.body(updateConsentReminderInput)))
  .post("/remind", contextCall(reminders.remindConsents, sent.body(noInput)));
