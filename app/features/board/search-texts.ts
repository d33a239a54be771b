import { useSection } from "#app/lib/page-language.ts";
import { type Matches, sectionOf } from "#app/lib/page-meta.ts";
import { KOREAN_SEARCH_TEXTS } from "#app/lib/texts/korean-search.ts";

export const useSearchTexts = () => useSection("search", KOREAN_SEARCH_TEXTS);

export const searchTextsOf = (matches: Matches) => sectionOf(matches, "search", KOREAN_SEARCH_TEXTS);
