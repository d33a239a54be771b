import type { ReactNode } from "react";
import { Link } from "react-router";
import { type BoardListChoice, boardListHref, boardItemHref } from "#app/features/board/board-paths.ts";
import { EventMark } from "#app/features/board/event/event-mark.tsx";
import { RowMarks, SecretMark } from "#app/features/board/row-marks.tsx";
import { formatCount } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { cx } from "#app/ui/cx.ts";
import { SortHeader } from "#app/ui/sort-header.tsx";
import { Time } from "#app/ui/time.tsx";
import { type RowSelection, RowTick } from "#app/features/board/row-tick.tsx";
import type { BoardListPage, ItemRow } from "#worker/contract/board/view.ts";

const HEADER_CELL = "border-b border-gray-30 px-2 py-2.5 text-sm font-semibold text-gray-80";
const CELL = "md:border-b md:border-gray-20 md:px-2 md:py-4 md:text-center";
const FACT = "inline text-sm text-gray-60 md:table-cell";
const DOT = "before:mx-1.5 before:text-gray-40 before:content-['·'] md:before:content-none";

type BoardTableProps = BoardListPage & {
  choice: BoardListChoice;
  /** The rows can be ticked, by a manager. */
  selection?: RowSelection | undefined;
};

/** A table on wide screens; the same rows stand as cards on a phone. */
export function BoardTable({ board, items, query, choice, selection }: BoardTableProps) {
  const sortHref = (sort: string) => boardListHref(board.boardCode, { ...choice, page: 1, sort });
  const heads = { sort: query.sort, href: sortHref };
  const firstNumber = items.totalElements - (items.page - 1) * items.size;
  return (
    <table className="block w-full border-t-2 border-primary-80 md:table md:table-fixed">
      <caption className="sr-only">{board.boardName} 목록: 번호, 제목, 작성자, 등록일, 조회</caption>
      <thead className="sr-only md:not-sr-only md:table-header-group md:bg-gray-5">
        <tr>
          <th scope="col" className={cx(HEADER_CELL, "w-16 lg:w-20")}>
            번호
          </th>
          <SortHeader label="제목" field="title" first="ASC" {...heads} className={HEADER_CELL} />
          <th scope="col" className={cx(HEADER_CELL, "w-28 lg:w-36")}>
            작성자
          </th>
          <SortHeader label="등록일" field="createdDate" {...heads} className={cx(HEADER_CELL, "w-29 lg:w-32")} />
          <SortHeader label="조회" field="viewCount" {...heads} className={cx(HEADER_CELL, "w-18 lg:w-20")} />
        </tr>
      </thead>
      <tbody className="block md:table-row-group">
        {items.pinned.map((row) => (
          <BoardTableRow key={`pinned-${row.itemNo}`} row={row} choice={choice} selection={selection} pinned>
            <Badge tone="solid">공지</Badge>
          </BoardTableRow>
        ))}
        {items.content.map((row, index) => (
          <BoardTableRow key={row.itemNo} row={row} choice={choice} selection={selection}>
            {formatCount(firstNumber - index)}
          </BoardTableRow>
        ))}
      </tbody>
    </table>
  );
}

interface BoardTableRowProps {
  row: ItemRow;
  choice: BoardListChoice;
  selection: RowSelection | undefined;
  pinned?: boolean;
  /** Its number, or what stands in its place. */
  children: ReactNode;
}

function BoardTableRow({ row, choice, selection, pinned = false, children }: BoardTableRowProps) {
  return (
    <tr
      className={cx(
        "relative flex flex-wrap items-center border-b border-gray-20 px-1 py-4 transition-colors md:table-row md:p-0",
        pinned ? "bg-primary-5 hover:bg-primary-10" : "hover:bg-gray-5",
      )}
    >
      <td className={cx(CELL, "tabular text-sm text-gray-60", pinned ? "pl-2 md:pl-2" : "hidden md:table-cell")}>
        {children}
      </td>
      <td
        className={cx(CELL, "w-full px-2 pb-1.5 md:w-auto md:pb-4 md:text-left", pinned && "order-first md:order-none")}
      >
        <span className={cx("flex items-center gap-1.5", row.event && "flex-wrap md:flex-nowrap")}>
          <RowTick row={row} selection={selection} className="relative z-10 mr-1" />
          {row.category && <span className="hidden shrink-0 text-sm text-primary-60 md:inline">[{row.category}]</span>}
          {row.isSecret && <SecretMark />}
          <Link
            to={boardItemHref(row.boardCode, row.itemNo, choice)}
            state={{ fromList: true }}
            className={cx(
              "line-clamp-2 min-w-0 text-gray-90 underline-offset-4 visited:text-gray-60 after:absolute after:inset-0 hover:text-primary-60 hover:underline md:after:content-none",
              pinned && "font-semibold",
            )}
          >
            {row.title}
          </Link>
          {row.event && <EventMark event={row.event} />}
          <RowMarks row={row} />
        </span>
      </td>
      <td className={cx(CELL, FACT, "pl-2")}>
        {row.category && <span className="mr-1.5 font-medium text-primary-60 md:hidden">{row.category}</span>}
        {row.createdUserName}
      </td>
      <td className={cx(CELL, FACT, DOT)}>
        <Time date={row.createdDate} />
      </td>
      <td className={cx(CELL, FACT, DOT, "tabular")}>
        <span className="md:hidden">조회 </span>
        {formatCount(row.viewCount)}
      </td>
    </tr>
  );
}
