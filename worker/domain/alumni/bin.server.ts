import { and, desc, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { alumni, alumniBefore, alumniDistinct } from "#db/schema.ts";
import type { AppContext, Door } from "#worker/context.server.ts";
import type { AlumniBin } from "#worker/contract/alumni-merge.ts";
import { pageOf } from "#worker/contract/envelope.ts";
import { AppError } from "#worker/contract/errors.ts";
import { DAY_MS } from "#worker/contract/limits.ts";
import { binDays } from "#worker/contract/privacy.ts";
import { permit } from "../access.server.ts";
import { audit } from "../audit.server.ts";
import { registerPeople } from "../privacy/register.server.ts";
import { settingStatement, settingView } from "../privacy/setting.server.ts";
import { bumpRevision } from "./row.server.ts";

const PAGE_SIZE = 50;
const among = (ids: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
const inBin = (ids: readonly string[]) => and(inArray(alumni.id, among(ids)), isNotNull(alumni.deletedDate));
const notThere = () => new AppError("NOT_FOUND", { message: "휴지통에 없는 동문입니다." });

/** Who was deleted and can be brought back, the last first. Needs Alumni_Delete. */
export async function listAlumniBin(door: Door, { page }: { page: number }): Promise<AlumniBin> {
  const { ctx, rows } = await door.read([
    door.db
      .select({
        id: alumni.id,
        name: alumni.name,
        cohort: alumni.cohort,
        affiliation: alumni.affiliation,
        deletedDate: alumni.deletedDate,
        keptId: alumni.mergedInto,
        keptName: sql<string | null>`(SELECT k.name FROM alumni k WHERE k.id = alumni.merged_into)`.as("kept_name"),
      })
      .from(alumni)
      .where(isNotNull(alumni.deletedDate))
      .orderBy(desc(alumni.deletedDate))
      .limit(PAGE_SIZE)
      .offset((page - 1) * PAGE_SIZE),
    door.db
      .select({ count: sql<number>`count(*)`.as("bin_count") })
      .from(alumni)
      .where(isNotNull(alumni.deletedDate)),
    settingStatement(door.db),
  ]);
  permit(ctx, { action: "Alumni_Delete" });
  const [people, counts, settings] = rows;
  const days = binDays(settingView(settings[0]).value);
  if (people.length > 0)
    ctx.defer(audit(ctx, { action: "alumni.bin", targetType: "alumni", subjectCount: people.length }).run());
  const content = people.flatMap(({ deletedDate, keptId, keptName, ...row }) =>
    deletedDate === null
      ? []
      : {
          ...row,
          deletedDate: deletedDate.toISOString(),
          purgeDate: days !== null ? new Date(deletedDate.getTime() + days * DAY_MS).toISOString() : null,
          mergedInto: keptId && keptName ? { id: keptId, name: keptName } : null,
        },
  );
  return { ...pageOf(content, { page, size: PAGE_SIZE, totalElements: counts[0]?.count ?? 0 }), binDays: days };
}

/** Back into the book. Needs Alumni_Delete. */
export async function restoreSeveral(ctx: AppContext, ids: string[]): Promise<{ restored: number }> {
  permit(ctx, { action: "Alumni_Delete" });
  const people = await ctx.db.select({ id: alumni.id }).from(alumni).where(inBin(ids));
  if (people.length === 0) throw notThere();
  const detail = { ids: people.map((person) => person.id) };
  const [rows] = await ctx.db.batch([
    ctx.db
      .update(alumni)
      .set({ deletedDate: null, mergedInto: null, version: sql`${alumni.version} + 1` })
      .where(inBin(ids))
      .returning({ id: alumni.id }),
    bumpRevision(ctx.db),
    audit(ctx, { action: "alumni.restore", targetType: "alumni", subjectCount: people.length, detail }),
  ]);
  return { restored: rows.length };
}

/** For good, with what imports and merges had kept of them. Only what is in the bin already. Needs Alumni_Delete. */
export async function destroySeveral(ctx: AppContext, ids: string[]): Promise<{ destroyed: number }> {
  permit(ctx, { action: "Alumni_Delete" });
  const people = await ctx.db.select({ id: alumni.id }).from(alumni).where(inBin(ids));
  if (people.length === 0) throw notThere();
  const detail = { ids: people.map((person) => person.id) };
  const [, , , rows] = await ctx.db.batch([
    ...forget(ctx.db, inBin(ids)),
    bumpRevision(ctx.db),
    ctx.db.delete(alumni).where(inBin(ids)).returning({ id: alumni.id }),
    registerPeople(ctx, detail.ids, { kind: "동문 정보", rule: "alumni-bin", basis: "휴지통에서 바로 삭제" }),
    audit(ctx, { action: "alumni.destroy", targetType: "alumni", subjectCount: people.length, detail }),
  ]);
  return { destroyed: rows.length };
}

/** What else is kept of the people whom the condition finds: it stands before their deletion in a batch. */
export function forget(db: AppContext["db"], people: SQL | undefined) {
  const gone = () => db.select({ id: alumni.id }).from(alumni).where(people);
  return [
    db.delete(alumniBefore).where(inArray(alumniBefore.alumniId, gone())),
    db.delete(alumniDistinct).where(or(inArray(alumniDistinct.lowId, gone()), inArray(alumniDistinct.highId, gone()))),
  ] as const;
}
