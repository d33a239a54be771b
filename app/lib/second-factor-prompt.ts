type Prompt = () => Promise<boolean>;

let prompt: Prompt = () => Promise.resolve(false);
let asking: Promise<boolean> | null = null;

/** The dialog that asks, for as long as the page's frame stands. */
export function setSecondFactorPrompt(next: Prompt): () => void {
  prompt = next;
  return () => {
    prompt = () => Promise.resolve(false);
  };
}

/** Asks for the second factor where the person stands, once for all calls that wait for it; true when it was shown. */
export function promptSecondFactor(): Promise<boolean> {
  asking ??= prompt().finally(() => {
    asking = null;
  });
  return asking;
}
