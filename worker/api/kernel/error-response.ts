import type { Context } from "hono";
import type { FailureAnswer } from "#worker/contract/kernel/envelope.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { logError } from "#worker/log.ts";
import type { ApiEnv } from "./http.ts";

/** The one mapping of errors to answers. What is not ours is INTERNAL_ERROR, its cause in the log alone. */
export function errorResponse(c: Context<ApiEnv>, error: unknown): Response {
  const known = error instanceof AppError ? error : new AppError("INTERNAL_ERROR", { cause: error });
  const requestId = c.var.requestId;
  if (known.status >= 500)
    logError({ requestId, path: new URL(c.req.url).pathname, code: known.code, cause: known.cause });
  const answer: FailureAnswer = {
    code: known.code,
    message: known.message,
    ...(known.fields ? { fields: known.fields } : {}),
    ...(known.data ? { data: known.data } : {}),
    requestId,
  };
  if (known.retryAfterSeconds !== undefined) c.header("Retry-After", String(known.retryAfterSeconds));
  return c.json(answer, known.status);
}
