import { CHANGE_REASON, CONSOLE_ENTRY_REASON } from "#worker/contract/kernel/second-factor.ts";
import type { AskedProof } from "./second-factor-prompt.ts";

/** The proof that a refused call asks for. */
export function askedProofOf(data: Record<string, unknown> | undefined): AskedProof | null {
  if (data?.reason === CONSOLE_ENTRY_REASON) return { kind: "console entry" };
  return data?.reason === CHANGE_REASON ? { kind: "reason", labels: String(data.labels) } : null;
}
