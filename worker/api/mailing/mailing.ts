import * as input from "#worker/contract/mailing/input.ts";
import * as mailings from "#worker/domain/mailing/mailing.server.ts";
import { previewMailing, testMailing } from "#worker/domain/mailing/preview-mailing.server.ts";
import { cancelMailing, resendMailing, sendMailing } from "#worker/domain/mailing/send-mailing.server.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const adminMailingApi = apiRoutes()
  .get("/", scopeCall(mailings.listMailings, sent.query(input.listMailingsQuery)))
  .put("/", creatingCall(mailings.createMailing, sent.body(input.createMailingInput)))
  .get("/:id", scopeCall(mailings.getMailing, sent.id))
  .patch("/:id", contextCall(mailings.updateMailing, sent.id, sent.body(input.updateMailingInput)))
  .delete("/:id", contextCall(mailings.deleteMailing, sent.id, sent.version))
  .get("/:id/recipient", scopeCall(mailings.listMailingRecipients, sent.id, sent.query(input.listRecipientsQuery)))
  .post("/:id/preview", scopeCall(previewMailing, sent.id))
  .post("/:id/test", contextCall(testMailing, sent.id))
  .post("/:id/send", recentSecondFactor, contextCall(sendMailing, sent.id, sent.body(input.sendMailingInput)))
  .post("/:id/cancel", contextCall(cancelMailing, sent.id, sent.body(input.mailingVersionInput, "version")))
  .post("/:id/resend", recentSecondFactor, contextCall(resendMailing, sent.id, sent.body(input.resendMailingInput)));
