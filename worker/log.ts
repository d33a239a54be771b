interface ErrorEntry {
  requestId: string;
  path: string;
  code: string;
  cause: unknown;
}

/** Logs one JSON line; failed statements are cut, because they contain personal data. */
export function logError({ requestId, path, code, cause }: ErrorEntry): void {
  console.error(
    JSON.stringify({ level: "error", requestId, path: withoutTokens(path), code, cause: describeCause(cause) }),
  );
}

const TOKEN_LENGTH = 20;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WORDS = /^[a-z-]*$/;

/** Removes secret tokens from mail, upload and download paths. */
export function withoutTokens(path: string): string {
  if (!path.startsWith("/")) return path;
  const isToken = (part: string) => part.length >= TOKEN_LENGTH && !ID.test(part) && !WORDS.test(part);
  return path
    .split("/")
    .map((part) => (isToken(part) ? "*" : part))
    .join("/");
}

function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return cause === undefined ? "" : typeof cause;
  const inner = cause.cause instanceof Error ? ` < ${describeCause(cause.cause)}` : "";
  const message = cause.message.split("\n")[0]?.replace(/^Failed query:.*/, "Failed query") ?? "";
  const at =
    cause.stack
      ?.split("\n")
      .find((line) => line.trim().startsWith("at "))
      ?.trim() ?? "";
  return `${cause.name}: ${message.slice(0, 300)} ${at}${inner}`;
}
