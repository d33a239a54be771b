import type { StoredDoubt } from "#worker/contract/alumni/dues/dues.ts";
import { type AskReason, type Pile, PILES } from "#worker/contract/alumni/dues/matches.ts";
import type { AppContext, View } from "#worker/domain/kernel/context.ts";
import { auditLook } from "../../kernel/audit-entry.server.ts";
import { compareWithAccount, isIn, type SentFile } from "./account.server.ts";
import { LOOK, readBook } from "./book.server.ts";
import { matchDeposits, UNKNOWN } from "./match.ts";
import type { BookPerson } from "./payer-book.ts";
import { authorizeDues } from "./work.server.ts";

type Doubt = Exclude<StoredDoubt, ""> | null;

/** Decides which new deposits of a file pay which dues. */
export async function makePlan(ctx: AppContext, sent: SentFile) {
  const { added, twins, ...account } = await compareWithAccount(ctx, sent);
  const refunds = account.refundsWith([]);
  const deposits = added.filter(isIn);
  const out = added.filter((row) => !isIn(row));
  const doubtOf = ({ id, doubt, isAlike }: (typeof added)[number]): Doubt =>
    doubt ?? (refunds.ofAdded.has(id) ? "refunded" : isAlike ? "twice" : null);
  const book = await readBook(ctx, deposits);
  const matches = matchDeposits(deposits, book, doubtOf);
  const planned = deposits.map((row, at) => ({
    ...row,
    match: matches[at] ?? UNKNOWN,
    doubt: doubtOf(row) ?? ("" as const),
    relatedId: refunds.ofAdded.get(row.id) ?? "",
  }));
  const decided = [
    planned.map(({ hash, match }) => [hash, match]),
    twins.map(({ at, twin }) => [at, twin.id]),
    out.map(({ hash }) => hash),
    refunds.ofStored.map(({ id }) => id),
  ];
  const fingerprint = ctx.tokens.hash("deposit-plan", JSON.stringify(decided));
  return { ...account, planned, twins, out, returned: refunds.ofStored, fingerprint, people: book.people };
}

type Plan = Awaited<ReturnType<typeof makePlan>>;

function plannedView(
  { at, moment, payer, amount, match }: Plan["planned"][number],
  names: ReadonlyMap<string, string>,
  fees: ReadonlySet<string>,
) {
  const { pile, cause, why } = match;
  const ofFee = match.allocations.some(({ dueId }) => fees.has(dueId)) ? " 참가비" : "";
  const people = match.people.flatMap((id) => (names.get(id) ?? []) + ofFee);
  return { at, when: moment.toISOString(), payer, amount, pile, cause, why, people, stored: null };
}

function twinView({ at, moment, payer, amount, twin }: Plan["twins"][number]) {
  const stored = { id: twin.id, when: twin.moment.toISOString(), payer: twin.payer, amount: twin.amount };
  const question = { pile: "twin" as Pile, cause: null, why: "twin" as AskReason, people: [] as string[] };
  return { at, when: moment.toISOString(), payer, amount, ...question, stored };
}

const namesOf = (people: readonly BookPerson[]) =>
  new Map(people.map(({ id, name, cohort }) => [id, cohort === null ? name : `${name}(${cohort}기)`]));

/** The piles of a bank's file; writes nothing. Needs Dues_Manage. */
export async function planDeposits(ctx: AppContext, sent: SentFile) {
  authorizeDues(ctx);
  const { planned, twins, out, returned, fingerprint, people, gaps } = await makePlan(ctx, sent);
  const names = namesOf(people);
  const fees = new Set(people.flatMap((person) => person.fees.map(({ id }) => id)));
  const rows = [...planned.map((row) => plannedView(row, names, fees)), ...twins.map((row) => twinView(row))];
  const deposits = rows.filter(isIn);
  const countOf = (which: Pile) => rows.filter(({ pile }) => pile === which).length;
  auditLook(ctx, LOOK, [...new Set(planned.flatMap(({ match }) => match.people))]);
  return {
    fingerprint,
    stored: sent.rows.length - deposits.length,
    withdrawals: sent.withdrawals.length,
    newWithdrawals: out.length,
    returned: returned.length,
    gaps,
    counts: Object.fromEntries(PILES.map((pile) => [pile, countOf(pile)])) as Record<Pile, number>,
    rows: rows.toSorted((a, b) => a.at - b.at),
  };
}

export type DepositPlan = View<typeof planDeposits>;
