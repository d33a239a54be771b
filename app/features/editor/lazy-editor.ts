import { lazy } from "react";

/**
 * Loaded by the screens that write, and by the browser alone: the Worker carries none of it. Its styles come with its code:
 * styles that React itself waits for hold back whatever is ticked or shown on the page meanwhile.
 */
export const RichEditor = lazy(async () => {
  if (import.meta.env.SSR) throw new Error("the editor needs a browser");
  return import("#app/features/editor/rich-editor.tsx");
});
