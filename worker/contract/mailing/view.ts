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
  /** Its hour is still to come. */
  isScheduled: boolean;
  createdDate: string;
  createdUserName: string;
  /** 0 until it is sent off. */
  people: number;
}

export interface MailingView extends Omit<MailingRow, "people"> {
  text: string;
  files: MailingFile[];
  isEach: boolean;
  keepsEmpty: boolean;
  /** Of a message by Kakao: the approved template, and what stands in those of its variables that are no fields. */
  templateCode: string;
  templateValues: Record<string, string>;
  /** Whether each channel is set up outside the console. */
  isSetUp: Record<MessageChannel, boolean>;
  reason: string;
  doneDate: string | null;
  version: number;
  /** Chosen by hand, or all whom a filter shows. */
  chosen: number | null;
  /** The conditions of the filter, in words; none for people chosen by hand, nor once it is sent. */
  segment: string[];
  /** What the text may be filled in with. */
  fields: string[];
  /** How many are in each state, with why they were left out. */
  counts: { state: RecipientState; cause: MailingCause; count: number }[];
  /** What may be done with it now. */
  can: { edit: boolean; cancel: boolean; resend: boolean };
  /** Where a test goes: the caller's own address and number; null without one. */
  own: { email: string | null; mobile: string | null };
}

/** A file of a board item. It goes out as a link, which serves those alone who may download it there. */
export interface MailingFile {
  id: string;
  fileName: string;
  size: number;
}

export interface MailingPreview {
  count: number;
  leftOut: { cause: MailingCause; count: number }[];
  /** Some of those who have no address, or no number, by name. */
  unreachable: string[];
  /** How long a text message becomes at most, once the fields are filled in; null of a mail. */
  bytes: number | null;
  /** Fields of the text that are empty for some of them. */
  emptyFields: { field: string; count: number }[];
  /** Three of the people, with what they would get. */
  samples: { name: string; address: string; subject: string; text: string }[];
  /** Advertising waits for the day; null for at once. */
  notBefore: string | null;
}

export interface MailingRecipientRow {
  personId: string;
  /** Empty where the person is not there any more. */
  name: string;
  address: string;
  state: RecipientState;
  cause: MailingCause;
  stateDate: string;
}

export type MailingRecipients = Page<MailingRecipientRow>;
