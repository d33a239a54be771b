import type { Context } from "hono";
import type { FailureAnswer } from "#worker/contract/kernel/envelope.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { isUniqueViolation } from "#worker/domain/kernel/guard.server.ts";
import { logError } from "#worker/log.ts";
import type { ApiEnv } from "./http.ts";

/** Maps a lost race to a conflict and a foreign error to INTERNAL_ERROR, whose cause is only logged. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError(isUniqueViolation(error) ? "CONFLICT" : "INTERNAL_ERROR", { cause: error });
}

export function errorResponse(c: Context<ApiEnv>, error: unknown): Response {
  const known = toAppError(error);
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
