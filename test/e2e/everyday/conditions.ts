import type { Page } from "playwright-core";

/** Ordinary conditions of visitors' browsers. */
export interface Condition {
  install: (page: Page) => Promise<void>;
}

/** Imitates Chrome's page translation: each text becomes a different node in two elements, also later texts. */
function translate(): void {
  const skipped = "script, style, textarea, title, noscript, [translate=no], .notranslate, svg";
  const wrap = (text: Node) => {
    const parent = text.parentElement;
    if (!parent || parent.tagName === "FONT" || parent.closest(skipped) || !text.nodeValue?.trim()) return;
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.textContent = text.nodeValue;
    outer.appendChild(inner);
    text.parentNode?.replaceChild(outer, text);
  };
  const wrapAll = (root: Node) => {
    const texts: Node[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode);
    if (root.nodeType === Node.TEXT_NODE) texts.push(root);
    for (const text of texts) wrap(text);
  };
  addEventListener("load", () => {
    wrapAll(document.body);
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        for (const node of type === "characterData" ? [target] : addedNodes) if (node.isConnected) wrapAll(node);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
}

/** Imitates extensions: marks on the page and nodes around fields before hydration. */
function extend(): void {
  new MutationObserver(() => {
    const { documentElement: html, body } = document;
    html.setAttribute("data-extension", "installed");
    if (!body) return;
    body.setAttribute("cz-shortcut-listen", "true");
    for (const field of document.querySelectorAll("form input:not([type=hidden]), textarea")) {
      if (field.nextElementSibling?.tagName === "EXTENSION-ICON") continue;
      field.setAttribute("data-extension-field", "");
      field.parentNode?.insertBefore(document.createElement("extension-icon"), field.nextSibling);
    }
    if (document.readyState !== "loading" && !document.querySelector("extension-overlay")) {
      html.appendChild(document.createElement("extension-overlay"));
      body.appendChild(document.createElement("extension-panel"));
    }
  }).observe(document, { childList: true, subtree: true });
}

/** Removes built-ins newer than Chrome 109. */
export function lowerToFloor(): void {
  const newer: [object, string][] = [
    ...["toSorted", "toReversed", "toSpliced", "with"].map((name): [object, string] => [Array.prototype, name]),
    [Array, "fromAsync"],
    [Object, "groupBy"],
    [Map, "groupBy"],
    [Promise, "withResolvers"],
    [Promise, "try"],
    ...[
      "union",
      "intersection",
      "difference",
      "symmetricDifference",
      "isSubsetOf",
      "isSupersetOf",
      "isDisjointFrom",
    ].map((name): [object, string] => [Set.prototype, name]),
    [URL, "canParse"],
    [URL, "parse"],
    [AbortSignal, "any"],
    [String.prototype, "isWellFormed"],
    [RegExp, "escape"],
    [globalThis, "Iterator"],
    [globalThis, "requestIdleCallback"],
    [Document.prototype, "startViewTransition"],
    ...["popover", "showPopover", "hidePopover", "togglePopover"].map((name): [object, string] => [
      HTMLElement.prototype,
      name,
    ]),
    ...["popoverTargetElement", "commandForElement"].map((name): [object, string] => [
      HTMLButtonElement.prototype,
      name,
    ]),
  ];
  for (const [owner, name] of newer) Reflect.deleteProperty(owner, name);
}

/** Independent conditions are combined, so that each page is opened once for them. */
export const CONDITIONS: Record<string, Condition> = {
  "translated, with an extension, at the floor": {
    install: async (page) => {
      await page.addInitScript(lowerToFloor);
      await page.addInitScript(extend);
      await page.addInitScript(translate);
    },
  },
};
