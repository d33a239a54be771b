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
