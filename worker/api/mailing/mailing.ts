import {
  createMailingInput,
  listMailingsQuery,
  listRecipientsQuery,
  mailingVersionInput,
  resendMailingInput,
  sendMailingInput,
  updateMailingInput,
} from "#worker/contract/mailing/input.ts";
import {
  createMailing,
  deleteMailing,
  getMailing,
  listMailingRecipients,
  listMailings,
  updateMailing,
} from "#worker/domain/mailing/mailing.server.ts";
import { previewMailing, testMailing } from "#worker/domain/mailing/preview-mailing.server.ts";
import { cancelMailing, resendMailing, sendMailing } from "#worker/domain/mailing/send-mailing.server.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

/** One mail to many people of the address book or of the members. */
export const adminMailingApi = apiRoutes()
  .get("/", scopeCall(listMailings, sent.query(listMailingsQuery)))
  .put("/", creatingCall(createMailing, sent.body(createMailingInput)))
  .get("/:id", scopeCall(getMailing, sent.id))
  .patch("/:id", contextCall(updateMailing, sent.id, sent.body(updateMailingInput)))
  .delete("/:id", contextCall(deleteMailing, sent.id, sent.version))
  .get("/:id/recipient", scopeCall(listMailingRecipients, sent.id, sent.query(listRecipientsQuery)))
  .post("/:id/preview", scopeCall(previewMailing, sent.id))
  .post("/:id/test", contextCall(testMailing, sent.id))
  .post("/:id/send", recentSecondFactor, contextCall(sendMailing, sent.id, sent.body(sendMailingInput)))
  .post("/:id/cancel", contextCall(cancelMailing, sent.id, sent.body(mailingVersionInput, "version")))
  .post("/:id/resend", recentSecondFactor, contextCall(resendMailing, sent.id, sent.body(resendMailingInput)));
