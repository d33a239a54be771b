import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { errorMessage } from "#app/features/account/error-messages.ts";
import { attemptSignedIn } from "#app/features/form/action.tsx";
import { useSigninGate } from "#app/features/form/unsaved.ts";
import { api, callApi } from "#app/lib/api.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { DepositEntry } from "#worker/domain/alumni/dues/bank.server.ts";
import type { DepositCandidate } from "#worker/domain/alumni/dues/book.server.ts";

const calls = api.admin.due.deposit[":id"];

/** Without people the deposit pays no due. */
export interface DepositChoice {
  people: readonly Pick<DepositCandidate, "id" | "name">[];
  remember: boolean;
}

interface Decision {
  text: string;
  isSaving: boolean;
}

interface DepositMark {
  decision: Decision | null;
  error: string | null;
}

type Answer = { version: number };

export const isOpenDeposit = ({ isClosed, allocated, amount }: DepositEntry) => !isClosed && allocated < amount;

/** A row that was loaded again is undecided. */
const keyOf = ({ id, version }: DepositEntry) => `${id} ${version}`;

function choose({ id }: DepositEntry, { people, remember }: DepositChoice, version: number): Promise<Answer> {
  const param = { id };
  if (people.length === 0) return callApi(calls.state.$post({ param, json: { isClosed: true, version } }));
  const json = { people: people.map((person) => person.id), remember, version };
  return callApi(calls.allocate.$post({ param, json }));
}

function takeBackChoice({ id }: DepositEntry, { people }: DepositChoice, version: number): Promise<Answer> {
  const param = { id };
  return people.length === 0
    ? callApi(calls.state.$post({ param, json: { isClosed: false, version } }))
    : callApi(calls.release.$post({ param, json: { version } }));
}

const textOf = ({ people }: DepositChoice) =>
  people.length === 0
    ? "회비 아님으로 두었습니다."
    : `${people.map(({ name }) => name).join(", ")}님의 회비에 맞추었습니다.`;

/** Shows each decision at once, saves them in order, and loads the next deposits once all are decided. */
export function useDepositDecisions(entries: readonly DepositEntry[]) {
  const { revalidate } = useRevalidator();
  const askSignin = useSigninGate();
  const [marks, setMarks] = useState<Readonly<Record<string, DepositMark>>>({});
  const versions = useRef(new Map<string, number>());
  const saved = useRef(new Map<string, DepositChoice>());
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
  const decide = (entry: DepositEntry, choice: DepositChoice) => {
    const decision = { text: textOf(choice), isSaving: true };
    mark(entry, { decision, error: null });
    order.current.push(entry);
    send(
      entry,
      async (version) => {
        const answer = await choose(entry, choice, version);
        saved.current.set(entry.id, choice);
        mark(entry, { decision: { ...decision, isSaving: false }, error: null }, decision);
        return answer;
      },
      (error) => mark(entry, { decision: null, error }, decision),
    );
  };
  const takeBack = (entry: DepositEntry) => {
    const { decision } = markOf(entry);
    mark(entry, { decision: null, error: null });
    order.current = order.current.filter((each) => each !== entry);
    send(
      entry,
      async (version) => {
        const choice = saved.current.get(entry.id);
        if (!choice) return { version };
        const answer = await takeBackChoice(entry, choice, version);
        saved.current.delete(entry.id);
        // Shows a row that was loaded or partly paid before.
        if (!entries.includes(entry) || entry.allocated > 0) await revalidate();
        return answer;
      },
      (error) => mark(entry, { decision, error }, null),
    );
  };
  const open = entries.filter(isOpenDeposit);
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
