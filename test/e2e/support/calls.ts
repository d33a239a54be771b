import type { Page } from "playwright-core";

export function callAsOtherAdministrator<T = unknown>(
  page: Page,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; code: string; data: T }> {
  return callFromPage(page, method, `/api/admin/${path}`, body);
}

export function callFromPage<T = Record<string, unknown>>(
  page: Page,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; code: string; data: T }> {
  return page.evaluate(
    async ([verb, address, json]) => {
      const response = await fetch(address, {
        method: verb,
        headers: {
          Authorization: `Bearer ${localStorage.getItem("accessToken")}`,
          ...(json ? { "Content-Type": "application/json" } : {}),
        },
        ...(json ? { body: json } : {}),
      });
      return { ...(await response.json()), status: response.status };
    },
    [method, path, body ? JSON.stringify(body) : ""] as const,
  );
}

export async function endPageSession(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.evaluate(() => {
    const oldValue = localStorage.getItem("accessToken");
    for (const key of ["accessToken", "refreshToken", "loginUser"]) localStorage.removeItem(key);
    dispatchEvent(new StorageEvent("storage", { key: "accessToken", oldValue, newValue: null }));
  });
}
