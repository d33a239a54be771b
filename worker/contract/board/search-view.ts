import type { Page } from "../kernel/envelope.ts";
import type { SearchOrder, SearchTarget } from "./search-terms.ts";
import type { BoardInfo, ItemRow } from "./view.ts";

export interface SearchHit extends ItemRow {
  boardName: string;
  /** The words around the first hit in the text. */
  excerpt: string;
  /** The same as HTML, escaped, with `<mark>` around the hits. */
  highlight: { title: string; content: string; fileNames: string[] };
  fileNames: string[];
  /** Files in which the words stand, for those who may download them. */
  attachments: { fileName: string; excerpt: string }[];
}

/** An information page, a legal text or a centre that holds the words. */
export interface PageHit {
  kind: "page" | "center";
  title: string;
  path: string;
  excerpt: string;
}

export interface SearchPage extends Page<SearchHit> {
  /** The words that were looked for, as they can be marked. */
  highlight: string[];
  /** What means the same as a word that was typed, and was looked for, too. */
  also: string[];
  /** There are more hits than were counted. */
  more: boolean;
  /** Nothing holds all of the words: these lack one of them. */
  isNear: boolean;
}

/** What /search and a board's list show for a keyword. */
export interface SearchPageData {
  query: {
    keyword: string;
    target: SearchTarget;
    boardCode: string;
    from: string;
    to: string;
    order: SearchOrder;
  };
  boards: { boardCode: string; boardName: string }[];
  board: BoardInfo | null;
  /** Null where nothing was asked for. */
  result: SearchPage | null;
  /** On the first page of a search of everything. */
  pages: PageHit[];
  /** Why nothing can be shown. */
  error: string | null;
}
