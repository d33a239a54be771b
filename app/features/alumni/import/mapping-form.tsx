import type { DroppedTable } from "#app/features/alumni/import/dropped-table.ts";
import { formatCount } from "#app/lib/format.ts";
import { Field } from "#app/ui/field.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Select } from "#app/ui/select.tsx";
import { Table, Td, Th } from "#app/ui/table.tsx";
import type { AlumniSettingsView } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS, type AlumniColumn } from "#worker/contract/alumni/columns.ts";

interface ColumnMappingFormProps {
  table: DroppedTable;
  alumniView: AlumniSettingsView;
  onColumns: (columns: (AlumniColumn | null)[]) => void;
  onSheet: (sheet: string) => void;
}

/** Which column of the file is which field: guessed, shown with an example, and the person's to change. */
export function ColumnMappingForm({ table, alumniView, onColumns, onSheet }: ColumnMappingFormProps) {
  const { heads, columns, rows, headerRow } = table;
  const below = rows.filter((raw) => raw.row > headerRow);
  const unmet = alumniView.required.filter((field) => field !== "name" && !columns.includes(field));
  const choose = (at: number, value: string) =>
    onColumns(
      columns.map((column, each) => (each === at ? (value as AlumniColumn) || null : column === value ? null : column)),
    );
  return (
    <>
      {table.headerProblem && (
        <Alert tone="warning" className="mb-4">
          {table.headerProblem} 또는 아래에서 열을 직접 맞추어 주십시오. 첫 행({headerRow}행)은 머리글로 봅니다.
        </Alert>
      )}
      <div className="mb-4 flex flex-wrap items-end gap-4">
        {table.sheetNames.length > 1 && (
          <Field label="시트" className="w-60">
            <Select
              value={table.sheet || table.sheetNames[0]}
              options={table.sheetNames}
              onChange={(event) => onSheet(event.target.value)}
            />
          </Field>
        )}
        <p className="tabular text-gray-70">
          <strong className="text-gray-90">{table.fileName}</strong> · 머리글 {headerRow}행 · 자료{" "}
          {formatCount(below.length)}행
        </p>
      </div>
      <Table caption="열 맞추기">
        <thead>
          <tr>
            <Th>파일의 열</Th>
            <Th>첫 값</Th>
            <Th>주소록의 항목</Th>
          </tr>
        </thead>
        <tbody>
          {heads.map((head, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- a column is its place
            <tr key={at}>
              <Td className="font-semibold text-gray-90">{head || `${at + 1}번째 열`}</Td>
              <Td className="max-w-60 truncate text-gray-60">{below.find((raw) => raw.cells[at])?.cells[at] ?? "-"}</Td>
              <Td className="w-56">
                <Select
                  aria-label={`‘${head || `${at + 1}번째 열`}’ 열의 항목`}
                  value={columns[at] ?? ""}
                  placeholder="사용 안 함"
                  options={[...alumniView.fields, "id" as const].map((column) => ({
                    value: column,
                    label: ALUMNI_COLUMN_LABELS[column],
                  }))}
                  onChange={(event) => choose(at, event.target.value)}
                />
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      {unmet.length > 0 && (
        <Alert tone="warning" className="mt-4">
          반드시 적어야 하는 {unmet.map((field) => `‘${ALUMNI_COLUMN_LABELS[field]}’`).join(", ")}에 맞춘 열이 없습니다.
          이미 있는 사람은 바꿀 수 있지만, 새 사람은 오류가 됩니다.
        </Alert>
      )}
    </>
  );
}
