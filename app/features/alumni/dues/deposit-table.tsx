import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { formatCount } from "#app/lib/format.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Badge, Time } from "#app/ui/inline.tsx";
import { Table, TableHead, Td, Th } from "#app/ui/table.tsx";
import { ALLOCATION_CAUSE_LABELS, formatWon } from "#worker/contract/alumni/dues/dues.ts";
import { ASK_REASON_LABELS } from "#worker/contract/alumni/dues/matches.ts";
import { isPersonPayer, payerKey } from "#worker/contract/alumni/dues/payer.ts";
import type { DepositEntry } from "#worker/domain/alumni/dues/bank.server.ts";
import type { DepositCandidate } from "#worker/domain/alumni/dues/book.server.ts";
import { OtherPeople, StoredActs } from "./deposit-acts.tsx";
import { type DepositChoice, hasNothingToPay, isOpenDeposit, useDepositDecisions } from "./deposit-decisions.ts";

/** Acts of the table's `onKeyDown`. */
const KEYS = [
  ["1–9", "후보의 회비에 맞추기"],
  ["0", "회비 아님"],
  ["-", "같은 내용 모두 회비 아님"],
  ["=", "낼 회비 없는 입금 모두 회비 아님"],
  ["↑ ↓", "앞뒤 입금"],
  ["Backspace", "마지막으로 정한 것 되돌리기"],
] as const;

const CELL = "align-middle md:px-3 md:py-1.5";
const NO_DUES: DepositChoice = { people: [], remember: false };
const NO_DUES_ALIKE: DepositChoice = { ...NO_DUES, alike: "text" };
const NOTHING_TO_PAY: DepositChoice = { ...NO_DUES, alike: "withoutDues" };

const payerText = ({ payer }: Pick<DepositEntry, "payer">) => payer || "(보낸분 없음)";
const payableOf = ({ candidates }: DepositEntry) => candidates.filter(({ open }) => open > 0);
const choiceOf = ({ payer }: DepositEntry, person: DepositCandidate): DepositChoice => ({
  people: [person],
  remember: isPersonPayer(payer),
});

