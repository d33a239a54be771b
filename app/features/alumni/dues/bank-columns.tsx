import { HeaderPointer } from "#app/features/alumni/import/source-list.tsx";
import { Field, Select } from "#app/ui/field.tsx";
import {
  BANK_COLUMNS,
  bankColumnLabel,
  type BankTable,
  findBankTable,
  type PayerChoice,
} from "#worker/contract/alumni/dues/bank-file.ts";
import type { RawRow } from "#worker/contract/alumni/import/sheet-content.ts";

export interface ReadFile {
  fileName: string;
  rows: RawRow[];
  table: BankTable | null;
  /** Columns between which the office chooses the payer first. */
  choices: PayerChoice[];
}

interface ColumnChoiceProps {
  file: ReadFile;
  isOpen: boolean;
  isBusy: boolean;
  onChange: (table: BankTable | null) => void;
}

/** Open only for a file whose heads are not known. */
export function ColumnChoice({ file: { fileName, rows, table }, isOpen, isBusy, onChange }: ColumnChoiceProps) {
  return (
    <details open={isOpen} className="mt-4">
      <summary className="min-h-11 cursor-pointer py-3 font-semibold underline underline-offset-4">
        {fileName}의 머리글과 열
      </summary>
      {isOpen && <p className="mb-2">머리글 행을 고르고, 거래일시와 보낸분, 입금액 열을 골라 주십시오.</p>}
      <fieldset disabled={isBusy}>
        <HeaderPointer
          label={fileName}
          top={rows.slice(0, 200)}
          isOpen={table === null}
          onPoint={(row) => onChange(findBankTable(rows, row))}
        />
      </fieldset>
      <div className="mt-3 grid gap-4 md:grid-cols-4">
        {table &&
          BANK_COLUMNS.map((column) => (
            <Field key={column} label={bankColumnLabel(column)}>
              <Select
                value={String(table.columns[column] ?? "")}
                placeholder="없음"
                disabled={isBusy}
                options={table.heads.map((head, at) => ({ value: String(at), label: head || `${at + 1}번째 열` }))}
                onChange={({ target: { value } }) => {
                  const { [column]: _before, ...columns } = table.columns;
                  onChange({ ...table, columns: value === "" ? columns : { ...columns, [column]: Number(value) } });
                }}
              />
            </Field>
          ))}
      </div>
    </details>
  );
}
