import { lookUp } from "#worker/contract/kernel/labels.ts";
import { createHmac } from "node:crypto";
import type { Config } from "#worker/config.ts";
import { textMessageBytes, textMessageType } from "#worker/contract/mail/text-message.ts";

export interface AlimtalkContent {
  templateCode: string;
  variables: Record<string, string>;
}

export interface OutgoingText {
  id: string;
  recipient: string;
  text: string;
  alimtalk?: AlimtalkContent | null;
}

export interface OpenGroup {
  groupId: string;
  refused: string[];
  providerIds: Record<string, string>;
}

/** `open`: nothing was sent. `dropped`: nothing will be. `unknown`: the provider has no such group. */
export type GroupState = "open" | "sent" | "dropped" | "failed" | "unknown";

export interface AlimtalkTemplate {
  /** The text, with variables like `#{이름}`. */
  content: string;
  source: string;
  isApproved: boolean;
}

const TIMEOUT_MS = 4000;
const GROUP_TIMEOUT_MS = 20_000;
/** "2000: accepted"; other codes arrive with status 200 too. */
const SOLAPI_ACCEPTED = /^[24]/;

const GROUP_STATES: Record<string, GroupState> = {
  PENDING: "open",
  SCHEDULED: "sent",
  SENDING: "sent",
  COMPLETE: "sent",
  DELETED: "dropped",
  FAILED: "failed",
};

export const hasTextProvider = ({ SMS_API_KEY, SMS_API_SECRET, SMS_FROM }: Config): boolean =>
  Boolean(SMS_API_KEY && SMS_API_SECRET && SMS_FROM);

class TextProviderError extends Error {
  readonly status: number;
  constructor(status: number, reason: string) {
    super(`SMS refused: ${reason}`);
    this.status = status;
  }
}

type Answer = Record<string, unknown>;

/** Solapi's REST API (developers.solapi.dev, "API Key 인증 방식"): HMAC-SHA256 over date and a salt of 12 to 64 bytes. */
async function askSolapi(
  config: Config,
  { method, path, body, timeout }: { method: string; path: string; body?: object; timeout: number },
): Promise<Answer> {
  if (!config.SMS_API_KEY || !config.SMS_API_SECRET) throw new Error("SMS is not configured");
  const date = new Date().toISOString();
  const salt = crypto.randomUUID().replaceAll("-", "");
  const signature = createHmac("sha256", config.SMS_API_SECRET)
    .update(date + salt)
    .digest("hex");
  const response = await fetch(`${config.SMS_API_URL}${path}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      Authorization: `HMAC-SHA256 apiKey=${config.SMS_API_KEY}, date=${date}, salt=${salt}, signature=${signature}`,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    // Workers do not support "error" here; a redirect is not followed.
    redirect: "manual",
    signal: AbortSignal.timeout(timeout),
  });
  const answer: unknown = await response.json().catch(() => null);
  const read = answer !== null && typeof answer === "object" ? (answer as Answer) : null;
  if (!response.ok)
    throw new TextProviderError(response.status, `${response.status} ${String(read?.["errorCode"] ?? "")}`);
  if (!read) throw new TextProviderError(response.status, "no answer that can be read");
  return read;
}

const digitsOf = (number: string) => number.replaceAll("-", "");

function solapiMessage(config: Config, { recipient, text, alimtalk }: OutgoingText) {
  const ends = { to: digitsOf(recipient), from: digitsOf(config.SMS_FROM ?? "") };
  if (!alimtalk) return { ...ends, text, type: textMessageType(textMessageBytes(text)) };
  const variables = Object.fromEntries(
    Object.entries(alimtalk.variables).map(([name, value]) => [`#{${name}}`, value]),
  );
  // A recipient without Kakao receives the same text as a text message.
  const kakaoOptions = {
    pfId: config.KAKAO_CHANNEL_ID,
    templateId: alimtalk.templateCode,
    variables,
    disableSms: false,
  };
  return { ...ends, type: "ATA", kakaoOptions };
}

const isAccepted = (code: unknown) => typeof code !== "string" || SOLAPI_ACCEPTED.test(code);

