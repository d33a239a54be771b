import { undoUntilText } from "#app/features/alumni/undo-deed.ts";
import { useState } from "react";
import { ActionBar } from "#app/features/alumni/import/action-bar.tsx";
import { readSheets } from "#app/features/alumni/import/dropped-files.ts";
import { retryLostCalls } from "#app/features/alumni/import/send-import.ts";
import { SheetDropZone } from "#app/features/alumni/import/sheet-drop-zone.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { type BankFile, findBankTable, isBankTable, withPayerColumn } from "#worker/contract/alumni/dues/bank-file.ts";
import { readBankRows } from "#worker/contract/alumni/dues/bank-rows.ts";
import { DUE_LIMITS } from "#worker/contract/alumni/dues/dues.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { ColumnChoice, type ReadFile } from "./bank-columns.tsx";
import { PayerQuestion, rememberPayer, withKnownPayer } from "./payer-choice.tsx";
import { PlanPiles, type Preview } from "./plan-piles.tsx";

const withPayer = ({ rows, table }: Pick<ReadFile, "rows" | "table">) =>
  table ? withKnownPayer(rows, table) : { table, choices: [] };

const sentOf = ({ deposits, withdrawals }: BankFile) => ({ rows: deposits, withdrawals });

const nothingNew = (twins: number) =>
  twins === 0
    ? "새 입금이 없습니다. 모두 이미 저장한 입금입니다."
    : "새 입금이 없습니다. ‘확인 필요’에 다른 거래가 있으면 표시하십시오.";

function storedText({ added, matched, other }: Record<"added" | "matched" | "other", number>): string {
  const aside =
    other > 0 ? ` 회비가 아닌 것으로 기억한 내용 ${formatCount(other)}건은 ‘회비 외 입금’에 두었습니다.` : "";
  return `새 입금 ${formatCount(added)}건 가운데 ${formatCount(matched)}건을 회비에 맞추었습니다.${aside} 나머지는 아래에서 골라 주십시오.`;
}

/** Reads a bank's file in the browser, shows the three piles, and stores the deposits. */
export function BankWorkbench() {
  const [file, setFile] = useState<ReadFile | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [done, setDone] = useState<string | null>(null);
  /** Twins that the office knows as other deposits or withdrawals, by their place in the file. */
  const [separate, setSeparate] = useState<number[]>([]);
  const reading = useAction({ reloads: "never" });
  const saving = useAction({ reloads: "success" });
  const busy = reading.busy || saving.busy;
  const problem = reading.problem ?? saving.problem;
  const show = (read: ReadFile) => {
    saving.clear();
    setPreview(null);
    setSeparate([]);
    setFile(read);
    return read.table !== null && isBankTable(read.table.columns) && read.choices.length === 0;
  };
  const choose = (read: ReadFile) => {
    if (read.table) rememberPayer(read.table);
    if (show(read)) void reading.run(() => look(read), null);
  };
  const look = async ({ rows, table }: ReadFile) => {
    if (!table) return;
    const found = readBankRows(rows, table);
    if (found.deposits.length + found.withdrawals.length === 0)
      throw invalidInput({ file: "머리글 아래에 읽을 수 있는 입금이나 출금이 없습니다." });
    if (Math.max(found.deposits.length, found.withdrawals.length) > DUE_LIMITS.bankRows)
      throw invalidInput({
        file: `한 번에 ${formatCount(DUE_LIMITS.bankRows)}행까지 가져올 수 있습니다. 기간을 나누어 주십시오.`,
      });
    const plan = await retryLostCalls(() => callApi(api.admin.due.deposit.plan.$post({ json: sentOf(found) })));
    setPreview({ ...found, plan });
  };
  const open = ([first]: readonly File[]) =>
    reading.run(async () => {
      if (!first) return;
      setDone(null);
      const known = (await readSheets(first)).map(({ rows }) => ({ rows, table: findBankTable(rows) }));
      const found = known.find(({ table }) => table) ?? known[0];
      if (!found) return;
      const read = { fileName: first.name.normalize("NFC"), ...found, ...withPayer(found) };
      if (show(read)) await look(read);
    }, null);
  const save = async (read: ReadFile, { plan, ...found }: Preview) => {
    const json = { ...sentOf(found), fileName: read.fileName, fingerprint: plan.fingerprint, separate };
    const commit = () => retryLostCalls(() => callApi(api.admin.due.deposit.commit.$post({ json })));
    const stored: Awaited<ReturnType<typeof commit>>[] = [];
    if (!(await saving.run(async () => stored.push(await commit()), null))) return;
    // The next file is taken from here on; one dropped during the reload would be lost.
    for (const each of stored) setDone(`${storedText(each)} ${undoUntilText(DUE_LIMITS.undoDays)}`);
    setFile(null);
    setPreview(null);
  };
  const twins = preview?.plan.counts.twin ?? 0;
  const kept = (preview?.plan.rows ?? []).filter(({ at, pile }) => pile !== "twin" || separate.includes(at));
  const added = kept.filter(({ amount }) => amount > 0).length;
  const withdrawn = (preview?.plan.newWithdrawals ?? 0) + kept.length - added;
  const isStored = added + withdrawn > 0;
  return (
    <div aria-busy={busy}>
      {done && (
        <Alert tone="success" title="저장하였습니다." className="mb-6">
          {done}
        </Alert>
      )}
      <SheetDropZone hint="은행에서 받은 거래내역" disabled={busy} onFiles={(files) => void open(files)} />
      {file && (
        <ColumnChoice
          file={file}
          isOpen={preview === null && file.choices.length === 0}
          isBusy={busy}
          onChange={(table) => choose({ ...file, table, choices: [] })}
        />
      )}
      {file?.table && file.choices.length > 0 && (
        <PayerQuestion
          choices={file.choices}
          isBusy={busy}
          onChoose={(column) =>
            choose({ ...file, table: file.table && withPayerColumn(file.table, column), choices: [] })
          }
        />
      )}
      {preview && <PlanPiles preview={preview} separate={separate} onSeparate={setSeparate} />}
      {(busy || problem || preview) && (
        <ActionBar
          busy={busy ? { label: "회비와 맞추고 있습니다" } : null}
          error={problem}
          text={preview && !isStored ? nothingNew(twins) : undefined}
        >
          {file && preview && isStored && (
            <Button variant="primary" busy={busy} onClick={() => void save(file, preview)}>
              {added > 0 ? `${formatCount(added)}건 저장` : `출금 ${formatCount(withdrawn)}건 저장`}
            </Button>
          )}
        </ActionBar>
      )}
    </div>
  );
}
