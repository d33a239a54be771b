import type { Locator, Page } from "playwright-core";
import { requirePresent } from "../../support/require-present.ts";

export const SCREEN_WIDTHS = [1280, 390] as const;
export type ScreenWidth = (typeof SCREEN_WIDTHS)[number];

/** Matches the whole name; hidden text for screen readers may add a space. */
export function findButton(page: Page | Locator, name: string) {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(": ", " ?: ");
  return page.getByRole("button", { name: new RegExp(`^${escaped}$`) });
}

export async function saveAfterQuestion(page: Page): Promise<void> {
  await findButton(page.locator("#main"), "저장").click();
  await findButton(page.getByRole("alertdialog"), "저장").click();
}

/** Answers the question that a change of an important setting asks. */
export async function giveReason(page: Page): Promise<void> {
  const asked = page.getByRole("dialog", { name: "중요한 설정 바꾸기" });
  await asked.getByLabel("사유").fill("총회에서 정하였습니다.");
  await findButton(asked, "바꾸기").click();
}

/** Expects a toast and closes it, so that the next equal toast is distinguishable. */
export async function dismissToast(page: Page, text: string): Promise<void> {
  const toast = page.getByRole("status").locator("div", { hasText: text });
  await toast.getByRole("button", { name: "알림 닫기" }).click();
  await toast.waitFor({ state: "detached" });
}

export async function openConsolePage(page: Page, width: ScreenWidth, link: string, heading = link): Promise<void> {
  await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
  // An earlier test may have left a dialog open.
  if (!/\/admin/i.test(page.url()) || (await page.locator("dialog[open]").count()) > 0) await page.goto("/Admin");
  const current = page.locator("nav a[aria-current=page]", { hasText: new RegExp(`^${link}$`) }).first();
  // A link to the open page reloads its data, and nothing visible says when that ends.
  if (await current.count()) await page.goto(requirePresent(await current.getAttribute("href")));
  else {
    if (width === 390) await page.locator("summary", { hasText: "관리 메뉴" }).click();
    await page.getByRole("navigation", { name: "관리 메뉴" }).getByRole("link", { name: link, exact: true }).click();
  }
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
}

export async function openFilters(page: Page): Promise<void> {
  const fold = page.getByRole("button", { name: /^찾는 조건/, expanded: false });
  if (await fold.isVisible()) await fold.click();
}

export async function expectDone(page: Page, text: string): Promise<void> {
  await page.getByRole("status").or(page.getByRole("alert")).getByText(text).first().waitFor();
  await page.locator("dialog[open]").waitFor({ state: "detached" });
}
export const openPage = (page: Page, path: string) => page.goto(path);
export const findDialog = (page: Page) => page.getByRole("dialog");

export const findRow = (page: Page, text: string) => page.locator("#main tbody tr", { hasText: text });

/** Expects refusals without a reason and without a connection, then exports. @returns the file name */
export async function exportWithReason(admin: Page, button: string, reason: string): Promise<string> {
  await findButton(admin, button).click();
  await findButton(admin, "내보내기").click();
  await findDialog(admin).getByText("필수 항목입니다.").waitFor();
  await findDialog(admin).getByLabel("사유").fill(reason);
  await admin.context().setOffline(true);
  await findButton(admin, "내보내기").click();
  await findDialog(admin).getByRole("alert").getByText("사이트에 연결하지 못했습니다.", { exact: false }).waitFor();
  // An error without a field does not mark the reason.
  await findDialog(admin).locator(":not([aria-invalid=true])[name=reason]").waitFor();
  await admin.context().setOffline(false);
  const [file] = await Promise.all([admin.waitForEvent("download"), findButton(admin, "내보내기").click()]);
  return file.suggestedFilename();
}
