import { and, desc, eq, isNull, ne, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { alumniImport, alumniImportPerson } from "#db/schema/alumni-import.ts";
import { MISSING_MAX } from "#worker/contract/alumni/list.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { GONE_STATES, withStateDay } from "#worker/contract/mail/letters.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { Ages } from "../../audit/ages.server.ts";
import { ALUMNI_PERSON_COLUMNS, type AlumniPerson } from "../row.server.ts";
import { stagedRowOf } from "./staging.server.ts";

// People of the last file of the same form who are not in this one.

export interface StagedPlan {
  importId: string;
  planNo: number;
}

/** Files of one form whose people are kept: after an undo the one before is the last. */
const FILES_KEPT = 3;
/** A file that shares fewer people, one in so many, is a list of others. */
const SHARED_PART = 5;

const seenRows = ({ importId, planNo }: StagedPlan) =>
  sql`alumni_staged s, json_each(s.rows) r WHERE s.import_id = ${importId} AND s.plan_no = ${planNo} AND s.kind = 'seen'`;

/** A row of a staged plan: a person that the file means, or may mean. */
export const seenRow = (id: string, isMeant: boolean) => [id, isMeant ? 1 : 0];

export interface MissingPeople {
  fileName: string;
  date: Date;
  count: number;
  people: AlumniPerson[];
}

/** @param names folded names of refused rows, whose people are not known */
export async function findMissingPeople(
  ctx: Pick<AppContext, "db">,
  plan: StagedPlan,
  { form, names }: { form: string; names: Iterable<string> },
): Promise<MissingPeople | null> {
  const isSeen = sql`p.alumni_id IN (SELECT r.value ->> 0 FROM ${seenRows(plan)})`;
  const [last] = await ctx.db
    .select({ id: alumniImport.id, fileName: alumniImport.fileName, date: alumniImport.createdDate })
    .from(alumniImport)
    .where(
      and(
        eq(alumniImport.form, form),
        ne(alumniImport.form, ""),
        isNull(alumniImport.undoStartedDate),
        sql`(SELECT sum(${isSeen}) * ${SHARED_PART} >= count(*) FROM alumni_import_person p
          WHERE p.import_id = "alumni_import"."id")`,
      ),
    )
    .orderBy(desc(alumniImport.createdDate))
    .limit(1);
  if (!last) return null;
  const isMissing = and(
    isNull(alumni.deletedDate),
    sql`${alumni.id} IN (SELECT p.alumni_id FROM alumni_import_person p WHERE p.import_id = ${last.id} AND NOT ${isSeen})`,
    sql`${alumni.state} NOT IN (SELECT value FROM json_each(${JSON.stringify(GONE_STATES)}))`,
    sql`lower(replace(${alumni.name}, ' ', '')) NOT IN (SELECT value FROM json_each(${JSON.stringify([...names])}))`,
  );
  const [people, [counted]] = await ctx.db.batch([
    ctx.db
      .select(ALUMNI_PERSON_COLUMNS)
      .from(alumni)
      .where(isMissing)
      .orderBy(alumni.name, alumni.id)
      .limit(MISSING_MAX),
    ctx.db
      .select({ count: sql<number>`count(*)`.as("missing") })
      .from(alumni)
      .where(isMissing),
  ]);
  const { fileName, date } = last;
  return people.length === 0 ? null : { fileName, date, count: counted?.count ?? 0, people };
}

/** Staged rows of the people whose state was chosen. */
export function chosenRows(
  ctx: Pick<AppContext, "now">,
  { people }: MissingPeople,
  chosen: Readonly<Record<string, string>>,
): unknown[][] {
  const today = koreanDay(ctx.now());
  return people.flatMap((person) => {
    const state = lookUp(chosen, person.id) ?? person.state;
    if (state === person.state) return [];
    return [stagedRowOf(person.id, withStateDay(person, { ...person, state }, today), person.openFields)];
  });
}

/** Keeps the people of a committed file. */
export const rememberPeopleStatements = (ctx: Pick<AppContext, "db">, plan: StagedPlan, form: string) => [
  ctx.db.run(sql`INSERT OR IGNORE INTO alumni_import_person (import_id, alumni_id)
    SELECT ${plan.importId}, r.value ->> 0 FROM ${seenRows(plan)} AND r.value ->> 1 = 1`),
  ctx.db.run(sql`DELETE FROM alumni_import_person WHERE import_id IN (SELECT id FROM alumni_import
    WHERE form = ${form} AND form <> '' ORDER BY created_date DESC LIMIT -1 OFFSET ${FILES_KEPT})`),
];

export const cleanUpImportPeople = (ctx: Pick<AppContext, "db">, ages: Ages) =>
  ctx.db.delete(alumniImportPerson).where(
    sql`${alumniImportPerson.importId} IN (SELECT id FROM alumni_import
      WHERE created_date < ${ages.before("import-people").getTime()})`,
  );
