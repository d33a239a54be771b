import type { MailTemplateKind } from "./templates.ts";

export interface MessageRow {
  id: string;
  channel: "email" | "sms";
  recipient: string;
  subject: string;
  status: "queued" | "sent" | "failed" | "held";
  attempts: number;
  createdDate: string;
  sentDate: string | null;
  nextAttemptDate: string | null;
  /** Failed or held, and still whole: a message with a code is not kept. */
  canRetry: boolean;
}

/** What a person is told by mail. */
export interface NotificationsView {
  /** The boards that they may read. */
  boards: { boardCode: string; boardName: string; following: boolean }[];
  comments: boolean;
}

/** What a link in a message turns off. */
export interface UnsubscribeView {
  kind: "item" | "comment" | "advertising" | "office";
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
  /** What messages say and link to, for the preview. */
  siteName: string;
  origin: string;
  /** Where a test goes: the caller's own address; null without one. */
  ownAddress: string | null;
}
