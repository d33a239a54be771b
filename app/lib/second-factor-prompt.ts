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
type EntryPrompt = (send: SendProof) => Promise<void>;

let openEntryPrompt: EntryPrompt = () => Promise.resolve();

export function setConsoleEntryPrompt(next: EntryPrompt): () => void {
  openEntryPrompt = next;
  return () => {
    openEntryPrompt = () => Promise.resolve();
  };
}

/** Resolves once the call was answered or the user gave up. */
export const promptConsoleEntry: EntryPrompt = (send) => openEntryPrompt(send);
