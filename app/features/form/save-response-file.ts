import type { ClientResponse } from "hono/client";
import { callApi, connectionFailure } from "#app/lib/api.ts";
import type { SuccessAnswer } from "#worker/contract/kernel/errors.ts";

/** @throws AppError like callApi, also when the connection ends within the file */
export async function saveResponseFile(request: Promise<ClientResponse<unknown>>): Promise<void> {
  const response = await request.catch(() => null);
  if (!response?.ok) return callApi(request as Promise<ClientResponse<SuccessAnswer<void>>>);
  const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  const body = await response.blob().catch((cause: unknown) => {
    throw connectionFailure(cause);
  });
  const url = URL.createObjectURL(body);
  const link = document.createElement("a");
  link.href = url;
  link.download = name ? decodeURIComponent(name) : "export.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
