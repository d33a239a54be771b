import { DepositCard, RecordPaymentButton } from "#app/features/alumni/dues/deposit-desk.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { SearchedList } from "#app/features/list/searched-list.tsx";
import { loadSearchedList, pageLoader } from "#app/lib/page-loader.server.ts";
import { Tabs } from "#app/ui/tabs.tsx";
import {
  BANK_COLUMNS,
  bankColumnLabel,
  type BankFile,
  type BankTable,
  DEPOSIT_FILTERS,
  findBankTable,
  isBankTable,
} from "#worker/contract/alumni/dues/bank-file.ts";
import { readBankRows } from "#worker/contract/alumni/dues/bank-rows.ts";
import { listDepositsQuery } from "#worker/contract/alumni/dues/due-input.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { type DepositPlan, listDeposits } from "#worker/domain/alumni/dues/bank.server.ts";
import type { Route } from "./+types/deposits";
import { useState } from "react";
import { ActionBar } from "#app/features/alumni/import/action-bar.tsx";
import { readSheets } from "#app/features/alumni/import/dropped-files.ts";
import { PagedRows } from "#app/features/alumni/import/paged-rows.tsx";
import { retryLostCalls } from "#app/features/alumni/import/send-import.ts";
import { SheetDropZone } from "#app/features/alumni/import/sheet-drop-zone.tsx";
import { HeaderPointer } from "#app/features/alumni/import/source-list.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { undoUntilText } from "#app/features/alumni/undo-deed.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount, formatDateTime } from "#app/lib/format.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Field, Select } from "#app/ui/field.tsx";
import { ALLOCATION_CAUSE_LABELS, DUE_LIMITS, formatWon } from "#worker/contract/alumni/dues/dues.ts";
import { ASK_REASON_LABELS, type Pile, PILE_LABELS } from "#worker/contract/alumni/dues/match.ts";
import type { RawRow } from "#worker/contract/alumni/import/sheet-content.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";

const PATH = "/Admin/Deposits";
const STATES = { "": "고를 입금", all: "모든 입금", closed: "회비 아님" };

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const list = await loadSearchedList(request, listDepositsQuery, (query) => listDeposits(scope, query));
  return { list, state: new URL(request.url).searchParams.get("state") ?? "", today: koreanDay(scope.now()) };
});

export default function DepositsPage({ loaderData: { list, state, today } }: Route.ComponentProps) {
  const tabs = Object.entries(STATES).map(([each, label]) => ({
    label,
    href: each ? `${PATH}?state=${each}` : PATH,
    current: each === state,
  }));
  return (
    <>
      <ConsoleHeader
        description="은행에서 받은 거래내역을 놓으면 누가 낸 회비인지 맞춥니다. 분명한 것만 저절로 맞추고, 나머지는 직접 고르십시오."
        links={[{ label: "회비와 작업 기록", href: "/Admin/Dues" }]}
        action={<RecordPaymentButton today={today} />}
      />
      <BankWorkbench />
      <ConsoleSection title="입금">
        <Tabs label="입금" tabs={tabs} />
        <div className="mt-4">
          <SearchedList
            name="입금"
            path={PATH}
            fields={DEPOSIT_FILTERS}
            kept={["state"]}
            list={list}
            className="md:grid-cols-[1fr_auto]"
          >
            {list.content.length === 0 && <Empty className="border-y border-gray-20">입금이 없습니다.</Empty>}
            <ul className="grid gap-4">
              {list.content.map((entry) => (
                <li key={entry.id}>
                  <DepositCard entry={entry} />
                </li>
              ))}
            </ul>
          </SearchedList>
        </div>
      </ConsoleSection>
    </>
  );
}

type ReadFile = { fileName: string; rows: RawRow[]; table: BankTable | null };
type Preview = BankFile & { plan: DepositPlan };

const sentOf = ({ deposits, withdrawals }: BankFile) => ({ rows: deposits, withdrawals });

