import { lazy } from "react";

/** Loads in the browser with its CSS; stylesheets that React waits for delay other updates. */
export const RichEditor = lazy(async () => {
  if (import.meta.env.SSR) throw new Error("the editor needs a browser");
  return import("#app/features/editor/rich-editor.tsx");
});
