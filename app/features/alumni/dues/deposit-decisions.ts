import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { errorMessage } from "#app/features/account/error-messages.ts";
import { attemptSignedIn } from "#app/features/form/action.tsx";
import { useSigninGate } from "#app/features/form/unsaved.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { payerKey } from "#worker/contract/alumni/dues/payer.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { DepositEntry } from "#worker/domain/alumni/dues/bank.server.ts";
import type { DepositCandidate } from "#worker/domain/alumni/dues/book.server.ts";

const calls = api.admin.due.deposit[":id"];

/** Without people the deposit pays no due. */
export interface DepositChoice {
  people: readonly Pick<DepositCandidate, "id" | "name">[];
  remember: boolean;
  /** All deposits with the payer's text, also of later files, or all of people without dues. */
  alike?: "text" | "withoutDues";
}

interface Decision {
  text: string;
  isSaving: boolean;
  /** The decided row, then those with the same text. */
  entries: readonly [DepositEntry, ...DepositEntry[]];
}

interface DepositMark {
  decision: Decision | null;
  error: string | null;
}

type Answer = { version: number };

interface SavedChoice {
  choice: DepositChoice;
  /** Of all deposits with the text. */
  work?: { workId: string; count: number };
}

export const isOpenDeposit = ({ isClosed, allocated, amount }: DepositEntry) => !isClosed && allocated < amount;

export const hasNothingToPay = ({ why }: DepositEntry) => why === "paid";

/** A row that was loaded again is undecided. */
const keyOf = ({ id, version }: DepositEntry) => `${id} ${version}`;

async function choose(
  { id }: DepositEntry,
  { people, remember, alike }: DepositChoice,
  version: number,
): Promise<Answer & Pick<SavedChoice, "work">> {
  const param = { id };
  if (alike) {
    const json = { version, withoutDues: alike === "withoutDues" };
    const work = await callApi(calls.alike.$post({ param, json }));
    return { version: version + 1, work };
  }
  if (people.length === 0) return callApi(calls.state.$post({ param, json: { isClosed: true, version } }));
  const json = { people: people.map((person) => person.id), remember, version };
  return callApi(calls.allocate.$post({ param, json }));
}

async function takeBackChoice(
  { id }: DepositEntry,
  { choice: { people }, work }: SavedChoice,
  version: number,
): Promise<Answer> {
  const param = { id };
  if (work) {
    await callApi(api.admin.due.work[":id"].undo.$post({ param: { id: work.workId }, json: {} }));
    return { version: version + 1 };
  }
  return people.length === 0
    ? callApi(calls.state.$post({ param, json: { isClosed: false, version } }))
    : callApi(calls.release.$post({ param, json: { version } }));
}

const textOf = ({ choice: { people, alike }, work }: SavedChoice) =>
  work && alike === "withoutDues"
    ? `낼 회비가 없는 입금 ${formatCount(work.count)}건을 회비 아님으로 두었습니다.`
    : work
      ? `같은 내용 ${formatCount(work.count)}건을 회비 아님으로 두고 기억하였습니다.`
      : people.length === 0
        ? "회비 아님으로 두었습니다."
        : `${people.map(({ name }) => name).join(", ")}님의 회비에 맞추었습니다.`;

/** Shows each decision at once, saves them in order, and loads the next deposits once all are decided. */
export function useDepositDecisions(entries: readonly DepositEntry[]) {
  const { revalidate } = useRevalidator();
  const askSignin = useSigninGate();
  const [marks, setMarks] = useState<Readonly<Record<string, DepositMark>>>({});
  const versions = useRef(new Map<string, number>());
  const saved = useRef(new Map<string, SavedChoice>());
  const order = useRef<DepositEntry[]>([]);
  const queue = useRef(Promise.resolve());
  const markOf = (entry: DepositEntry): DepositMark => marks[keyOf(entry)] ?? { decision: null, error: null };
  /** @param expected the decision that is still shown, as another may have followed */
  const mark = (entry: DepositEntry, next: DepositMark, expected?: Decision | null) =>
    setMarks((all) =>
      expected !== undefined && (all[keyOf(entry)]?.decision ?? null) !== expected
        ? all
        : { ...all, [keyOf(entry)]: next },
    );
  const versionOf = ({ id, version }: DepositEntry) => Math.max(version, versions.current.get(id) ?? 0);
  const send = (entry: DepositEntry, act: (version: number) => Promise<Answer>, onFailure: (error: string) => void) => {
    const before = queue.current;
    queue.current = (async () => {
      await before;
      try {
        const { version } = await attemptSignedIn(() => act(versionOf(entry)), askSignin);
        versions.current.set(entry.id, version);
      } catch (thrown) {
        onFailure(errorMessage(thrown));
        if (thrown instanceof AppError && (thrown.code === "CONFLICT" || thrown.code === "NOT_FOUND"))
          await revalidate();
      }
    })();
  };
  const open = entries.filter(isOpenDeposit);
  const isAlike = (entry: DepositEntry, other: DepositEntry, by: DepositChoice["alike"]) =>
    by === "withoutDues" ? hasNothingToPay(other) : payerKey(entry.payer) === payerKey(other.payer);
  /** @returns the rows that are decided with it */
  const decide = (entry: DepositEntry, choice: DepositChoice): readonly DepositEntry[] => {
    const { alike } = choice;
    const others = alike
      ? open.filter((each) => each !== entry && markOf(each).decision === null && isAlike(entry, each, alike))
      : [];
    const decision: Decision = { text: "", isSaving: true, entries: [entry, ...others] };
    const markAll = (next: Decision | null, error: string | null = null, expected?: Decision) => {
      for (const each of decision.entries)
        mark(each, { decision: next, error: each === entry ? error : null }, expected);
    };
    markAll(decision);
    order.current.push(entry);
    send(
      entry,
      async (version) => {
        const answer = await choose(entry, choice, version);
        const { work } = answer;
        saved.current.set(entry.id, { choice, ...(work && { work }) });
        for (const each of others) versions.current.set(each.id, versionOf(each) + 1);
        markAll({ ...decision, text: textOf({ choice, ...(work && { work }) }), isSaving: false }, null, decision);
        return answer;
      },
      (error) => markAll(null, error, decision),
    );
    return decision.entries;
  };
  const takeBack = (which: DepositEntry) => {
    const { decision } = markOf(which);
    const [entry] = decision?.entries ?? [which];
    for (const each of decision?.entries ?? [entry]) mark(each, { decision: null, error: null });
    order.current = order.current.filter((each) => each !== entry);
    send(
      entry,
      async (version) => {
        const choice = saved.current.get(entry.id);
        if (!choice) return { version };
        const answer = await takeBackChoice(entry, choice, version);
        saved.current.delete(entry.id);
        // Shows a row that was loaded or partly paid before, and others with its text.
        if (choice.work || !entries.includes(entry) || entry.allocated > 0) await revalidate();
        return answer;
      },
      (error) => {
        for (const each of decision?.entries ?? [entry]) mark(each, { decision, error }, null);
      },
    );
  };
  const decided = open.filter((entry) => markOf(entry).decision !== null);
  const isDone = open.length > 0 && open.every((entry) => markOf(entry).decision?.isSaving === false);
  useEffect(() => {
    if (isDone) void revalidate();
  }, [isDone, revalidate]);
  return {
    open,
    decided,
    markOf,
    versionOf,
    decide,
    takeBack,
    clear: () => void revalidate(),
    /** The last decision that was not taken back. */
    takeBackLast: (): DepositEntry | undefined => {
      const last = order.current.at(-1);
      if (last) takeBack(last);
      return last;
    },
  };
}
