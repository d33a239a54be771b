import SlidersHorizontal from "lucide-react/icons/sliders-horizontal";
import { type ReactNode, useId, useState } from "react";
import { Form, useSearchParams } from "react-router";
import { formatCount } from "#app/lib/format.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { HEADER_CELL_CLASS, Table, TableHead, Td, Th } from "#app/ui/table.tsx";
import type { RowKey, useRowPicks } from "#app/features/list/use-row-picks.ts";
import { Checkbox } from "#app/ui/choice.tsx";
import { cx } from "#app/ui/cx.ts";
import { SortHeader } from "./sort-header.tsx";
import type { FieldOf, ListedColumn } from "#worker/contract/kernel/row.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import type { Page } from "#worker/contract/kernel/page.ts";

type FilterFields = Record<string, FieldOf<"line"> | FieldOf<"day"> | FieldOf<"choice">>;

interface ListFilterProps {
  path: string;
  /** With `options` a select, else an input. */
  fields: FilterFields;
  /** Those that only the loaded page knows. */
  options?: Record<string, Readonly<Record<string, string>>>;
  problems: Record<string, string>;
  className: string;
  /** Query parameters that the form keeps as hidden inputs. */
  kept?: readonly string[];
}

/** The filter is part of the URL. Phones collapse it. */
export function ListFilter(props: ListFilterProps) {
  const id = useId();
  const { value } = useListSearch(props.path);
  const used = Object.keys(props.fields).filter((name) => value(name) !== "").length;
  const [open, setOpen] = useState(false);
  const isShown = open || Object.keys(props.problems).length > 0;
  return (
    <>
      <Button
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setOpen(!isShown)}
        className="w-full md:hidden"
        size="sm"
      >
        <SlidersHorizontal aria-hidden="true" className="size-4.5" />
        찾는 조건{used > 0 && ` ${used}개`}
      </Button>
      <div id={id} className={isShown ? "max-md:mt-2" : "max-md:hidden"}>
        <ListFilterForm {...props} />
      </div>
    </>
  );
}

const textInput = ({ type, max }: FieldOf<"line">) => ({ type: type ?? "text", maxLength: max });

function ListFilterForm({ path, fields, options: loaded, problems, className, kept = [] }: ListFilterProps) {
  const { value, values } = useListSearch(path);
  return (
    <Form method="get" className={`list-filter grid items-start gap-3 rounded-lg bg-gray-5 p-4 ${className}`}>
      {Object.entries(fields).map(([name, field]) => {
        const options = loaded?.[name] ?? (field.kind === "choice" ? field.options : undefined);
        const placeholder = field.kind === "day" ? undefined : field.placeholder;
        return (
          <Field key={name} label={field.label} error={problems[name]} className={field.isWide && "md:col-span-2"}>
            {options ? (
              <Select
                key={value(name)}
                name={name}
                defaultValue={value(name)}
                placeholder={placeholder ?? "모두"}
                options={Object.entries(options).map(([each, label]) => ({ value: each, label }))}
              />
            ) : (
              <Input
                key={value(name)}
                name={name}
                defaultValue={value(name)}
                placeholder={placeholder}
                {...(field.kind === "day" ? { type: "date" } : field.kind === "line" && textInput(field))}
              />
            )}
          </Field>
        );
      })}
      {kept.flatMap((name) =>
        values(name).map((each) => <input key={`${name} ${each}`} type="hidden" name={name} value={each} />),
      )}
      <div className="flex gap-2 self-end max-md:col-span-full">
        <Button type="submit" variant="primary" size="sm">
          찾기
        </Button>
        <ButtonLink to={path} size="sm" className="px-2!">
          조건 지우기
        </ButtonLink>
      </div>
    </Form>
  );
}

