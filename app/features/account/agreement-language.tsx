import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { useTexts } from "#app/lib/page-language.ts";

/** Says on English pages that some agreements have no English version. */
export function AgreementLanguage({ agreements }: { agreements: readonly { content: string }[] }) {
  const { language } = useAccountTexts().agreements;
  const { langOf } = useTexts();
  return agreements.some(({ content }) => langOf(content)) && <p className="text-gray-70">{language}</p>;
}
