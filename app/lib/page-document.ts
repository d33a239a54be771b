import { createContext } from "react";
import type { SectionTexts } from "#app/lib/page-language.ts";
import type { SiteTexts } from "#app/lib/texts/korean.ts";

export interface RouteHandle {
  bare?: boolean;
  ownFrame?: boolean;
  /** Guests get plain HTML with one small script; members get the application. */
  isForReaders?: boolean;
  texts?: SiteTexts;
  sections?: Partial<SectionTexts>;
}

interface PageDocumentState {
  nonce: string;
  /** Runs before the page's modules and records early clicks. */
  headScript: string;
  /** The speculation rules of a guest's page; null if the page loads the application. */
  readerRules: string | null;
}

export const PageDocument = createContext<PageDocumentState>({ nonce: "", headScript: "", readerRules: null });
