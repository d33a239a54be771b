import type { Config } from "#worker/config.ts";
import { messageHtml } from "#worker/contract/mail/message-html.ts";
import type { MessageChannel } from "#worker/contract/mail/mail.ts";
import {
  type AlimtalkContent,
  type AlimtalkTemplate,
  dropTextGroup,
  type GroupState,
  hasTextProvider,
  type OpenGroup,
  openTextGroup,
  type OutgoingText,
  readAlimtalkTemplate,
  readTextGroup,
  sendText,
  sendTextGroup,
} from "./text-message.server.ts";

interface OutgoingMessage {
  /** The idempotency key: the id of the `message` row (Resend keeps it for 24 hours). */
  id: string;
  channel: MessageChannel;
  recipient: string;
  subject: string;
  text: string;
  /** Empty for the sender. */
  replyTo: string;
  /** The one-click unsubscribe token (RFC 8058). */
  offToken?: string | null;
  alimtalk?: AlimtalkContent | null;
}

export interface Messenger {
  isLocal: boolean;
  hasSms: boolean;
  hasAlimtalk: boolean;
  /** @returns the provider's id, or null without delivery reports @throws if the provider does not accept it within 4 seconds */
  send(message: OutgoingMessage): Promise<string | null>;
  /** Sends at most 100 mails in one request; `batchId` is the idempotency key. @throws when the batch is refused */
  sendAll(batchId: string, messages: OutgoingMessage[]): Promise<SentBatch>;
  texts: {
    openGroup(messages: readonly OutgoingText[]): Promise<OpenGroup>;
    sendGroup(groupId: string): Promise<void>;
    readGroup(groupId: string): Promise<GroupState>;
    dropGroup(groupId: string): Promise<void>;
    /** @returns null if the Kakao channel has no such template */
    readTemplate(code: string): Promise<AlimtalkTemplate | null>;
  };
}

interface SentBatch {
  refused: string[];
  providerIds: Record<string, string>;
}

const NOTHING_REFUSED: SentBatch = { refused: [], providerIds: {} };

/** A person waits: the whole request takes at most five seconds. */
const TIMEOUT_MS = 4000;
const BATCH_TIMEOUT_MS = 20_000;

export function createMessenger(config: Config): Messenger {
  if (config.MESSAGE_TRANSPORT === "outbox") {
    const send = async () => null;
    const texts = textMessenger(config);
    return { isLocal: true, hasSms: true, hasAlimtalk: false, send, sendAll: async () => NOTHING_REFUSED, texts };
  }
  return {
    isLocal: false,
    hasSms: hasTextProvider(config),
    hasAlimtalk: hasTextProvider(config) && Boolean(config.KAKAO_CHANNEL_ID),
    send: (message) =>
      withTimeout(
        message.channel === "email" ? sendMail(config, message) : sendText(config, message).then(() => null),
        TIMEOUT_MS,
      ),
    sendAll: (batchId, messages) => withTimeout(sendMails(config, batchId, messages), BATCH_TIMEOUT_MS),
    texts: textMessenger(config),
  };
}

const textMessenger = (config: Config): Messenger["texts"] => ({
  openGroup: (messages) => openTextGroup(config, messages),
  sendGroup: (groupId) => sendTextGroup(config, groupId),
  readGroup: (groupId) => readTextGroup(config, groupId),
  dropGroup: (groupId) => dropTextGroup(config, groupId),
  readTemplate: (code) => readAlimtalkTemplate(config, code),
});

async function createResend(config: Config) {
  const { Resend } = await import("resend");
  return new Resend(config.RESEND_API_KEY, config.RESEND_API_URL ? { baseUrl: config.RESEND_API_URL } : undefined);
}

export interface ReportSignature {
  id: string;
  timestamp: string;
  signature: string;
}

/** Returns null for a report that the provider did not sign within the last five minutes. */
export async function readSignedReport(config: Config, payload: string, headers: ReportSignature): Promise<unknown> {
  if (!config.RESEND_WEBHOOK_SECRET) return null;
  const { webhooks } = await createResend(config);
  try {
    return webhooks.verify({ payload, headers, webhookSecret: config.RESEND_WEBHOOK_SECRET });
  } catch {
    return null;
  }
}

function buildMail(config: Config, message: OutgoingMessage) {
  const { recipient, subject, text, offToken } = message;
  const off = offToken && {
    "List-Unsubscribe": `<${config.SITE_ORIGIN}/api/mail/off/${offToken}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
  const html = messageHtml({ subject, text, origin: config.SITE_ORIGIN });
  const replyTo = message.replyTo || config.MAIL_FROM;
  return { from: config.MAIL_FROM, replyTo, to: [recipient], subject, text, html, ...(off ? { headers: off } : {}) };
}

async function sendMail(config: Config, message: OutgoingMessage): Promise<string | null> {
  const resend = await createResend(config);
  const { data, error } = await resend.emails.send(buildMail(config, message), { idempotencyKey: message.id });
  // It went out before, and its answer was lost; since then the reply address changed.
  if (error?.name === "invalid_idempotent_request") return null;
  if (error) throw new Error(`mail refused: ${error.name}`);
  return data.id;
}

async function sendMails(config: Config, batchId: string, messages: OutgoingMessage[]): Promise<SentBatch> {
  const resend = await createResend(config);
  const { data, error } = await resend.batch.send(
    messages.map((message) => buildMail(config, message)),
    { idempotencyKey: batchId, batchValidation: "permissive" },
  );
  // The batch was sent before and its answer was lost; a recipient has left since.
  if (error?.name === "invalid_idempotent_request") return NOTHING_REFUSED;
  if (error) throw new Error(`mails refused: ${error.name}`);
  const refusedAt = new Set((data.errors ?? []).map(({ index }) => index));
  const taken = messages.filter((_, index) => !refusedAt.has(index));
  return {
    refused: messages.filter((_, index) => refusedAt.has(index)).map(({ id }) => id),
    providerIds: Object.fromEntries(data.data.flatMap(({ id }, at) => (taken[at] ? [[taken[at].id, id]] : []))),
  };
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("message provider timed out")), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