/** Reads a bank's file in the browser, shows the three piles, and stores the deposits. */
function BankWorkbench() {
  const [file, setFile] = useState<ReadFile | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const { busy, run, problem } = useAction({ reloads: "success" });
  const show = (read: ReadFile) => {
    setPreview(null);
    setFile(read);
    return read.table !== null && isBankTable(read.table.columns);
  };
  const look = async ({ rows, table }: ReadFile) => {
    if (!table) return;
    const found = readBankRows(rows, table);
    if (found.deposits.length === 0) throw invalidInput({ file: "머리글 아래에 읽을 수 있는 입금이 없습니다." });
    if (Math.max(found.deposits.length, found.withdrawals.length) > DUE_LIMITS.bankRows)
      throw invalidInput({
        file: `한 번에 ${formatCount(DUE_LIMITS.bankRows)}행까지 가져올 수 있습니다. 기간을 나누어 주십시오.`,
      });
    const plan = await retryLostCalls(() => callApi(api.admin.due.deposit.plan.$post({ json: sentOf(found) })));
    setPreview({ ...found, plan });
  };
  const open = ([first]: readonly File[]) =>
    run(async () => {
      if (!first) return;
      setDone(null);
      const known = (await readSheets(first)).map(({ rows }) => ({ rows, table: findBankTable(rows) }));
      const found = known.find(({ table }) => table) ?? known[0];
      if (!found) return;
      const read = { fileName: first.name.normalize("NFC"), ...found };
      if (show(read)) await look(read);
    }, null);
  const save = (read: ReadFile, { plan, ...found }: Preview) =>
    run(async () => {
      const json = { ...sentOf(found), fileName: read.fileName, fingerprint: plan.fingerprint };
      const { added, matched } = await retryLostCalls(() => callApi(api.admin.due.deposit.commit.$post({ json })));
      setDone(
        `새 입금 ${formatCount(added)}건 가운데 ${formatCount(matched)}건을 회비에 맞추었습니다. 나머지는 아래에서 골라 주십시오. ${undoUntilText(DUE_LIMITS.undoDays)}`,
      );
      setFile(null);
      setPreview(null);
    }, null);
  const added = preview?.plan.rows.length ?? 0;
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
          isOpen={preview === null}
          isBusy={busy}
          onChange={(table) => {
            const read = { ...file, table };
            if (show(read)) void run(() => look(read), null);
          }}
        />
      )}
      {preview && <PlanPiles preview={preview} />}
      {(busy || problem || preview) && (
        <ActionBar
          busy={busy ? { label: "회비와 맞추고 있습니다" } : null}
          error={problem}
          text={preview && added === 0 ? "새 입금이 없습니다. 모두 이미 저장한 입금입니다." : undefined}
        >
          {file && preview && added > 0 && (
            <Button variant="primary" busy={busy} onClick={() => void save(file, preview)}>
              {formatCount(added)}건 저장
            </Button>
          )}
        </ActionBar>
      )}
    </div>
  );
}

interface ColumnChoiceProps {
  file: ReadFile;
  isOpen: boolean;
  isBusy: boolean;
  onChange: (table: BankTable | null) => void;
}

/** Open only for a file whose heads are not known. */
function ColumnChoice({ file: { fileName, rows, table }, isOpen, isBusy, onChange }: ColumnChoiceProps) {
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

function PlanPiles({ preview: { plan, refused } }: { preview: Preview }) {
  return (
    <section aria-label="미리보기" className="mt-6">
      <p role="status" className="tabular">
        새 입금 {formatCount(plan.rows.length)}건 · 이미 저장한 입금 {formatCount(plan.stored)}건과 출금{" "}
        {formatCount(plan.withdrawals)}건은 뺐습니다.
      </p>
      {refused.length > 0 && (
        <Alert tone="warning" title={`읽지 못한 행 ${formatCount(refused.length)}개는 뺍니다.`} className="mt-4">
          {refused.slice(0, 10).map(({ row, reason }) => `${row}행: ${reason} `)}
        </Alert>
      )}
      {(Object.keys(PILE_LABELS) as Pile[]).map((pile) => {
        const title = `${PILE_LABELS[pile]} ${formatCount(plan.counts[pile])}건`;
        return (
          <details key={pile} className="mt-2">
            <summary className="min-h-11 cursor-pointer py-3 font-semibold underline underline-offset-4">
              {title}
            </summary>
            <PagedRows rows={plan.rows.filter((row) => row.pile === pile)} label={title}>
              {(page) => (
                <ul className="divide-y divide-gray-20 border-y border-gray-20">
                  {page.map(({ payer, when, amount, people, cause, why }, at) => (
                    <li key={`${when} ${payer} ${at}`} className="flex flex-wrap gap-x-4 py-2">
                      <strong>{payer || "(보낸분 없음)"}</strong>
                      <span className="tabular">
                        {formatDateTime(when)} · {formatWon(amount)}
                      </span>
                      <span>{people.join(", ")}</span>
                      <span className="text-gray-60">
                        {cause ? ALLOCATION_CAUSE_LABELS[cause] : why && ASK_REASON_LABELS[why]}
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </PagedRows>
          </details>
        );
      })}
    </section>
  );
}
