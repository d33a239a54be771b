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
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";

/** A member's questions to the office. */
export const inquiryApi = apiRoutes()
  .use(requireSignIn)
  .get("/", contextCall(listOwnInquiries, sent.query(listOwnInquiriesQuery)))
  .post("/", creatingCall(submitInquiry, sent.body(submitInquiryInput)))
  .get("/:id", contextCall(getOwnInquiry, sent.id))
  .post("/:id/message", creatingCall(addInquiryMessage, sent.id, sent.body(addInquiryMessageInput)))
  .post("/:id/close", contextCall(closeOwnInquiry, sent.id, sent.body(closeInquiryInput, "version")));

/** The office answers them; it stands under `/admin`, before the calls that take ADMIN_Access. */
export const adminInquiryApi = apiRoutes()
  .use(requireAccess({ action: "Inquiry_Answer" }))
  .get("/", scopeCall(listInquiries, sent.query(listInquiriesQuery)))
  .get("/:id", contextCall(getInquiry, sent.id))
  .post("/:id/answer", contextCall(answerInquiry, sent.id, sent.body(answerInquiryInput)))
  .post("/:id/close", contextCall(closeInquiry, sent.id, sent.body(closeInquiryInput, "version")));
