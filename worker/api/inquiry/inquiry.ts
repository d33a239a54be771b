import {
  addInquiryMessageInput,
  answerInquiryInput,
  closeInquiryInput,
  listInquiriesQuery,
  listOwnInquiriesQuery,
  submitInquiryInput,
} from "#worker/contract/inquiry/input.ts";
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
import { apiRoutes, contextCall, creatingCall, fromBody, fromQuery, pathId, scopeCall } from "../kernel/call.ts";

/** A member's questions to the office. */
export const inquiryApi = apiRoutes()
  .use(requireSignIn)
  .get("/", contextCall(listOwnInquiries, fromQuery(listOwnInquiriesQuery)))
  .post("/", creatingCall(submitInquiry, fromBody(submitInquiryInput)))
  .get("/:id", contextCall(getOwnInquiry, pathId))
  .post("/:id/message", creatingCall(addInquiryMessage, pathId, fromBody(addInquiryMessageInput)))
  .post("/:id/close", contextCall(closeOwnInquiry, pathId, fromBody(closeInquiryInput, "version")));

/** The office answers them; it stands under `/admin`, before the calls that take ADMIN_Access. */
export const adminInquiryApi = apiRoutes()
  .use(requireAccess({ action: "Inquiry_Answer" }))
  .get("/", scopeCall(listInquiries, fromQuery(listInquiriesQuery)))
  .get("/:id", contextCall(getInquiry, pathId))
  .post("/:id/answer", contextCall(answerInquiry, pathId, fromBody(answerInquiryInput)))
  .post("/:id/close", contextCall(closeInquiry, pathId, fromBody(closeInquiryInput, "version")));
