import { koreanPath } from "#worker/contract/kernel/language.ts";
import { plainPath } from "./shared-page.ts";

/**
 * A part of the site that kept pages are rendered from: `site` (the frame and whatever has no part of its own), `boards`
 * (any of them), or one board. A write names the parts it touches, a page those it shows.
 */
export type PageScope = "site" | "boards" | `board/${string}`;

export interface WriteTrace {
  scopes: readonly PageScope[];
  /** Nothing that stood on a page is gone by it. */
  isAddition: boolean;
}

const boardScope = (boardCode: string): PageScope => `board/${boardCode}`;

/** What the page under a shared address shows; the frame around it is of the site. */
export function pageScopes(url: URL): PageScope[] {
  const path = koreanPath(plainPath(url));
  const boardCode = /^\/board\/([^/]+)\//.exec(path)?.[1];
  if (boardCode) return ["site", boardScope(boardCode)];
  const listed = /^\/sitemap\/(.+)-\d+\.xml$/.exec(path)?.[1];
  if (listed) return ["site", boardScope(listed)];
  // Home and the calendar show events of any board.
  return ["/", "/calendar", "/sitemap.xml"].includes(path) ? ["site", "boards"] : ["site"];
}

/** Calls that write nothing a guest is shown, and come often. */
const UNSEEN_CALLS = [
  /^\/api\/(?:user-key\/|second-factor\/|mail\/off\/|board-item\/(?:search|images)$|board-item-(?:draft|report)\/|file\/upload\/|alumni|case-report\/)/,
  /^\/api\/user\/(?:signin|signout|find-id|reset-password|change-password)/,
  /^\/api\/user\/[^/]+\/(?:sessions|consents|notices)/,
  /^\/api\/(?:board\/[^/]+\/follow|board-item-file\/[^/]+\/text)$/,
];
/** Calls that change one board's items or comments. Acts on many items may move them to another board. */
const BOARD_CALLS =
  /^\/api\/(?:board-item\/bin|board-item|board-item-comment|admin\/report)\/([a-z][a-z0-9-]*)(?:\/\d+(?:\/.*)?)?$/;
/** What is new hides nothing that pages showed before: a new item, a new comment. */
const ADDING_CALLS = /^\/api\/(?:board-item\/[^/]+|board-item-comment\/[^/]+\/\d+)$/;

/** What this call wrote of what guests may be shown, or null. When in doubt it wrote everything. */
export function traceOfWrite(request: Request, { pathname }: URL, status: number): WriteTrace | null {
  if (request.method === "GET" || request.method === "HEAD" || status >= 400) return null;
  if (UNSEEN_CALLS.some((each) => each.test(pathname))) return null;
  const boardCode = BOARD_CALLS.exec(pathname)?.[1];
  if (!boardCode) return { scopes: ["site"], isAddition: false };
  return {
    scopes: ["boards", boardScope(boardCode)],
    isAddition: request.method === "PUT" && ADDING_CALLS.test(pathname),
  };
}
