import type { Page } from "../kernel/envelope.ts";
import type { MailKind, MessageChannel } from "../mail/rules.ts";
import type { MailingCause, MailingSource, MailingStatus, RecipientState } from "./rules.ts";

export interface MailingRow {
  id: string;
  source: MailingSource;
  channel: MessageChannel;
  kind: MailKind;
  subject: string;
  status: MailingStatus;
  sendDate: string | null;
  /** True until the scheduled hour. */
  isScheduled: boolean;
  createdDate: string;
  createdUserName: string;
  people: number;
}

export interface MailingView extends Omit<MailingRow, "people"> {
  text: string;
  files: MailingFile[];
  isEach: boolean;
  keepsEmpty: boolean;
  /** The approved Kakao template, and values for its variables that are not fields. */
  templateCode: string;
  templateValues: Record<string, string>;
  isSetUp: Record<MessageChannel, boolean>;
  reason: string;
  doneDate: string | null;
  version: number;
  /** Null when a filter selects the people. */
  chosen: number | null;
  segment: string[];
  fields: string[];
  counts: { state: RecipientState; cause: MailingCause; count: number }[];
  can: { edit: boolean; cancel: boolean; resend: boolean };
  /** The caller's own address and number, which receive a test; null without one. */
  own: { email: string | null; mobile: string | null };
}

/** A file of a board item, sent as a link that checks the reader's right to download. */
export interface MailingFile {
  id: string;
  fileName: string;
  size: number;
}

export interface MailingPreview {
  count: number;
  leftOut: { cause: MailingCause; count: number }[];
  unreachable: string[];
  /** Greatest length of a text message with its fields filled in; null for a mail. */
  bytes: number | null;
  emptyFields: { field: string; count: number }[];
  samples: { name: string; address: string; subject: string; text: string }[];
  /** The first moment at which advertising may be sent; null for immediately. */
  notBefore: string | null;
}

export interface MailingRecipientRow {
  personId: string;
  /** Empty when the person no longer exists. */
  name: string;
  address: string;
  state: RecipientState;
  cause: MailingCause;
  stateDate: string;
}

export type MailingRecipients = Page<MailingRecipientRow>;
