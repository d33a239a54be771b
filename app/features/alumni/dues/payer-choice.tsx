import { localStore } from "#app/lib/browser-store.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import {
  type BankTable,
  type PayerChoice,
  payerChoices,
  withPayerColumn,
} from "#worker/contract/alumni/dues/bank-file.ts";
import type { RawRow } from "#worker/contract/alumni/import/sheet-content.ts";

/** The chosen head by the heads of a bank's form. */
const STORE = "bank-payers";
const FORMS_MAX = 30;

const formOf = ({ heads }: BankTable) => heads.join("|");

function readForms(): [form: string, payer: string][] {
  const stored = localStore.readJson(STORE);
  return Array.isArray(stored) ? (stored as [string, string][]) : [];
}

export function rememberPayer(table: BankTable): void {
  const payer = table.heads[table.columns.payer ?? -1];
  if (payer === undefined) return;
  const others = readForms().filter(([form]) => form !== formOf(table));
  localStore.writeJson(STORE, [[formOf(table), payer], ...others].slice(0, FORMS_MAX));
}

/** Takes the payer's column from the last choice for the bank's form, or asks for it. */
export function withKnownPayer(
  rows: readonly RawRow[],
  table: BankTable,
): { table: BankTable; choices: PayerChoice[] } {
  const choices = payerChoices(rows, table);
  const payer = readForms().find(([form]) => form === formOf(table))?.[1];
  const known = choices.find(({ head }) => head === payer);
  return known ? { table: withPayerColumn(table, known.column), choices: [] } : { table, choices };
}

interface PayerQuestionProps {
  choices: readonly PayerChoice[];
  isBusy: boolean;
  onChoose: (column: number) => void;
}

/** Asks which column names who paid, with three rows of each. */
export function PayerQuestion({ choices, isBusy, onChoose }: PayerQuestionProps) {
  return (
    <Card className="mt-4 p-4 md:p-5">
      <h2 className="text-base font-bold">보낸 사람이 적힌 열은 어느 것입니까?</h2>
      <p className="mt-1 text-gray-70">같은 모양의 파일은 다음부터 묻지 않습니다.</p>
      <ul className="mt-3 grid gap-3 md:grid-cols-2">
        {choices.map(({ column, head, samples }) => (
          <li key={column} className="flex flex-col items-start gap-2">
            <ul>
              {samples.map((text, at) => (
                <li key={at}>{text || "(비어 있음)"}</li>
              ))}
            </ul>
            <Button busy={isBusy} onClick={() => onChoose(column)}>
              ‘{head}’ 열
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
