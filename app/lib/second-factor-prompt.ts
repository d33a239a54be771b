import type { ConsoleEntryProof } from "#worker/contract/kernel/second-factor.ts";

type Prompt = () => Promise<boolean>;

let openPrompt: Prompt = () => Promise.resolve(false);
let asking: Promise<boolean> | null = null;

/** Registers the dialog while the page's frame is mounted. */
export function setSecondFactorPrompt(next: Prompt): () => void {
  openPrompt = next;
  return () => {
    openPrompt = () => Promise.resolve(false);
  };
}

/** Opens one prompt for all waiting calls; resolves to true if the second factor was shown. */
export function promptSecondFactor(): Promise<boolean> {
  asking ??= openPrompt().finally(() => {
    asking = null;
  });
  return asking;
}

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
