import { noInput } from "#worker/contract/kernel/fields.ts";
import { updateConsentReminderInput } from "#worker/contract/member/input.ts";
import * as reminders from "#worker/domain/member/consent-reminder.server.ts";
import { apiRoutes, writeCall, readCall, sent } from "../kernel/call.ts";

/** Consents to advertising that the law requires to be confirmed. */
export const adminConsentApi = apiRoutes()
  .get("/due", readCall(reminders.listDueConsents))
  .patch("/setting", writeCall(reminders.updateConsentSetting, sent.body(updateConsentReminderInput)))
  .post("/remind", writeCall(reminders.remindConsents, sent.body(noInput)));
