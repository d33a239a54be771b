import { Buffer } from "node:buffer";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { requireSignedIn } from "./authorize.server.ts";

/**
 * The id of what a call makes. With an `Idempotency-Key` it is always the same one for the same person and key, so that
 * the primary key lets the row be made once; nobody else can reckon it.
 */
export function newRowId(ctx: Pick<AppContext, "actor" | "tokens">, kind: string, key: string | null): string {
  if (key === null) return crypto.randomUUID();
  const digest = ctx.tokens.hash("idempotency", `${kind}\n${requireSignedIn(ctx).userId}\n${key}`);
  const hex = Buffer.from(digest, "base64url").toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

/** Makes something once: what is sent a second time is answered like the first, also when both come together. */
export async function createOnce<T>(
  key: string | null,
  find: () => Promise<T | null>,
  create: () => Promise<T>,
): Promise<T> {
  const before = key === null ? null : await find();
  if (before !== null) return before;
  try {
    return await create();
  } catch (error) {
    // The other sending was quicker: it took what this one wanted, or a unique index undid this batch.
    const made = key === null ? null : await find();
    if (made === null) throw error;
    return made;
  }
}