/** Deposits in rows; those that the office is asked about are decided by mouse or by keys. */
export function DepositTable({ rows }: { rows: readonly DepositEntry[] }) {
  const decisions = useDepositDecisions(rows);
  const body = useRef<HTMLTableSectionElement>(null);
  const focusOn = useRef<DepositEntry | null>(null);
  const isWorking = useRef(false);
  const [opened, setOpened] = useState<DepositEntry | null>(null);
  const [notice, setNotice] = useState("");
  const lines = () => [...(body.current?.querySelectorAll<HTMLElement>("tr[data-deposit]") ?? [])];
  const lineOf = ({ id }: DepositEntry) => lines().find(({ dataset }) => dataset["deposit"] === id);
  const focus = (line: Element | undefined) =>
    (
      line?.querySelector<HTMLElement>("[aria-expanded=true]") ?? line?.querySelector<HTMLElement>("[data-choice]")
    )?.focus();
  const isUndecided = ({ dataset }: HTMLElement) => dataset["isOpen"] === "true";
  useEffect(() => {
    if (focusOn.current) focus(lineOf(focusOn.current));
    focusOn.current = null;
  });
  useEffect(() => {
    // The focused row is gone with the page before.
    if (isWorking.current && document.activeElement === document.body) focus(lines().find(isUndecided));
  }, [rows]);
  const decide = (entry: DepositEntry, choice: DepositChoice) => {
    const decidedIds = decisions.decide(entry, choice).map(({ id }) => id);
    isWorking.current = true;
    setOpened(null);
    setNotice("");
    const all = lines();
    const at = all.findIndex(({ dataset }) => dataset["deposit"] === entry.id);
    const next = [...all.slice(at + 1), ...all.slice(0, at)].find(
      (line) => isUndecided(line) && !decidedIds.includes(line.dataset["deposit"] ?? ""),
    );
    if (next) focus(next);
    else focusOn.current = entry;
  };
  const takeBack = (entry: DepositEntry | undefined) => {
    if (!entry) return setNotice("되돌릴 것이 없습니다.");
    setNotice(`${payerText(entry)} 입금을 되돌렸습니다.`);
    focusOn.current = entry;
  };
  const workByKeys = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as Element;
    const line = target.closest<HTMLElement>("tr[data-deposit]");
    const entry = rows.find(({ id }) => id === line?.dataset["deposit"]);
    const isTyped = event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey;
    if (!line || !entry || isTyped || target.closest("dialog, input, textarea, select")) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) focus(lines()[lines().indexOf(line) + step]);
    // A key that is held down decides one row.
    else if (event.key === "Backspace" && !event.repeat) takeBack(decisions.takeBackLast());
    else if (/^[\d=-]$/.test(event.key) && !event.repeat) {
      const person = payableOf(entry)[Number(event.key) - 1];
      if (!isUndecided(line)) setNotice("이미 정한 입금입니다.");
      else if (event.key === "0") decide(entry, NO_DUES);
      else if (event.key === "-") decide(entry, NO_DUES_ALIKE);
      else if (event.key === "=")
        if (hasNothingToPay(entry)) decide(entry, NOTHING_TO_PAY);
        else setNotice("낼 회비가 있거나 다른 점을 먼저 확인할 입금입니다.");
      else if (person) decide(entry, choiceOf(entry, person));
      else setNotice(`${event.key}번 후보가 없습니다. ‘다른 사람’에서 찾아 주십시오.`);
    } else return;
    event.preventDefault();
  };
  const { open, decided } = decisions;
  const owesNothing = open.find((entry) => hasNothingToPay(entry) && decisions.markOf(entry).decision === null);
  const isAllDecided = decided.length === open.length;
  useEffect(() => {
    // A refused decision is open again, after the last row was decided.
    if (isWorking.current && !isAllDecided) focus(lines().find(isUndecided));
  }, [isAllDecided]);
  return (
    <>
      {open.length > 0 && (
        <div className="mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-1 text-sm text-gray-70">
          <ul id="deposit-keys" aria-label="키보드" className="flex flex-wrap gap-x-4 gap-y-1 max-md:hidden">
            {KEYS.map(([key, act]) => (
              <li key={key}>
                <Key>{key}</Key> {act}
              </li>
            ))}
          </ul>
          <p role="status" className="tabular">
            {notice || `${formatCount(open.length)}건 가운데 ${formatCount(decided.length)}건을 정했습니다.`}
          </p>
          {owesNothing && (
            <Button size="sm" aria-keyshortcuts="=" onClick={() => decide(owesNothing, NOTHING_TO_PAY)}>
              낼 회비 없는 입금 모두 회비 아님
            </Button>
          )}
          {decided.length > 0 && (
            <Button size="sm" onClick={decisions.clear}>
              정한 입금 치우기
            </Button>
          )}
        </div>
      )}
      <Table caption="입금" cards>
        <TableHead>
          {["일시", "보낸분"].map((head) => (
            <Th key={head} className="md:px-3">
              {head}
            </Th>
          ))}
          <Th className="md:px-3 md:text-right">금액</Th>
          <Th className="md:px-3">제안</Th>
          <Th className="md:px-3">관리</Th>
        </TableHead>
        <tbody ref={body} onKeyDown={workByKeys}>
          {rows.map((entry) => (
            <DepositRow
              key={entry.id}
              entry={entry}
              mark={decisions.markOf(entry)}
              versionOf={() => decisions.versionOf(entry)}
              isOpened={opened?.id === entry.id}
              onToggle={() => {
                focusOn.current = entry;
                setOpened(opened?.id === entry.id ? null : entry);
              }}
              onDecide={(choice) => decide(entry, choice)}
              onTakeBack={() => {
                decisions.takeBack(entry);
                takeBack(entry);
              }}
            />
          ))}
        </tbody>
      </Table>
    </>
  );
}

const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded border border-gray-40 bg-gray-5 px-1.5 font-sans font-semibold text-gray-80">{children}</kbd>
);

interface DepositRowProps {
  entry: DepositEntry;
  mark: ReturnType<ReturnType<typeof useDepositDecisions>["markOf"]>;
  versionOf: () => number;
  isOpened: boolean;
  onToggle: () => void;
  onDecide: (choice: DepositChoice) => void;
  onTakeBack: () => void;
}

