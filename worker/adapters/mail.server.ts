import { createHmac } from "node:crypto";
import type { Config } from "#worker/config.ts";
import { messageHtml } from "#worker/contract/mail/message-html.ts";

export interface OutgoingMessage {
  /** The id of its row in `message`: the same id is never sent twice (Resend keeps it 24 hours). */
  id: string;
  channel: "email" | "sms";
  recipient: string;
  subject: string;
  text: string;
  /** Mail programs offer to turn off what brought the message, with one click (RFC 8058). */
  offToken?: string | null;
}

export interface Messenger {
  /** True when messages stay in the database for /dev/outbox. */
  isLocal: boolean;
  /** False until the provider of text messages is set up. */
  hasSms: boolean;
  /**
   * @returns what the provider calls it; null where nothing is reported of its delivery
   * @throws when the provider did not take the message within 4 seconds
   */
  send(message: OutgoingMessage): Promise<string | null>;
  /**
   * At most a hundred mails in one request; the same batch is never sent twice.
   * @throws when it did not take the batch
   */
  sendAll(batchId: string, messages: OutgoingMessage[]): Promise<SentBatch>;
}

export interface SentBatch {
  /** The ids of those that the provider refused, each by itself. */
  refused: string[];
  /** What the provider calls the others, by their ids. */
  providerIds: Record<string, string>;
}

const NOTHING_REFUSED: SentBatch = { refused: [], providerIds: {} };

/** A person waits for the answer: with the rest of the request it comes within five seconds. */
const TIMEOUT_MS = 4000;
/** Nobody waits for a batch. */
const BATCH_TIMEOUT_MS = 20_000;
/** "2000: taken"; other codes come with 200 too. */
const SOLAPI_ACCEPTED = /^[24]/;

export function createMessenger(config: Config): Messenger {
  if (config.MESSAGE_TRANSPORT === "outbox") {
    return { isLocal: true, hasSms: true, send: async () => null, sendAll: async () => NOTHING_REFUSED };
  }
  return {
    isLocal: false,
    hasSms: Boolean(config.SMS_API_KEY && config.SMS_API_SECRET && config.SMS_FROM),
    send: (message) =>
      withTimeout(message.channel === "email" ? sendMail(config, message) : sendSms(config, message), TIMEOUT_MS),
    sendAll: (batchId, messages) => withTimeout(sendMails(config, batchId, messages), BATCH_TIMEOUT_MS),
  };
}

async function createResend(config: Config) {
  const { Resend } = await import("resend");
  return new Resend(config.RESEND_API_KEY, config.RESEND_API_URL ? { baseUrl: config.RESEND_API_URL } : undefined);
}

/** The headers that a report of the provider is signed with. */
export interface ReportSignature {
  id: string;
  timestamp: string;
  signature: string;
}

/** The report as it came in; null for one that the provider did not sign within the last five minutes. */
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
  return { from: config.MAIL_FROM, to: [recipient], subject, text, html, ...(off ? { headers: off } : {}) };
}

async function sendMail(config: Config, message: OutgoingMessage): Promise<string | null> {
  const resend = await createResend(config);
  const { data, error } = await resend.emails.send(buildMail(config, message), { idempotencyKey: message.id });
  if (error) throw new Error(`mail refused: ${error.name}`);
  return data.id;
}

async function sendMails(config: Config, batchId: string, messages: OutgoingMessage[]): Promise<SentBatch> {
  const resend = await createResend(config);
  const { data, error } = await resend.batch.send(
    messages.map((message) => buildMail(config, message)),
    { idempotencyKey: batchId, batchValidation: "permissive" },
  );
  // The batch went out before, and its answer was lost; since then somebody in it left.
  if (error?.name === "invalid_idempotent_request") return NOTHING_REFUSED;
  if (error) throw new Error(`mails refused: ${error.name}`);
  const refusedAt = new Set((data.errors ?? []).map(({ index }) => index));
  const taken = messages.filter((_, index) => !refusedAt.has(index));
  return {
    refused: messages.filter((_, index) => refusedAt.has(index)).map(({ id }) => id),
    // In the order of those that were taken.
    providerIds: Object.fromEntries(data.data.flatMap(({ id }, at) => (taken[at] ? [[taken[at].id, id]] : []))),
  };
}

/** Solapi's REST API (developers.solapi.dev, "API Key 인증 방식"): HMAC-SHA256 over date and a salt of 12 to 64 bytes. */
async function sendSms(config: Config, message: OutgoingMessage): Promise<null> {
  if (!config.SMS_API_KEY || !config.SMS_API_SECRET || !config.SMS_FROM) throw new Error("SMS is not configured");
  const date = new Date().toISOString();
  const salt = crypto.randomUUID().replaceAll("-", "");
  const signature = createHmac("sha256", config.SMS_API_SECRET)
    .update(date + salt)
    .digest("hex");
  const response = await fetch(`${config.SMS_API_URL}/messages/v4/send`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Authorization: `HMAC-SHA256 apiKey=${config.SMS_API_KEY}, date=${date}, salt=${salt}, signature=${signature}`,
    },
    body: JSON.stringify({
      message: {
        to: message.recipient.replaceAll("-", ""),
        from: config.SMS_FROM.replaceAll("-", ""),
        text: message.text,
      },
    }),
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = (await response.json().catch(() => ({}))) as { statusCode?: unknown; errorCode?: unknown };
  if (!response.ok) throw new Error(`SMS refused: ${response.status} ${String(answer.errorCode ?? "")}`);
  if (typeof answer.statusCode === "string" && !SOLAPI_ACCEPTED.test(answer.statusCode))
    throw new Error(`SMS refused: ${answer.statusCode}`);
  return null;
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
