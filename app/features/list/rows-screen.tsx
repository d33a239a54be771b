import type { ComponentType, ReactNode } from "react";
import type { ClientResponse } from "hono/client";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { describeRow, readRow, RowControls } from "#app/features/form/row-fields.tsx";
import { AddRowButton, OrderedRows, type TextField } from "#app/features/list/ordered-rows.tsx";
import { RowDialog, useEditedRow } from "#app/features/list/row-dialog.tsx";
import { callApi } from "#app/lib/api.ts";
import type { SuccessAnswer } from "#worker/contract/kernel/envelope.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import type { RowFields, RowType, RowView, SentValues } from "#worker/contract/kernel/row.ts";

type Answered = Promise<ClientResponse<SuccessAnswer<unknown>>>;
interface RowCalls<F extends RowFields> {
  $put: (input: { json: Partial<SentValues<F>> }) => Answered;
  order: { $post: (input: { json: { codes: string[] } }) => Answered };
  ":id": {
    $patch: (input: { param: { id: string }; json: Partial<SentValues<F>> & { version: number } }) => Answered;
    $delete: (input: { param: { id: string }; query: { version: string } }) => Answered;
  };
}

interface RowsScreenProps<F extends RowFields, Row extends RowView<F>> {
  type: RowType<F>;
  rows: readonly Row[];
  calls: RowCalls<F>;
  title: string;
  description: ReactNode;
  /** Text of the question before a deletion. */
  deletion: (row: Row) => ReactNode;
  size?: "md" | "lg";
  /** Values of a new row. */
  start?: Partial<SentValues<F>>;
  children: (row: Row) => ReactNode;
  /** Controls in an order of their own; by default all fields. */
  controls?: ComponentType<{ values: Partial<SentValues<F>> | null; errors: Record<string, string | undefined> }>;
}

/** The console's screen of a row type: list, order, dialog and deletion. */
export function RowsScreen<F extends RowFields, Row extends RowView<F>>(props: RowsScreenProps<F, Row>) {
  const {
    type,
    rows,
    calls,
    title,
    description,
    deletion,
    size = "md",
    start = null,
    children,
    controls: Controls,
  } = props;
  const { name, fields, most = Infinity } = type;
  const { key, ...edited } = useEditedRow(rows, "id" as TextField<Row>);
  const done = (act: string) => `${withParticle(name, "을/를")} ${act}하였습니다.`;
  return (
    <>
      <ConsoleHeader
        title={title}
        description={description}
        action={
          <AddRowButton disabled={rows.length >= most} onClick={edited.add}>
            {name} 추가
          </AddRowButton>
        }
      />
      <OrderedRows
        rows={rows}
        rowName={type.title as unknown as TextField<Row>}
        emptyText={`등록한 ${withParticle(name, "이/가")} 없습니다.`}
        onEdit={edited.edit}
        question={(row) => ({
          label: "삭제",
          title: `${withParticle(name, "을/를")} 삭제하시겠습니까?`,
          text: <p>{deletion(row)}</p>,
          danger: true,
          work: () => callApi(calls[":id"].$delete({ param: { id: row.id }, query: { version: String(row.version) } })),
          done: done("삭제"),
        })}
        saveOrder={calls.order}
      >
        {children}
      </OrderedRows>
      <RowDialog
        key={key}
        edited={edited}
        title={`${name} ${edited.row ? "고치기" : "추가"}`}
        size={size}
        read={(form) => readRow(fields, form)}
        describe={(values) => describeRow(fields, values)}
        save={(json, row) =>
          row
            ? callApi(calls[":id"].$patch({ param: { id: row.id }, json: { ...json, version: row.version } }))
            : callApi(calls.$put({ json }))
        }
        done={done("저장")}
      >
        {(row, errors) => {
          const values = row ?? start;
          return Controls ? (
            <Controls values={values} errors={errors} />
          ) : (
            <RowControls fields={fields} values={values} errors={errors} />
          );
        }}
      </RowDialog>
    </>
  );
}
