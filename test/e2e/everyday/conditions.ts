import type { Page } from "playwright-core";

/** Ordinary conditions of visitors' browsers. */
export interface Condition {
  /** Opens each page instead of one of each kind of form. */
  onEveryPage?: true;
  /** Before the page is opened, and before the person signs in. */
  install?: (page: Page) => Promise<unknown>;
  /** Once the person has signed in. */
  installLater?: (page: Page) => Promise<unknown>;
  /** Scripts come when the fields are filled in, or never. */
  scripts?: "late" | "never";
  /** The act is tried without a connection first. */
  isOffline?: true;
  /** The session has ended elsewhere before each step. */
  isEnded?: true;
  /** The browser stores nothing: each act asks for the password. */
  keepsNothing?: true;
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

function moveClock(hours: number): void {
  const { Date: RealDate } = globalThis;
  const now = () => RealDate.now() + hours * 3_600_000;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made) as Date,
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
}

function refuseStorage(act: "read" | "write"): void {
  const refuse = () => {
    throw new DOMException("refused", act === "read" ? "SecurityError" : "QuotaExceededError");
  };
  if (act === "write") Storage.prototype.setItem = refuse;
  else
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(globalThis, name, { get: refuse, configurable: true });
}

/** Independent conditions are combined. */
export const CONDITIONS: Record<string, Condition> = {
  "a session that ended elsewhere, the clock three days behind": {
    install: (page) => page.addInitScript(moveClock, -72),
    isEnded: true,
  },
  "translated, with an extension, at the floor, the clock three days ahead": {
    onEveryPage: true,
    install: async (page) => {
      await page.addInitScript(moveClock, 72);
      await page.addInitScript(lowerToFloor);
      await page.addInitScript(extend);
      await page.addInitScript(translate);
    },
  },
  "scripts late, with an extension, a full storage, the clock two hours ahead": {
    install: async (page) => {
      await page.addInitScript(moveClock, 2);
      await page.addInitScript(extend);
    },
    installLater: (page) => page.addInitScript(refuseStorage, "write" as const),
    scripts: "late",
  },
  "a closed storage, offline and back": {
    install: (page) => page.addInitScript(refuseStorage, "read" as const),
    isOffline: true,
    keepsNothing: true,
  },
  "scripts that never come": { scripts: "never" },
};
