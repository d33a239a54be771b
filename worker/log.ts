interface ErrorEntry {
  requestId: string;
  path: string;
  code: string;
  cause: unknown;
}

/** One JSON line. Statements of a failed query carry people's data, so only their first words are kept. */
export function logError({ requestId, path, code, cause }: ErrorEntry): void {
  console.error(JSON.stringify({ level: "error", requestId, path, code, cause: describeCause(cause) }));
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
