import { desc, eq, type SQL, sql } from "drizzle-orm";
import { columnsOf } from "#db/sql.ts";
import { deposit } from "#db/schema/alumni-dues.ts";
import type * as input from "#worker/contract/alumni/dues/due-input.ts";
import type { AllocationCause, StoredDoubt } from "#worker/contract/alumni/dues/dues.ts";
import { payerKey } from "#worker/contract/alumni/dues/payer.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { koreanDay, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { audit, auditLook, auditPeople } from "../../kernel/audit-entry.server.ts";
import { type BatchGuard, type BatchPart, conflict, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../../kernel/idempotency.server.ts";
import { unchangedRow } from "../../kernel/ordered-rows.server.ts";
import { countRows, makeCountedPage, rowsOfPage } from "../../kernel/page.server.ts";
import { namedLike } from "../filter.server.ts";
import {
  candidateView,
  duesUnchanged,
  inKorea,
  listOf,
  LOOK,
  payerHash,
  payStatements,
  peopleOf,
  readBook,
  readDuePeople,
  readPayers,
} from "./book.server.ts";
import { type DepositAllocation, oldestDues, sharedDues } from "./due-amounts.ts";
import { guessPayers } from "./match.ts";
import { NOBODY, type Payer, payersOf } from "./payer-book.ts";
import { authorizeDues, kindNameSql, recountStatements } from "./work.server.ts";

const sumOf = (parts: readonly { amount: number }[]) => parts.reduce((sum, { amount }) => sum + amount, 0);

const byHand = (depositId: string, parts: readonly DepositAllocation[]) =>
  parts.map((part) => ({ ...part, depositId, cause: "person" as const }));

const PAID_FOR = sql<string>`(SELECT json_group_array(json_array(d.alumni_id, coalesce(p.name, iif(d.alumni_id = d.id, d.name, '')), d.period, ${kindNameSql("d")}, x.amount, x.cause))
  FROM due_allocation x JOIN due d ON d.id = x.due_id LEFT JOIN alumni p ON p.id = d.alumni_id
  WHERE x.deposit_id = deposit.id)`;
type PaidFor = [alumniId: string, name: string, period: string, kind: string, amount: number, cause: AllocationCause];

const ofRelated = (what: string) => sql.raw(`(SELECT ${what} FROM deposit r WHERE r.id = deposit.related_id)`);
const RELATED = sql<
  string | null
>`${ofRelated("json_object('when', r.paid_date, 'payer', r.payer, 'amount', r.amount)")}`;
type Related = { when: number; payer: string; amount: number };

/** A question about a deposit or withdrawal that is gone is none. */
const IS_DOUBTED = sql<number>`(doubt <> '' AND (related_id = '' OR EXISTS ${ofRelated("1")}))`;

export const IS_WAITING = sql`is_closed = 0 AND allocated < amount`;

const DEPOSIT_STATES = {
  open: sql`(${IS_WAITING} OR ${IS_DOUBTED})`,
  closed: sql`is_closed = 1`,
  all: sql`amount > 0`,
  out: sql`amount < 0`,
};

const LISTED = ["id", "source", "paidDate", "payer", "amount", "allocated", "isClosed", "note", "version"] as const;

const depositRows = (db: AppContext["db"], where: SQL) =>
  db
    .select({
      ...columnsOf(deposit, ...LISTED),
      doubt: sql<StoredDoubt>`iif(${IS_DOUBTED}, doubt, '')`.as("open_doubt"),
      paidFor: PAID_FOR,
      related: RELATED,
    })
    .from(deposit)
    .where(where)
    .orderBy(desc(deposit.paidDate), desc(deposit.id));

export const openDepositsStatement = (db: AppContext["db"]) => countRows(db, deposit, DEPOSIT_STATES.open);

type DepositRow = Awaited<ReturnType<typeof depositRows>>[number];

const isOpen = ({ isClosed, amount, allocated }: DepositRow) => !isClosed && allocated < amount;

/** What is left of a deposit, to find who paid it. */
const leftOf = ({
  paidDate,
  payer,
  amount,
  allocated,
}: Pick<DepositRow, "paidDate" | "payer" | "amount" | "allocated">) => ({
  ...inKorea({ when: paidDate }),
  payer,
  amount: amount - allocated,
});

function depositView({ doubt, related, paidFor, paidDate, ...row }: DepositRow) {
  const other = related === null || doubt === "" ? null : (JSON.parse(related) as Related);
  return {
    ...row,
    paidDate: paidDate.toISOString(),
    paidFor: JSON.parse(paidFor) as PaidFor[],
    isDoubted: doubt !== "",
    related: other && { ...other, when: new Date(other.when).toISOString() },
  };
}

/** Deposits with what they paid; open ones with candidates. Needs Dues_Manage. */
export async function listDeposits(scope: RequestScope, query: Parsed<typeof input.listDepositsQuery>) {
  const where = sql`${DEPOSIT_STATES[query.state ?? "open"]} AND instr(payer, ${query.payer ?? ""})`;
  const statements = [rowsOfPage(depositRows(scope.db, where), query), countRows(scope.db, deposit, where)] as const;
  const { ctx, rows } = await scope.readFor(authorizeDues, statements);
  const [found, counts] = rows;
  const book = await readBook(ctx, found.filter(isOpen));
  const byId = new Map(book.people.map((person) => [person.id, person]));
  const guessOf = guessPayers(book);
  const content = found.map((row) => {
    const guess = isOpen(row) ? guessOf(leftOf(row)) : null;
    const candidates = (guess?.people ?? [])
      .flatMap((id) => byId.get(id) ?? [])
      .flatMap(payersOf)
      .map(candidateView);
    return { ...depositView(row), why: row.doubt === "" ? (guess?.why ?? null) : row.doubt, candidates };
  });
  const seen = content.flatMap(({ candidates, paidFor }) => [...candidates, ...paidFor.map(([id]) => ({ id }))]);
  auditLook(ctx, LOOK, [...new Set(seen.map(({ id }) => id))]);
  return makeCountedPage(query, content, counts);
}

export type DepositEntry = View<typeof listDeposits>["content"][number];

/** Waiting deposits of people who have nothing to pay, without those that are doubted for another reason. */
export async function depositsWithoutDues(ctx: AppContext): Promise<string[]> {
  const rows = await ctx.db
    .select(columnsOf(deposit, "id", "paidDate", "payer", "amount", "allocated"))
    .from(deposit)
    .where(sql`${IS_WAITING} AND NOT ${IS_DOUBTED}`);
  const guessOf = guessPayers(await readBook(ctx, rows));
  return rows.filter((row) => guessOf(leftOf(row)).why === "paid").map(({ id }) => id);
}

/** The first twenty people with a part of their name. Needs Dues_Manage. */
export async function findPayers(ctx: AppContext, { name }: Parsed<typeof input.findPayersQuery>) {
  authorizeDues(ctx);
  const people = await readDuePeople(
    ctx,
    sql`SELECT * FROM (${namedLike(name)} ORDER BY alumni.name, alumni.id LIMIT 20)
      UNION SELECT * FROM (SELECT d.id FROM event_registration r JOIN due d ON d.id = r.id AND d.alumni_id = d.id
        WHERE instr(d.name, ${name}) LIMIT 20)`,
  );
  auditLook(ctx, LOOK, people);
  return people.flatMap(payersOf).map(candidateView);
}

/** @throws AppError NOT_FOUND, CONFLICT for another version */
async function requireDeposit(ctx: AppContext, id: string, version: number) {
  const [found] = await ctx.db.select().from(deposit).where(eq(deposit.id, id));
  if (!found) throw new AppError("NOT_FOUND", { message: "입금을 찾을 수 없습니다." });
  if (found.version !== version) throw conflict();
  return { ...found, left: found.amount - found.allocated };
}

/** @throws AppError NOT_FOUND, CONFLICT for another version, or if nothing is left to decide */
export async function requireWaiting(ctx: AppContext, id: string, version: number) {
  const found = await requireDeposit(ctx, id, version);
  if (found.isClosed || found.left <= 0) throw conflict("이미 맞추었거나 회비가 아닌 입금입니다.");
  return found;
}

type Seen = { id: string; version: number };

/** Changes a deposit that is as the office saw it. */
async function changeDeposit(
  ctx: AppContext,
  { id, version }: Seen,
  parts: BatchPart[],
  { guards = [], isDecided = true }: { guards?: BatchGuard[]; isDecided?: boolean } = {},
) {
  const next = ctx.db
    .update(deposit)
    .set({ version: version + 1, ...(isDecided && { doubt: "", relatedId: "" }) })
    .where(eq(deposit.id, id));
  await runGuardedBatch(ctx, [unchangedRow(deposit, id, version), ...guards], [...parts, next]);
  return { version: version + 1 };
}

/** @param which a condition on the remembered `alumni_id` */
const forgetStatement = (ctx: AppContext, payer: string, which: SQL) =>
  ctx.db.run(sql`DELETE FROM due_payer WHERE payer = ${payerHash(ctx, payer)} AND ${which}`);

const isNobody = sql`alumni_id = ${NOBODY}`;

export const entryOf = (targetId: string, detail: Record<string, unknown>) =>
  ({ action: "deposit.allocate", targetType: "deposit", targetId, detail }) as const;

/** A payer is remembered only with more or other people than the text names. */
function rememberStatements(ctx: AppContext, payer: string, payers: readonly Payer[]) {
  const key = payerKey(payer);
  const people = payers.filter(({ id, personId }) => id === personId);
  if (
    key === "" ||
    people.length < payers.length ||
    (people.length === 1 && people.every(({ name }) => key.includes(payerKey(name))))
  )
    return [];
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
  const found = await requireWaiting(ctx, id, sent.version);
  const { left, payer } = found;
  const people = await readPayers(ctx, sent.people);
  const dues = people.flatMap((person) => person.dues).toSorted((a, b) => Number(a.year) - Number(b.year));
  const parts = sharedDues(people, left) ?? oldestDues(dues, left);
  if (parts.length === 0) throw conflict("고른 사람에게 낼 회비가 없습니다.");
  const statements = [
    ...payStatements(ctx, byHand(id, parts), sql`deposit_id = ${id}`),
    forgetStatement(ctx, payer, isNobody),
    ...(sent.remember ? rememberStatements(ctx, payer, people) : []),
    ...auditPeople(
      ctx,
      entryOf(id, {}),
      people.map(({ personId }) => personId),
    ),
  ];
  return changeDeposit(ctx, found, statements, { guards: [duesUnchanged(people, parts)] });
}

/** Takes back what a deposit paid, and forgets whom its payer paid for. Needs Dues_Manage. @throws AppError NOT_FOUND, CONFLICT if it paid nothing */
export async function releaseDeposit(ctx: AppContext, id: string, version: number) {
  authorizeDues(ctx);
  const found = await requireDeposit(ctx, id, version);
  if (found.allocated === 0) throw conflict("맞춘 회비가 없는 입금입니다.");
  const ofDeposit = sql`deposit_id = ${id}`;
  const parts = [
    ...auditPeople(ctx, entryOf(id, { released: true }), peopleOf(ofDeposit)),
    forgetStatement(
      ctx,
      found.payer,
      sql`payer IN (SELECT payer FROM due_payer WHERE alumni_id IN (${peopleOf(ofDeposit).ids}))`,
    ),
    ...recountStatements(ctx, ofDeposit, sql`NOT (${ofDeposit})`),
    ctx.db.run(sql`DELETE FROM due_allocation WHERE ${ofDeposit}`),
  ];
  return changeDeposit(ctx, found, parts, { isDecided: false });
}

/**
 * Decides whether the rest of a deposit pays no due, or that a doubted one is right as it is. One that is opened again is
 * forgotten as a text without dues. Needs Dues_Manage. @throws AppError NOT_FOUND, CONFLICT
 */
export async function setDepositClosed(ctx: AppContext, id: string, sent: Parsed<typeof input.depositStateInput>) {
  authorizeDues(ctx);
  const { isClosed } = sent;
  const found = await requireDeposit(ctx, id, sent.version);
  const isSettled = found.doubt !== "" && !isClosed && !found.isClosed;
  if (!isSettled && (found.isClosed === isClosed || found.left <= 0))
    throw conflict("이미 그렇게 둔 입금이거나 남은 돈이 없습니다.");
  const next = { isClosed, note: isClosed ? sent.note : "" };
  return changeDeposit(ctx, found, [
    ctx.db.update(deposit).set(next).where(eq(deposit.id, id)),
    ...(found.isClosed ? [forgetStatement(ctx, found.payer, isNobody)] : []),
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
  const [person] = await readPayers(ctx, [alumniId]);
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
    ...auditPeople(ctx, { action: "deposit.record", targetType: "deposit", targetId: id }, [person.personId]),
    ...storeIdempotentAnswer(ctx, { id }),
  ];
  await runGuardedBatch(ctx, [duesUnchanged([person], parts)], statements);
  return { id };
}
