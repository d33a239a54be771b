import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { alumniCorrection } from "#db/schema/alumni-correction.ts";
import { alumniFactColumns } from "#db/schema/alumni-figure.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { countRows } from "#worker/domain/kernel/page.server.ts";
import { isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import type { Reach } from "#worker/contract/alumni/figures.ts";
import {
  type CohortPage,
  type CohortPerson,
  CORRECTION_EMPTY,
  CORRECTION_OWN_EMAIL,
  type OwnCorrection,
  PROPOSED_FIELDS,
  type ProposedField,
} from "#worker/contract/alumni/representative.ts";
import type { ListCohortQuery, ProposeCorrectionInput } from "#worker/contract/alumni/representative-input.ts";
import { makePage } from "#worker/contract/kernel/envelope.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { cohortOfPermission } from "#worker/contract/kernel/permissions.ts";
import type { Actor } from "../kernel/actor.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorize, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { keepAnswer } from "../kernel/idempotency.server.ts";
import { alumniSettings } from "./alumni-settings.server.ts";
import { isGrantActive } from "../access/grant.server.ts";
import { recordListing } from "./list.server.ts";
import { ALUMNI_PERSON_COLUMNS, visibleValuesFor } from "./row.server.ts";

// What a representative of a cohort does: no other function of the address book knows of them, so that every other way
// to it stays as it is for their role.

/** How somebody is reached, of a row of `alumni`. */
const REACH = sql<Reach>`${sql.raw(alumniFactColumns("alumni").reach)}`;

export const representedCohorts = ({ permissions }: Actor): number[] =>
  [...permissions.codes].flatMap((code) => cohortOfPermission(code) ?? []).toSorted((a, b) => a - b);

/** What may be proposed here: columns that are used. */
export const proposedFields = (ctx: Pick<AppContext, "storedSettings">): ProposedField[] =>
  PROPOSED_FIELDS.filter((field) => isFieldUsed(alumniSettings(ctx), field));

/** The newest that the caller proposed of the person in the row. */
const ownCorrection = (userId: string) =>
  sql<
    string | null
  >`(SELECT json_object('id', c.id, 'state', c.state, 'fields', json(c.fields), 'values', json(c."values"),
    'note', c.note, 'answer', c.answer, 'date', c.created_date) FROM alumni_correction c
    WHERE c.alumni_id = alumni.id AND c.user_id = ${userId} ORDER BY c.created_date DESC LIMIT 1)`;

function readOwnCorrection(stored: string | null): OwnCorrection | null {
  if (stored === null) return null;
  const { id, state, fields, values, note, answer, date } = JSON.parse(stored) as OwnCorrection & { date: number };
  return { id, state, fields, values, note, answer, createdDate: new Date(date).toISOString() };
}

/** The lowest cohort that a role of somebody names, their own or one that is lent to them. */
const firstCohortOf = (userId: string, now: Date) => sql<number | null>`(
  SELECT min(CAST(substr(code.value, 15) AS INTEGER)) FROM role JOIN json_each(role.permissions) code ON code.value GLOB 'Alumni_Cohort_*'
  WHERE role.role_code = (SELECT role_code FROM user WHERE id = ${userId})
    OR role.role_code IN (SELECT role_code FROM role_grant WHERE user_id = ${userId} AND ${isGrantActive(now)}))`;

/** The people of one cohort, masked as for any member: those whom mail does not reach, or all. */
export async function listCohort(
  scope: RequestScope,
  { cohort: asked, shown, page, size }: ListCohortQuery,
  surface: "call" | "page" = "call",
): Promise<CohortPage> {
  const { ctx, rows } = await scope.readFor(
    (reader) => authorize(reader, { action: "Alumni.Represent", cohort: asked ?? "any" }),
    (viewerId) => {
      const where = and(
        isNull(alumni.deletedDate),
        eq(alumni.cohort, sql`${asked ?? firstCohortOf(viewerId, scope.now())}`),
        shown === "unreached" ? sql`${REACH} <> 'mail'` : undefined,
      );
      return [
        scope.db
          .select({
            ...ALUMNI_PERSON_COLUMNS,
            reach: REACH.as("reach"),
            correction: ownCorrection(viewerId).as("correction"),
          })
          .from(alumni)
          .where(where)
          .orderBy(asc(alumni.name), asc(alumni.id))
          .limit(size)
          .offset((page - 1) * size),
        countRows(scope.db, alumni, where),
        scope.db.select({ first: firstCohortOf(viewerId, scope.now()).as("first_cohort") }).from(sql`(SELECT 1)`),
      ];
    },
  );
  const [people, counts, [read]] = rows;
  const cohorts = representedCohorts(ctx.actor);
  const cohort = asked ?? cohorts[0] ?? null;
  // What the session holds decides, not what was read for it beforehand.
  if (asked === undefined && cohort !== null && read?.first !== cohort)
    return listCohort(scope, { cohort, shown, page, size }, surface);
  const frame = { cohort, cohorts, shown, fields: proposedFields(ctx) };
  if (cohort === null) return { ...makePage<CohortPerson>([], { page, size, totalElements: 0 }), ...frame };
  await recordListing(ctx, people, { page, isFiltered: true }, surface);
  if (people.length > 0)
    ctx.defer(
      audit(ctx, {
        action: "alumni.cohort",
        targetType: "alumni",
        targetId: String(cohort),
        subjectCount: people.length,
        detail: { page, shown },
      }).run(),
    );
  const content = people.map((person): CohortPerson => {
    const seen = visibleValuesFor(ctx, person);
    return {
      id: person.id,
      name: seen.name,
      graduationYear: seen.graduationYear,
      major: seen.major,
      affiliation: seen.affiliation,
      department: seen.department,
      position: seen.position,
      email: seen.email,
      mobile: seen.mobile,
      phone: seen.phone,
      reach: person.reach,
      correction: readOwnCorrection(person.correction),
    };
  });
  return { ...makePage(content, { page, size, totalElements: counts[0]?.count ?? 0 }), ...frame };
}

/** The same for somebody of another cohort and for nobody. */
const personNotFound = () => new AppError("NOT_FOUND", { message: "맡으신 기수에 없는 사람입니다." });

/**
 * What is right of a person, for the office to accept. It is not compared with what stands there: whoever proposes must
 * not learn by the answer what is closed to them. @throws AppError NOT_FOUND, INVALID_INPUT, CONFLICT
 */
export async function proposeCorrection(
  ctx: AppContext,
  personId: string,
  { note, ...given }: ProposeCorrectionInput,
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
  await runGuardedBatch(
    ctx,
    [
      {
        holds: sql`EXISTS (SELECT 1 FROM alumni WHERE id = ${personId} AND cohort = ${cohort} AND deleted_date IS NULL)`,
        error: personNotFound,
      },
      // The entry would be theirs from then on, with all that is closed in it.
      { holds: sql`NOT EXISTS (${isOwnAddress})`, error: () => invalidInput({ email: CORRECTION_OWN_EMAIL }) },
      {
        holds: sql`NOT EXISTS (SELECT 1 FROM alumni_correction WHERE alumni_id = ${personId} AND user_id = ${userId} AND state = 'waiting')`,
        error: () => conflict("이미 보내신 수정 요청이 승인을 기다리고 있습니다. 거둔 뒤에 다시 보내 주십시오."),
      },
    ],
    [
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
        targetType: "alumni",
        targetId: personId,
        subjectCount: 1,
        detail: { proposal: id, fields },
      }),
      ...keepAnswer(ctx, { id }),
    ],
  );
  return { id };
}

