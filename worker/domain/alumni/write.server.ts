import { alumniSettings, ownerUserIdFor, ownFields } from "./setting.server.ts";
import { and, eq, isNull, sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import { alumni } from "#db/schema/alumni.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import type { createAlumniInput, updateAlumniInput } from "#worker/contract/alumni/input.ts";
import { isFieldUsed, missingRequiredFields, requiredFieldMessage } from "#worker/contract/alumni/alumni-settings.ts";
import {
  ALUMNI_FIELDS,
  type AlumniField,
  type AlumniValues,
  EMPTY_ALUMNI_VALUES,
  OWN_ENTRY_FIELDS,
} from "#worker/contract/alumni/columns.ts";
import { ownFieldPath, type OwnValues, requiredOwnFieldMessage } from "#worker/contract/alumni/own-fields.ts";
import type { OpenField } from "#worker/contract/alumni/view.ts";
import { withStateDay } from "#worker/contract/mail/letters.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { can, authorize } from "../kernel/authorize.server.ts";
import { audit, auditPeople } from "../kernel/audit-entry.server.ts";
import { isBatchAborted } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { confirmAlumniStatements } from "./confirmation.server.ts";
import { attachOwnFiles, ownFileNotFound, readSentFiles, releaseUnusedFiles } from "./own-field.server.ts";
import { changeOwnValues, missingOwnFields } from "./own-value.server.ts";
import {
  bumpAlumniRevision,
  derivedColumns,
  isOpenable,
  type AlumniPerson,
  ALUMNI_PERSON_COLUMNS,
} from "./row.server.ts";

export const alumniNotFound = () => new AppError("NOT_FOUND", { message: "주소록에 없는 사람입니다." });

export async function createAlumni(ctx: AppContext, input: Parsed<typeof createAlumniInput>): Promise<{ id: string }> {
  authorize(ctx, { action: "Alumni_Write" });
  const { openFields = [], own: givenOwn, ...given } = input;
  const values = withStateDay(
    EMPTY_ALUMNI_VALUES,
    { ...EMPTY_ALUMNI_VALUES, ...usedValues(ctx, definedValues(given)) },
    koreanDay(ctx.now()),
  );
  requireFields(ctx, values);
  const { values: own, newFiles } = changeOwnValues(ownFields(ctx), {}, givenOwn, await readSentFiles(ctx, givenOwn));
  const missing = missingOwnFields(ownFields(ctx), own);
  if (missing.length > 0)
    throw invalidInput(
      Object.fromEntries(missing.map((field) => [ownFieldPath(field.code), requiredOwnFieldMessage(field)])),
    );
  const id = crypto.randomUUID();
  await runVersionedBatch(
    runBatch(ctx.db, [
      ...attachOwnFiles(ctx, newFiles),
      ...insertAlumniStatements(ctx, id, values, { own, openFields }),
      ...storeIdempotentAnswer(ctx, { id }),
    ]),
  );
  return { id };
}

/** Creates an entry in the caller's batch. The caller authorizes. */
export function insertAlumniStatements(
  ctx: AppContext,
  id: string,
  values: AlumniValues,
  { own = {}, openFields = [], reason = "" }: { own?: OwnValues; openFields?: OpenField[]; reason?: string },
) {
  const now = ctx.now();
  return [
    ctx.db.insert(alumni).values({
      id,
      ...values,
      own,
      openFields,
      ...derivedColumns(values, openFields),
      createdDate: now,
      modifiedDate: now,
    }),
    bumpAlumniRevision(ctx.db),
    audit(ctx, { action: "alumni.create", targetId: id, subjectCount: 1, reason }),
  ] as const;
}

/** Drops values of unused columns. */
export const usedValues = <T extends object>(ctx: AppContext, values: T) =>
  Object.fromEntries(
    Object.entries(values).filter(([field]) => isFieldUsed(alumniSettings(ctx), field as AlumniField)),
  ) as Partial<T>;

/** @throws AppError INVALID_INPUT at each required value that is empty */
function requireFields(ctx: AppContext, values: Partial<AlumniValues>): void {
  const missed = missingRequiredFields(alumniSettings(ctx).required, values);
  if (missed.length > 0)
    throw invalidInput(Object.fromEntries(missed.map((field) => [field, requiredFieldMessage(field)])));
}

const definedValues = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

async function requireAlumni(ctx: AppContext, id: string): Promise<AlumniPerson> {
  const [person] = await ctx.db
    .select(ALUMNI_PERSON_COLUMNS)
    .from(alumni)
    .where(and(eq(alumni.id, id), isNull(alumni.deletedDate)));
  if (!person) throw alumniNotFound();
  return person;
}

/** Alumni_Write can change everything; a person their own entry, except its name and linking address. */
export async function updateAlumni(
  ctx: AppContext,
  id: string,
  { version, openFields, own: givenOwn, ...given }: Parsed<typeof updateAlumniInput>,
): Promise<{ id: string; version: number }> {
  authorize(ctx, { action: "Alumni_Read" });
  const person = await requireAlumni(ctx, id);
  authorize(ctx, { action: "Alumni.Change", ownerUserId: ownerUserIdFor(ctx, person, "correct") });
  const office = can(ctx.actor, { action: "Alumni_Write" });
  const isOwn = ctx.actor.kind !== "guest" && person.ownerUserId === ctx.actor.userId;
  const allowed: readonly AlumniField[] = office ? ALUMNI_FIELDS : OWN_ENTRY_FIELDS;
  const entries = Object.entries(usedValues(ctx, definedValues(given)));
  const wanted = entries.filter(([field]) => allowed.includes(field as AlumniField));
  requireFields(ctx, Object.fromEntries(wanted));
  const values = withStateDay(person, { ...person, ...Object.fromEntries(wanted) }, koreanDay(ctx.now()));
  const changed = ALUMNI_FIELDS.filter((field) => person[field] !== values[field]);
  const writable = ownFields(ctx).filter(({ access, personEdits }) => office || (personEdits && access !== "office"));
  const own = changeOwnValues(writable, person.own, givenOwn, await readSentFiles(ctx, givenOwn));
  // Keeps fields open that cannot be opened at the moment.
  const mayOpen = (field: OpenField) => isOpenable(ctx, field);
  const open = openFields
    ? [...openFields.filter(mayOpen), ...person.openFields.filter((field) => !mayOpen(field))]
    : person.openFields;
  await runVersionedBatch(
    runBatch(ctx.db, [
      ...attachOwnFiles(ctx, own.newFiles),
      ctx.db
        .update(alumni)
        .set({
          ...Object.fromEntries(changed.map((field) => [field, values[field]])),
          ...(changed.includes("email") ? { emailHold: null } : {}),
          own: own.values,
          openFields: open,
          ...derivedColumns(values, open),
          modifiedDate: ctx.now(),
          version: nextVersion(sql`${alumni.version} = ${version} AND ${alumni.deletedDate} IS NULL`),
        })
        .where(eq(alumni.id, id)),
      bumpAlumniRevision(ctx.db),
      ...(own.losesFile ? [releaseUnusedFiles(ctx.db)] : []),
      // Saving the own entry confirms it.
      ...(isOwn
        ? confirmAlumniStatements(
            ctx,
            { ...values, own: own.values },
            changed.length > 0 ? "changed" : "confirmed",
            writable.filter(({ personEdits }) => personEdits).map(({ code }) => code),
          )
        : []),
      audit(ctx, {
        action: "alumni.update",
        targetId: id,
        subjectCount: 1,
        detail: { fields: [...changed, ...own.changed], own: !office },
      }),
    ]),
  );
  return { id, version: version + 1 };
}

/** Rolls the whole batch back when the condition fails, because a version is never NULL. */
const nextVersion = (condition: ReturnType<typeof sql>) => sql`CASE WHEN ${condition} THEN ${alumni.version} + 1 END`;

/** @throws AppError CONFLICT if `nextVersion` refused, INVALID_INPUT if an upload is gone */
async function runVersionedBatch(batch: Promise<unknown>): Promise<void> {
  try {
    await batch;
  } catch (cause) {
    if (isBatchAborted(cause)) throw ownFileNotFound(cause);
    const text = `${cause} ${cause instanceof Error ? cause.cause : ""}`;
    throw text.includes("NOT NULL constraint failed: alumni.version") ? new AppError("CONFLICT", { cause }) : cause;
  }
}

/** Soft delete, restorable for 30 days. Needs Alumni_Delete. */
export async function deleteAlumni(ctx: AppContext, id: string): Promise<{ id: string }> {
  authorize(ctx, { action: "Alumni_Delete" });
  return moveAlumni(ctx, id, "alumni.delete");
}

export async function deleteSeveralAlumni(ctx: AppContext, ids: string[]): Promise<{ deleted: number }> {
  authorize(ctx, { action: "Alumni_Delete" });
  const wanted = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const there = and(sql`${alumni.id} IN ${wanted}`, isNull(alumni.deletedDate));
  const people = await ctx.db.select({ id: alumni.id }).from(alumni).where(there);
  if (people.length === 0) throw alumniNotFound();
  const detail = { ids: people.map((person) => person.id) };
  const [rows] = await ctx.db.batch([
    ctx.db
      .update(alumni)
      .set({ deletedDate: ctx.now(), version: sql`${alumni.version} + 1` })
      .where(there)
      .returning({ id: alumni.id }),
    bumpAlumniRevision(ctx.db),
    ...auditPeople(ctx, { action: "alumni.delete", detail }, people),
  ]);
  return { deleted: rows.length };
}

/** Needs Alumni_Delete. */
export async function restoreAlumni(ctx: AppContext, id: string): Promise<{ id: string }> {
  authorize(ctx, { action: "Alumni_Delete" });
  return moveAlumni(ctx, id, "alumni.restore");
}

async function moveAlumni(ctx: AppContext, id: string, action: "alumni.delete" | "alumni.restore") {
  const deletes = action === "alumni.delete";
  const [row] = await ctx.db.select({ deletedDate: alumni.deletedDate }).from(alumni).where(eq(alumni.id, id));
  if (!row || (row.deletedDate === null) !== deletes) throw alumniNotFound();
  const condition = deletes ? sql`${alumni.deletedDate} IS NULL` : sql`${alumni.deletedDate} IS NOT NULL`;
  await runVersionedBatch(
    ctx.db.batch([
      ctx.db
        .update(alumni)
        .set({ deletedDate: deletes ? ctx.now() : null, mergedInto: null, version: nextVersion(condition) })
        .where(eq(alumni.id, id)),
      bumpAlumniRevision(ctx.db),
      audit(ctx, { action, targetType: "alumni", targetId: id, subjectCount: 1 }),
    ]),
  );
  return { id };
}
