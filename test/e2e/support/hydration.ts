import type { Page } from "playwright-core";

/** Attributes that differ from React's properties, which its production build does not compare. */
function findMismatches(): string[] {
  const names: Record<string, string> = { className: "class", htmlFor: "for", tabIndex: "tabindex" };
  const compared = /^(?:className|htmlFor|tabIndex|id|href|src|alt|title|type|name|role|lang|aria-.+|data-.+)$/;
  return [...document.querySelectorAll("body *")].flatMap((element) => {
    const key = Object.keys(element).find((each) => each.startsWith("__reactProps$"));
    const props = key ? (element as unknown as Record<string, Record<string, unknown>>)[key] : undefined;
    return Object.entries(props?.suppressHydrationWarning ? {} : (props ?? {})).flatMap(([name, value]) => {
      if (!compared.test(name) || !["string", "number"].includes(typeof value)) return [];
      const shown = element.getAttribute(names[name] ?? name);
      return shown === String(value) ? [] : [`${element.tagName} ${name} ${shown} instead of ${String(value)}`];
    });
  });
}

/** Collects warnings and errors from now on. @returns those since the last call, with differences of the page */
export function watchHydration(page: Page): () => Promise<string[]> {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (/^(?:warning|error)$/.test(message.type()) && !message.text().startsWith("Failed to load resource"))
      faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  return async () => [...faults.splice(0), ...(await page.evaluate(findMismatches))];
}