function DepositRow({ entry, mark, versionOf, isOpened, onToggle, onDecide, onTakeBack }: DepositRowProps) {
  const { id, paidDate, amount, allocated, isClosed, note, why, paidFor, isDoubted, related } = entry;
  const { decision, error } = mark;
  const isOpen = isOpenDeposit(entry);
  const isUndecided = isOpen && decision === null;
  const name = <span className="sr-only">{payerText(entry)} 입금: </span>;
  return (
    <>
      <tr data-deposit={id} data-is-open={isUndecided} className="focus-within:bg-primary-5">
        <Td className={`${CELL} whitespace-nowrap text-gray-70`}>
          <Time date={paidDate} format="datetime" />
        </Td>
        <th scope="row" className={`${CELL} border-b border-gray-20 px-4 py-3.5 text-left font-semibold md:max-w-60`}>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            {payerText(entry)}
            {isClosed && <Badge>회비 아님</Badge>}
            {entry.source === "hand" && <Badge tone="primary">직접 적음</Badge>}
            {isOpen && allocated > 0 && <Badge tone="warning">{formatWon(amount - allocated)} 남음</Badge>}
            {(isUndecided || isDoubted) && why && (
              <span className="text-sm font-normal text-warning-70">{ASK_REASON_LABELS[why]}</span>
            )}
          </span>
        </th>
        <Td className={`${CELL} font-semibold whitespace-nowrap md:text-right`}>{formatWon(amount)}</Td>
        <Td className={CELL}>
          {related && (
            <p className="tabular text-sm">
              {related.amount < 0 ? "돌려준 출금" : "이미 저장한 입금"}: {payerText(related)} ·{" "}
              {formatWon(Math.abs(related.amount))} · <Time date={related.when} format="datetime" />
            </p>
          )}
          {note && <p className="text-sm text-gray-70">{note}</p>}
          {paidFor.map(([alumniId, person, period, kind, paid, cause]) => (
            <p key={`${alumniId} ${period} ${kind} ${paid}`} className="tabular text-sm">
              {person || "지워진 사람"} · {period} {kind} · {formatWon(paid)} ({ALLOCATION_CAUSE_LABELS[cause]})
            </p>
          ))}
          {decision && (
            <span className="flex items-center gap-3 text-gray-70">
              {decision.isSaving ? "저장하고 있습니다." : decision.text}
            </span>
          )}
          {isUndecided && (
            <div className="flex flex-wrap gap-2">
              {payableOf(entry).map((person, at) => (
                <Button
                  key={person.id}
                  data-choice
                  size="sm"
                  className="max-w-full px-2.5!"
                  aria-keyshortcuts={`${at + 1}`}
                  onClick={() => onDecide(choiceOf(entry, person))}
                >
                  <kbd aria-hidden="true" className="text-gray-60 max-md:hidden">
                    {at + 1}
                  </kbd>
                  {name}
                  <CandidateText person={person} />
                </Button>
              ))}
              <Button
                data-choice
                size="sm"
                variant="quiet"
                className="px-2!"
                aria-expanded={isOpened}
                onClick={onToggle}
              >
                {name}다른 사람
              </Button>
            </div>
          )}
          <ErrorAlert className="mt-2">{error}</ErrorAlert>
        </Td>
        <Td className={CELL}>
          <div className="flex flex-wrap gap-2">
            {isUndecided && (
              <Button size="sm" className="px-2.5!" aria-keyshortcuts="0" onClick={() => onDecide(NO_DUES)}>
                <kbd aria-hidden="true" className="text-gray-60 max-md:hidden">
                  0
                </kbd>
                {name}회비 아님
              </Button>
            )}
            {isUndecided && payerKey(entry.payer) !== "" && (
              <Button
                size="sm"
                variant="quiet"
                className="px-2!"
                aria-keyshortcuts="-"
                onClick={() => onDecide(NO_DUES_ALIKE)}
              >
                <kbd aria-hidden="true" className="text-gray-60 max-md:hidden">
                  -
                </kbd>
                {name}같은 내용 모두
                <span className="sr-only"> 회비 아님</span>
              </Button>
            )}
            {decision && (
              <Button data-choice size="sm" onClick={onTakeBack}>
                {name}되돌리기
              </Button>
            )}
            {!decision && <StoredActs entry={entry} versionOf={versionOf} />}
          </div>
        </Td>
      </tr>
      {isUndecided && isOpened && (
        <tr>
          <Td
            colSpan={5}
            className="bg-gray-5"
            onKeyDown={({ key }) => {
              if (key === "Escape") onToggle();
            }}
          >
            <OtherPeople entry={entry} versionOf={versionOf} onDecide={onDecide} />
          </Td>
        </tr>
      )}
    </>
  );
}

/** The workplace tells namesakes apart. */
function CandidateText({ person: { name, cohort, affiliation, open } }: { person: DepositCandidate }) {
  return (
    <>
      <span className="font-semibold whitespace-nowrap">
        {name}
        {cohort !== null && ` ${cohort}기`}
      </span>
      {affiliation && <span className="max-w-32 min-w-0 truncate font-normal text-gray-70">{affiliation}</span>}
      <span className="tabular font-normal whitespace-nowrap">{formatWon(open)}</span>
    </>
  );
}
