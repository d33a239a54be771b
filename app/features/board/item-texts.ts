import { useSection } from "#app/lib/page-language.ts";
import { type Matches, sectionOf } from "#app/lib/page-meta.ts";
import { KOREAN_ITEM_TEXTS } from "#app/lib/texts/korean-item.ts";

export const useItemTexts = () => useSection("item", KOREAN_ITEM_TEXTS);

export const itemTextsOf = (matches: Matches) => sectionOf(matches, "item", KOREAN_ITEM_TEXTS);
