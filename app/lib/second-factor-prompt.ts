import type { ConsoleEntryProof } from "#worker/contract/kernel/second-factor.ts";

type Prompt = () => Promise<boolean>;

let openPrompt: Prompt = () => Promise.resolve(false);
let asking: Promise<boolean> | null = null;

/** The dialog that asks, for as long as the page's frame stands. */
export function setSecondFactorPrompt(next: Prompt): () => void {
  openPrompt = next;
  return () => {
    openPrompt = () => Promise.resolve(false);
  };
}

/** Asks for the second factor where the person stands, once for all calls that wait for it; true when it was shown. */
export function promptSecondFactor(): Promise<boolean> {
  asking ??= openPrompt().finally(() => {
    asking = null;
  });
  return asking;
}

/** Makes the refused call with what was given. @returns why the password was refused, null where the call was answered */
export type SendProof = (proof: ConsoleEntryProof) => Promise<string | null>;
type EntryPrompt = (send: SendProof) => Promise<void>;

let openEntryPrompt: EntryPrompt = () => Promise.resolve();

/** The dialog of the console that asks why somebody is let in, and for the password. */
export function setConsoleEntryPrompt(next: EntryPrompt): () => void {
  openEntryPrompt = next;
  return () => {
    openEntryPrompt = () => Promise.resolve();
  };
}

/** Ends once the call was answered, or the person gave up. */
export const promptConsoleEntry: EntryPrompt = (send) => openEntryPrompt(send);
