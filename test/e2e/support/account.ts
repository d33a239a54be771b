import type { Page } from "playwright-core";
import type { RunningSite } from "#worker/local/site.ts";

export async function signInByForm(
  page: Page,
  id = "member01",
  password = "Member!2345",
  label = "아이디",
): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(id);
  await page.getByLabel("비밀번호", { exact: true }).fill(password);
  await page.getByRole("button", { name: "로그인", exact: true }).click();
}

export interface OutboxMessage {
  to: string;
  subject: string;
  text: string;
  pincode?: string;
}

export const readOutbox = async (site: RunningSite): Promise<OutboxMessage[]> =>
  (await (await fetch(`${site.url}/dev/outbox.json`)).json()) as OutboxMessage[];

export async function readSentCode(site: RunningSite, to: string): Promise<string> {
  const pincode = (await readOutbox(site)).find((entry) => entry.to === to && entry.pincode)?.pincode;
  if (!pincode) throw new Error(`no code was sent to ${to}`);
  return pincode;
}

export async function setAuthType(site: RunningSite, authType: string): Promise<void> {
  const { DB } = await site.mf.getBindings<{ DB: D1Database }>();
  await DB.prepare("UPDATE site_setting SET value = json_set(value, '$.authType', ?) WHERE key = 'authentication'")
    .bind(authType)
    .run();
}

export async function measureSidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
