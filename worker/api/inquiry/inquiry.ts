import {
  addInquiryMessageInput,
  answerInquiryInput,
  closeInquiryInput,
  listInquiriesQuery,
  listOwnInquiriesQuery,
  submitInquiryInput,
} from "#worker/contract/inquiry/input.ts";
import { idPath } from "#worker/contract/kernel/fields.ts";
import {
  answerInquiry,
  closeInquiry,
  getInquiry,
  listInquiries,
} from "#worker/domain/inquiry/office-inquiry.server.ts";
import {
  addInquiryMessage,
  closeOwnInquiry,
  getOwnInquiry,
  listOwnInquiries,
  submitInquiry,
} from "#worker/domain/inquiry/own-inquiry.server.ts";
import { requireAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, contextCall, creatingCall, fromBody, fromPath, fromQuery, scopeCall } from "../kernel/call.ts";

/** A member's questions to the office. */
export const inquiryApi = apiRoutes()
  .use(requireSignIn)
  .get("/", contextCall(listOwnInquiries, fromQuery(listOwnInquiriesQuery)))
  .post("/", creatingCall(submitInquiry, fromBody(submitInquiryInput)))
  .get("/:id", contextCall(getOwnInquiry, fromPath(idPath, "id")))
  .post("/:id/message", creatingCall(addInquiryMessage, fromPath(idPath, "id"), fromBody(addInquiryMessageInput)))
  .post("/:id/close", contextCall(closeOwnInquiry, fromPath(idPath, "id"), fromBody(closeInquiryInput, "version")));

/** The office answers them; it stands under `/admin`, before the calls that take ADMIN_Access. */
export const adminInquiryApi = apiRoutes()
  .use(requireAccess({ action: "Inquiry_Answer" }))
  .get("/", scopeCall(listInquiries, fromQuery(listInquiriesQuery)))
  .get("/:id", contextCall(getInquiry, fromPath(idPath, "id")))
  .post("/:id/answer", contextCall(answerInquiry, fromPath(idPath, "id"), fromBody(answerInquiryInput)))
  .post("/:id/close", contextCall(closeInquiry, fromPath(idPath, "id"), fromBody(closeInquiryInput, "version")));
