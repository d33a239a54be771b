import { asc, type SQL, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { dueKind, dueWork } from "#db/schema/alumni-dues.ts";
import { begunState } from "#worker/contract/alumni/dues/charge.ts";
import type { chargeDuesInput } from "#worker/contract/alumni/dues/due-input.ts";
import { DUE_LIMITS, type DueState } from "#worker/contract/alumni/dues/dues.ts";
import { type AlumniFieldCode, isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import { LETTER_CAUSE_NAMES } from "#worker/contract/mail/letters.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { formatCount } from "#worker/contract/kernel/wording.ts";
import type { AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import { auditPeople } from "../../kernel/audit-entry.server.ts";
import { can, requireSignedIn } from "../../kernel/authorize.server.ts";
import { conflict, isUniqueViolation, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { jsonArrays } from "../../kernel/json-arrays.ts";
import { unchangedRow } from "../../kernel/ordered-rows.server.ts";
import { describeSegment, leftOutCause, segmentWhere } from "../segment.server.ts";
import { type DueKind, pastDueFields, requireOpenDueKind } from "./kind.server.ts";
import { authorizeDues } from "./work.server.ts";

const NAMED = 5;
const CAUSES = 30;

const textOf = (field: AlumniFieldCode | null | undefined): SQL<string> => {
  if (!field) return sql<string>`''`;
  return sql<string>`coalesce(${isOwnFieldCode(field) ? sql`json_extract(alumni.own, ${`$.${field}`})` : alumni[field]}, '')`;
};

interface NewDue {
  id: string;
  alumniId: string;
  amount: number;
  state: Exclude<DueState, "partial">;
}

/** Charges people for a period once, or makes past dues of an own field. Without a count it changes nothing. */
export async function chargeDues(ctx: AppContext, input: Parsed<typeof chargeDuesInput>) {
  authorizeDues(ctx);
  const { segment, period, fieldCode, count } = input;
  const { kind, gradeField, amountOf } = await requireOpenDueKind(ctx, input.kindId);
  if (fieldCode && !pastDueFields(ctx).some(({ code }) => code === fieldCode))
    throw invalidInput({ fieldCode: "글이나 고르기로 적는 주소록 항목을 골라 주십시오." });
  const people = await ctx.db
    .select({
      id: alumni.id,
      name: alumni.name,
      gone: leftOutCause("paper"),
      grade: textOf(gradeField),
      word: textOf(fieldCode),
      isCharged: sql<number>`EXISTS (SELECT 1 FROM due WHERE due.alumni_id = "alumni"."id" AND period = ${period} AND kind_id = ${kind.id})`,
    })
    .from(alumni)
    .where(segmentWhere(ctx, segment, can(ctx.actor, { action: "Alumni_Write" })))
    .orderBy(asc(alumni.name), asc(alumni.id))
    .limit(DUE_LIMITS.people + 1);
  if (people.length > DUE_LIMITS.people)
    throw new AppError("PAYLOAD_TOO_LARGE", {
      message: `한 번에 ${formatCount(DUE_LIMITS.people)}명까지 청구할 수 있습니다. 조건을 좁혀 주십시오.`,
    });
  const judge = (person: (typeof people)[number]): Pick<NewDue, "amount" | "state"> | string => {
    const { isCharged, gone, grade, word } = person;
    if (isCharged) return "이미 청구함";
    if (gone && !fieldCode) return LETTER_CAUSE_NAMES[gone];
    const said = String(word).trim();
    const state = fieldCode ? begunState(said) : "unpaid";
    if (!state) return said ? `‘${said.slice(0, 30)}’` : "값이 비어 있음";
    const amount = amountOf(String(grade));
    if (state === "exempt") return { amount: amount ?? 0, state };
    return amount === null ? "금액을 정하지 않은 등급" : amount === 0 ? "면제 등급" : { amount, state };
  };
  const causes = new Map<string, string[]>();
  const dues = people.flatMap((person) => {
    const judged = judge(person);
    if (typeof judged !== "string")
      return { id: crypto.randomUUID(), alumniId: person.id, name: person.name, ...judged };
    if (!causes.get(judged)?.push(person.name)) causes.set(judged, [person.name]);
    return [];
  });
  const countOf = (state: DueState) => dues.filter((each) => each.state === state).length;
  const plan = {
    count: dues.length,
    total: dues.reduce((sum, { amount, state }) => sum + (state === "exempt" ? 0 : amount), 0),
    paid: countOf("paid"),
    exempt: countOf("exempt"),
    names: dues.slice(0, NAMED).map(({ name }) => name),
    leftOut: [...causes]
      .map(([cause, names]) => ({ cause, count: names.length, names: names.slice(0, NAMED) }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, CAUSES),
    workId: null as string | null,
  };
  if (count === undefined) return plan;
  if (count !== dues.length)
    throw conflict(`그사이 청구할 사람이 ${formatCount(dues.length)}명이 되었습니다. 다시 확인해 주십시오.`);
  return { ...plan, workId: await writeDues(ctx, input, kind, dues) };
}

export type DuePlan = View<typeof chargeDues>;

async function writeDues(
  ctx: AppContext,
  { segment, period, dueDay, fieldCode }: Parsed<typeof chargeDuesInput>,
  kind: DueKind,
  dues: readonly NewDue[],
): Promise<string> {
  const work = fieldCode ? "begin" : "charge";
  const detail = { kind: kind.name, period, field: fieldCode, ...describeSegment(ctx, segment) };
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
    await runGuardedBatch(
      ctx,
      [unchangedRow(dueKind, kind.id, kind.version), ...chunks.map((chunk) => areHere(chunk))],
      [
        ctx.db
          .insert(dueWork)
          .values({ id: workId, kind: work, name, userId, added: dues.length, createdDate: ctx.now() }),
        // The index of person, period and kind refuses a second run.
        ...chunks.map((chunk) =>
          ctx.db
            .run(sql`INSERT INTO due (id, alumni_id, name, cohort, is_listed, kind_id, period, amount, paid, is_exempt, reason, due_day, work_id, created_date, modified_date)
            SELECT value ->> 'id', alumni.id, name, cohort, 1, ${kind.id}, ${period}, value ->> 'amount', iif(value ->> 'state' = 'paid', value ->> 'amount', 0),
              value ->> 'state' = 'exempt', iif(value ->> 'state' = 'exempt', '지난 기록', ''), ${dueDay}, ${workId}, ${now}, ${now} FROM json_each(${chunk}) JOIN alumni ON alumni.id = value ->> 'alumniId'`),
        ),
        // Past payments: a deposit each, on the last day of its year at the latest.
        ctx.db.run(sql`INSERT INTO deposit (id, source, paid_date, amount, hash, allocated, note, work_id, created_date)
          SELECT id, 'begin', ${lastDay}, paid, concat_ws(':', 'begin', kind_id, period, alumni_id), paid, '지난 기록', work_id, ${now}
          FROM due WHERE work_id = ${workId} AND paid > 0`),
        ctx.db.run(sql`INSERT INTO due_allocation (id, deposit_id, due_id, amount, cause, user_id, created_date)
          SELECT id, id, id, paid, 'person', ${userId}, ${now} FROM due WHERE work_id = ${workId} AND paid > 0`),
        ...auditPeople(ctx, { action: `due.${work}`, targetType: "dueWork", targetId: workId, detail }, people),
      ],
    );
  } catch (cause) {
    throw isUniqueViolation(cause) ? conflict("그사이 다른 곳에서 청구하였습니다. 다시 확인해 주십시오.") : cause;
  }
  return workId;
}
