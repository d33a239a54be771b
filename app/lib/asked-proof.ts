import { CHANGE_REASON, CONSOLE_ENTRY_REASON, type ConsoleEntryProof } from "#worker/contract/kernel/second-factor.ts";

/** Retries the refused call. @returns why the password was refused, or null if the call was answered */
export type SendProof = (proof: ConsoleEntryProof) => Promise<string | null>;
/** Reason and password to open the console to somebody, or a reason to change these fields. */
export type AskedProof = { kind: "console entry" } | { kind: "reason"; labels: string };
type ProofPrompt = (asked: AskedProof, send: SendProof) => Promise<void>;

let openProofPrompt: ProofPrompt = () => Promise.resolve();

export function setProofPrompt(next: ProofPrompt): () => void {
  openProofPrompt = next;
  return () => {
    openProofPrompt = () => Promise.resolve();
  };
}

/** Resolves once the call was answered or the user gave up. */
export const promptProof: ProofPrompt = (asked, send) => openProofPrompt(asked, send);

/** The proof that a refused call asks for. */
export function askedProofOf(data: Record<string, unknown> | undefined): AskedProof | null {
  if (data?.reason === CONSOLE_ENTRY_REASON) return { kind: "console entry" };
  return data?.reason === CHANGE_REASON ? { kind: "reason", labels: String(data.labels) } : null;
}
