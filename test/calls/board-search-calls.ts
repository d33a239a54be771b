import { callJson } from "../support/api-client.ts";
import { type TestSession } from "../support/people.ts";

export const searchItems = (
  body: Record<string, unknown>,
  options: { session?: TestSession; query?: string; address?: string } = {},
) =>
  callJson("POST", `/api/board-item/search${options.query ?? ""}`, {
    body,
    token: options.session?.accessToken,
    ...(options.address ? { address: options.address } : {}),
  });

export const searchedTitles = async (...args: Parameters<typeof searchItems>) =>
  (await searchItems(...args)).data.content.map((row: { title: string }) => row.title);
