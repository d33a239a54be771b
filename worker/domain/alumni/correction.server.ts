import { asc, desc, eq, ne, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { alumniCorrection } from "#db/schema/alumni-correction.ts";
import { unchanged } from "#db/sql.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import {
  type CorrectionRow,
  PROPOSED_FIELDS,
  type ProposedField,
  type ProposedValues,
} from "#worker/contract/alumni/representative.ts";
import type { ListCorrectionsQuery } from "#worker/contract/alumni/representative-input.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { Page } from "#worker/contract/kernel/envelope.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { audit, auditLook } from "../kernel/audit-entry.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { deliverMessageSoon, queueMessage } from "../mail/message.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { isNotSuspended } from "../mail/suspension-filter.server.ts";
import { alumniSettings } from "./alumni-settings.server.ts";
import { decideStatement, isWaiting } from "./propose-correction.server.ts";
import { authorizeOffice } from "./office.server.ts";
import { ALUMNI_PERSON_COLUMNS, type AlumniPerson, bumpAlumniRevision, derivedColumns } from "./row.server.ts";

/** Days for which decided proposals are kept. */
const DECIDED_DAYS = 365;

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

export async function countWaitingCorrections(scope: RequestScope): Promise<number> {
  const { rows } = await scope.readFor(authorizeOffice, [
    countRows(scope.db, alumniCorrection, eq(alumniCorrection.state, "waiting")),
  ]);
  return rows[0][0]?.count ?? 0;
}

export async function listCorrections(
  scope: RequestScope,
  { state, page, size }: ListCorrectionsQuery,
): Promise<Page<CorrectionRow>> {
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
  const entry = { action: "alumni.proposals", targetType: "alumni", detail: { state, page } } as const;
  auditLook(
    ctx,
    entry,
    rows[0].map(({ correction }) => correction.alumniId),
  );
  const content = rows[0].map(({ correction, person: stored, userName, accountName }): CorrectionRow => {
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

async function requireCorrection(ctx: AppContext, id: string) {
  authorizeOffice(ctx);
  const [row] = await ctx.db.select().from(alumniCorrection).where(eq(alumniCorrection.id, id));
  if (!row) throw new AppError("NOT_FOUND", { message: "수정 요청을 찾을 수 없습니다." });
  if (row.state !== "waiting") throw isWaiting(id).error();
  return row;
}

/** Applies a proposal as shown and notifies the old and new address. @throws AppError NOT_FOUND, CONFLICT */
export async function acceptCorrection(ctx: AppContext, id: string, version: number): Promise<Record<string, never>> {
  const { alumniId, userId, values } = await requireCorrection(ctx, id);
  const [person] = await ctx.db
    .select(ALUMNI_PERSON_COLUMNS)
    .from(alumni)
    .where(sql`id = ${alumniId} AND deleted_date IS NULL`);
  if (!person) throw conflict("주소록에 없는 사람입니다. 요청을 돌려보내 주십시오.");
  const set = usedValues(ctx, values);
  const changed = (Object.keys(set) as ProposedField[]).filter((field) => person[field] !== set[field]);
  const messages = await correctedMessages(ctx, person, set, changed);
  await runGuardedBatch(
    ctx,
    [
      isWaiting(id),
      {
        holds: sql`${unchanged(alumni, alumniId, version)} AND EXISTS (SELECT 1 FROM alumni WHERE id = ${alumniId} AND deleted_date IS NULL)`,
        error: () => conflict("그사이 이 사람의 정보가 바뀌었습니다. 두 값을 다시 비교해 주십시오."),
      },
    ],
    [
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
      decideStatement(ctx, id, { state: "accepted" }),
      audit(ctx, {
        action: "alumni.update",
        targetType: "alumni",
        targetId: alumniId,
        subjectCount: 1,
        detail: { fields: changed, proposal: id, proposedBy: userId },
      }),
      ...messages.map(({ statement }) => statement),
    ],
  );
  for (const message of messages) deliverMessageSoon(ctx, message.id);
  return {};
}

const usedValues = (ctx: AppContext, values: ProposedValues) =>
  Object.fromEntries(
    Object.entries(values).filter(([field]) => isFieldUsed(alumniSettings(ctx), field as ProposedField)),
  ) as ProposedValues;

/** Names the changed fields to the old and new address, except for refused mail and suspended people. */
async function correctedMessages(
  ctx: AppContext,
  person: AlumniPerson,
  set: ProposedValues,
  changed: readonly ProposedField[],
) {
  if (changed.length === 0) return [];
  const addresses = [...new Set([person.email, set.email ?? person.email])].filter((address) => address !== "");
  const reached = await ctx.db.all<{ address: string }>(
    sql`SELECT value AS address FROM json_each(${JSON.stringify(addresses)}) WHERE ${isNotSuspended(sql`${person.ownerUserId}`)}
      AND NOT EXISTS (SELECT 1 FROM mail_address WHERE mail_address.address = lower(value)
        AND (bounced_date IS NOT NULL OR refused_date IS NOT NULL OR complained_date IS NOT NULL))`,
  );
  const write = await loadTemplateRenderer(ctx);
  const text = write("alumniCorrected", {
    이름: person.name,
    항목: changed.map((field) => ALUMNI_COLUMN_LABELS[field]).join(", "),
  });
  return reached.map(({ address }) =>
    queueMessage(ctx, { channel: "email", recipient: address, userId: person.ownerUserId, ...text }),
  );
}

/** Refuses with a reason that the proposer can read. @throws AppError NOT_FOUND, CONFLICT */
export async function refuseCorrection(ctx: AppContext, id: string, reason: string): Promise<Record<string, never>> {
  const { alumniId } = await requireCorrection(ctx, id);
  await runGuardedBatch(
    ctx,
    [isWaiting(id)],
    [
      decideStatement(ctx, id, { state: "refused", answer: reason }),
      audit(ctx, {
        action: "alumni.proposal-refuse",
        targetType: "alumni",
        targetId: alumniId,
        reason,
        detail: { proposal: id },
      }),
    ],
  );
  return {};
}

export const cleanUpCorrections = ({ db, now }: Pick<AppContext, "db" | "now">) =>
  db
    .delete(alumniCorrection)
    .where(sql`state <> 'waiting' AND decided_date < ${now().getTime() - DECIDED_DAYS * DAY_MS}`);
