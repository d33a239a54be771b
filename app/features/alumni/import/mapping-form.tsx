import {
  type ColumnMappings,
  type DroppedSource,
  type HiddenChoices,
  mappedColumns,
  shapeOf,
  unusedColumns,
} from "#app/features/alumni/import/dropped-files.ts";
import { formatCount } from "#app/lib/format.ts";
import { Badge, type BadgeTone } from "#app/ui/inline.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Select } from "#app/ui/field.tsx";
import { Table, TableHead, Td, Th } from "#app/ui/table.tsx";
import { type AlumniSettingsView, bookFields } from "#worker/contract/alumni/alumni-settings.ts";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import {
  type BookColumn,
  FILES_NOT_IMPORTED,
  isImportable,
  OWN_FIELD_LIMITS,
  ownFieldByName,
  type OwnFieldCode,
} from "#worker/contract/alumni/own-fields.ts";
import type { ColumnCertainty } from "#worker/contract/alumni/import/header.ts";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { OwnFieldFields, readOwnFieldForm } from "#app/features/alumni/setting/own-field-fields.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { guessOwnField } from "#worker/contract/alumni/own-values.ts";

interface ColumnMappingFormProps {
  sources: readonly DroppedSource[];
  mappings: ColumnMappings;
  hidden: HiddenChoices;
  alumniView: AlumniSettingsView;
  canMakeField: boolean;
  onMappings: (mappings: ColumnMappings) => void;
}

const CERTAINTY: Partial<Record<ColumnCertainty, [tone: BadgeTone, label: string]>> = {
  likely: ["primary", "비슷한 말"],
  guess: ["warning", "값으로 짐작"],
};

const EXAMPLES = 3;

/** Maps columns to fields once for all sheets with the same headers. */
export function ColumnMappingForm({
  sources,
  mappings,
  hidden,
  alumniView,
  canMakeField,
  onMappings,
}: ColumnMappingFormProps) {
  const shapes = [...new Set(sources.map((source) => shapeOf(source)))];
  return shapes.map((shape, at) => {
    const same = sources.filter((source) => shapeOf(source) === shape);
    return (
      <ShapeMapping
        key={shape}
        sources={same}
        label={shapes.length > 1 ? `열 맞추기 ${at + 1}/${shapes.length}` : "열 맞추기"}
        columns={mappedColumns(same[0] as DroppedSource, mappings, hidden)}
        alumniView={alumniView}
        canMakeField={canMakeField}
        onColumns={(columns) => onMappings({ ...mappings, [shape]: columns })}
      />
    );
  });
}

interface ShapeMappingProps {
  sources: readonly DroppedSource[];
  label: string;
  columns: (BookColumn | null)[];
  alumniView: AlumniSettingsView;
  canMakeField: boolean;
  onColumns: (columns: (BookColumn | null)[]) => void;
}