/** @throws if the provider refuses the message */
export async function sendText(config: Config, message: OutgoingText): Promise<void> {
  if (!hasTextProvider(config)) throw new Error("SMS is not configured");
  const body = { message: solapiMessage(config, message) };
  const answer = await askSolapi(config, { method: "POST", path: "/messages/v4/send", body, timeout: TIMEOUT_MS });
  if (!isAccepted(answer["statusCode"])) throw new TextProviderError(200, String(answer["statusCode"]));
}

/** Queues messages until `sendTextGroup`. @throws when the provider did not answer for each of them */
export async function openTextGroup(config: Config, messages: readonly OutgoingText[]): Promise<OpenGroup> {
  const timeout = GROUP_TIMEOUT_MS;
  // Allows duplicates: the outbox already decides how often a number is written to.
  const made = await askSolapi(config, {
    method: "POST",
    path: "/messages/v4/groups",
    body: { allowDuplicates: true },
    timeout,
  });
  const { groupId } = made;
  if (typeof groupId !== "string" || groupId === "") throw new TextProviderError(200, "no group");
  const answer = await askSolapi(config, {
    method: "PUT",
    path: `/messages/v4/groups/${encodeURIComponent(groupId)}/messages`,
    body: { messages: messages.map((message) => solapiMessage(config, message)) },
    timeout,
  });
  const results = Array.isArray(answer["resultList"]) ? [...(answer["resultList"] as Answer[])] : [];
  const group: OpenGroup = { groupId, refused: [], providerIds: {} };
  for (const { id, recipient } of messages) {
    // Matches by number: the order of the results is not guaranteed.
    const at = results.findIndex(({ to }) => to === digitsOf(recipient));
    const [result] = at < 0 ? [] : results.splice(at, 1);
    if (!result) throw new TextProviderError(200, "not answered for each");
    if (typeof result["messageId"] === "string" && isAccepted(result["statusCode"]))
      group.providerIds[id] = result["messageId"];
    else group.refused.push(id);
  }
  return group;
}

const groupPath = (groupId: string) => `/messages/v4/groups/${encodeURIComponent(groupId)}`;

/** Is idempotent: the provider refuses to send a group again. */
export async function sendTextGroup(config: Config, groupId: string): Promise<void> {
  await askSolapi(config, {
    method: "POST",
    path: `${groupPath(groupId)}/send`,
    body: {},
    timeout: GROUP_TIMEOUT_MS,
  });
}

export async function readTextGroup(config: Config, groupId: string): Promise<GroupState> {
  try {
    const { status } = await askSolapi(config, { method: "GET", path: groupPath(groupId), timeout: GROUP_TIMEOUT_MS });
    const state = lookUp(GROUP_STATES, String(status));
    if (!state) throw new TextProviderError(200, `group is ${String(status)}`);
    return state;
  } catch (error) {
    if (error instanceof TextProviderError && error.status === 404) return "unknown";
    throw error;
  }
}

export async function dropTextGroup(config: Config, groupId: string): Promise<void> {
  await askSolapi(config, { method: "DELETE", path: groupPath(groupId), timeout: GROUP_TIMEOUT_MS });
}

const TEMPLATE_PARTS = ["content", "buttons", "quickReplies", "emphasizeTitle", "header", "highlight", "item"];

/** @returns null if the channel has no such template */
export async function readAlimtalkTemplate(config: Config, code: string): Promise<AlimtalkTemplate | null> {
  try {
    const answer = await askSolapi(config, {
      method: "GET",
      path: `/kakao/v2/templates/${encodeURIComponent(code)}`,
      timeout: TIMEOUT_MS,
    });
    if (answer["channelId"] !== config.KAKAO_CHANNEL_ID || typeof answer["content"] !== "string") return null;
    return {
      content: answer["content"],
      source: JSON.stringify(TEMPLATE_PARTS.map((part) => answer[part] ?? "")),
      isApproved: answer["status"] === "APPROVED" && answer["isDeleted"] !== true && answer["isHidden"] !== true,
    };
  } catch (error) {
    if (error instanceof TextProviderError && error.status === 404) return null;
    throw error;
  }
}
