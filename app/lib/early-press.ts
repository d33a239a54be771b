type Pressed = [target: HTMLElement, button: HTMLElement | null, look: Animation | undefined];

declare global {
  // oxlint-disable-next-line no-var -- a global that a script in the page's head makes (`early-press.js`)
  var takePressedEarly: (() => Pressed[]) | undefined;
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Does what was pressed before the page listened, each button and form once: a press is repeated when nothing happens.
 * Then `<html data-listens>` says that the page listens.
 */
export async function doPressedEarly(): Promise<void> {
  const pressed = globalThis.takePressedEarly?.() ?? [];
  // React draws what one event changed before it takes the next.
  await turn();
  for (const [target, button, look] of pressed) {
    look?.cancel();
    if (!target.isConnected) continue;
    if (target instanceof HTMLFormElement) target.requestSubmit(button?.isConnected ? button : null);
    else target.click();
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as they were pressed
    await turn();
  }
  document.documentElement.dataset.listens = "";
}
