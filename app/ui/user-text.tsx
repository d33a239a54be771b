import { useTexts } from "#app/lib/page-language.ts";

/** User-written text, with a `lang` when it differs from the page, for screen readers. */
export function UserText({ children }: { children: string }) {
  const lang = useTexts().langOf(children);
  return lang ? <span lang={lang}>{children}</span> : children;
}
