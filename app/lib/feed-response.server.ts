import type { Feed } from "#worker/domain/board/feed.server.ts";

/** Feed readers send both headers back and get 304 for what they have. */
export async function feedResponse({ text, changedDate }: Feed, contentType: string): Promise<Response> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const headers = new Headers({
    "Content-Type": `${contentType}; charset=utf-8`,
    ETag: `"${Buffer.from(digest).toString("base64url")}"`,
  });
  if (changedDate) headers.set("Last-Modified", changedDate.toUTCString());
  return new Response(text, { headers });
}
