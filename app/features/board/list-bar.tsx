import Calendar from "lucide-react/icons/calendar";
import { Link } from "react-router";
import { FollowButton } from "#app/features/board/follow-button.tsx";
import { type BoardListChoice, boardListHref } from "#app/features/board/board-paths.ts";
import { formatCount } from "#app/lib/format.ts";
import { cx } from "#app/ui/cx.ts";
import type { BoardInfo, BoardListPage } from "#worker/contract/board/view.ts";
import { UNCOUNTED_MESSAGE } from "#worker/contract/kernel/limits.ts";

const SIZES = [10, 20, 50];

/** How much there is, and how much of it on one page. */
export function BoardListBar({
  board,
  items,
  choice,
  following,
}: Pick<BoardListPage, "board" | "items" | "following"> & { choice: BoardListChoice }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <p className="tabular text-gray-70">
        총 <strong className="text-primary-60">{formatCount(items.totalElements)}</strong>건
        <span aria-hidden="true" className="text-gray-40">
          {" · "}
        </span>
        {items.page <= items.totalPages && `${formatCount(items.page)}/`}
        {formatCount(items.totalPages)} 페이지
      </p>
      {items.totalElements > items.totalPages * items.size && (
        <p className="order-last w-full text-sm text-gray-60">{UNCOUNTED_MESSAGE}</p>
      )}
      <div className="flex flex-wrap items-center gap-x-3">
        {board.useEvents && (
          <Link
            to={`/calendar?board=${board.boardCode}`}
            className="inline-flex min-h-11 items-center gap-1.5 rounded-md px-2 text-sm font-semibold text-gray-70 hover:bg-gray-10"
          >
            <Calendar aria-hidden="true" className="size-4" />
            달력으로 보기
          </Link>
        )}
        {following !== null && <FollowButton key={board.boardCode} board={board} following={following} />}
        <nav aria-label="한 페이지에 볼 글 수">
          <ul className="tabular flex items-center text-sm">
            {SIZES.map((size) => (
              <li key={size}>
                <Link
                  to={boardListHref(board.boardCode, { ...choice, page: 1, size })}
                  aria-current={size === items.size ? "true" : undefined}
                  preventScrollReset
                  className={cx(
                    "inline-flex min-h-11 items-center rounded-md px-2.5",
                    size === items.size ? "font-bold text-primary-60" : "text-gray-60 hover:text-primary-60",
                  )}
                >
                  {size}
                  <span className="sr-only md:not-sr-only">개씩</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </div>
  );
}

interface CategoryFilterProps {
  board: BoardInfo;
  current: string;
  choice: BoardListChoice;
}

/** The board's categories as links; the first is all of them. */
export function CategoryFilter({ board, current, choice }: CategoryFilterProps) {
  if (board.categories.length === 0) return null;
  return (
    <nav aria-label="분류" className="mb-5">
      <ul className="flex flex-wrap gap-2">
        {["", ...board.categories].map((category) => (
          <li key={category}>
            <Link
              to={boardListHref(board.boardCode, { ...choice, page: 1, category })}
              aria-current={category === current ? "true" : undefined}
              preventScrollReset
              className={cx(
                "filter-chip",
                category === current
                  ? "border-primary-60 bg-primary-60 text-white"
                  : "border-gray-30 text-gray-70 hover:border-primary-60 hover:text-primary-60",
              )}
            >
              {category || "전체"}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
