import * as input from "#worker/contract/inquiry/input.ts";
import * as inquiries from "#worker/domain/inquiry/inquiry.server.ts";
import { requireAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";

export const inquiryApi = apiRoutes()
  .use(requireSignIn)
  .get("/", writeCall(inquiries.listOwnInquiries, sent.query(input.listOwnInquiriesQuery)))
  .post("/", creatingCall(inquiries.submitInquiry, sent.body(input.submitInquiryInput)))
  .get("/:id", writeCall(inquiries.getOwnInquiry, sent.id))
  .post("/:id/message", creatingCall(inquiries.addInquiryMessage, sent.id, sent.body(input.addInquiryMessageInput)))
  .post("/:id/close", writeCall(inquiries.closeOwnInquiry, sent.id, sent.body(input.closeInquiryInput, "version")));

export const adminInquiryApi = apiRoutes()
  .use(requireAccess({ action: "Inquiry_Answer" }))
  .get("/", readCall(inquiries.listInquiries, sent.query(input.listInquiriesQuery)))
  .get("/:id", writeCall(inquiries.getInquiry, sent.id))
  .post("/:id/answer", writeCall(inquiries.answerInquiry, sent.id, sent.body(input.answerInquiryInput)))
  .post("/:id/close", writeCall(inquiries.closeInquiry, sent.id, sent.body(input.closeInquiryInput, "version")));
