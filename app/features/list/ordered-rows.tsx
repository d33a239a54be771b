import { type ReactNode, useState } from "react";
import { type Question, QuestionDialog, useAction } from "#app/features/form/action.tsx";
import { moveEntry, RowDragHandle, RowMoveButtons } from "#app/features/list/row-move-buttons.tsx";
import { useRowDrag } from "#app/features/list/use-row-drag.ts";
import { cx } from "#app/ui/cx.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import type { ClientResponse } from "hono/client";
import { callApi } from "#app/lib/api.ts";
import type { SuccessAnswer } from "#worker/contract/kernel/errors.ts";

interface RowAct {
  busy: boolean;
  /** Marks the row's button as busy until the work is done. */
  run: (work: () => Promise<unknown>, done: string) => void;
}

export type TextField<Row> = { [K in keyof Row]: Row[K] extends string ? K : never }[keyof Row];

export interface OrderedRowsProps<Row, T> {
  rows: readonly Row[];
  /** The field shown as the row's name; `rowKey` defaults to `id`. */
  rowName: TextField<Row>;
  rowKey?: TextField<Row>;
  saveOrder: { $post: (input: { json: { codes: string[] } }) => Promise<ClientResponse<SuccessAnswer<unknown>>> };
  emptyText?: string;
  children: (row: Row) => ReactNode;
  onEdit?: (row: Row) => void;
  renderActions?: (row: Row, act: RowAct) => ReactNode;
  question: (row: Row) => Question<T> | null;
}

export function OrderedRows<Row, T>(props: OrderedRowsProps<Row, T>) {
  const { rows, rowName, saveOrder, emptyText, children, onEdit, renderActions, question } = props;
  const rowKey = props.rowKey ?? ("id" as TextField<Row>);
  const keyOf = (row: Row) => String(row[rowKey]);
  const nameOf = (row: Row) => String(row[rowName]);
  const { busy, run, message } = useAction();
  const [acting, setActing] = useState("");
  const [askedKey, setAskedKey] = useState<string | null>(null);
  // Finds the row by key so that a retry after a conflict uses its current version.
  const askedRow = rows.find((row) => keyOf(row) === askedKey);
  const asked = askedRow === undefined ? null : question(askedRow);
  const start = (name: string, work: () => Promise<unknown>, done: string) => {
    if (busy) return;
    setActing(name);
    void run(work, done);
  };
  const move = (index: number, by: number) => {
    const row = rows[index];
    if (!row) return;
    const codes = moveEntry(rows, index, by).map(keyOf);
    start(`move ${keyOf(row)}`, () => callApi(saveOrder.$post({ json: { codes } })), "순서를 바꾸었습니다.");
  };
  const drag = useRowDrag((from, to) => move(from, to - from));
  if (rows.length === 0 && emptyText) return <Empty className="border-y border-gray-20">{emptyText}</Empty>;
  return (
    <>
      <ErrorAlert className="mb-4">{message}</ErrorAlert>
      <ul className="divide-y divide-gray-20 border-y border-gray-20">
        {rows.map((row, index) => {
          const key = keyOf(row);
          const ask = question(row);
          return (
            <li
              key={key}
              {...drag.rowOf(index)}
              className={cx(
                "flex flex-wrap items-center gap-x-4 gap-y-2 py-4 list-row",
                drag.over === index && "bg-primary-10",
              )}
            >
              <div className="min-w-0 flex-1 basis-60">{children(row)}</div>
              <div className="flex flex-wrap items-center gap-2">
                {rows.length > 1 && <RowDragHandle handle={drag.handleOf(index)} />}
                <RowMoveButtons
                  name={nameOf(row)}
                  index={index}
                  count={rows.length}
                  busy={busy && acting === `move ${key}`}
                  onMove={(by) => move(index, by)}
                />
                {onEdit && (
                  <RowButton name={nameOf(row)} onClick={() => onEdit(row)}>
                    고치기
                  </RowButton>
                )}
                {renderActions?.(row, {
                  busy: busy && acting === key,
                  run: (work, done) => start(key, work, done),
                })}
                {ask && (
                  <Button size="sm" variant={ask.danger ? "danger" : "secondary"} onClick={() => setAskedKey(key)}>
                    {ask.label}
                    <span className="sr-only"> {nameOf(row)}</span>
                  </Button>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      <QuestionDialog question={asked} onClose={() => setAskedKey(null)} />
    </>
  );
}

export function AddRowButton({ onClick, disabled, children }: Pick<ButtonProps, "onClick" | "disabled" | "children">) {
  return (
    <Button size="sm" variant="primary" disabled={disabled} onClick={onClick}>
      {children}
    </Button>
  );
}

export function RowButton({
  name,
  busy,
  onClick,
  children,
}: {
  name: string;
  busy?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Button size="sm" busy={busy} onClick={onClick}>
      {children}
      <span className="sr-only"> {name}</span>
    </Button>
  );
}
