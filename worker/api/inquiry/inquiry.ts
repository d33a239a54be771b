import * as input from "#worker/contract/inquiry/input.ts";
import * as office from "#worker/domain/inquiry/office-inquiry.server.ts";
import * as own from "#worker/domain/inquiry/own-inquiry.server.ts";
import { requireAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";

export const inquiryApi = apiRoutes()
  .use(requireSignIn)
  .get("/", writeCall(own.listOwnInquiries, sent.query(input.listOwnInquiriesQuery)))
  .post("/", creatingCall(own.submitInquiry, sent.body(input.submitInquiryInput)))
  .get("/:id", writeCall(own.getOwnInquiry, sent.id))
  .post("/:id/message", creatingCall(own.addInquiryMessage, sent.id, sent.body(input.addInquiryMessageInput)))
  .post("/:id/close", writeCall(own.closeOwnInquiry, sent.id, sent.body(input.closeInquiryInput, "version")));

export const adminInquiryApi = apiRoutes()
  .use(requireAccess({ action: "Inquiry_Answer" }))
  .get("/", readCall(office.listInquiries, sent.query(input.listInquiriesQuery)))
  .get("/:id", writeCall(office.getInquiry, sent.id))
  .post("/:id/answer", writeCall(office.answerInquiry, sent.id, sent.body(input.answerInquiryInput)))
  .post("/:id/close", writeCall(office.closeInquiry, sent.id, sent.body(input.closeInquiryInput, "version")));
