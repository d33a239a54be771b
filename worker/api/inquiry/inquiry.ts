import * as input from "#worker/contract/inquiry/input.ts";
import * as office from "#worker/domain/inquiry/office-inquiry.server.ts";
import * as own from "#worker/domain/inquiry/own-inquiry.server.ts";
import { requireAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";

export const inquiryApi = apiRoutes()
  .use(requireSignIn)
  .get("/", contextCall(own.listOwnInquiries, sent.query(input.listOwnInquiriesQuery)))
  .post("/", creatingCall(own.submitInquiry, sent.body(input.submitInquiryInput)))
  .get("/:id", contextCall(own.getOwnInquiry, sent.id))
  .post("/:id/message", creatingCall(own.addInquiryMessage, sent.id, sent.body(input.addInquiryMessageInput)))
  .post("/:id/close", contextCall(own.closeOwnInquiry, sent.id, sent.body(input.closeInquiryInput, "version")));

export const adminInquiryApi = apiRoutes()
  .use(requireAccess({ action: "Inquiry_Answer" }))
  .get("/", scopeCall(office.listInquiries, sent.query(input.listInquiriesQuery)))
  .get("/:id", contextCall(office.getInquiry, sent.id))
  .post("/:id/answer", contextCall(office.answerInquiry, sent.id, sent.body(input.answerInquiryInput)))
  .post("/:id/close", contextCall(office.closeInquiry, sent.id, sent.body(input.closeInquiryInput, "version")));
