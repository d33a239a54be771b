import type { ClientResponse } from "hono/client";
import { AppError, type FailureAnswer } from "#worker/contract/kernel/errors.ts";

export async function saveResponseFile(request: Promise<ClientResponse<unknown>>): Promise<void> {
  const response = await request;
  if (!response.ok) {
    const { code, message, fields } = (await response.json()) as FailureAnswer;
    throw new AppError(code, { message, ...(fields ? { fields } : {}) });
  }
  const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name ? decodeURIComponent(name) : "export.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
