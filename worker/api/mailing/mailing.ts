import { idPath, versionQuery } from "#worker/contract/kernel/fields.ts";
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
import { apiRoutes, contextCall, creatingCall, fromBody, fromPath, fromQuery, scopeCall } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

/** One mail to many people of the address book or of the members. */
export const adminMailingApi = apiRoutes()
  .get("/", scopeCall(listMailings, fromQuery(listMailingsQuery)))
  .put("/", creatingCall(createMailing, fromBody(createMailingInput)))
  .get("/:id", contextCall(getMailing, fromPath(idPath, "id")))
  .patch("/:id", contextCall(updateMailing, fromPath(idPath, "id"), fromBody(updateMailingInput)))
  .delete("/:id", contextCall(deleteMailing, fromPath(idPath, "id"), fromQuery(versionQuery, "version")))
  .get("/:id/recipient", contextCall(listMailingRecipients, fromPath(idPath, "id"), fromQuery(listRecipientsQuery)))
  .post("/:id/preview", contextCall(previewMailing, fromPath(idPath, "id")))
  .post("/:id/test", contextCall(testMailing, fromPath(idPath, "id")))
  .post("/:id/send", recentSecondFactor, contextCall(sendMailing, fromPath(idPath, "id"), fromBody(sendMailingInput)))
  .post("/:id/cancel", contextCall(cancelMailing, fromPath(idPath, "id"), fromBody(mailingVersionInput, "version")))
  .post(
    "/:id/resend",
    recentSecondFactor,
    contextCall(resendMailing, fromPath(idPath, "id"), fromBody(resendMailingInput)),
  );
