import {
  ListTable,
  type ListTableProps,
  SearchedList,
  type SearchedListProps,
  useListSearch,
} from "#app/features/list/searched-list.tsx";
import type { RowKey } from "#app/features/list/use-row-picks.ts";
import { Pager } from "#app/ui/pager.tsx";
import type { Page } from "#worker/contract/kernel/errors.ts";

type TableOf<Row, K extends RowKey> = Omit<ListTableProps<Row, K>, "caption" | "rows">;

interface SearchedTableProps<Row, K extends RowKey> extends Omit<SearchedListProps, "list" | "children" | "className"> {
  list: SearchedListProps["list"] & { content: readonly Row[] };
  filterClassName: string;
  table: TableOf<Row, K>;
}

export function SearchedTable<Row, K extends RowKey>(props: SearchedTableProps<Row, K>) {
  const { name, list, table, filterClassName, ...filter } = props;
  return (
    <SearchedList name={name} list={list} className={filterClassName} {...filter}>
      <ListTable caption={name} rows={list.content} {...table} />
    </SearchedList>
  );
}

interface PagedTableProps<Row, K extends RowKey> extends TableOf<Row, K> {
  name: string;
  path: string;
  list: Page<Row>;
}

export function PagedTable<Row, K extends RowKey>({ name, path, list, ...table }: PagedTableProps<Row, K>) {
  const { href } = useListSearch(path);
  return (
    <>
      <ListTable caption={name} rows={list.content} {...table} />
      <Pager list={list} href={href} label={`${name} 페이지 이동`} />
    </>
  );
}
