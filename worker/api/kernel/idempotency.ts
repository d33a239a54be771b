import type { Context } from "hono";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { idempotencyKey } from "#worker/contract/kernel/fields.ts";
import type { ApiEnv } from "./http.ts";

export function readIdempotencyKey(c: Context<ApiEnv>): string | null {
  const header = c.req.header("Idempotency-Key");
  if (header === undefined) return null;
  const key = idempotencyKey.safeParse(header);
  if (!key.success) throw invalidInput({ "Idempotency-Key": "8~100자의 영문, 숫자, -, _로 보내 주십시오." });
  return key.data;
}
