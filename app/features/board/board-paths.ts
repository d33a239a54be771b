export interface BoardListChoice {
  page?: number | undefined;
  size?: number | undefined;
  seek?: string | undefined;
  sort?: string | undefined;
  category?: string | undefined;
  keyword?: string | undefined;
  target?: string | undefined;
}

const CHOICE_KEYS = ["page", "size", "seek", "sort", "category", "keyword", "target"] as const;

const DEFAULT_BOARD_SORT = "createdDate,DESC";

/** Leaves defaults out of the query. */
function choiceQuery(choice: BoardListChoice): string {
  const search = new URLSearchParams();
  for (const key of CHOICE_KEYS) {
    const value = choice[key];
    if (value === undefined || value === "" || (key === "page" && value === 1)) continue;
    if (key === "sort" ? value === DEFAULT_BOARD_SORT : key === "seek" && !search.has("page")) continue;
    search.set(key, String(value));
  }
  const text = search.toString();
  return text && `?${text}`;
}

export function boardListHref(boardCode: string, choice: BoardListChoice = {}): string {
  return `/board/${boardCode}/List/${choiceQuery(choice)}`;
}

/** Carries the list choice so that 목록 returns to the same page. */
export function boardItemHref(boardCode: string, itemNo: number, choice: BoardListChoice = {}): string {
  return `/board/${boardCode}/View/${itemNo}${choiceQuery(choice)}`;
}

export const commentHash = (commentId: string) => `#comment-${commentId}`;

export function boardWriteHref(boardCode: string, itemNo?: number): string {
  return `/board/${boardCode}/Write${itemNo === undefined ? "" : `/${itemNo}`}`;
}

export function readBoardChoice(search: URLSearchParams): BoardListChoice {
  const page = Number(search.get("page") ?? 1);
  const size = Number(search.get("size") ?? 0);
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    size: Number.isInteger(size) && size > 0 ? size : undefined,
    seek: search.get("seek") ?? undefined,
    sort: search.get("sort") ?? undefined,
    category: search.get("category") ?? undefined,
    keyword: search.get("keyword") ?? undefined,
    target: search.get("target") ?? undefined,
  };
}

export const boardOptions = (boards: readonly { boardCode: string; boardName: string }[]) =>
  boards.map(({ boardCode, boardName }) => ({ value: boardCode, label: boardName }));
