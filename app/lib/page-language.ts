import { createContext, use } from "react";
import { KOREAN_TEXTS, type SiteTexts } from "#app/lib/texts/korean.ts";

/** In which language a page speaks. Only the English pages, by their layout, change it. */
export interface PageLanguageState {
  texts: SiteTexts;
  /** What stands around the page in place of what the root loaded. */
  frame?: object | undefined;
}

export const PageLanguage = createContext<PageLanguageState>({ texts: KOREAN_TEXTS });

export const useTexts = (): SiteTexts => use(PageLanguage).texts;
