import { PagedRows } from "#app/features/alumni/import/paged-rows.tsx";
import { formatCount, formatDateTime } from "#app/lib/format.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import type { BankFile, Gap } from "#worker/contract/alumni/dues/bank-file.ts";
import { ALLOCATION_CAUSE_LABELS, formatWon } from "#worker/contract/alumni/dues/dues.ts";
import { ASK_REASON_LABELS, PILE_LABELS, PILES } from "#worker/contract/alumni/dues/matches.ts";
import { koreanLongDay, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import type { DepositPlan } from "#worker/domain/alumni/dues/plan.server.ts";

export type Preview = BankFile & { plan: DepositPlan };

/** Lines of a warning, before the rest is a number. */
const WARNINGS_MAX = 10;

function Warnings({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  const rest = lines.length - WARNINGS_MAX;
  return (
    <Alert tone="warning" title={title} className="mt-4">
      <ul>
        {lines.slice(0, WARNINGS_MAX).map((line, at) => (
          <li key={at}>{line}</li>
        ))}
        {rest > 0 && <li>외 {formatCount(rest)}건</li>}
      </ul>
    </Alert>
  );
}

const longDay = (day: string) => koreanLongDay(startOfKoreanDay(day));

const gapText = ([from, to]: Gap) =>
  `${from === to ? longDay(from) : `${longDay(from)}과 ${longDay(to)} 사이`}의 거래가 빠졌을 수 있습니다.`;

interface PlanPilesProps {
  preview: Preview;
  separate: readonly number[];
  onSeparate: (rows: number[]) => void;
}

export function PlanPiles({ preview: { plan, refused, gaps }, separate, onSeparate }: PlanPilesProps) {
  const missing = [...new Set([...gaps, ...plan.gaps].map(gapText))];
  return (
    <section aria-label="미리보기" className="mt-6">
      <p role="status" className="tabular">
        새 입금 {formatCount(plan.rows.length - plan.counts.twin)}건
        {plan.stored > 0 && ` · 이미 저장된 입금 ${formatCount(plan.stored)}건은 제외했습니다.`}
        {plan.withdrawals > 0 &&
          ` 출금 ${formatCount(plan.withdrawals)}건은 돌려준 입금을 찾는 데만 쓰고 회비로 세지 않습니다.`}
        {plan.returned > 0 &&
          ` 이미 저장한 입금 ${formatCount(plan.returned)}건을 돌려준 것으로 보이는 출금이 있습니다.`}
      </p>
      <Warnings title="잔액이 이어지지 않습니다." lines={missing} />
      <Warnings
        title={`읽지 못한 행 ${formatCount(refused.length)}개는 뺍니다.`}
        lines={refused.map(({ row, reason }) => `${row}행: ${reason}`)}
      />
      {PILES.map((pile) => {
        const title = `${PILE_LABELS[pile]} ${formatCount(plan.counts[pile])}건`;
        return (
          <details key={pile} className="mt-2">
            <summary className="min-h-11 cursor-pointer py-3 font-semibold underline underline-offset-4">
              {title}
            </summary>
            <PagedRows rows={plan.rows.filter((row) => row.pile === pile)} label={title}>
              {(page) => (
                <ul className="divide-y divide-gray-20 border-y border-gray-20">
                  {page.map((row) => (
                    <PlanRow
                      key={row.at}
                      row={row}
                      isSeparate={separate.includes(row.at)}
                      onSeparate={(isSeparate) =>
                        onSeparate(isSeparate ? [...separate, row.at] : separate.filter((each) => each !== row.at))
                      }
                    />
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

type Money = { payer: string; when: string; amount: number };

function MoneyLine({ payer, when, amount }: Money) {
  return (
    <>
      <strong>{payer || "(보낸분 없음)"}</strong>
      <span className="tabular">
        {formatDateTime(when)} · {amount < 0 && "출금 "}
        {formatWon(Math.abs(amount))}
      </span>
    </>
  );
}

interface PlanRowProps {
  row: DepositPlan["rows"][number];
  isSeparate: boolean;
  onSeparate: (isSeparate: boolean) => void;
}

/** A row with the people who may have paid it, or with the stored row that may be the same. */
function PlanRow({ row, isSeparate, onSeparate }: PlanRowProps) {
  const { people, cause, why, stored } = row;
  return (
    <li className="py-2">
      <div className="flex flex-wrap gap-x-4">
        <MoneyLine {...row} />
        <span>{people.join(", ")}</span>
        <span className="text-gray-60">{cause ? ALLOCATION_CAUSE_LABELS[cause] : why && ASK_REASON_LABELS[why]}</span>
      </div>
      {stored && (
        <>
          <div className="mt-1 flex flex-wrap gap-x-4 text-gray-70">
            <span>저장한 {row.amount < 0 ? "출금" : "입금"}</span>
            <MoneyLine {...stored} />
          </div>
          <Checkbox
            label={`다른 ${row.amount < 0 ? "출금" : "입금"}이므로 저장합니다.`}
            checked={isSeparate}
            onChange={({ target }) => onSeparate(target.checked)}
          />
        </>
      )}
    </li>
  );
}
