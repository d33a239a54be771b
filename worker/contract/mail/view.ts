import type { Page } from "../kernel/envelope.ts";
import type { ActivityKind, MessageChannel } from "./rules.ts";
import type { MailTemplateKind } from "./templates.ts";

export interface MessageRow {
  id: string;
  channel: MessageChannel;
  /** Masked; whole it stands where its owner is looked at. */
  recipient: string;
  /** Whom it went to: a member, or one of the address book for who may read that; null where nobody is known by it. */
  person: { kind: "member" | "alumni"; id: string; name: string } | null;
  subject: string;
  status: "queued" | "sent" | "failed" | "held";
  attempts: number;
  createdDate: string;
  sentDate: string | null;
  nextAttemptDate: string | null;
  /** Failed or held, and still whole: a message with a code is not kept. */
  canRetry: boolean;
}

/** What a person is told by mail and in the bell. */
export interface NotificationsView {
  /** The boards that they may read. */
  boards: { boardCode: string; boardName: string; following: boolean }[];
  comments: boolean;
  /** Whether the office's mail to many goes to their address; null without a verified one. */
  office: boolean | null;
  /** What of the bell may concern them, and whether it is told there. */
  bell: { kind: ActivityKind; isOn: boolean }[];
}

/** What a link in a message turns off. */
export interface UnsubscribeView {
  kind: "item" | "comment" | "advertising" | "office";
  /** By which it came. */
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
  /** May the reader change it? */
  canEdit: boolean;
  /** What messages say and link to, for the preview. */
  siteName: string;
  origin: string;
  /** Where a test goes: the caller's own address; null without one. */
  ownAddress: string | null;
}

/** What is no item's and no comment's. */
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
  /** Null where it is about none, or about one that the person may not read any more. */
  item: { boardCode: string; boardName: string; itemNo: number; title: string; createdUserName: string } | null;
  /** Null also once it was deleted. */
  comment: { commentId: string; createdUserName: string; excerpt: string } | null;
  /** Null also once it was destroyed. */
  inquiry: { id: string; subject: string } | null;
  detail: ActivityDetail;
}

export interface ActivityPage extends Page<ActivityView> {
  unread: number;
}
