import type { Page } from "../kernel/envelope.ts";
import type { ActivityKind, MessageChannel } from "./rules.ts";
import type { MailTemplateKind } from "./templates.ts";

export interface MessageRow {
  id: string;
  channel: MessageChannel;
  /** Masked here; the member's own page shows it in full. */
  recipient: string;
  /** The recipient, from the address book only for readers of it; null when the address is unknown. */
  person: { kind: "member" | "alumni"; id: string; name: string } | null;
  subject: string;
  status: "queued" | "sent" | "failed" | "held";
  attempts: number;
  createdDate: string;
  sentDate: string | null;
  nextAttemptDate: string | null;
  /** True for a failed or held message with its text; messages with a code are not kept. */
  canRetry: boolean;
}

export interface NotificationsView {
  boards: { boardCode: string; boardName: string; following: boolean }[];
  comments: boolean;
  /** Whether the office's bulk mail is sent to their address; null without a verified address. */
  office: boolean | null;
  bell: { kind: ActivityKind; isOn: boolean }[];
}

export interface UnsubscribeView {
  kind: "item" | "comment" | "advertising" | "office";
  channel: MessageChannel;
  boardName: string;
  isOn: boolean;
}

export interface MailTemplateRow {
  kind: MailTemplateKind;
  isChanged: boolean;
  modifiedDate: string | null;
}

export interface MailTemplateView {
  kind: MailTemplateKind;
  subject: string;
  text: string;
  isChanged: boolean;
  version: number;
  canEdit: boolean;
  siteName: string;
  origin: string;
  /** The caller's own address, which receives a test; null without one. */
  ownAddress: string | null;
}

/** Details of events that concern no item and no comment. */
export interface ActivityDetail {
  roleName?: string;
  decision?: "dismiss" | "hide";
  inserted?: number;
  updated?: number;
  inquiryId?: string;
}

export interface ActivityView {
  id: number;
  kind: ActivityKind;
  createdDate: string;
  isRead: boolean;
  /** Null when there is none or the person may not read it any more. */
  item: { boardCode: string; boardName: string; itemNo: number; title: string; createdUserName: string } | null;
  /** Null also after its deletion. */
  comment: { commentId: string; createdUserName: string; excerpt: string } | null;
  /** Null also after its destruction. */
  inquiry: { id: string; subject: string } | null;
  detail: ActivityDetail;
}

export interface ActivityPage extends Page<ActivityView> {
  unread: number;
}
