import { type HostFailure, MESSAGE_HOSTS } from "./message-hosts.ts";
import { stubFetch } from "./stub-fetch.ts";

export const TEXT_HOST = { ...MESSAGE_HOSTS, KAKAO_CHANNEL_ID: "KA01PF" };

export interface SentText {
  to: string;
  from: string;
  text?: string;
  type: string;
  kakaoOptions?: { pfId: string; templateId: string; variables: Record<string, string>; disableSms: boolean };
}

export type TextFailure = HostFailure | "forgets the group";

export type PlannedFailure = [step: "create" | "add" | "send" | "read" | "drop", failure: TextFailure];

interface Group {
  status: "PENDING" | "COMPLETE" | "DELETED" | "FAILED";
  messages: SentText[];
}

interface Template {
  content: string;
  status?: string;
  channelId?: string;
  buttons?: object[];
}

const errorAnswer = (status: number, errorCode: string) => Response.json({ errorCode, errorMessage: "x" }, { status });

/** Stubs Solapi, which sends a group of messages once on one call. */
export function stubTextHost(
  planned: PlannedFailure[] = [],
  {
    templates = {},
    afterwards = () => {},
  }: { templates?: Record<string, Template>; afterwards?: (step: string) => void } = {},
) {
  const groups = new Map<string, Group>();
  const texts: SentText[] = [];
  const steps: string[] = [];
  const numberOf = (text: SentText) => text.to;
  const goOut = (group: Group) => {
    group.status = "COMPLETE";
    texts.push(...group.messages);
  };

  const answerOf = (
    step: string,
    id: string,
    body: { messages?: SentText[]; message?: SentText },
    failure?: string,
  ) => {
    const group = groups.get(id);
    if (step === "create") {
      const groupId = `G${groups.size + 1}`;
      groups.set(groupId, { status: "PENDING", messages: [] });
      return Response.json({ groupId, status: "PENDING" });
    }
    if (!group || failure === "forgets the group") return errorAnswer(404, "ResourceNotFound");
    if (step === "read") return Response.json({ groupId: id, status: group.status });
    if (group.status !== "PENDING") return errorAnswer(400, "NotPending");
    if (step === "drop") {
      group.status = "DELETED";
      return Response.json({ groupId: id, status: "DELETED" });
    }
    if (step === "send") {
      goOut(group);
      return Response.json({ groupId: id, status: "SENDING" });
    }
    const resultList = (body.messages ?? []).map((message, at) => {
      const isTaken = failure !== "half accepted" || at % 2 === 0;
      if (isTaken) group.messages.push(message);
      return { to: message.to, messageId: `${id}-${at}`, statusCode: isTaken ? "2000" : "3010" };
    });
    // The order of the results is not guaranteed.
    return Response.json({ errorCount: 0, resultList: resultList.toReversed() });
  };

  stubFetch(async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const { pathname, origin } = new URL(request.url);
    if (origin !== TEXT_HOST.SMS_API_URL) {
      const mails = (await request.json()) as unknown[];
      return Response.json({ id: "mail", data: [mails].flat().map((_, at) => ({ id: `mail-${at}` })), errors: [] });
    }
    const template = /^\/kakao\/v2\/templates\/(.+)$/.exec(pathname)?.[1];
    if (template !== undefined) {
      const found = templates[decodeURIComponent(template)];
      return found
        ? Response.json({ status: "APPROVED", channelId: TEXT_HOST.KAKAO_CHANNEL_ID, ...found })
        : errorAnswer(404, "ResourceNotFound");
    }
    const body = (request.body ? await request.json() : {}) as { messages?: SentText[]; message?: SentText };
    if (pathname === "/messages/v4/send" && body.message) {
      texts.push(body.message);
      return Response.json({ statusCode: "2000", messageId: "M1" });
    }
    const [, id = "", act = ""] = /^\/messages\/v4\/groups(?:\/(\w+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
    const step =
      { POST: act === "send" ? "send" : "create", PUT: "add", GET: "read", DELETE: "drop" }[request.method] ?? "none";
    steps.push(step);
    const failure = planned[0]?.[0] === step ? planned.shift()?.[1] : undefined;
    if (failure === "down") return errorAnswer(500, "InternalError");
    if (failure === "too many") return errorAnswer(429, "TooManyRequests");
    if (failure === "reset") throw new TypeError("connection reset");
    if (failure === "redirect")
      return new Response(null, { status: 302, headers: { Location: "https://elsewhere.test/" } });
    const answer = answerOf(step, id, body, failure);
    if (failure === "lost answer") throw new TypeError("connection reset");
    if (failure === "rubbish") return new Response("<html>", { status: 502 });
    afterwards(step);
    return answer;
  });

  return {
    texts,
    steps,
    groups,
    got: () => {
      const counts = new Map<string, number>();
      for (const text of texts) counts.set(numberOf(text), (counts.get(numberOf(text)) ?? 0) + 1);
      return counts;
    },
  };
}
