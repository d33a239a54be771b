import type { Page } from "playwright-core";

/** Elements usable by mouse but not by keyboard: no focus, no ring, wrong order or covered. */
export async function findKeyboardFaults(page: Page): Promise<string[]> {
  // From now on the browser shows the focus ring.
  await page.keyboard.press("Tab");
  return page.evaluate(() => {
    const USABLE =
      "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [contenteditable=true]";
    const faults: string[] = [];
    const note = (element: Element, fault: string) => {
      const name = element.getAttribute("aria-label") ?? element.getAttribute("name") ?? element.textContent;
      faults.push(`${fault}: ${element.tagName.toLowerCase()} ${name?.trim().slice(0, 40)}`);
    };
    const main = document.getElementById("main");
    if (!main) return ["no main part"];
    for (const element of main.querySelectorAll<HTMLElement>(`${USABLE}, [tabindex]`)) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.matches(":disabled, .sr-only")) continue;
      if (element.tabIndex > 0) note(element, "an order of its own");
      if (element.tabIndex < 0) {
        if (element.matches(USABLE) && !element.closest("[role=tablist], [role=listbox], [role=toolbar]"))
          note(element, "not reached by Tab");
        continue;
      }
      element.focus();
      const style = getComputedStyle((element.isContentEditable && element.closest(".editor-frame")) || element);
      if (document.activeElement !== element) note(element, "takes no focus");
      else if (style.outlineStyle === "none" && style.boxShadow === "none") note(element, "no ring");
    }
    for (const element of main.querySelectorAll<HTMLElement>("*")) {
      if (getComputedStyle(element).cursor !== "pointer" || !element.checkVisibility()) continue;
      if (!element.closest(`${USABLE}, label, option`)) note(element, "a press that no key makes");
    }
    // Sticky bars cover less at the top of the page.
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
    return faults;
  });
}