interface SearchedListProps extends Omit<ListFilterProps, "problems"> {
  name: string;
  list: Omit<Page<unknown>, "content"> & { problems: Record<string, string> };
  unit?: "건" | "명";
  /** At the right of the count, which then tells the page. */
  tools?: ReactNode;
  children: ReactNode;
}

export function SearchedList({ name, list, unit = "건", tools, children, ...filter }: SearchedListProps) {
  const { href } = useListSearch(filter.path);
  return (
    <>
      <ListFilter {...filter} problems={list.problems} />
      <div className="list-count my-4 flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="tabular text-gray-70">
          총 {formatCount(list.totalElements)}
          {unit}
          {tools && ` · ${formatCount(list.page)}/${formatCount(list.totalPages)} 페이지`}
        </p>
        {tools}
      </div>
      {children}
      <Pager list={list} href={href} label={`${name} 페이지 이동`} />
    </>
  );
}

export interface ListColumn<Row> {
  head: string;
  /** Needed if two columns have the same header. */
  key?: string;
  renderCell: (row: Row) => ReactNode;
  className?: string | ((row: Row) => string);
  headClassName?: string;
  /** Makes the header a sort link; `first` is the initial direction. */
  sort?: { field: string; first: "ASC" | "DESC" };
  /** Hides the header visually; screen readers still read it. */
  hidesHead?: boolean;
  /** The label before the value on phones: true for the header, a text, or nothing. */
  label?: true | string;
}

/** The columns of a list as its page shows them: with cells that are more than the text of a sheet. */
export const listColumns = <Row,>(
  columns: readonly ListedColumn<Row>[],
  shown: Record<string, Partial<ListColumn<Row>>>,
): ListColumn<Row>[] =>
  columns.map(({ code, label, text, sort }, at) => ({
    head: label,
    key: code,
    renderCell: text,
    ...(sort && { sort: { field: code, first: sort } }),
    ...(at > 0 && { label: true, headClassName: "whitespace-nowrap" }),
    ...lookUp(shown, code),
  }));

/** A column of amounts, at the right. */
export const amounts = <Row,>(head: string, renderCell: ListColumn<Row>["renderCell"]): ListColumn<Row> => ({
  ...labelled(head, renderCell, "whitespace-nowrap md:text-right"),
  headClassName: "whitespace-nowrap md:text-right",
});

/** A column whose values have its header before them on phones. */
export const labelled = <Row,>(
  head: string,
  renderCell: ListColumn<Row>["renderCell"],
  className?: ListColumn<Row>["className"],
): ListColumn<Row> => ({ head, label: true, renderCell, ...(className && { className }) });

interface ListPicks<K extends RowKey> {
  picks: ReturnType<typeof useRowPicks<K>>;
  allLabel: string;
}

interface ListTableProps<Row, K extends RowKey> {
  caption: string;
  columns: readonly ListColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => K;
  ticks?: ListPicks<K> & { nameOf: (row: Row) => string };
  order?: { sort: string; href: (sort: string) => string };
  emptyText?: string;
  className?: string;
  rowClassName?: string;
  /** Shows rows as cards on phones. */
  cards?: boolean;
  /** Cells of a last row, by the heads of their columns. */
  sums?: Readonly<Record<string, ReactNode>>;
}

const TICK = "size-5.5 align-middle accent-primary-60";

/** Phones hide the header row, so the select-all checkbox is placed above the list. */
function TickAllOnPhone<K extends RowKey>({ picks, allLabel }: ListPicks<K>) {
  return (
    <div className="border-t border-gray-20 py-2 md:hidden">
      <Checkbox label={allLabel} checked={picks.isAll} onChange={(event) => picks.pickAll(event.target.checked)} />
    </div>
  );
}

