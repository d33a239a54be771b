import type { Page } from "../kernel/envelope.ts";
import type { SearchOrder, SearchTarget } from "./search-terms.ts";
import type { BoardInfo, ItemRow } from "./view.ts";

export interface SearchHit extends ItemRow {
  boardName: string;
  excerpt: string;
  /** Escaped HTML with `<mark>` around the hits. */
  highlight: { title: string; content: string; fileNames: string[] };
  fileNames: string[];
  attachments: { fileName: string; excerpt: string }[];
}

export interface PageHit {
  kind: "page" | "center";
  title: string;
  path: string;
  excerpt: string;
}

export interface SearchPage extends Page<SearchHit> {
  highlight: string[];
  also: string[];
  more: boolean;
  /** True when no item matches every word, and these lack one. */
  isNear: boolean;
}

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
  result: SearchPage | null;
  pages: PageHit[];
  error: string | null;
}
