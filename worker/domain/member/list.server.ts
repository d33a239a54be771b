import { and, asc, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { role } from "#db/schema/access.ts";
import { profileField, user } from "#db/schema/account.ts";
import { columnsOf } from "#db/sql.ts";
import type { exportMembersInput, listMembersQuery } from "#worker/contract/member/list-input.ts";
import { memberColumns, type MemberListRow } from "#worker/contract/member/list.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { openProfileFields, PROFILE, profileText } from "../account/profile.server.ts";
import { auditLook } from "../kernel/audit-entry.server.ts";
import { authorizeConsole } from "../kernel/authorize.server.ts";
import { holdsText } from "../kernel/text-condition.server.ts";
import { onKoreanDays } from "../kernel/korean-days.server.ts";
import { auditedSheet, countExport } from "../kernel/sheet-download.server.ts";

export type MemberFilter = Parsed<typeof exportMembersInput>["filter"];

const KEYS = sql<string>`(SELECT json_group_array(json_object('userKeyType', user_key_type, 'userKeyCode', user_key_code, 'verified', json(iif(verified_date IS NULL, 'false', 'true')))) FROM user_key WHERE user_key.user_id = "user"."id")`;

const MEMBER_SELECTION = {
  ...columnsOf(user, "id", "userName", "userType", "roleCode"),
  roleName: role.roleName,
  status: user.status,
  keys: KEYS,
  ...columnsOf(user, "createdDate", "lastSigninDate", "version"),
  profile: PROFILE,
};

export const membersStatement = (db: Db) =>
  db.select(MEMBER_SELECTION).from(user).innerJoin(role, eq(role.roleCode, user.roleCode));

type MemberSourceRow = Awaited<ReturnType<typeof membersStatement>>[number];
export const memberRowView = (row: MemberSourceRow) => ({
  ...fieldsOf(row, "id", "userName", "userType", "roleCode", "roleName", "status"),
  keys: (JSON.parse(row.keys) as MemberListRow["keys"]).toSorted(
    (a, b) => a.userKeyType.localeCompare(b.userKeyType) * -1,
  ),
  ...fieldsOf(row, "createdDate", "lastSigninDate", "version"),
});

const inProfile = (text: string, code?: string): SQL =>
  sql`EXISTS (SELECT 1 FROM json_each(${PROFILE}) WHERE ${code ? sql`key = ${code} AND ` : sql``}${holdsText(sql`lower(value)`, text)})`;

/** Uses instr, because D1 limits LIKE patterns to 50 bytes. */
export function memberWhere(filter: MemberFilter): SQL | undefined {
  const keyword = filter.keyword?.toLowerCase();
  return and(
    filter.status ? eq(user.status, filter.status) : ne(user.status, "retired"),
    filter.roleCode ? eq(user.roleCode, filter.roleCode) : undefined,
    filter.profileValue ? inProfile(filter.profileValue.toLowerCase(), filter.profileCode) : undefined,
    onKoreanDays(user.createdDate, filter),
    keyword
      ? sql`(instr(lower("user"."user_name"), ${keyword}) OR ${inProfile(keyword)}
          OR EXISTS (SELECT 1 FROM user_key WHERE user_key.user_id = "user"."id" AND ${holdsText(sql`user_key_code`, keyword)}))`
      : undefined,
  );
}

const listRow = (row: MemberSourceRow, fields: readonly { code: string }[]): MemberListRow => ({
  ...memberRowView(row),
  profile: Object.fromEntries(fields.map(({ code }) => [code, profileText(row, code)])),
});

/** Audits each view with the number of members shown. */
export async function listMembers(scope: RequestScope, query: Parsed<typeof listMembersQuery>) {
  const where = memberWhere(query);
  const [sorted, direction] = query.sort.split(",") as ["createdDate" | "lastSigninDate" | "userName", string];
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    rowsOfPage(
      membersStatement(scope.db)
        .where(where)
        .orderBy((direction === "ASC" ? asc : desc)(user[sorted]), asc(user.id)),
      query,
    ),
    countRows(scope.db, user, where),
    scope.db.select({ roleCode: role.roleCode, roleName: role.roleName }).from(role).orderBy(asc(role.roleCode)),
    countRows(scope.db, user, eq(user.status, "waiting")),
    openProfileFields(scope.db),
  ]);
  const [members, counts, roles, waiting, open] = rows;
  const fields = open.map(({ code, name }) => ({ code, name }));
  const { page, size: _size, keyword: _keyword, profileValue: _value, ...filter } = query;
  auditLook(ctx, { action: "member.list", targetType: "user", detail: { ...filter, page } }, members);
  const content = members.map((row) => listRow(row, fields));
  return { ...makeCountedPage(query, content, counts), fields, roles, waitingCount: waiting[0]?.count ?? 0 };
}

const EXPORT_MAX = 50_000;

export async function exportMembers(ctx: AppContext, input: Parsed<typeof exportMembersInput>) {
  authorizeConsole(ctx);
  await countExport(ctx);
  const { keyword, ...filter } = input.filter;
  const [people, fields] = await ctx.db.batch([
    membersStatement(ctx.db).where(memberWhere(input.filter)).orderBy(user.createdDate).limit(EXPORT_MAX),
    ctx.db.select().from(profileField).orderBy(asc(profileField.sortOrder)),
  ]);
  const detail = { filter: { ...filter, withKeyword: Boolean(keyword) } };
  const entry = { action: "member.export", targetType: "export", detail, people } as const;
  const rows = people.map((row) => listRow(row, fields));
  return auditedSheet(ctx, input, entry, "회원목록", rows, memberColumns(fields));
}
