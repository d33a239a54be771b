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
