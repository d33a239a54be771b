import * as input from "#worker/contract/mailing/input.ts";
import * as mailings from "#worker/domain/mailing/mailing.server.ts";
import { previewMailing, testMailing } from "#worker/domain/mailing/preview-mailing.server.ts";
import { cancelMailing, resendMailing, sendMailing } from "#worker/domain/mailing/send-mailing.server.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const adminMailingApi = apiRoutes()
  .get("/", readCall(mailings.listMailings, sent.query(input.listMailingsQuery)))
  .put("/", creatingCall(mailings.createMailing, sent.body(input.createMailingInput)))
  .get("/:id", readCall(mailings.getMailing, sent.id))
  .patch("/:id", writeCall(mailings.updateMailing, sent.id, sent.body(input.updateMailingInput)))
  .delete("/:id", writeCall(mailings.deleteMailing, sent.id, sent.version))
  .get("/:id/recipient", readCall(mailings.listMailingRecipients, sent.id, sent.query(input.listRecipientsQuery)))
  .post("/:id/preview", readCall(previewMailing, sent.id))
  .post("/:id/test", writeCall(testMailing, sent.id))
  .post("/:id/send", recentSecondFactor, writeCall(sendMailing, sent.id, sent.body(input.sendMailingInput)))
  .post("/:id/cancel", writeCall(cancelMailing, sent.id, sent.body(input.mailingVersionInput, "version")))
  .post("/:id/resend", recentSecondFactor, writeCall(resendMailing, sent.id, sent.body(input.resendMailingInput)));
