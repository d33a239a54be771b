import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { useTexts } from "#app/lib/page-language.ts";

export type LegalPage = "terms" | "privacy";

/** Names the language of the agreement texts if it differs from the page's language. */
export function AgreementLanguage({ readable }: { readable: readonly LegalPage[] }) {
  const { language, readHere, pages } = useAccountTexts().agreements;
  const { pathOf, newWindowShort } = useTexts();
  if (!language) return null;
  return (
    <p className="text-gray-70">
      <span>{language}</span>
      {readable.length > 0 && <span> {readHere} </span>}
      {readable.map((code, at) => (
        <span key={code}>
          {at > 0 && <span>, </span>}
          <a href={pathOf("", `/${code}`)} target="_blank" rel="noopener" className="underline underline-offset-4">
            {pages[code]}
            <span className="sr-only"> {newWindowShort}</span>
          </a>
        </span>
      ))}
      {readable.length > 0 && <span>.</span>}
    </p>
  );
}
