import type { ReactNode } from "react";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { AddRowButton, OrderedRows, RowButton, type TextField } from "#app/features/list/ordered-rows.tsx";
import { UsedIn, type UsedRow } from "#app/features/list/used-in.tsx";
import { type EditedRow, useEditedRow } from "#app/features/list/row-dialog.tsx";
import type { RowCalls } from "#app/features/list/rows-screen.tsx";
import { callApi } from "#app/lib/api.ts";
import { Badge } from "#app/ui/inline.tsx";
import type { RowFields, RowView } from "#worker/contract/kernel/row.ts";

interface FieldRow extends UsedRow {
  code: string;
  name: string;
  required: boolean;
  isClosed: boolean;
  /** The number of people with a value; with one, a field can only be closed. */
  valueCount: number;
}

interface FieldRowsProps<F extends RowFields, Row extends RowView<F> & FieldRow> {
  title: string;
  rows: readonly Row[];
  calls: RowCalls<F>;
  emptyText?: string;
  closing: { text: (row: Row) => string; done: string };
  deleting: { text: string; done: string };
  /** With its key, as each row has a dialog of its own. */
  renderEditor: (edited: EditedRow<Row>, key: string) => ReactNode;
  children: (row: Row) => ReactNode;
}

/** A section of the console with the fields that the office adds. */
export function FieldRows<F extends RowFields, Row extends RowView<F> & FieldRow>(props: FieldRowsProps<F, Row>) {
  const { title, rows, calls, emptyText, closing, deleting, renderEditor, children } = props;
  const { key, ...edited } = useEditedRow(rows, "code" as TextField<Row>);
  return (
    <ConsoleSection title={title} action={<AddRowButton onClick={edited.add}>항목 추가</AddRowButton>}>
      <OrderedRows<Row, unknown>
        rows={rows}
        rowKey={"code" as TextField<Row>}
        rowName={"name" as TextField<Row>}
        saveOrder={calls.order}
        emptyText={emptyText}
        renderActions={(row, { busy, run }) => (
          <>
            <RowButton name={row.name} onClick={() => edited.edit(row)}>
              수정
            </RowButton>
            {row.isClosed && (
              <RowButton
                name={row.name}
                busy={busy}
                onClick={() => {
                  const sent = { param: { id: row.code }, json: { ...row, isClosed: false } };
                  run(() => callApi(calls[":id"].$patch(sent)), "항목을 다시 열었습니다.");
                }}
              >
                다시 열기
              </RowButton>
            )}
          </>
        )}
        question={(row) => {
          if (row.isClosed) return null;
          const isUsed = row.valueCount > 0;
          const sent = { param: { id: row.code }, query: { version: String(row.version) } };
          return {
            label: isUsed ? "닫기" : "삭제",
            title: `'${row.name}' 항목을 없애시겠습니까?`,
            text: (
              <>
                <p>{isUsed ? closing.text(row) : deleting.text}</p>
                <UsedIn uses={row.uses} name={row.name} />
                {(row.uses ?? []).length > 0 && (
                  <p className="mt-2">
                    이곳을 먼저 고쳐 주십시오. 이 항목을 조건으로 쓰는 일은 아무에게도 닿지 않고 멈춥니다.
                  </p>
                )}
              </>
            ),
            danger: true,
            work: () => callApi(calls[":id"].$delete(sent)),
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
      {renderEditor(edited, key)}
    </ConsoleSection>
  );
}
