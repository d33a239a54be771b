import { and, asc, desc, eq, isNull, ne, sql } from "drizzle-orm";
import { alumni, alumniCorrection } from "#db/schema/alumni.ts";
import { unchanged } from "#db/sql.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import {
  CORRECTION_DESK,
  CORRECTION_EMPTY,
  CORRECTION_OWN_EMAIL,
  PROPOSED_FIELDS,
  type ProposedField,
  type ProposedValues,
} from "#worker/contract/alumni/representative.ts";
import type { AuditAction } from "#worker/contract/kernel/audit-actions.ts";
import type { listCorrectionsQuery, proposeCorrectionInput } from "#worker/contract/alumni/representative-input.ts";
import type { Ages } from "#worker/domain/audit/ages.server.ts";
import { letterCause } from "#worker/contract/mail/letters.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { audit, auditLook } from "../kernel/audit-entry.server.ts";
import { type Desk, requireCase, runCommand } from "../kernel/desk.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { isNotSuspended, queueMessage } from "../mail/message.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { alumniSettings, authorizeOffice } from "./setting.server.ts";
import {
  ALUMNI_PERSON_COLUMNS,
  type AlumniPerson,
  bumpAlumniRevision,
  derivedColumns,
  trustedAddress,
} from "./row.server.ts";
import { authorize, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { proposedFields } from "./cohort.server.ts";

const DESK: Desk<typeof CORRECTION_DESK, typeof alumniCorrection> = {
  rules: CORRECTION_DESK,
  table: alumniCorrection,
  state: "state",
  target: "alumni",
  authorize: authorizeOffice,
  missing: "수정 요청을 찾을 수 없습니다.",
  ended: "이미 처리하였거나 거둔 수정 요청입니다.",
};

/** Erases the proposed values with the decision; the names of the fields stay. */
const decidedNow = (ctx: AppContext) => ({ values: {}, note: "", decidedDate: ctx.now() });

/** Days for which decided proposals are kept. */

const USER_NAME = sql<string>`coalesce((SELECT user_name FROM user WHERE user.id = alumni_correction.user_id AND status <> 'retired'), '')`;

const ACCOUNT_NAME = sql<string>`coalesce((SELECT user_name FROM user_key JOIN user ON user.id = user_key.user_id
  WHERE user_key_type = 'Email' AND verified_date IS NOT NULL AND user_key_code = lower(alumni_correction."values" ->> 'email')), '')`;

const PROPOSED_COLUMNS = sql.join(
  PROPOSED_FIELDS.map((field) => sql`${sql.raw(`'${field}'`)}, ${alumni[field]}`),
  sql`, `,
);

const PERSON = sql<string | null>`(SELECT json_object('name', name, 'version', version, ${PROPOSED_COLUMNS})
  FROM alumni WHERE id = alumni_correction.alumni_id AND deleted_date IS NULL)`;

type EntryNow = Record<ProposedField | "name", string> & { version: number };

export const waitingCorrectionsStatement = (db: RequestScope["db"]) =>
  countRows(db, alumniCorrection, eq(alumniCorrection.state, "waiting"));

export async function countWaitingCorrections(scope: RequestScope): Promise<number> {
  const { rows } = await scope.readFor(authorizeOffice, [waitingCorrectionsStatement(scope.db)]);
  return rows[0][0]?.count ?? 0;
}

export async function listCorrections(scope: RequestScope, { state, page, size }: Parsed<typeof listCorrectionsQuery>) {
  const isAsked = state === "waiting" ? eq(alumniCorrection.state, "waiting") : ne(alumniCorrection.state, "waiting");
  const { ctx, rows } = await scope.readFor(authorizeOffice, [
    rowsOfPage(
      scope.db
        .select({
          correction: alumniCorrection,
          person: PERSON.as("person_now"),
          userName: USER_NAME.as("proposer_name"),
          accountName: ACCOUNT_NAME.as("account_name"),
        })
        .from(alumniCorrection)
        .where(isAsked)
        .orderBy(
          state === "waiting" ? asc(alumniCorrection.createdDate) : desc(alumniCorrection.decidedDate),
          asc(alumniCorrection.id),
        ),
      { page, size },
    ),
    countRows(scope.db, alumniCorrection, isAsked),
  ]);
  const entry = { action: "alumni.proposals", detail: { state, page } } as const;
  auditLook(
    ctx,
    entry,
    rows[0].map(({ correction }) => correction.alumniId),
  );
  const content = rows[0].map(({ correction, person: stored, userName, accountName }) => {
    const person = stored === null ? null : (JSON.parse(stored) as EntryNow);
    return {
      id: correction.id,
      personId: correction.alumniId,
      personName: person?.name ?? "",
      cohort: correction.cohort,
      userName,
      state: correction.state,
      changes: correction.fields.flatMap((field) => {
        const after = correction.values[field];
        return after === undefined || !person ? [] : [{ field, before: person[field], after }];
      }),
      fields: correction.fields,
      note: correction.note,
      answer: correction.answer,
      accountName,
      createdDate: correction.createdDate.toISOString(),
      decidedDate: correction.decidedDate?.toISOString() ?? null,
      version: person?.version ?? 0,
    };
  });
  return makeCountedPage({ page, size }, content, rows[1]);
}

export type CorrectionRow = View<typeof listCorrections>["content"][number];

/** Applies a proposal as shown and notifies the old and new address. @throws AppError NOT_FOUND, CONFLICT */
export async function acceptCorrection(ctx: AppContext, id: string, version: number): Promise<Record<string, never>> {
  const correction = await requireCase(ctx, DESK, "accept", id);
  const { alumniId, userId, values } = correction;
  const [person] = await ctx.db
    .select({ ...ALUMNI_PERSON_COLUMNS, emailHold: alumni.emailHold })
    .from(alumni)
    .where(sql`id = ${alumniId} AND deleted_date IS NULL`);
  if (!person) throw conflict("주소록에 없는 사람입니다. 요청을 돌려보내 주십시오.");
  const set = usedValues(ctx, values);
  const changed = (Object.keys(set) as ProposedField[]).filter((field) => person[field] !== set[field]);
  const isPersonUnchanged = {
    holds: sql`${unchanged(alumni, alumniId, version)} AND EXISTS (SELECT 1 FROM alumni WHERE id = ${alumniId} AND deleted_date IS NULL)`,
    error: () => conflict("그사이 이 사람의 정보가 바뀌었습니다. 두 값을 다시 비교해 주십시오."),
  };
  const parts = [
    ctx.db
      .update(alumni)
      .set({
        ...set,
        ...(set.email === undefined || set.email === person.email ? {} : { emailHold: null }),
        ...derivedColumns({ ...person, ...set }, person.openFields),
        modifiedDate: ctx.now(),
        version: version + 1,
      })
      .where(eq(alumni.id, alumniId)),
    bumpAlumniRevision(ctx.db),
    audit(ctx, {
      action: "alumni.update",
      targetId: alumniId,
      subjectCount: 1,
      detail: { fields: changed, proposal: id, proposedBy: userId },
    }),
    ...(await correctedMessages(ctx, person, set, changed)),
  ];
  await runCommand(ctx, DESK, "accept", correction, { set: decidedNow(ctx), guards: [isPersonUnchanged], parts });
  return {};
}

const usedValues = (ctx: AppContext, values: ProposedValues) =>
  Object.fromEntries(
    Object.entries(values).filter(([field]) => isFieldUsed(alumniSettings(ctx), field as ProposedField)),
  ) as ProposedValues;

/** Names the changed fields to the trusted and the new address, except for refused mail and suspended people. */
async function correctedMessages(
  ctx: AppContext,
  person: AlumniPerson & { emailHold: string | null },
  set: ProposedValues,
  changed: readonly ProposedField[],
) {
  if (changed.length === 0 || letterCause(person, "email") !== "") return [];
  const given = changed.includes("email") ? (set.email ?? "") : "";
  const addresses = [...new Set([trustedAddress(person), given])].filter((address) => address !== "");
  const reached = await ctx.db.all<{ address: string }>(
    sql`SELECT value AS address FROM json_each(${JSON.stringify(addresses)}) WHERE ${isNotSuspended(sql`${person.ownerUserId}`)}
      AND NOT EXISTS (SELECT 1 FROM mail_address WHERE mail_address.address = lower(value)
        AND (bounced_date IS NOT NULL OR refused_date IS NOT NULL OR complained_date IS NOT NULL))`,
  );
  const write = await loadTemplateRenderer(ctx);
  const text = write(CORRECTION_DESK.letters.accept, {
    이름: person.name,
    항목: changed.map((field) => ALUMNI_COLUMN_LABELS[field]).join(", "),
  });
  return reached.map(({ address }) =>
    queueMessage(ctx, { channel: "email", recipient: address, userId: person.ownerUserId, ...text }),
  );
}

/** Refuses with a reason that the proposer can read. @throws AppError NOT_FOUND, CONFLICT */
export const refuseCorrection = (ctx: AppContext, id: string, reason: string): Promise<Record<string, never>> =>
  endCorrection(ctx, "refuse", "alumni.proposal-refuse", id, reason);

/** Withdraws the caller's undecided proposal. @throws AppError NOT_FOUND, CONFLICT */
export const withdrawCorrection = (ctx: AppContext, id: string): Promise<Record<string, never>> =>
  endCorrection(ctx, "withdraw", "alumni.proposal-withdraw", id);

async function endCorrection(
  ctx: AppContext,
  command: "refuse" | "withdraw",
  action: AuditAction,
  id: string,
  reason = "",
) {
  const correction = await requireCase(ctx, DESK, command, id);
  const entry = audit(ctx, {
    action,
    targetType: "alumni",
    targetId: correction.alumniId,
    reason,
    detail: { proposal: id },
  });
  await runCommand(ctx, DESK, command, correction, { set: { ...decidedNow(ctx), answer: reason }, parts: [entry] });
  return {};
}

export const cleanUpCorrections = ({ db }: Pick<AppContext, "db">, ages: Ages) =>
  db.delete(alumniCorrection).where(sql`state <> 'waiting' AND decided_date < ${ages.before("correction").getTime()}`);

const personNotFound = () => new AppError("NOT_FOUND", { message: "맡으신 기수에 없는 사람입니다." });

/**
 * Proposes values for the office without comparing them, so that the answer reveals no hidden value. @throws AppError
 * NOT_FOUND, INVALID_INPUT, CONFLICT
 */
export async function proposeCorrection(
  ctx: AppContext,
  personId: string,
  { note, ...given }: Parsed<typeof proposeCorrectionInput>,
): Promise<{ id: string }> {
  authorize(ctx, { action: "Alumni.Represent", cohort: "any" });
  const { userId } = requireSignedIn(ctx);
  const [person] = await ctx.db
    .select({ cohort: alumni.cohort })
    .from(alumni)
    .where(and(eq(alumni.id, personId), isNull(alumni.deletedDate)));
  const cohort = person?.cohort ?? null;
  if (cohort === null || !can(ctx.actor, { action: "Alumni.Represent", cohort })) throw personNotFound();
  const fields = proposedFields(ctx).filter((field) => (given[field] ?? "") !== "");
  const values = Object.fromEntries(fields.map((field) => [field, given[field] ?? ""]));
  if (fields.length === 0) throw invalidInput({ affiliation: CORRECTION_EMPTY });
  const id = crypto.randomUUID();
  const isOwnAddress = sql`SELECT 1 FROM user_key WHERE user_id = ${userId} AND user_key_code = ${(given.email ?? "").toLowerCase()}`;
  const guards = [
    {
      holds: sql`EXISTS (SELECT 1 FROM alumni WHERE id = ${personId} AND cohort = ${cohort} AND deleted_date IS NULL)`,
      error: personNotFound,
    },
    // The caller's own address would make the entry theirs, with every hidden field.
    { holds: sql`NOT EXISTS (${isOwnAddress})`, error: () => invalidInput({ email: CORRECTION_OWN_EMAIL }) },
    {
      holds: sql`NOT EXISTS (SELECT 1 FROM alumni_correction WHERE alumni_id = ${personId} AND user_id = ${userId} AND state = 'waiting')`,
      error: () => conflict("이미 보내신 수정 요청이 승인을 기다리고 있습니다. 거둔 뒤에 다시 보내 주십시오."),
    },
  ];
  await runGuardedBatch(ctx, guards, [
    ctx.db.insert(alumniCorrection).values({
      id,
      alumniId: personId,
      userId,
      cohort,
      fields,
      values,
      note,
      state: "waiting",
      createdDate: ctx.now(),
    }),
    audit(ctx, {
      action: "alumni.propose",
      targetId: personId,
      subjectCount: 1,
      detail: { proposal: id, fields },
    }),
    ...storeIdempotentAnswer(ctx, { id }),
  ]);
  return { id };
}
