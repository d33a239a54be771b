type Pressed = [target: HTMLElement, button: HTMLElement | null, look: Animation | undefined, at: number];

declare global {
  // Globals of the scripts in the page's head (`early-press.js`, `not-loaded.js`).
  // oxlint-disable-next-line no-var
  var takePressedEarly: (() => Pressed[]) | undefined;
  // oxlint-disable-next-line no-var
  var isOldBrowser: boolean | undefined;
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Does what was pressed before the page listened, each button and form once: a press is repeated when nothing happens.
 * Then `<html data-listens>` says that the page listens.
 * @param restoreInput what is filled in again before
 */
export async function doPressedEarly(restoreInput?: () => Promise<void>): Promise<void> {
  const pressed = globalThis.takePressedEarly?.() ?? [];
  const notLoaded = document.getElementById("not-loaded");
  if (notLoaded) notLoaded.hidden = true;
  // React draws what one event changed before it takes the next.
  await turn();
  await restoreInput?.();
  for (const [target, button, look, at] of pressed) {
    look?.cancel();
    // Hydration may have replaced it.
    const now = target.isConnected ? target : document.querySelectorAll<HTMLElement>(target.tagName)[at];
    if (now instanceof HTMLFormElement) now.requestSubmit(button?.isConnected ? button : null);
    else now?.click();
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as they were pressed
    await turn();
  }
  document.documentElement.dataset.listens = "";
}
