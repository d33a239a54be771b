import { and, asc, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { dueKind, dueWork } from "#db/schema/alumni-dues.ts";
import { idsIn } from "#db/sql.ts";
import type { chargeDuesInput } from "#worker/contract/alumni/dues/due-input.ts";
import { DUE_LIMITS, type DueAmounts, type DueState, dueState } from "#worker/contract/alumni/dues/dues.ts";
import { payerKey } from "#worker/contract/alumni/dues/payer.ts";
import { begunState } from "#worker/contract/alumni/dues/past-file.ts";
import { LETTER_CAUSE_NAMES } from "#worker/contract/mail/letters.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { groupedBy } from "#worker/contract/kernel/grouped-by.ts";
import { startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { formatCount } from "#worker/contract/kernel/wording.ts";
import type { AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import { auditLook, auditPeople } from "../../kernel/audit-entry.server.ts";
import { can, requireSignedIn } from "../../kernel/authorize.server.ts";
import { conflict, isUniqueViolation, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { jsonArrays } from "../../kernel/json-arrays.ts";
import { unchangedRow } from "../../kernel/ordered-rows.server.ts";
import { storeAddedRows } from "../deed/deed-tables.server.ts";
import { bookForCaller } from "../filter.server.ts";
import { describeSegment, leftOutCause, requireSegment } from "../segment.server.ts";
import { type DueKind, fieldText, type OpenDueKind, pastDueFields, requireOpenDueKind } from "./kind.server.ts";
import { authorizeDues } from "./work.server.ts";

const NAMED = 5;
const LEFT_OUT_NAMED = 500;

interface NewDue extends DueAmounts {
  id: string;
  alumniId: string;
}

type Charge = Parsed<typeof chargeDuesInput>;

const isNamedIn = (words: NonNullable<Charge["words"]>) => {
  const names = new Set(words.flatMap(({ name }) => [name, name.replaceAll(" ", "")]));
  return idsIn(sql`alumni.name`, [...names]);
};

async function readPeople(
  ctx: AppContext,
  { segment, period, fieldCode, words }: Charge,
  { kind, gradeField }: OpenDueKind,
) {
  const people = await ctx.db
    .select({
      id: alumni.id,
      name: alumni.name,
      cohort: alumni.cohort,
      gone: leftOutCause("paper"),
      grade: fieldText(gradeField),
      word: fieldText(fieldCode),
      isCharged: sql<number>`EXISTS (SELECT 1 FROM due WHERE due.alumni_id = "alumni"."id" AND period = ${period} AND kind_id = ${kind.id})`,
    })
    .from(alumni)
    .where(and(requireSegment(ctx, segment).where, words && isNamedIn(words)))
    .orderBy(asc(alumni.name), asc(alumni.id))
    .limit(DUE_LIMITS.people + 1);
  if (people.length > DUE_LIMITS.people)
    throw new AppError("PAYLOAD_TOO_LARGE", {
      message: `한 번에 ${formatCount(DUE_LIMITS.people)}명까지 청구할 수 있습니다. 조건을 좁혀 주십시오.`,
    });
  return people;
}

type Person = Awaited<ReturnType<typeof readPeople>>[number];

/** A person with a word of a row, or why no person is meant for sure. */
interface Said {
  name: string;
  word: string;
  person: Person | string;
}

function matchRows(words: NonNullable<Charge["words"]>, people: readonly Person[]): Said[] {
  const byName = groupedBy(people, ({ name }) => payerKey(name));
  const rows = words.map(({ name, cohort, word }) => {
    const named = byName.get(payerKey(name)) ?? [];
    const [one, another] = named.filter((each) => cohort === null || each.cohort === cohort);
    const person = another
      ? "같은 이름이 여럿"
      : (one ?? (named.length > 0 ? "기수가 주소록과 다름" : "주소록에 없음"));
    return { name: cohort === null ? name : `${name} (${cohort}기)`, word, person };
  });
  const ofPerson = groupedBy(rows, ({ person }) => person);
  return rows.map((row) => {
    const isTwice = typeof row.person !== "string" && ofPerson.get(row.person)?.length !== 1;
    return isTwice ? { ...row, person: "파일에 두 번 있음" } : row;
  });
}

/** Only the office reads states. */
const NOT_CHARGED = "청구하지 않는 분";
const NO_AMOUNT = "금액을 정하지 않은 등급";
const UNREAD = "읽을 수 없는 값";
const TOO_MUCH = "회비보다 많은 금액";

/** Charges people for a period once, or makes past dues of an own field or a file. Without a count it changes nothing. */
export async function chargeDues(ctx: AppContext, input: Charge) {
  authorizeDues(ctx);
  const { fieldCode, words, isBlankUnpaid, count } = input;
  const open = await requireOpenDueKind(ctx, input.kindId);
  if (fieldCode && !pastDueFields(ctx).some(({ code }) => code === fieldCode))
    throw invalidInput({ fieldCode: "글이나 고르기로 적는 주소록 항목을 골라 주십시오." });
  const people = await readPeople(ctx, input, open);
  const reads = can(ctx.actor, { action: "Alumni_Read" });
  const readsAll = reads && can(ctx.actor, { action: "Alumni_Write" });
  const isPast = words !== undefined || fieldCode !== undefined;
  const judge = ({ person, word }: Said): Omit<NewDue, "id"> | string => {
    if (typeof person === "string") return person;
    if (person.isCharged) return "이미 청구함";
    if (person.gone && !isPast) return readsAll ? LETTER_CAUSE_NAMES[person.gone] : NOT_CHARGED;
    const said = !isPast || (word === "" && isBlankUnpaid) ? "unpaid" : begunState(word);
    if (said === undefined) return word === "" ? "값이 비어 있음" : UNREAD;
    const alumniId = person.id;
    const amount = open.amountOf(String(person.grade));
    if (said === "exempt") return { alumniId, amount: amount ?? 0, paid: 0, isExempt: true };
    if (amount === null) return NO_AMOUNT;
    if (amount === 0) return "면제 등급";
    const paid = typeof said === "number" ? said : said === "paid" ? amount : 0;
    return paid > amount ? TOO_MUCH : { alumniId, amount, paid, isExempt: false };
  };
  const said = words
    ? matchRows(words, people)
    : people.map((person) => ({ person, name: person.name, word: String(person.word).trim() }));
  const mayQuote = !fieldCode || (reads && bookForCaller(ctx).own.some(({ code }) => code === fieldCode));
  const leftOut: { cause: string; name: string }[] = [];
  const dues = said.flatMap((each) => {
    const { name, word } = each;
    const judged = judge(each);
    if (typeof judged !== "string") return { id: crypto.randomUUID(), name, ...judged };
    const grade = judged === NO_AMOUNT && readsAll && typeof each.person !== "string" ? String(each.person.grade) : "";
    const named = mayQuote && (judged === UNREAD || judged === TOO_MUCH) ? word : grade;
    leftOut.push({ cause: judged, name: named ? `${name} ‘${named.slice(0, DUE_LIMITS.word)}’` : name });
    return [];
  });
  const countOf = (state: DueState) => dues.filter((each) => dueState(each) === state).length;
  const plan = {
    count: dues.length,
    total: dues.reduce((sum, { amount, isExempt }) => sum + (isExempt ? 0 : amount), 0),
    paid: countOf("paid"),
    partial: countOf("partial"),
    exempt: countOf("exempt"),
    names: dues.slice(0, NAMED).map(({ name }) => name),
    leftOut: [...groupedBy(leftOut, ({ cause }) => cause)]
      .map(([cause, those]) => ({
        cause,
        count: those.length,
        names: those.slice(0, LEFT_OUT_NAMED).map(({ name }) => name),
      }))
      .toSorted((a, b) => b.count - a.count),
    workId: null as string | null,
  };
  if (count === undefined) {
    auditLook(
      ctx,
      { action: "due.list", targetType: "due-kind", targetId: open.kind.id },
      people.map(({ id }) => id),
    );
    return plan;
  }
  if (count !== dues.length)
    throw conflict(`그사이 청구할 사람이 ${formatCount(dues.length)}명이 되었습니다. 다시 확인해 주십시오.`);
  return { ...plan, workId: await writeDues(ctx, input, open.kind, dues) };
}

export type DuePlan = View<typeof chargeDues>;

async function writeDues(
  ctx: AppContext,
  { segment, period, dueDay, fieldCode, words }: Charge,
  kind: DueKind,
  dues: readonly NewDue[],
): Promise<string> {
  const work = fieldCode || words ? "begin" : "charge";
  const detail = { kind: kind.name, period, field: fieldCode, ...(!words && describeSegment(ctx, segment)) };
  const people = dues.map(({ alumniId }) => alumniId);
  const name = `${period} ${kind.name}`;
  const workId = crypto.randomUUID();
  const { userId } = requireSignedIn(ctx);
  const now = ctx.now().getTime();
  const lastDay = Math.min(now, startOfKoreanDay(`${period.slice(0, 4)}-12-31`).getTime());
  const chunks = jsonArrays(dues);
  const areHere = (chunk: string) =>
    sql`NOT EXISTS (SELECT 1 FROM json_each(${chunk}) LEFT JOIN alumni ON alumni.id = value ->> 'alumniId' AND deleted_date IS NULL WHERE alumni.id IS NULL)`;
  try {
    const guards = [unchangedRow(dueKind, kind.id, kind.version), ...chunks.map((chunk) => areHere(chunk))];
    await runGuardedBatch(ctx, guards, [
      ctx.db
        .insert(dueWork)
        .values({ id: workId, kind: work, name, userId, added: dues.length, createdDate: ctx.now() }),
      // The index of person, period and kind refuses a second run.
      ...chunks.map((chunk) =>
        ctx.db
          .run(sql`INSERT INTO due (id, alumni_id, name, cohort, is_listed, kind_id, period, amount, paid, is_exempt, reason, due_day, work_id, created_date, modified_date)
          SELECT value ->> 'id', alumni.id, name, cohort, 1, ${kind.id}, ${period}, value ->> 'amount', value ->> 'paid',
            value ->> 'isExempt', iif(value ->> 'isExempt', '지난 기록', ''), ${dueDay}, ${workId}, ${now}, ${now} FROM json_each(${chunk}) JOIN alumni ON alumni.id = value ->> 'alumniId'`),
      ),
      // Past payments: a deposit each, on the last day of its year at the latest.
      ctx.db.run(sql`INSERT INTO deposit (id, source, paid_date, amount, hash, allocated, note, work_id, created_date)
        SELECT id, 'begin', ${lastDay}, paid, concat_ws(':', 'begin', kind_id, period, alumni_id), paid, '지난 기록', work_id, ${now}
        FROM due WHERE work_id = ${workId} AND paid > 0`),
      ctx.db.run(sql`INSERT INTO due_allocation (id, deposit_id, due_id, amount, cause, user_id, created_date)
        SELECT id, id, id, paid, 'person', ${userId}, ${now} FROM due WHERE work_id = ${workId} AND paid > 0`),
      ...storeAddedRows(ctx, workId, {
        due: sql`t.work_id = ${workId}`,
        deposit: sql`t.work_id = ${workId}`,
        allocation: sql`t.deposit_id IN (SELECT id FROM deposit WHERE work_id = ${workId})`,
      }),
      ...auditPeople(ctx, { action: `due.${work}`, targetType: "dueWork", targetId: workId, detail }, people),
    ]);
  } catch (cause) {
    throw isUniqueViolation(cause) ? conflict("그사이 다른 곳에서 청구하였습니다. 다시 확인해 주십시오.") : cause;
  }
  return workId;
}
