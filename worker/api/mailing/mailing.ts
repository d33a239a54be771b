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
import {
  apiRoutes,
  contextCall,
  creatingCall,
  fromBody,
  fromQuery,
  pathId,
  queryVersion,
  scopeCall,
} from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

/** One mail to many people of the address book or of the members. */
export const adminMailingApi = apiRoutes()
  .get("/", scopeCall(listMailings, fromQuery(listMailingsQuery)))
  .put("/", creatingCall(createMailing, fromBody(createMailingInput)))
  .get("/:id", scopeCall(getMailing, pathId))
  .patch("/:id", contextCall(updateMailing, pathId, fromBody(updateMailingInput)))
  .delete("/:id", contextCall(deleteMailing, pathId, queryVersion))
  .get("/:id/recipient", scopeCall(listMailingRecipients, pathId, fromQuery(listRecipientsQuery)))
  .post("/:id/preview", contextCall(previewMailing, pathId))
  .post("/:id/test", contextCall(testMailing, pathId))
  .post("/:id/send", recentSecondFactor, contextCall(sendMailing, pathId, fromBody(sendMailingInput)))
  .post("/:id/cancel", contextCall(cancelMailing, pathId, fromBody(mailingVersionInput, "version")))
  .post("/:id/resend", recentSecondFactor, contextCall(resendMailing, pathId, fromBody(resendMailingInput)));
