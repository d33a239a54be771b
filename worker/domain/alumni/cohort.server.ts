import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { alumniFactColumns } from "#db/schema/alumni-figure.ts";
import type { Actor, AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { countRows, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import type { Reach } from "#worker/contract/alumni/figures.ts";
import {
  COHORT_PATH,
  type CohortPage,
  type CohortPerson,
  cohortRoleCode,
  cohortRoleName,
  type OwnCorrection,
  PROPOSED_FIELDS,
  type ProposedField,
} from "#worker/contract/alumni/representative.ts";
import type { appointRepresentativeInput, ListCohortQuery } from "#worker/contract/alumni/representative-input.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { makePage } from "#worker/contract/kernel/page.ts";
import { cohortOfPermission, cohortPermission } from "#worker/contract/kernel/permissions.ts";
import { auditIfChanged, auditLook } from "../kernel/audit-entry.server.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { alumniSettings, authorizeOffice } from "./setting.server.ts";
import { isGrantActive, isGrantNotOver } from "../access/actor.server.ts";
import { recordListing } from "./list.server.ts";
import { ALUMNI_PERSON_COLUMNS, visibleValuesFor } from "./row.server.ts";
import { role } from "#db/schema/access.ts";
import { user, userKey } from "#db/schema/account.ts";
import { koreanDay, koreanLongDay, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { queueOwnerMessage, userKeysStatement } from "../mail/message.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { grantRole } from "../member/role-grant.server.ts";

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
  const entry = { action: "alumni.cohort", targetId: String(cohort) } as const;
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

const REPRESENTATIVES_MAX = 1000;

const iso = (date: number | null) => (date === null ? null : new Date(date).toISOString());

const holders = (now: Date) => sql`(
  SELECT role.role_name, role.permissions, role_grant.user_id, role_grant.id AS grant_id, start_date, end_date
  FROM role JOIN role_grant ON role_grant.role_code = role.role_code
  WHERE role.permissions LIKE '%"Alumni_Cohort_%' AND ${isGrantNotOver(now)}
  UNION ALL SELECT role.role_name, role.permissions, user.id, NULL, NULL, NULL
  FROM role JOIN user ON user.role_code = role.role_code WHERE role.permissions LIKE '%"Alumni_Cohort_%'
) held JOIN json_each(held.permissions) code ON code.value GLOB 'Alumni_Cohort_*'
JOIN user u ON u.id = held.user_id AND u.status <> 'retired'`;

export async function listRepresentatives(scope: RequestScope) {
  const { rows } = await scope.readFor(authorizeOffice, [
    scope.db
      .select({
        userId: sql<string>`u.id`.as("held_by"),
        userName: sql<string>`u.user_name`.as("held_by_name"),
        roleName: sql<string>`held.role_name`.as("held_name"),
        code: sql<string>`code.value`.as("held_code"),
        grantId: sql<string | null>`held.grant_id`.as("held_grant"),
        startDate: sql<number | null>`held.start_date`.as("held_start"),
        endDate: sql<number | null>`held.end_date`.as("held_end"),
        unreached: sql<number>`coalesce((SELECT sum(count) FROM alumni_figure
          WHERE kind = 'cohort' AND key = substr(code.value, 15) AND reach <> 'mail'), 0)`.as("unreached"),
      })
      .from(holders(scope.now()))
      .orderBy(sql`CAST(substr(code.value, 15) AS INTEGER), u.user_name, u.id`)
      .limit(REPRESENTATIVES_MAX),
  ]);
  return rows[0].flatMap(({ code, startDate, endDate, ...row }) => {
    const cohort = cohortOfPermission(code);
    if (cohort === null) return [];
    return [
      {
        userId: row.userId,
        userName: row.userName,
        cohort,
        roleName: row.roleName,
        grantId: row.grantId,
        startDate: iso(startDate),
        endDate: iso(endDate),
        unreached: row.unreached,
      },
    ];
  });
}

export type Representative = View<typeof listRepresentatives>[number];

/**
 * Grants the cohort's role from today to a last day, by the usual rules. @throws AppError FORBIDDEN, INVALID_INPUT,
 * CONFLICT for an overlapping grant
 */
export async function appointRepresentative(
  ctx: AppContext,
  { who, cohort, to, reason }: Parsed<typeof appointRepresentativeInput>,
): Promise<{ grantId: string }> {
  authorizeOffice(ctx);
  authorize(ctx, { action: "Permission.Grant", codes: [cohortPermission(cohort)] });
  const [person] = await ctx.db
    .select({ id: user.id, userName: user.userName })
    .from(user)
    .where(
      sql`${user.status} = 'active' AND ${user.id} IN (SELECT ${userKey.userId} FROM ${userKey} WHERE ${userKey.userKeyCode} = ${who.toLowerCase()})`,
    );
  if (!person) throw invalidInput({ who: "회원을 찾을 수 없습니다. 아이디나 이메일, 휴대전화로 입력해 주십시오." });
  const roleCode = await requireCohortRole(ctx, cohort);
  const letter = await representativeLetter(ctx, person, cohort, to);
  return grantRole(ctx, person.id, { roleCode, from: koreanDay(ctx.now()), to, reason }, letter);
}

/** Creates the cohort's role on first use. @throws AppError INVALID_INPUT */
async function requireCohortRole(ctx: AppContext, cohort: number): Promise<string> {
  const roleCode = cohortRoleCode(cohort);
  const permissions = [cohortPermission(cohort)];
  const [, , rows] = await ctx.db.batch([
    ctx.db
      .insert(role)
      .values({ roleCode, roleName: cohortRoleName(cohort), permissions })
      .onConflictDoNothing(),
    auditIfChanged(ctx, {
      action: "role.create",
      targetId: roleCode,
      detail: { after: { roleName: cohortRoleName(cohort), permissions } },
    }),
    ctx.db
      .select({ permissions: role.permissions })
      .from(role)
      .where(sql`role_code = ${roleCode}`),
  ]);
  if (!rows[0]?.permissions.includes(permissions[0] ?? ""))
    throw invalidInput({
      cohort: `'${roleCode}' 역할에 ${cohortRoleName(cohort)} 권한이 없습니다. '역할과 권한'에서 먼저 넣어 주십시오.`,
    });
  return roleCode;
}

/** The message names the page's address, which nothing else does. */
async function representativeLetter(
  ctx: AppContext,
  person: { id: string; userName: string },
  cohort: number,
  to: string,
) {
  const [keys, write] = await Promise.all([userKeysStatement(ctx, person.id), loadTemplateRenderer(ctx)]);
  const text = write("representative", {
    이름: person.userName,
    기수: String(cohort),
    기한: koreanLongDay(startOfKoreanDay(to)),
    주소: `${ctx.config.SITE_ORIGIN}${COHORT_PATH}`,
  });
  return queueOwnerMessage(ctx, person.id, keys, text);
}
