import { WriterName } from "#app/features/board/writer-name.tsx";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { type BoardListChoice } from "#app/features/board/board-paths.ts";
import { useBoardTexts } from "#app/features/board/board-texts.ts";
import { useBoardHrefs, usePostTexts } from "#app/features/board/post-texts.ts";
import { EventMark } from "#app/features/board/event/event-mark.tsx";
import { RowMarks, SecretMark } from "#app/features/board/row-marks.tsx";
import { formatCount } from "#app/lib/format.ts";
import { Badge, Time } from "#app/ui/inline.tsx";
import { SortHeader } from "#app/features/list/sort-header.tsx";
import { type RowSelection, RowTick } from "./bulk-action-bar.tsx";
import { UserText } from "#app/ui/user-text.tsx";
import type { BoardInfo, ItemRow } from "#worker/contract/board/view.ts";
import type { BoardListPage } from "#worker/domain/board/list.server.ts";

type BoardTableProps = BoardListPage & {
  choice: BoardListChoice;
  selection?: RowSelection | undefined;
};

/** Shows a table on wide screens and cards on phones. */
export function BoardTable({ board, items, query, choice, selection }: BoardTableProps) {
  const { list: texts } = useBoardTexts();
  const post = usePostTexts();
  const hrefs = useBoardHrefs();
  const sortHref = (sort: string) => hrefs.list(board.boardCode, { ...choice, page: 1, sort });
  const heads = { sort: query.sort, href: sortHref };
  const firstNumber = items.totalElements - (items.page - 1) * items.size;
  return (
    <table className="board-table">
      <caption className="sr-only">{texts.caption(board.boardName)}</caption>
      <thead className="sr-only md:not-sr-only md:table-header-group md:bg-gray-5">
        <tr>
          <th scope="col" className="w-16 lg:w-20">
            {texts.number}
          </th>
          <SortHeader label={texts.title} field="title" first="ASC" {...heads} />
          <th scope="col" className="w-28 lg:w-36">
            {post.writer}
          </th>
          <SortHeader label={post.date} field="createdDate" {...heads} className="w-29 lg:w-32" />
          <SortHeader label={post.views} field="viewCount" {...heads} className="w-18 lg:w-20" />
        </tr>
      </thead>
      <tbody className="block md:table-row-group">
        {items.pinned.map((row) => (
          <BoardTableRow key={`pinned-${row.itemNo}`} {...{ row, board, choice, selection }} pinned>
            <Badge tone="solid">{post.pinned}</Badge>
          </BoardTableRow>
        ))}
        {items.content.map((row, index) => (
          <BoardTableRow key={row.itemNo} {...{ row, board, choice, selection }}>
            {formatCount(firstNumber - index)}
          </BoardTableRow>
        ))}
      </tbody>
    </table>
  );
}

interface BoardTableRowProps {
  row: ItemRow;
  board: BoardInfo;
  choice: BoardListChoice;
  selection: RowSelection | undefined;
  pinned?: boolean;
  children: ReactNode;
}

function BoardTableRow({ row, board, choice, selection, pinned = false, children }: BoardTableRowProps) {
  const post = usePostTexts();
  const hrefs = useBoardHrefs();
  const category = lookUp(board.categoryNames, row.category) ?? row.category;
  return (
    <tr data-pinned={pinned ? "" : undefined}>
      <td>{children}</td>
      <td>
        <span>
          <RowTick row={row} selection={selection} className="relative z-10 mr-1" />
          {category && (
            <span className="wide-category">
              [<UserText>{category}</UserText>]
            </span>
          )}
          {row.isSecret && <SecretMark />}
          <Link to={hrefs.item(row.boardCode, row.itemNo, choice)} state={{ fromList: true }}>
            <UserText>{post.titleOf(row.title)}</UserText>
          </Link>
          {row.event && <EventMark event={row.event} />}
          <RowMarks row={row} />
        </span>
      </td>
      <td>
        {category && (
          <span className="category">
            <UserText>{category}</UserText>
          </span>
        )}
        <WriterName>{row.createdUserName}</WriterName>
      </td>
      <td>
        <Time date={row.createdDate} format="short" />
      </td>
      <td>
        <span className="md:hidden">{post.views} </span>
        {formatCount(row.viewCount)}
      </td>
    </tr>
  );
}
