import type { Config } from "#worker/config.ts";
import { messageHtml } from "#worker/contract/mail/message-html.ts";
import type { MessageChannel } from "#worker/contract/mail/mail.ts";
import {
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

export interface Attachment {
  fileName: string;
  contentType: string;
  /** The letters of its base64, encoded once for every mail. */
  base64: Uint8Array<ArrayBuffer>;
}

interface OutgoingMessage extends OutgoingText {
  /** The idempotency key: the id of the `message` row (Resend keeps it for 24 hours). */
  id: string;
  channel: MessageChannel;
  subject: string;
  /** Empty for the sender. */
  replyTo: string;
  /** The one-click unsubscribe token (RFC 8058). */
  offToken?: string | null;
  attachment?: Attachment | null;
}

export interface Messenger {
  isLocal: boolean;
  hasSms: boolean;
  hasAlimtalk: boolean;
  /** @returns the provider's id, or null without delivery reports @throws if the provider does not accept it within 4 seconds */
  send(message: OutgoingMessage): Promise<string | null>;
  /** Sends at most 100 mails in one request, with an attachment in one each; `batchId` is the idempotency key. @throws when the batch is refused */
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
/** Twice a second, the lowest limit of the provider. */
const ATTACHED_PACE_MS = 500;

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
        message.attachment ? BATCH_TIMEOUT_MS : TIMEOUT_MS,
      ),
    sendAll: (batchId, messages) =>
      messages[0]?.attachment
        ? sendAttachedMails(config, messages)
        : withTimeout(sendMails(config, batchId, messages), BATCH_TIMEOUT_MS),
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

type MailAnswer =
  | { data: { id: string }; error: null }
  | { data: null; error: { name: string; statusCode: number | null } };

async function sendMail(config: Config, message: OutgoingMessage): Promise<string | null> {
  const mail = buildMail(config, message);
  const { data, error }: MailAnswer = message.attachment
    ? await postAttachedMail(config, message.id, mail, message.attachment)
    : await (await createResend(config)).emails.send(mail, { idempotencyKey: message.id });
  // It went out before, and its answer was lost; since then the reply address changed.
  if (error?.name === "invalid_idempotent_request") return null;
  if (error) throw new Error(`mail refused: ${error.name}`, { cause: error.statusCode });
  return data.id;
}

/** The SDK would stringify the file for each mail, which takes 300 ms of CPU and 42 MB for 10 MB. */
async function postAttachedMail(
  config: Config,
  idempotencyKey: string,
  { replyTo, ...mail }: ReturnType<typeof buildMail>,
  { fileName, contentType, base64 }: Attachment,
): Promise<MailAnswer> {
  const mark = crypto.randomUUID();
  const attachments = [{ filename: fileName, content_type: contentType, content: mark }];
  const [head = "", tail] = JSON.stringify({ ...mail, reply_to: replyTo, attachments }).split(mark);
  const parts = [new TextEncoder().encode(head), base64, new TextEncoder().encode(tail)];
  const length = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const body = new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part) controller.enqueue(part);
      else controller.close();
    },
  });
  const response = await fetch(`${config.RESEND_API_URL || "https://api.resend.com"}/emails`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${config.RESEND_API_KEY}`,
      "Content-Type": "application/json",
      "Idempotency-Key": idempotencyKey,
      "User-Agent": "member-site",
    },
    body: body.pipeThrough(new FixedLengthStream(length)),
  });
  const { id, name } = await response.json<{ id: string; name: string }>();
  return response.ok ? { data: { id }, error: null } : { data: null, error: { name, statusCode: response.status } };
}

/** The batch endpoint takes no attachments. Each mail has its own key; 422 is a mail that is never taken. */
async function sendAttachedMails(config: Config, messages: OutgoingMessage[]): Promise<SentBatch> {
  const sent: SentBatch = { refused: [], providerIds: {} };
  for (const message of messages) {
    const pace = new Promise((resolve) => setTimeout(resolve, ATTACHED_PACE_MS));
    try {
      const id = await withTimeout(sendMail(config, message), BATCH_TIMEOUT_MS);
      if (id !== null) sent.providerIds[message.id] = id;
    } catch (error) {
      if (!(error instanceof Error && error.cause === 422)) throw error;
      sent.refused.push(message.id);
    }
    await pace;
  }
  return sent;
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
