import { z } from "zod";
import type { Config } from "#worker/config.ts";
import { countAnswer, tokenAnswer } from "#worker/contract/case-report/case-report.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";

const TIMEOUT_MS = 3000;
/** The retry starts in parallel with a slow first try, so that both end within the time-out. */
const HEDGE_MS = 1500;
const ANSWER_BYTES = 64 * 1024;

// Circuit breaker: pauses for a minute after repeated failures, then probes with a short time-out.
const FAILURES_MAX = 5;
const IMPATIENT_MS = 500;
const PAUSE_MS = 60_000;
const hostState = { failures: 0, until: 0 };

/** @throws AppError UPSTREAM_UNAVAILABLE from each call */
export interface CaseReportClient {
  /** @param impatient older figures exist, and the last try failed */
  counts(impatient: boolean): Promise<{ location: string; count: number }[]>;
  handOver(person: { userId: string; userName: string }): Promise<string>;
}

export function createCaseReport(config: Config): CaseReportClient {
  const base = `${config.CASE_REPORT_URL.replace(/(?<!\/)\/+$/, "")}/KPID/${config.PRODUCT_CODE}`;
  return {
    counts: (impatient) =>
      requestAnswer(config, "GET", `${base}/GetSubjectLocationCount`, countAnswer, undefined, impatient),
    async handOver(person) {
      const { token, url } = await requestAnswer(config, "POST", `${base}/Token`, tokenAnswer, person, false);
      const address = new URL(url || base);
      if (!address.href.includes(encodeURIComponent(token))) address.searchParams.set("token", token);
      return address.href;
    },
  };
}

const unavailableError = (cause: unknown) =>
  new AppError("UPSTREAM_UNAVAILABLE", {
    message: "연계 서비스가 응답하지 않습니다. 잠시 후 다시 시도해 주십시오.",
    cause,
  });

async function requestAnswer<T extends z.ZodType>(
  config: Config,
  method: "GET" | "POST",
  url: string,
  schema: T,
  body: object | undefined,
  impatient: boolean,
): Promise<z.output<T>> {
  if (config.CASE_REPORT_URL === "") throw new AppError("UPSTREAM_UNAVAILABLE", { message: UI_MESSAGES.preparing });
  if (Date.now() < hostState.until) throw unavailableError(new Error("left alone after failures"));
  const isProbe = hostState.failures >= FAILURES_MAX;
  // Only one request probes the host at a time.
  if (isProbe) hostState.until = Date.now() + PAUSE_MS;
  const hasty = impatient || isProbe;
  try {
    const answer = await tryTwice(
      (signal) => sendRequest(config, method, url, body, signal),
      hasty ? IMPATIENT_MS : TIMEOUT_MS,
      hasty ? null : HEDGE_MS,
    );
    const parsed = schema.parse(answer);
    hostState.failures = 0;
    hostState.until = 0;
    return parsed;
  } catch (cause) {
    hostState.failures += 1;
    if (hostState.failures >= FAILURES_MAX) hostState.until = Date.now() + PAUSE_MS;
    // Logs only the kind of fault: the host's answer is other people's data.
    throw unavailableError(cause instanceof z.ZodError ? new Error("unexpected answer") : cause);
  }
}

class PassingFault extends Error {}

/** @param hedgeMs delay of the second, concurrent try; null for one try */
async function tryTwice<T>(attempt: (signal: AbortSignal) => Promise<T>, timeoutMs: number, hedgeMs: number | null) {
  const controller = new AbortController();
  let startSecond: () => void = () => undefined;
  const timers = [setTimeout(() => controller.abort(new Error("timed out")), timeoutMs)];
  const gate = new Promise<void>((resolve) => {
    startSecond = resolve;
    if (hedgeMs !== null) timers.push(setTimeout(resolve, hedgeMs));
  });
  const late = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason as Error));
  });
  late.catch(() => undefined);
  let lasting: unknown;
  const first = attempt(controller.signal).catch((cause: unknown) => {
    if (!(cause instanceof PassingFault)) lasting = cause;
    startSecond();
    throw cause;
  });
  const second = gate.then(() => {
    if (hedgeMs === null || lasting !== undefined) throw lasting ?? new Error("no second try");
    return attempt(controller.signal);
  });
  try {
    const tries = hedgeMs === null ? [first] : [first, second];
    second.catch(() => undefined);
    return await Promise.race([Promise.any(tries), late]);
  } catch (cause) {
    throw cause instanceof AggregateError ? (cause.errors[0] as Error) : cause;
  } finally {
    timers.forEach(clearTimeout);
    controller.abort(new Error("done"));
  }
}

async function sendRequest(
  config: Config,
  method: "GET" | "POST",
  url: string,
  body: object | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  const init: RequestInit = {
    method,
    redirect: "manual",
    signal,
    headers: {
      Accept: "application/json",
      Authorization: config.CASE_REPORT_APP_ID,
      // Counts are requested without a member's token, which is never passed on.
      token: "",
      ...(body ? { "Content-Type": "application/json" } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  };
  let text: string;
  let status: number;
  try {
    const response = await fetch(url, init);
    status = response.status;
    text = await readLimited(response);
  } catch (cause) {
    throw cause instanceof AnswerTooLong ? cause : new PassingFault("no whole answer", { cause });
  }
  if (status >= 500) throw new PassingFault(`status ${status}`);
  if (status < 200 || status > 299) throw new Error(`status ${status}`);
  return JSON.parse(text) as unknown;
}

class AnswerTooLong extends Error {}

async function readLimited(response: Response): Promise<string> {
  if (!response.body) return "";
  const length = response.headers.get("Content-Length");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  let text = "";
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES) throw new AnswerTooLong("answer too long");
    text += decoder.decode(chunk, { stream: true });
  }
  // A truncated response ends like a complete one.
  if (length !== null && !response.headers.has("Content-Encoding") && bytes < Number(length))
    throw new Error("cut off");
  return text + decoder.decode();
}
