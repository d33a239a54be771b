/** @param known If-None-Match */
export const isNotModified = (known: string | null | undefined, etag: string): boolean =>
  known
    ?.split(",")
    .map((each) => each.trim().replace(/^W\//, ""))
    .some((each) => each === etag || each === "*") ?? false;

/** 304 for a feed that the reader has; a date must be the same, because a removal sets it back. */
export function unlessUnchanged(request: Request, response: Response): Response {
  const etag = response.headers.get("ETag");
  if (etag === null || response.status !== 200) return response;
  const headers = new Headers(response.headers);
  // A reader may keep the feed and ask again.
  headers.set("Cache-Control", "private, no-cache, no-transform");
  const known = request.headers.get("If-None-Match");
  const since = request.headers.get("If-Modified-Since");
  const isKnown =
    known === null ? since !== null && since === headers.get("Last-Modified") : isNotModified(known, etag);
  if (!isKnown) return new Response(response.body, { status: 200, headers });
  void response.body?.cancel();
  headers.delete("Content-Type");
  return new Response(null, { status: 304, headers });
}
