import type { AuditRow } from "../audit/view.ts";
import type { ItemFile } from "../file/view.ts";
import type { InquiryCategory, InquiryStatus } from "./rules.ts";

export interface InquiryRow {
  id: string;
  category: InquiryCategory;
  subject: string;
  status: InquiryStatus;
  createdDate: string;
  lastDate: string;
  version: number;
}

export interface InquiryMessage {
  id: string;
  isOffice: boolean;
  content: string;
  createdDate: string;
  files: ItemFile[];
}

/** Hides who of the office answered. */
export interface OwnInquiry extends InquiryRow {
  messages: InquiryMessage[];
}

export interface OfficeInquiryRow extends InquiryRow {
  userId: string;
  userName: string;
}

export interface OfficeInquiry extends OfficeInquiryRow {
  messages: (InquiryMessage & { authorName: string })[];
  /** True when the answer is mailed as well, to a verified address. */
  hasMail: boolean;
  history: AuditRow[];
}
