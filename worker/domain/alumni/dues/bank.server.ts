import { desc, eq, type SQL, sql } from "drizzle-orm";
import { columnsOf } from "#db/sql.ts";
import { deposit, dueWork } from "#db/schema/alumni-dues.ts";
import type * as input from "#worker/contract/alumni/dues/due-input.ts";
import type { AllocationCause } from "#worker/contract/alumni/dues/dues.ts";
import {
  type BookPerson,
  type DepositAllocation,
  type MatchBook,
  matchDeposits,
  nameParts,
  oldestDues,
  type OpenDue,
  payerKey,
  type Pile,
  sharedDues,
  UNKNOWN,
} from "#worker/contract/alumni/dues/match.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { groupedBy } from "#worker/contract/kernel/grouped-by.ts";
import { koreanDateTime, koreanDay, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { PERSON_STATES } from "#worker/contract/mail/letters.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { audit, auditLook, auditPeople } from "../../kernel/audit-entry.server.ts";
import { requireSignedIn } from "../../kernel/authorize.server.ts";
import { type BatchGuard, type BatchPart, conflict, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../../kernel/idempotency.server.ts";
import { jsonArrays } from "../../kernel/json-arrays.ts";
import { unchangedRow } from "../../kernel/ordered-rows.server.ts";
import { countRows, makeCountedPage, rowsOfPage } from "../../kernel/page.server.ts";
import { storeAddedRows } from "../deed/deed-tables.server.ts";
import { namedLike } from "../filter.server.ts";
import { authorizeDues, recountStatements } from "./work.server.ts";

const OPEN = sql.raw("is_exempt = 0 AND paid < amount");

const listOf = (values: readonly string[]) => sql`SELECT value AS id FROM json_each(${JSON.stringify(values)})`;

const sumOf = (parts: readonly { amount: number }[]) => parts.reduce((sum, { amount }) => sum + amount, 0);

type PersonRow = Omit<BookPerson, "isActive" | "dues"> & { isActive: number; dues: string };

/** People with what they owe, the oldest first. @param ids a query of `id` */
async function readPeople(ctx: AppContext, ids: SQL): Promise<BookPerson[]> {
  const rows = await ctx.db.all<PersonRow>(sql`SELECT a.id, a.name, a.cohort, a.affiliation,
      substr(a.mobile, -4) AS mobileTail, a.state = ${PERSON_STATES[0]} AS isActive,
      (SELECT json_group_array(json_object('id', id, 'year', substr(period, 1, 4), 'open', amount - paid)) FROM
        (SELECT * FROM due WHERE alumni_id = a.id AND ${OPEN} ORDER BY period)) AS dues
    FROM alumni a WHERE a.deleted_date IS NULL AND a.id IN (${ids}) ORDER BY a.name, a.id`);
  return rows.map(({ isActive, dues, ...row }) => ({
    ...row,
    isActive: isActive === 1,
    dues: JSON.parse(dues) as OpenDue[],
  }));
}

const payerHash = (ctx: AppContext, payer: string) => ctx.tokens.hash("due-payer", payerKey(payer));

/** People who owe, people whose name is in a payer's text, and remembered ones. */
async function readBook(ctx: AppContext, deposits: readonly { payer: string }[]): Promise<MatchBook> {
  if (deposits.length === 0) return { people: [], remembered: () => [] };
  const payers = deposits.map(({ payer }) => payer);
  const hashes = listOf([...new Set(payers.map((payer) => payerHash(ctx, payer)))]);
  const named = jsonArrays([...new Set(payers.flatMap(nameParts))]).map(
    (json) => sql`UNION SELECT n.id FROM json_each(${json}) p
      CROSS JOIN alumni n ON lower(replace(n.name, ' ', '')) = p.value AND n.deleted_date IS NULL`,
  );
  const ids = sql`SELECT alumni_id AS id FROM due WHERE ${OPEN}
    UNION SELECT alumni_id FROM due_payer WHERE payer IN (${hashes}) ${sql.join(named, sql` `)}`;
  const [people, rows] = await Promise.all([
    readPeople(ctx, ids),
    ctx.db.all<{ payer: string; id: string }>(
      sql`SELECT payer, alumni_id AS id FROM due_payer WHERE payer IN (${hashes})`,
    ),
  ]);
  const known = groupedBy(rows, ({ payer }) => payer);
  return { people, remembered: (payer) => (known.get(payerHash(ctx, payer)) ?? []).map(({ id }) => id) };
}

const inKorea = <T extends { when: Date }>(row: T) => ({ ...row, when: koreanDateTime(row.when) });

/** Hashes are equal for the same row in two files; identical rows of one file are counted. */
async function makePlan(ctx: AppContext, { rows, withdrawals }: Parsed<typeof input.planDepositsInput>) {
  const seen = new Map<string, number>();
  const hashed = rows.map((row) => {
    const text = JSON.stringify([row.when.getTime(), row.payer, row.amount, row.balance]);
    const nth = seen.get(text) ?? 0;
    seen.set(text, nth + 1);
    return { ...row, hash: ctx.tokens.hash("deposit", `${text} ${nth}`) };
  });
  const hashes = listOf(hashed.map(({ hash }) => hash));
  const stored = await ctx.db.all<{ hash: string }>(sql`SELECT hash FROM deposit WHERE hash IN (${hashes})`);
  const known = new Set(stored.map(({ hash }) => hash));
  const fresh = hashed.filter(({ hash }) => !known.has(hash));
  const book = await readBook(ctx, fresh);
  const matches = matchDeposits({ deposits: fresh.map(inKorea), withdrawals: withdrawals.map(inKorea) }, book);
  const planned = fresh.map((row, at) => ({ ...row, id: crypto.randomUUID(), match: matches[at] ?? UNKNOWN }));
  const fingerprint = ctx.tokens.hash("deposit-plan", JSON.stringify(planned.map(({ hash, match }) => [hash, match])));
  return { planned, fingerprint, people: book.people };
}

const candidateView = ({ id, name, cohort, affiliation, dues }: BookPerson) => {
  const open = dues.reduce((sum, due) => sum + due.open, 0);
  return { id, name, cohort, affiliation, open };
};

export type DepositCandidate = ReturnType<typeof candidateView>;

const LOOK = { action: "deposit.list", targetType: "deposit" } as const;

/** The piles of a bank's file; writes nothing. Needs Dues_Manage. */
export async function planDeposits(ctx: AppContext, sent: Parsed<typeof input.planDepositsInput>) {
  authorizeDues(ctx);
  const { planned, fingerprint, people } = await makePlan(ctx, sent);
  const names = new Map(people.map(({ id, name, cohort }) => [id, cohort === null ? name : `${name}(${cohort}기)`]));
  const countOf = (pile: Pile) => planned.filter(({ match }) => match.pile === pile).length;
  auditLook(ctx, LOOK, [...new Set(planned.flatMap(({ match }) => match.people))]);
  return {
    fingerprint,
    stored: sent.rows.length - planned.length,
    withdrawals: sent.withdrawals.length,
    counts: { sure: countOf("sure"), ask: countOf("ask"), unknown: countOf("unknown") },
    rows: planned.map(({ when, payer, amount, match: { pile, cause, why, people: ids } }) => {
      const shown = { when: when.toISOString(), payer, amount, pile, cause, why };
      return { ...shown, people: ids.flatMap((id) => names.get(id) ?? []) };
    }),
  };
}

export type DepositPlan = View<typeof planDeposits>;

type NewAllocation = DepositAllocation & { depositId: string; cause: AllocationCause };

const byHand = (depositId: string, parts: readonly DepositAllocation[]) =>
  parts.map((part) => ({ ...part, depositId, cause: "person" as const }));

function payStatements(ctx: AppContext, allocations: readonly NewAllocation[], ofDeposits: SQL) {
  const rows = allocations.map((each) => [crypto.randomUUID(), each.depositId, each.dueId, each.amount, each.cause]);
  return [
    ctx.db.run(sql`INSERT INTO due_allocation (id, deposit_id, due_id, amount, cause, user_id, created_date)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, ${requireSignedIn(ctx).userId}, ${ctx.now().getTime()}
      FROM json_each(${JSON.stringify(rows)})`),
    ...recountStatements(ctx, ofDeposits),
  ];
}

/** Holds while the dues are open by as much as they were read. */
function duesUnchanged(people: readonly BookPerson[], allocations: readonly DepositAllocation[]): BatchGuard {
  const paid = new Set(allocations.map(({ dueId }) => dueId));
  const dues = people.flatMap((person) => person.dues.flatMap(({ id, open }) => (paid.has(id) ? [[id, open]] : [])));
  return {
    holds: sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(dues)}) g LEFT JOIN due d ON d.id = g.value ->> 0
      AND d.is_exempt = 0 WHERE coalesce(d.amount - d.paid, 0) <> g.value ->> 1)`,
    error: () => conflict("그사이 회비가 바뀌었습니다. 다시 확인해 주십시오."),
  };
}

const peopleOf = (ofDeposit: SQL) => ({
  ids: sql`SELECT DISTINCT alumni_id AS id FROM due WHERE id IN (SELECT due_id FROM due_allocation WHERE ${ofDeposit})`,
});

/**
 * Stores every new deposit of a bank's file and pays what is sure. Needs Dues_Manage. @throws AppError CONFLICT if the
 * plan changed since the office saw it
 */
export async function commitDeposits(ctx: AppContext, sent: Parsed<typeof input.commitDepositsInput>) {
  authorizeDues(ctx);
  const { planned, fingerprint, people } = await makePlan(ctx, sent);
  const isSure = planned.filter(({ match }) => match.cause !== null);
  const counts = { added: planned.length, matched: isSure.length };
  if (planned.length === 0) return { ...counts, workId: "" };
  const stale = () => conflict("그사이 회비나 입금이 바뀌었습니다. 파일을 다시 확인해 주십시오.");
  if (fingerprint !== sent.fingerprint) throw stale();
  const allocations = isSure.flatMap(({ id, match: { cause, allocations: parts } }) =>
    cause ? parts.map((part) => ({ ...part, depositId: id, cause })) : [],
  );
  const rows = planned.map((row) => [row.id, row.when.getTime(), row.payer, row.amount, row.balance, row.hash]);
  const workId = crypto.randomUUID();
  const { userId } = requireSignedIn(ctx);
  const createdDate = ctx.now();
  const ofWork = sql`deposit_id IN (SELECT id FROM deposit WHERE work_id = ${workId})`;
  const detail = { count: planned.length, matched: isSure.length };
  const entry = { action: "deposit.import", targetType: "dueWork", targetId: workId, detail } as const;
  const isNew = sql`NOT EXISTS (SELECT 1 FROM deposit WHERE hash IN (${listOf(planned.map(({ hash }) => hash))}))`;
  const guards = [{ holds: isNew, error: stale }, duesUnchanged(people, allocations)];
  await runGuardedBatch(ctx, guards, [
    ctx.db.insert(dueWork).values({ id: workId, kind: "bank", name: sent.fileName, userId, createdDate, ...counts }),
    ctx.db.run(sql`INSERT INTO deposit (id, source, paid_date, payer, amount, balance, hash, work_id, created_date)
      SELECT value ->> 0, 'bank', value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, ${workId}, ${createdDate.getTime()}
      FROM json_each(${JSON.stringify(rows)})`),
    ...payStatements(ctx, allocations, ofWork),
    ...storeAddedRows(ctx, workId, { deposit: sql`t.work_id = ${workId}`, allocation: ofWork }),
    ...auditPeople(ctx, entry, peopleOf(ofWork)),
  ]);
  return { ...counts, workId };
}

const PAID_FOR = sql<string>`(SELECT json_group_array(json_array(d.alumni_id, coalesce(p.name, ''), d.period, coalesce(k.name, ''), x.amount, x.cause))
  FROM due_allocation x JOIN due d ON d.id = x.due_id LEFT JOIN alumni p ON p.id = d.alumni_id LEFT JOIN due_kind k ON k.id = d.kind_id
  WHERE x.deposit_id = deposit.id)`;
type PaidFor = [alumniId: string, name: string, period: string, kind: string, amount: number, cause: AllocationCause];

/** Deposits with what they paid; open ones with candidates. Needs Dues_Manage. */
export async function listDeposits(scope: RequestScope, query: Parsed<typeof input.listDepositsQuery>) {
  const states = { open: sql`is_closed = 0 AND allocated < amount`, closed: sql`is_closed = 1`, all: sql`1` };
  const where = sql`${states[query.state ?? "open"]} AND instr(payer, ${query.payer ?? ""})`;
  const columns = columnsOf(deposit, "id", "source", "paidDate", "payer", "amount", "allocated", "isClosed", "note");
  const all = scope.db
    .select({ ...columns, version: deposit.version, paidFor: PAID_FOR })
    .from(deposit)
    .where(where)
    .orderBy(desc(deposit.paidDate), desc(deposit.id));
  const statements = [rowsOfPage(all, query), countRows(scope.db, deposit, where)] as const;
  const { ctx, rows } = await scope.readFor(authorizeDues, statements);
  const [found, counts] = rows;
  const isOpen = ({ isClosed, amount, allocated }: (typeof found)[number]) => !isClosed && allocated < amount;
  const book = await readBook(ctx, found.filter(isOpen));
  const content = found.map((row) => {
    const rest = { ...inKorea({ when: row.paidDate }), payer: row.payer, amount: row.amount - row.allocated };
    // Each alone, as only the office decides here.
    const [guess = UNKNOWN] = isOpen(row) ? matchDeposits({ deposits: [rest], withdrawals: [] }, book) : [];
    const candidates = guess.people.flatMap((id) => book.people.filter((person) => person.id === id));
    return {
      ...row,
      paidDate: row.paidDate.toISOString(),
      paidFor: JSON.parse(row.paidFor) as PaidFor[],
      why: guess.why,
      candidates: candidates.map(candidateView),
    };
  });
  const seen = content.flatMap(({ candidates, paidFor }) => [...candidates, ...paidFor.map(([id]) => ({ id }))]);
  auditLook(ctx, LOOK, [...new Set(seen.map(({ id }) => id))]);
  return makeCountedPage(query, content, counts);
}

export type DepositEntry = View<typeof listDeposits>["content"][number];

/** The first twenty people with a part of their name. Needs Dues_Manage. */
export async function findPayers(ctx: AppContext, { name }: Parsed<typeof input.findPayersQuery>) {
  authorizeDues(ctx);
  const people = await readPeople(ctx, sql`${namedLike(name)} ORDER BY alumni.name, alumni.id LIMIT 20`);
  auditLook(ctx, LOOK, people);
  return people.map(candidateView);
}

/** @throws AppError NOT_FOUND, CONFLICT for another version */
async function requireDeposit(ctx: AppContext, id: string, version: number) {
  const [found] = await ctx.db.select().from(deposit).where(eq(deposit.id, id));
  if (!found) throw new AppError("NOT_FOUND", { message: "입금을 찾을 수 없습니다." });
  if (found.version !== version) throw conflict();
  return { ...found, left: found.amount - found.allocated };
}

type Seen = { id: string; version: number };

/** Changes a deposit that is as the office saw it. */
async function changeDeposit(ctx: AppContext, { id, version }: Seen, parts: BatchPart[], guards: BatchGuard[] = []) {
  const next = ctx.db
    .update(deposit)
    .set({ version: version + 1 })
    .where(eq(deposit.id, id));
  await runGuardedBatch(ctx, [unchangedRow(deposit, id, version), ...guards], [...parts, next]);
  return { version: version + 1 };
}

const entryOf = (targetId: string, detail: Record<string, unknown>) =>
  ({ action: "deposit.allocate", targetType: "deposit", targetId, detail }) as const;

/** A payer is remembered only with more or other people than the text names. */
function rememberStatements(ctx: AppContext, payer: string, people: readonly BookPerson[]) {
  const key = payerKey(payer);
  if (key === "" || (people.length === 1 && people.every(({ name }) => key.includes(payerKey(name))))) return [];
  const hash = payerHash(ctx, payer);
  return [
    ctx.db.run(sql`DELETE FROM due_payer WHERE payer = ${hash}`),
    ctx.db.run(sql`INSERT INTO due_payer (payer, alumni_id, used_date)
      SELECT ${hash}, id, ${ctx.now().getTime()} FROM (${listOf(people.map(({ id }) => id))})`),
  ];
}

/**
 * Pays dues of people with what is left of a deposit, exactly or the oldest first. Needs Dues_Manage. @throws AppError
 * NOT_FOUND, CONFLICT if nothing is left or owed
 */
export async function allocateDeposit(ctx: AppContext, id: string, sent: Parsed<typeof input.allocateDepositInput>) {
  authorizeDues(ctx);
  const found = await requireDeposit(ctx, id, sent.version);
  const { left, payer } = found;
  if (found.isClosed || left <= 0) throw conflict("이미 맞추었거나 회비가 아닌 입금입니다.");
  const people = await readPeople(ctx, listOf(sent.people));
  const dues = people.flatMap((person) => person.dues).toSorted((a, b) => Number(a.year) - Number(b.year));
  const parts = sharedDues(people, left) ?? oldestDues(dues, left);
  if (parts.length === 0) throw conflict("고른 사람에게 낼 회비가 없습니다.");
  const statements = [
    ...payStatements(ctx, byHand(id, parts), sql`deposit_id = ${id}`),
    ...(sent.remember ? rememberStatements(ctx, payer, people) : []),
    ...auditPeople(ctx, entryOf(id, {}), people),
  ];
  return changeDeposit(ctx, found, statements, [duesUnchanged(people, parts)]);
}

/** Takes back what a deposit paid. Needs Dues_Manage. @throws AppError NOT_FOUND, CONFLICT if it paid nothing */
export async function releaseDeposit(ctx: AppContext, id: string, version: number) {
  authorizeDues(ctx);
  const found = await requireDeposit(ctx, id, version);
  if (found.allocated === 0) throw conflict("맞춘 회비가 없는 입금입니다.");
  const ofDeposit = sql`deposit_id = ${id}`;
  return changeDeposit(ctx, found, [
    ...auditPeople(ctx, entryOf(id, { released: true }), peopleOf(ofDeposit)),
    ...recountStatements(ctx, ofDeposit, sql`NOT (${ofDeposit})`),
    ctx.db.run(sql`DELETE FROM due_allocation WHERE ${ofDeposit}`),
  ]);
}

/** Decides whether the rest of a deposit pays no due. Needs Dues_Manage. @throws AppError NOT_FOUND, CONFLICT */
export async function setDepositClosed(ctx: AppContext, id: string, sent: Parsed<typeof input.depositStateInput>) {
  authorizeDues(ctx);
  const { isClosed } = sent;
  const found = await requireDeposit(ctx, id, sent.version);
  if (found.isClosed === isClosed || found.left <= 0) throw conflict("이미 그렇게 둔 입금이거나 남은 돈이 없습니다.");
  const next = { isClosed, note: isClosed ? sent.note : "" };
  return changeDeposit(ctx, found, [
    ctx.db.update(deposit).set(next).where(eq(deposit.id, id)),
    audit(ctx, entryOf(id, { isClosed })),
  ]);
}

/**
 * Records cash, or money on another account, and pays the oldest dues. Needs Dues_Manage. @throws AppError
 * NOT_FOUND, CONFLICT if nothing is owed, INVALID_INPUT
 */
export async function recordPayment(ctx: AppContext, sent: Parsed<typeof input.recordPaymentInput>) {
  authorizeDues(ctx);
  const { alumniId, amount, day, note } = sent;
  if (day > koreanDay(ctx.now())) throw invalidInput({ day: "받은 날은 오늘까지 적을 수 있습니다." });
  const [person] = await readPeople(ctx, listOf([alumniId]));
  if (!person) throw new AppError("NOT_FOUND", { message: "사람을 찾을 수 없습니다." });
  const parts = oldestDues(person.dues, amount);
  if (parts.length === 0) throw conflict("낼 회비가 없는 사람입니다.");
  if (sumOf(parts) < amount) throw invalidInput({ amount: "금액이 낼 회비보다 많습니다." });
  const id = crypto.randomUUID();
  const row = { id, source: "hand" as const, payer: person.name, amount, note, workId: "" };
  const moments = { paidDate: startOfKoreanDay(day), createdDate: ctx.now() };
  const statements = [
    ctx.db.insert(deposit).values({ ...row, ...moments, hash: ctx.tokens.hash("deposit", id) }),
    ...payStatements(ctx, byHand(id, parts), sql`deposit_id = ${id}`),
    ...auditPeople(ctx, { action: "deposit.record", targetType: "deposit", targetId: id }, [person]),
    ...storeIdempotentAnswer(ctx, { id }),
  ];
  await runGuardedBatch(ctx, [duesUnchanged([person], parts)], statements);
  return { id };
}
