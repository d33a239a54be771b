import type { Browser, Page } from "playwright-core";
import { newPage, type NewPageOptions } from "./browser.ts";

export interface Credentials {
  userKeyCode: string;
  password: string;
}
export const ADMIN_CREDENTIALS = { userKeyCode: "admin", password: "Admin!2345" };
export const MEMBER_CREDENTIALS = { userKeyCode: "member01", password: "Member!2345" };

export async function newSignedInPage(
  browser: Browser,
  baseURL: string,
  person: Credentials,
  options: NewPageOptions = {},
): Promise<Page> {
  const page = await newPage(browser, baseURL, options);
  // Any address gives access to the storage; this one renders no page.
  await page.goto("/hangul-font.js");
  await signInByApi(page, person);
  return page;
}

export async function signInByApi(page: Page, person: Credentials): Promise<void> {
  await page.evaluate(async (body) => {
    const response = await fetch("/api/user/signin", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ userKeyType: "Id", ...body }),
    });
    const { code, data } = (await response.json()) as {
      code: string;
      data: { accessToken: string; refreshToken: string; user: object };
    };
    if (code !== "SUCCESS") throw new Error(code);
    localStorage.setItem("accessToken", data.accessToken);
    localStorage.setItem("refreshToken", data.refreshToken);
    localStorage.setItem("loginUser", JSON.stringify(data.user));
  }, person);
}
