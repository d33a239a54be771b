type Pressed = [target: HTMLElement, button: HTMLElement | null, look: Animation | undefined, at: number];

declare global {
  // Globals of the inline scripts `early-press.js` and `not-loaded.js`.
  // oxlint-disable-next-line no-var
  var takePressedEarly: (() => Pressed[]) | undefined;
  // oxlint-disable-next-line no-var
  var isOldBrowser: boolean | undefined;
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Replays clicks and submits from before hydration, once each, then sets `<html data-listens>`. @param restoreInput
 * fills in typed values first
 */
export async function doPressedEarly(restoreInput?: () => Promise<void>): Promise<void> {
  const pressed = globalThis.takePressedEarly?.() ?? [];
  const notLoaded = document.getElementById("not-loaded");
  if (notLoaded) notLoaded.hidden = true;
  // React must render one event before the next.
  await turn();
  await restoreInput?.();
  for (const [target, button, look, at] of pressed) {
    look?.cancel();
    const now = target.isConnected ? target : document.querySelectorAll<HTMLElement>(target.tagName)[at];
    if (now instanceof HTMLFormElement) now.requestSubmit(button?.isConnected ? button : null);
    else now?.click();
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as they were pressed
    await turn();
  }
  document.documentElement.dataset.listens = "";
}
