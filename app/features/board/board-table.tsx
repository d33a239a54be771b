import type { ReactNode } from "react";
import { Link } from "react-router";
import { type BoardListChoice, boardListHref, boardItemHref } from "#app/features/board/board-paths.ts";
import { EventMark } from "#app/features/board/event/event-mark.tsx";
import { RowMarks, SecretMark } from "#app/features/board/row-marks.tsx";
import { formatCount } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { SortHeader } from "#app/ui/sort-header.tsx";
import { Time } from "#app/ui/time.tsx";
import { type RowSelection, RowTick } from "#app/features/board/row-tick.tsx";
import type { BoardListPage, ItemRow } from "#worker/contract/board/view.ts";

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
    <table className="board-table">
      <caption className="sr-only">{board.boardName} 목록: 번호, 제목, 작성자, 등록일, 조회</caption>
      <thead className="sr-only md:not-sr-only md:table-header-group md:bg-gray-5">
        <tr>
          <th scope="col" className="w-16 lg:w-20">
            번호
          </th>
          <SortHeader label="제목" field="title" first="ASC" {...heads} />
          <th scope="col" className="w-28 lg:w-36">
            작성자
          </th>
          <SortHeader label="등록일" field="createdDate" {...heads} className="w-29 lg:w-32" />
          <SortHeader label="조회" field="viewCount" {...heads} className="w-18 lg:w-20" />
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
    <tr data-pinned={pinned ? "" : undefined}>
      <td>{children}</td>
      <td>
        <span>
          <RowTick row={row} selection={selection} className="relative z-10 mr-1" />
          {row.category && <span className="wide-category">[{row.category}]</span>}
          {row.isSecret && <SecretMark />}
          <Link to={boardItemHref(row.boardCode, row.itemNo, choice)} state={{ fromList: true }}>
            {row.title}
          </Link>
          {row.event && <EventMark event={row.event} />}
          <RowMarks row={row} />
        </span>
      </td>
      <td>
        {row.category && <span className="category">{row.category}</span>}
        {row.createdUserName}
      </td>
      <td>
        <Time date={row.createdDate} />
      </td>
      <td>
        <span className="md:hidden">조회 </span>
        {formatCount(row.viewCount)}
      </td>
    </tr>
  );
}