export function ListTable<Row, K extends RowKey>(props: ListTableProps<Row, K>) {
  const { caption, columns, rows, keyOf, emptyText, className, rowClassName, cards = true, ticks, order, sums } = props;
  if (rows.length === 0 && emptyText) return <Empty className="border-y border-gray-20">{emptyText}</Empty>;
  const table = (
    <Table caption={caption} cards={cards} className={className}>
      <TableHead>
        {ticks && (
          <Th className="w-12">
            <input
              type="checkbox"
              aria-label={ticks.allLabel}
              className={TICK}
              checked={ticks.picks.isAll}
              onChange={(event) => ticks.picks.pickAll(event.target.checked)}
            />
          </Th>
        )}
        {columns.map(({ head, key = head, headClassName, hidesHead, sort }) =>
          sort && order ? (
            <SortHeader key={key} label={head} {...sort} {...order} className={HEADER_CELL_CLASS} />
          ) : (
            <Th key={key} className={headClassName}>
              {hidesHead ? <span className="sr-only">{head}</span> : head}
            </Th>
          ),
        )}
      </TableHead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={rowClassName}>
            {ticks && (
              <Td className="max-md:absolute max-md:top-3 max-md:right-0">
                <input
                  type="checkbox"
                  aria-label={`${ticks.nameOf(row)} 선택`}
                  className={TICK}
                  checked={ticks.picks.picked.includes(keyOf(row))}
                  onChange={(event) => ticks.picks.pick(keyOf(row), event.target.checked)}
                />
              </Td>
            )}
            {columns.map(({ head, key = head, renderCell, className: style, label }) => (
              <Td
                key={key}
                data-label={label === true ? head : label}
                className={typeof style === "function" ? style(row) : style}
              >
                {renderCell(row)}
              </Td>
            ))}
          </tr>
        ))}
        {sums && (
          <tr className="bg-gray-5 font-semibold">
            {columns.map(({ head, key = head, className: style }) => (
              <Td
                key={key}
                data-label={head}
                className={cx(typeof style === "string" && style, lookUp(sums, head) === undefined && "max-md:hidden!")}
              >
                {lookUp(sums, head)}
              </Td>
            ))}
          </tr>
        )}
      </tbody>
    </Table>
  );
  if (!ticks) return table;
  return (
    <>
      <TickAllOnPhone {...ticks} />
      {table}
    </>
  );
}

type TableOf<Row, K extends RowKey> = Omit<ListTableProps<Row, K>, "caption" | "rows">;

interface SearchedTableProps<Row, K extends RowKey> extends Omit<SearchedListProps, "list" | "children" | "className"> {
  list: SearchedListProps["list"] & { content: readonly Row[] };
  filterClassName: string;
  /** The order without a parameter, of a list with columns that sort. */
  firstSort?: string;
  table: TableOf<Row, K>;
  /** Above the table. */
  children?: ReactNode;
}

export function SearchedTable<Row, K extends RowKey>(props: SearchedTableProps<Row, K>) {
  const { name, list, table, filterClassName, firstSort, children, ...filter } = props;
  const { value, sortHref } = useListSearch(filter.path);
  const order = firstSort && { sort: value("sort") || firstSort, href: sortHref };
  const problem = Object.keys(list.problems).length > 0 && "조건을 고친 뒤 다시 찾아 주십시오.";
  return (
    <SearchedList name={name} list={list} className={filterClassName} {...filter}>
      {children}
      <ListTable
        caption={name}
        rows={list.content}
        {...table}
        {...(order && { order })}
        {...(problem && { emptyText: problem })}
      />
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

export function useListSearch(path: string) {
  const [params] = useSearchParams();
  const hrefWith = (name: string, value: string) => {
    const next = new URLSearchParams(params);
    next.delete("page");
    next.set(name, value);
    return `${path}?${next}`;
  };
  return {
    value: (name: string) => params.get(name) ?? "",
    values: (name: string) => params.getAll(name),
    filter: (fields: FilterFields) =>
      Object.fromEntries(Object.keys(fields).flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : []))),
    href: (page: number) => hrefWith("page", String(page)),
    sortHref: (sort: string) => hrefWith("sort", sort),
  };
}
