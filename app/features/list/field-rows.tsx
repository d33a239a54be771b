import type { ReactNode } from "react";
import { OrderedRows, type OrderedRowsProps, RowButton, type TextField } from "#app/features/list/ordered-rows.tsx";
import { Badge } from "#app/ui/badge.tsx";

interface FieldRow {
  code: string;
  name: string;
  required: boolean;
  isClosed: boolean;
  /** The number of people with a value; with one, a field can only be closed. */
  valueCount: number;
}

interface FieldRowsProps<Row extends FieldRow> {
  rows: readonly Row[];
  saveOrder: OrderedRowsProps<Row, unknown>["saveOrder"];
  emptyText?: string;
  onEdit: (row: Row) => void;
  reopen: (row: Row) => Promise<unknown>;
  remove: (row: Row) => Promise<unknown>;
  closing: { text: (row: Row) => string; done: string };
  deleting: { text: string; done: string };
  children: (row: Row) => ReactNode;
}

export function FieldRows<Row extends FieldRow>(props: FieldRowsProps<Row>) {
  const { rows, saveOrder, emptyText, onEdit, reopen, remove, closing, deleting, children } = props;
  return (
    <OrderedRows<Row, unknown>
      rows={rows}
      rowKey={"code" as TextField<Row>}
      rowName={"name" as TextField<Row>}
      saveOrder={saveOrder}
      emptyText={emptyText}
      renderActions={(row, { busy, run }) => (
        <>
          <RowButton name={row.name} onClick={() => onEdit(row)}>
            수정
          </RowButton>
          {row.isClosed && (
            <RowButton name={row.name} busy={busy} onClick={() => run(() => reopen(row), "항목을 다시 열었습니다.")}>
              다시 열기
            </RowButton>
          )}
        </>
      )}
      question={(row) => {
        if (row.isClosed) return null;
        const isUsed = row.valueCount > 0;
        return {
          label: isUsed ? "닫기" : "삭제",
          title: `'${row.name}' 항목을 없애시겠습니까?`,
          text: <p>{isUsed ? closing.text(row) : deleting.text}</p>,
          danger: true,
          work: () => remove(row),
          done: isUsed ? closing.done : deleting.done,
        };
      }}
    >
      {(row) => (
        <>
          <p className="flex flex-wrap items-center gap-2 font-semibold">
            {row.name}
            {row.required && <Badge tone="primary">필수</Badge>}
            {row.isClosed && <Badge tone="danger">닫힘</Badge>}
          </p>
          <p className="text-sm text-gray-60">{children(row)}</p>
        </>
      )}
    </OrderedRows>
  );
}
