import { createContext } from "react";
import type { SectionTexts } from "#app/lib/page-language.ts";
import type { SiteTexts } from "#app/lib/texts/korean.ts";

/** What a route's `handle` may say of its page. */
export interface RouteHandle {
  /** It stands alone, without the site's frame. */
  bare?: boolean;
  /** It brings a frame of its own. */
  ownFrame?: boolean;
  /** A guest reads it as plain HTML with one small script; whoever is signed in gets the application. */
  isForReaders?: boolean;
  /** Of the layout of all pages in another language than Korean. */
  texts?: SiteTexts;
  /** Of it, and of the layouts of some of them. */
  sections?: Partial<SectionTexts>;
}

export interface PageDocumentState {
  nonce: string;
  /** Runs before the modules of the page, and notes what is pressed before it listens. */
  headScript: string;
  /** Where the document goes to a guest who needs no application: which pages the browser may make ahead. */
  readerRules: string | null;
}

/** How the document is made that is rendered; on the server alone. */
export const PageDocument = createContext<PageDocumentState>({ nonce: "", headScript: "", readerRules: null });
