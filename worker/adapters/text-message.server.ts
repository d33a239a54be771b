import { ownValue } from "#worker/contract/kernel/labels.ts";
import { createHmac } from "node:crypto";
import type { Config } from "#worker/config.ts";
import { textMessageBytes, textMessageType } from "#worker/contract/mail/text-message.ts";

/** Of a message by Kakao: the approved template with what its variables are filled with. */
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

/** Messages that wait at the provider for one word to go out. */
export interface OpenGroup {
  groupId: string;
  /** The ids of those that the provider did not take in. */
  refused: string[];
  /** What the provider calls the others, by their ids. */
  providerIds: Record<string, string>;
}

/** `open`: nothing went out of it. `dropped`: nothing will. `unknown`: the provider knows no such group. */
export type GroupState = "open" | "sent" | "dropped" | "failed" | "unknown";

export interface AlimtalkTemplate {
  /** The text, with variables like `#{이름}`. */
  content: string;
  /** In the text, its buttons and its headings. */
  source: string;
  isApproved: boolean;
}

/** A person waits for the answer. */
const TIMEOUT_MS = 4000;
/** Nobody waits for a group. */
const GROUP_TIMEOUT_MS = 20_000;
/** "2000: taken"; other codes come with 200 too. */
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

export class TextProviderError extends Error {
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
    // Workers know no "error" here: an answer that leads elsewhere is none of ours, and is not followed.
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
  // Who has no Kakao gets the same text as a text message.
  const kakaoOptions = {
    pfId: config.KAKAO_CHANNEL_ID,
    templateId: alimtalk.templateCode,
    variables,
    disableSms: false,
  };
  return { ...ends, type: "ATA", kakaoOptions };
}

const isAccepted = (code: unknown) => typeof code !== "string" || SOLAPI_ACCEPTED.test(code);

/** One message at once. @throws when the provider did not take it */
export async function sendText(config: Config, message: OutgoingText): Promise<void> {
  if (!hasTextProvider(config)) throw new Error("SMS is not configured");
  const body = { message: solapiMessage(config, message) };
  const answer = await askSolapi(config, { method: "POST", path: "/messages/v4/send", body, timeout: TIMEOUT_MS });
  if (!isAccepted(answer["statusCode"])) throw new TextProviderError(200, String(answer["statusCode"]));
}

/** Hands over messages that go out with `sendTextGroup` alone. @throws when the provider did not answer for each of them */
export async function openTextGroup(config: Config, messages: readonly OutgoingText[]): Promise<OpenGroup> {
  const timeout = GROUP_TIMEOUT_MS;
  // Who gets which number how often is decided here.
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
    // By the number: nothing says that the answers stand in the order of the messages.
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

/** A group goes out once: the provider refuses to send it again. */
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
    const state = ownValue(GROUP_STATES, String(status));
    if (!state) throw new TextProviderError(200, `group is ${String(status)}`);
    return state;
  } catch (error) {
    if (error instanceof TextProviderError && error.status === 404) return "unknown";
    throw error;
  }
}

/** From then on nothing can go out of it. */
export async function dropTextGroup(config: Config, groupId: string): Promise<void> {
  await askSolapi(config, { method: "DELETE", path: groupPath(groupId), timeout: GROUP_TIMEOUT_MS });
}

const TEMPLATE_PARTS = ["content", "buttons", "quickReplies", "emphasizeTitle", "header", "highlight", "item"];

/** @returns null where the channel has no such template */
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
