import { createSignupSettings, signupForm } from "../support/factories.ts";
import { stubFetch } from "./stub-fetch.ts";

export type HostFailure = "down" | "too many" | "reset" | "lost answer" | "rubbish" | "redirect" | "half accepted";

export const NEW_PERSON_EMAIL = "new.person@pid.example.kr";

export const MESSAGE_HOSTS = {
  MESSAGE_TRANSPORT: "resend",
  RESEND_API_KEY: "re_test",
  RESEND_API_URL: "https://mail.test",
  SMS_API_KEY: "sms-key",
  SMS_API_SECRET: "sms-secret",
  SMS_FROM: "02-000-0000",
  SMS_API_URL: "https://sms.test",
};

export async function newPersonForm() {
  await createSignupSettings();
  return signupForm(NEW_PERSON_EMAIL);
}

interface SentMessage {
  url: string;
  headers: Headers;
  body: Record<string, unknown>;
}

/** Stubs the mail and SMS hosts. @returns their requests */
export function stubMessageHosts(
  answer: (sent: SentMessage, at: number) => Promise<Response> | Response,
): SentMessage[] {
  const asked: SentMessage[] = [];
  stubFetch(async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const sent = { url: request.url, headers: request.headers, body: (await request.json()) as SentMessage["body"] };
    asked.push(sent);
    return answer(sent, asked.length);
  });
  return asked;
}

export const messageTaken = () => Response.json({ id: "mail-1" });