function ShapeMapping({ sources, label, columns, alumniView, canMakeField, onColumns }: ShapeMappingProps) {
  const labelOf = useColumnLabel();
  const [first] = sources;
  if (!first) return null;
  const { heads, certainty, namePartColumns } = first.table;
  const unused = unusedColumns(first, columns);
  const isFile = (head: string) =>
    ownFieldByName(
      alumniView.own.filter((field) => !isImportable(field)),
      head,
    );
  const isFree = (at: number) => columns[at] === null && !isFile(heads[at] ?? "") && !namePartColumns.includes(at);
  const fillable = bookFields({ fields: alumniView.fields, own: alumniView.own.filter(isImportable) });
  const known: (BookColumn | null)[] = [...columns, ...(Object.keys(first.fixed) as BookColumn[])];
  const unmet = alumniView.required.filter((field) => field !== "name" && !known.includes(field));
  const unmetOwn = alumniView.own.filter(({ code, required }) => required && !known.includes(code));
  const choose = (at: number, value: string) =>
    onColumns(
      columns.map((column, each) => (each === at ? (value as BookColumn) || null : column === value ? null : column)),
    );
  const examples = (at: number) => {
    const texts = new Set<string>();
    for (const { cells } of first.table.rows) {
      if (cells[at]) texts.add(cells[at]);
      if (texts.size === EXAMPLES) break;
    }
    return texts.size === 0 ? "-" : [...texts].join(", ");
  };
  return (
    <div className="mt-4">
      {sources.length > 1 && (
        <p className="mb-2 text-sm text-gray-70">
          모양이 같은 시트 {formatCount(sources.length)}개에 함께 씁니다: {sources.map(({ name }) => name).join(", ")}
        </p>
      )}
      {unused.length > 0 && (
        <Alert tone="warning" className="mb-3">
          쓰지 않는 열이 {formatCount(unused.length)}개 있습니다:{" "}
          {unused.map((head) => `‘${head || "이름 없는 열"}’`).join(", ")}
        </Alert>
      )}
      <Table caption={label} cards>
        <TableHead>
          <Th>파일의 열</Th>
          <Th>값</Th>
          <Th>주소록의 항목</Th>
        </TableHead>
        <tbody>
          {heads.map((head, at) => {
            const [tone, note] =
              (columns[at] && columns[at] === first.table.columns[at] && CERTAINTY[certainty[at] ?? "none"]) || [];
            return (
              // oxlint-disable-next-line react/no-array-index-key -- a column is its place
              <tr key={at}>
                <Td className="font-semibold text-gray-90">{head || `${at + 1}번째 열`}</Td>
                <Td data-label="값" className="max-w-80 truncate text-gray-60">
                  {examples(at)}
                </Td>
                <Td className="md:w-80">
                  <span className="flex items-center gap-2">
                    <Select
                      className="min-w-0 flex-1"
                      aria-label={`‘${head || `${at + 1}번째 열`}’ 열의 항목`}
                      value={columns[at] ?? ""}
                      placeholder="사용 안 함"
                      options={[...fillable, "id" as const].map((column) => ({
                        value: column,
                        label: labelOf(column),
                      }))}
                      onChange={(event) => choose(at, event.target.value)}
                    />
                    {tone && <Badge tone={tone}>{note}</Badge>}
                  </span>
                  {columns[at] === null && isFile(head) && (
                    <p className="mt-1 text-sm text-gray-60">{FILES_NOT_IMPORTED}</p>
                  )}
                  {columns[at] === null && namePartColumns.includes(at) && (
                    <p className="mt-1 text-sm text-gray-60">이름에 이어 읽었습니다.</p>
                  )}
                  {canMakeField && isFree(at) && examples(at) !== "-" && (
                    <MakeField
                      header={head}
                      values={sources.flatMap(({ table }) => table.rows.map(({ cells }) => cells[at] ?? ""))}
                      onMade={(code) => choose(at, code)}
                    />
                  )}
                </Td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      {unmet.length + unmetOwn.length > 0 && (
        <Alert tone="warning" className="mt-4">
          반드시 적어야 하는{" "}
          {[...unmet, ...unmetOwn.map(({ code }) => code)].map((field) => `‘${labelOf(field)}’`).join(", ")}에 맞춘 열이
          없습니다. 이미 있는 사람은 바꿀 수 있지만, 새 사람은 오류가 됩니다.
        </Alert>
      )}
    </div>
  );
}

interface MakeFieldProps {
  header: string;
  /** The field kind is guessed from the values of all rows. */
  values: readonly string[];
  onMade: (code: OwnFieldCode) => void;
}

function MakeField({ header, values, onMade }: MakeFieldProps) {
  const [open, setOpen] = useState(false);
  const { busy, run, fields: errors, general } = useAction({ reloads: "never" });
  const { revalidate } = useRevalidator();
  const create = async (form: FormData) => {
    let code: OwnFieldCode | null = null;
    const work = async () => {
      ({ code } = await callApi(api.admin.setting.alumni.field.$put({ json: readOwnFieldForm(form), header: ONCE })));
      await revalidate();
    };
    if (!(await run(work, "항목을 만들었습니다.")) || code === null) return;
    setOpen(false);
    onMade(code);
  };
  const guess = open ? guessOwnField(values) : null;
  return (
    <>
      <Button size="sm" variant="quiet" className="mt-1" onClick={() => setOpen(true)}>
        <span className="sr-only">‘{header}’ 열을 </span>항목으로 만들기
      </Button>
      {guess && (
        <FormDialog
          open={open}
          onClose={() => setOpen(false)}
          title="주소록에 항목 만들기"
          size="md"
          generation={0}
          submitLabel="만들기"
          busy={busy}
          error={general}
          onSubmit={(form) => void create(form)}
        >
          <OwnFieldFields
            values={{ name: header.slice(0, OWN_FIELD_LIMITS.name), ...guess }}
            errors={errors}
            isImported
          />
        </FormDialog>
      )}
    </>
  );
}
