import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { alumniFactColumns } from "#db/schema/alumni-figure.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { countRows, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import type { Reach } from "#worker/contract/alumni/figures.ts";
import {
  type CohortPage,
  type CohortPerson,
  type OwnCorrection,
  PROPOSED_FIELDS,
  type ProposedField,
} from "#worker/contract/alumni/representative.ts";
import type { ListCohortQuery } from "#worker/contract/alumni/representative-input.ts";
import { makePage } from "#worker/contract/kernel/envelope.ts";
import { cohortOfPermission } from "#worker/contract/kernel/permissions.ts";
import type { Actor } from "../kernel/actor.ts";
import { auditLook } from "../kernel/audit-entry.server.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { alumniSettings } from "./alumni-settings.server.ts";
import { isGrantActive } from "../access/grant.server.ts";
import { recordListing } from "./list.server.ts";
import { ALUMNI_PERSON_COLUMNS, visibleValuesFor } from "./row.server.ts";

// All functions of cohort representatives are here; no other part of the address book knows them.

const REACH = sql<Reach>`${sql.raw(alumniFactColumns("alumni").reach)}`;

const representedCohorts = ({ permissions }: Actor): number[] =>
  [...permissions.codes].flatMap((code) => cohortOfPermission(code) ?? []).toSorted((a, b) => a - b);

export const proposedFields = (ctx: Pick<AppContext, "storedSettings">): ProposedField[] =>
  PROPOSED_FIELDS.filter((field) => isFieldUsed(alumniSettings(ctx), field));

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

const firstCohortOf = (userId: string, now: Date) => sql<number | null>`(
  SELECT min(CAST(substr(code.value, 15) AS INTEGER)) FROM role JOIN json_each(role.permissions) code ON code.value GLOB 'Alumni_Cohort_*'
  WHERE role.role_code = (SELECT role_code FROM user WHERE id = ${userId})
    OR role.role_code IN (SELECT role_code FROM role_grant WHERE user_id = ${userId} AND ${isGrantActive(now)}))`;

/** People of one cohort, masked as for members: all, or those unreachable by mail. */
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
        rowsOfPage(
          scope.db
            .select({
              ...ALUMNI_PERSON_COLUMNS,
              reach: REACH.as("reach"),
              correction: ownCorrection(viewerId).as("correction"),
            })
            .from(alumni)
            .where(where)
            .orderBy(asc(alumni.name), asc(alumni.id)),
          { page, size },
        ),
        countRows(scope.db, alumni, where),
        scope.db.select({ first: firstCohortOf(viewerId, scope.now()).as("first_cohort") }).from(sql`(SELECT 1)`),
      ];
    },
  );
  const [people, counts, [read]] = rows;
  const cohorts = representedCohorts(ctx.actor);
  const cohort = asked ?? cohorts[0] ?? null;
  // The session's cohort wins over the one read ahead.
  if (asked === undefined && cohort !== null && read?.first !== cohort)
    return listCohort(scope, { cohort, shown, page, size }, surface);
  const frame = { cohort, cohorts, shown, fields: proposedFields(ctx) };
  if (cohort === null) return { ...makePage<CohortPerson>([], { page, size, totalElements: 0 }), ...frame };
  await recordListing(ctx, people, { page, isFiltered: true }, surface);
  const entry = { action: "alumni.cohort", targetType: "alumni", targetId: String(cohort) } as const;
  auditLook(ctx, { ...entry, detail: { page, shown } }, people);
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
