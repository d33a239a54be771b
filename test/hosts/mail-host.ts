import { env } from "cloudflare:workers";
import { runScheduledJobs } from "../support/scheduled-jobs.ts";
import { stubFetch } from "./stub-fetch.ts";

/** Replaces the outbox by a provider. `vi.unstubAllGlobals()` restores it. */
export const RESEND_VARS = {
  MESSAGE_TRANSPORT: "resend",
  RESEND_API_KEY: "re_test",
  RESEND_API_URL: "https://mail.test",
};

export interface MailHostRequest {
  url: string;
  key: string | null;
  mails: {
    to: string[];
    subject: string;
    text: string;
    html: string;
    headers?: Record<string, string>;
    reply_to?: string;
  }[];
}

/** Stubs the mail host. @returns its requests */
export function stubMailHost(answer: (asked: MailHostRequest, at: number) => Response): MailHostRequest[] {
  const asked: MailHostRequest[] = [];
  stubFetch(async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const body = (await request.json()) as MailHostRequest["mails"][number] | MailHostRequest["mails"];
    const one = { url: request.url, key: request.headers.get("Idempotency-Key"), mails: [body].flat() };
    asked.push(one);
    return answer(one, asked.length);
  });
  return asked;
}
export const acceptMails = ({ mails }: MailHostRequest) =>
  Response.json({ id: "1", data: mails.map((_, at) => ({ id: String(at) })), errors: [] });

export const runJobsWith = (world: Record<string, unknown>) => runScheduledJobs({ ...env, ...world });
