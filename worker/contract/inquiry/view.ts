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

/** As its member sees it: who of the office answered is not told. */
export interface OwnInquiry extends InquiryRow {
  messages: InquiryMessage[];
}

export interface OfficeInquiryRow extends InquiryRow {
  userId: string;
  userName: string;
}

export interface OfficeInquiry extends OfficeInquiryRow {
  messages: (InquiryMessage & { authorName: string })[];
  /** Whether an answer also goes out by mail: they have a verified address. */
  hasMail: boolean;
  history: AuditRow[];
}