/** Takes one's own proposal back, as long as nobody has decided. @throws AppError NOT_FOUND, CONFLICT */
export async function withdrawCorrection(ctx: AppContext, id: string): Promise<Record<string, never>> {
  const { userId } = requireSignedIn(ctx);
  authorize(ctx, { action: "User.Self", userId });
  const [row] = await ctx.db
    .select({ userId: alumniCorrection.userId, alumniId: alumniCorrection.alumniId })
    .from(alumniCorrection)
    .where(eq(alumniCorrection.id, id));
  if (row?.userId !== userId) throw new AppError("NOT_FOUND", { message: "수정 요청을 찾을 수 없습니다." });
  await runGuardedBatch(
    ctx,
    [isWaiting(id)],
    [
      decideStatement(ctx, id, { state: "withdrawn" }),
      audit(ctx, {
        action: "alumni.proposal-withdraw",
        targetType: "alumni",
        targetId: row.alumniId,
        detail: { proposal: id },
      }),
    ],
  );
  return {};
}

/** For the batch that decides: of two at once the first does. */
export const isWaiting = (id: string) => ({
  holds: sql`EXISTS (SELECT 1 FROM alumni_correction WHERE id = ${id} AND state = 'waiting')`,
  error: () => conflict("이미 처리하였거나 거둔 수정 요청입니다."),
});

/** What was proposed is kept no longer than somebody has to decide it; which fields it was of stays. */
export const decideStatement = (
  ctx: Pick<AppContext, "db" | "now">,
  id: string,
  decision: Pick<typeof alumniCorrection.$inferInsert, "state" | "answer">,
) =>
  ctx.db
    .update(alumniCorrection)
    .set({ ...decision, values: {}, note: "", decidedDate: ctx.now() })
    .where(eq(alumniCorrection.id, id));
