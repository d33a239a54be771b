import type { ComponentType, ReactNode } from "react";
import type { ClientResponse } from "hono/client";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { describeRow, readRow, RowControls } from "#app/features/form/row-fields.tsx";
import { AddRowButton, OrderedRows, type TextField } from "#app/features/list/ordered-rows.tsx";
import { RowDialog, type RowDialogProps, useEditedRow } from "#app/features/list/row-dialog.tsx";
import { UsedIn, type UsedRow } from "#app/features/list/used-in.tsx";
import { callApi, ONCE } from "#app/lib/api.ts";
import type { NewVersion, SuccessAnswer } from "#worker/contract/kernel/errors.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import type { RowFields, RowType, RowView, SentValues } from "#worker/contract/kernel/row.ts";

type Answered<T> = Promise<ClientResponse<SuccessAnswer<T>>>;
export interface RowCalls<F extends RowFields> {
  $put: (input: { json: Partial<SentValues<F>>; header: typeof ONCE }) => Answered<unknown>;
  order: { $post: (input: { json: { codes: string[] } }) => Answered<unknown> };
  ":id": {
    $patch: (input: {
      param: { id: string };
      json: Partial<SentValues<F>> & { version: number };
    }) => Answered<NewVersion>;
    $delete: (input: { param: { id: string }; query: { version: string } }) => Answered<unknown>;
  };
}

type ControlsProps<F extends RowFields> = {
  values: Partial<SentValues<F>> | null;
  errors: Record<string, string | undefined>;
};

interface RowEditorProps<F extends RowFields, Row extends RowView<F> & UsedRow, Values extends SentValues<F>>
  extends
    Pick<RowDialogProps<Row, Values>, "edited" | "title" | "size" | "done" | "onInput" | "onTake" | "beside">,
    Partial<Pick<RowDialogProps<Row, Values>, "read">> {
  type: RowType<F>;
  calls: RowCalls<F>;
  /** Values of a new row. */
  start?: Partial<SentValues<F>> | null;
  /** Controls in an order of their own; by default all fields that can be set. */
  controls?: ComponentType<ControlsProps<F>>;
  onChanged?: (from: Row, values: Values, version: number) => void;
}

const keyOf = (row: object) => ("id" in row ? row.id : (row as { code: unknown }).code) as string;

/** The dialog that adds or changes a row. */
export function RowEditor<
  F extends RowFields,
  Row extends RowView<F> & UsedRow,
  Values extends SentValues<F> = SentValues<F>,
>({
  type: { fields, closes, title },
  calls,
  start = null,
  controls: Controls,
  onChanged,
  ...dialog
}: RowEditorProps<F, Row, Values>) {
  const save = async (json: Values, row: Row | null) => {
    if (row === null) return callApi(calls.$put({ json, header: ONCE }));
    const { version, ...kept } = row;
    const isClosed = closes && "isClosed" in kept ? { isClosed: kept.isClosed } : {};
    const sent = { param: { id: keyOf(row) }, json: { ...json, ...isClosed, version } };
    const saved = await callApi(calls[":id"].$patch(sent));
    onChanged?.(row, json, saved.version);
    return saved;
  };
  return (
    <RowDialog
      read={(form) => readRow(fields, form) as Values}
      {...dialog}
      describe={(values) => describeRow(fields, values)}
      save={save}
    >
      {(row, errors) => {
        const values = row ?? start;
        const only = Object.keys(fields).filter((name) => row === null || !fields[name]?.isFixed);
        return (
          <>
            {Controls ? (
              <Controls values={values} errors={errors} />
            ) : (
              <RowControls fields={fields} only={only} values={values} errors={errors} />
            )}
            {row && <UsedIn uses={row.uses} name={String(row[title])} />}
          </>
        );
      }}
    </RowDialog>
  );
}

interface RowsScreenProps<F extends RowFields, Row extends RowView<F> & UsedRow & { id: string }> extends Pick<
  RowEditorProps<F, Row, SentValues<F>>,
  "type" | "calls" | "size" | "start" | "controls"
> {
  rows: readonly Row[];
  description: ReactNode;
  /** Text of the question before a deletion. */
  deletion: (row: Row) => ReactNode;
  children: (row: Row) => ReactNode;
}

/** The console's screen of a row type: list, order, dialog and deletion. */
export function RowsScreen<F extends RowFields, Row extends RowView<F> & UsedRow & { id: string }>(
  props: RowsScreenProps<F, Row>,
) {
  const { type, rows, calls, description, deletion, size = "md", start = null, controls, children } = props;
  const { name, most = Infinity } = type;
  const { key, ...edited } = useEditedRow(rows, "id" as TextField<Row>);
  const done = (act: string) => `${withParticle(name, "을/를")} ${act}하였습니다.`;
  return (
    <>
      <ConsoleHeader
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
          text: (
            <>
              <p>{deletion(row)}</p>
              <UsedIn uses={row.uses} name={String(row[type.title])} />
            </>
          ),
          danger: true,
          work: () => callApi(calls[":id"].$delete({ param: { id: row.id }, query: { version: String(row.version) } })),
          done: done("삭제"),
        })}
        saveOrder={calls.order}
      >
        {children}
      </OrderedRows>
      <RowEditor
        key={key}
        {...{ type, calls, edited, size, start, controls }}
        title={`${name} ${edited.row ? "고치기" : "추가"}`}
        done={done("저장")}
      />
    </>
  );
}
