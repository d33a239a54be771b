import { useTexts } from "#app/lib/page-language.ts";

/** What somebody wrote, in whatever language: one that is not the page's is said, for those who hear it. */
export function Written({ children }: { children: string }) {
  const lang = useTexts().langOf(children);
  return lang ? <span lang={lang}>{children}</span> : children;
}
