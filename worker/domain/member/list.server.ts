import { ownValue, valuesOf } from "#worker/contract/kernel/labels.ts";
import { and, asc, desc, eq, gte, lt, ne, type SQL, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { profileField, session, user, userConsent } from "#db/schema/account.ts";
import { suspension } from "#db/schema/privacy.ts";
import { columnsOf } from "#db/sql.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { ownFieldValueText } from "#worker/contract/account/own-field.ts";
import { SHARED_COLUMN_WORDS, SHARED_COLUMNS } from "#worker/contract/account/shared-columns.ts";
import type { ExportMembersInput, ListMembersQuery } from "#worker/contract/member/input.ts";
import {
  MEMBER_STATUS_NAMES,
  memberColumns,
  type MemberListRow,
  type MemberRow,
} from "#worker/contract/member/member.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { audit, auditLook, auditPeople } from "../kernel/audit-entry.server.ts";
import { auditRowView, targetHistoryStatement } from "../audit/audit-log.server.ts";
import { holdsText, koreanDayRange } from "../kernel/guarded-batch.server.ts";
import { canAdministerAccount } from "../access/account-authority.server.ts";
import { roleGrantsStatement } from "../access/actor.server.ts";
import { authorizeConsole, requireSignedIn } from "../kernel/authorize.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { type SheetDownload, sheetDownload } from "../kernel/sheet-download.server.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";

const KEYS = sql<string>`(SELECT json_group_array(json_object('userKeyType', user_key_type, 'userKeyCode', user_key_code, 'verified', json(iif(verified_date IS NULL, 'false', 'true')))) FROM user_key WHERE user_key.user_id = "user"."id")`;

const SHARED_FIELDS = sql`(SELECT json_group_object(f.code, w.value) FROM profile_field f
  JOIN json_each(${JSON.stringify(SHARED_COLUMNS)}) w ON w.key IN (f.code, lower(replace(f.name, ' ', ''))) WHERE f.input_type = 'text')`;

/** The profile, in which the entry of a joined member gives the values of shared fields. */
const PROFILE = sql<string>`(SELECT json_patch("user"."profile", json_group_object(f.key, c.value))
  FROM user_key k CROSS JOIN alumni a ON a.email = k.user_key_code AND a.email <> ''
  CROSS JOIN json_each(${SHARED_FIELDS}) f
  CROSS JOIN json_each(json_object(${sql.raw(
    valuesOf(SHARED_COLUMN_WORDS)
      .map((column) => `'${column}', a.${column}`)
      .join(", "),
  )})) c ON c.key = f.value
  WHERE k.user_id = "user"."id" AND k.user_key_type = 'Email' AND k.verified_date IS NOT NULL
    AND a.email_hold IS NULL AND a.deleted_date IS NULL AND c.value <> ''
    AND c.key NOT IN (SELECT off.value FROM site_setting, json_each(site_setting.value, '$.off') off WHERE site_setting.key = 'alumni'))`;

const MEMBER_SELECTION = {
  ...columnsOf(user, "id", "userName", "userType", "roleCode"),
  roleName: role.roleName,
  status: user.status,
  keys: KEYS,
  ...columnsOf(user, "createdDate", "lastSigninDate", "version"),
  profile: PROFILE,
};

const membersStatement = (db: RequestScope["db"]) =>
  db.select(MEMBER_SELECTION).from(user).innerJoin(role, eq(role.roleCode, user.roleCode));

export type MemberFilter = ExportMembersInput["filter"];

const inProfile = (text: string, code?: string): SQL =>
  sql`EXISTS (SELECT 1 FROM json_each(${PROFILE}) WHERE ${code ? sql`key = ${code} AND ` : sql``}${holdsText(sql`lower(value)`, text)})`;

/** Uses instr, because D1 limits LIKE patterns to 50 bytes. */
export function memberWhere(filter: MemberFilter): SQL | undefined {
  const { since, before } = koreanDayRange(filter.from, filter.to);
  const keyword = filter.keyword?.toLowerCase();
  return and(
    filter.status ? eq(user.status, filter.status) : ne(user.status, "retired"),
    filter.roleCode ? eq(user.roleCode, filter.roleCode) : undefined,
    filter.profileValue ? inProfile(filter.profileValue.toLowerCase(), filter.profileCode) : undefined,
    since ? gte(user.createdDate, since) : undefined,
    before ? lt(user.createdDate, before) : undefined,
    keyword
      ? sql`(instr(lower("user"."user_name"), ${keyword}) OR ${inProfile(keyword)}
          OR EXISTS (SELECT 1 FROM user_key WHERE user_key.user_id = "user"."id" AND ${holdsText(sql`user_key_code`, keyword)}))`
      : undefined,
  );
}

function orderOf(sort: string): SQL[] {
  const [code, direction] = sort.split(",") as ["createdDate" | "lastSigninDate" | "userName", string];
  return [(direction === "ASC" ? asc : desc)(user[code]), asc(user.id)];
}

type MemberSourceRow = Awaited<ReturnType<typeof membersStatement>>[number];
const memberRowView = (row: MemberSourceRow): MemberRow => ({
  ...fieldsOf(row, "id", "userName", "userType", "roleCode", "roleName", "status"),
  keys: (JSON.parse(row.keys) as MemberRow["keys"]).toSorted((a, b) => a.userKeyType.localeCompare(b.userKeyType) * -1),
  ...fieldsOf(row, "createdDate", "lastSigninDate", "version"),
});

const profileText = ({ profile }: MemberSourceRow, code: string) =>
  ownFieldValueText(ownValue(JSON.parse(profile) as Record<string, unknown>, code));

const memberListRow = (row: MemberSourceRow, fields: readonly { code: string }[]): MemberListRow => ({
  ...memberRowView(row),
  profile: Object.fromEntries(fields.map(({ code }) => [code, profileText(row, code)])),
});

/** Audits each view with the number of members shown. */
export async function listMembers(scope: RequestScope, query: ListMembersQuery) {
  const where = memberWhere(query);
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    rowsOfPage(
      membersStatement(scope.db)
        .where(where)
        .orderBy(...orderOf(query.sort)),
      query,
    ),
    countRows(scope.db, user, where),
    scope.db.select({ roleCode: role.roleCode, roleName: role.roleName }).from(role).orderBy(asc(role.roleCode)),
    countRows(scope.db, user, eq(user.status, "waiting")),
    scope.db
      .select({ code: profileField.code, name: profileField.name })
      .from(profileField)
      .where(eq(profileField.isClosed, false))
      .orderBy(asc(profileField.sortOrder)),
  ]);
  const [members, counts, roles, waiting, fields] = rows;
  const { page, size: _size, keyword: _keyword, profileValue: _value, ...filter } = query;
  auditLook(ctx, { action: "member.list", targetType: "user", detail: { ...filter, page } }, members);
  const content = members.map((row) => memberListRow(row, fields));
  return { ...makeCountedPage(query, content, counts), fields, roles, waitingCount: waiting[0]?.count ?? 0 };
}

export const memberNotFound = () => new AppError("NOT_FOUND", { message: "회원을 찾을 수 없습니다." });

export async function getMember(ctx: AppContext, id: string) {
  authorizeConsole(ctx);
  const [members, fields, consents, sessions, counts, history, grants, suspensions] = await ctx.db.batch([
    membersStatement(ctx.db).where(eq(user.id, id)),
    ctx.db.select().from(profileField).orderBy(asc(profileField.sortOrder)),
    ctx.db
      .select({
        ...columnsOf(userConsent, "code", "version", "agreed", "createdDate"),
        title: sql<string>`coalesce((SELECT title FROM agreement WHERE agreement.code = "user_consent"."code" ORDER BY agreement.version = "user_consent"."version" DESC, is_current DESC LIMIT 1), "user_consent"."code")`,
      })
      .from(userConsent)
      .where(eq(userConsent.userId, id))
      .orderBy(desc(userConsent.createdDate)),
    ctx.db
      .select(columnsOf(session, "createdDate", "lastUsedDate", "address", "userAgent"))
      .from(session)
      .where(sql`user_id = ${id} AND revoked_date IS NULL AND expires_date > ${ctx.now().getTime()}`)
      .orderBy(desc(session.lastUsedDate)),
    ctx.db
      .select({
        items: sql<number>`(SELECT count(*) FROM board_item WHERE created_user_id = ${id} AND deleted_date IS NULL)`,
        comments: sql<number>`(SELECT count(*) FROM board_item_comment WHERE created_user_id = ${id} AND deleted_date IS NULL)`,
      })
      .from(user)
      .where(eq(user.id, id)),
    targetHistoryStatement(ctx.db, "user", id, "member.view"),
    roleGrantsStatement(ctx, id),
    ctx.db.select().from(suspension).where(eq(suspension.userId, id)),
  ]);
  const [row] = members;
  if (!row) throw memberNotFound();
  ctx.defer(audit(ctx, { action: "member.view", targetType: "user", targetId: id, subjectCount: 1 }).run());
  const known = fields.map(({ code, name }) => ({ name, value: profileText(row, code) }));
  return {
    ...memberRowView(row),
    profile: known.filter(({ value }) => value !== ""),
    consents: consents.map((consent) => ({ ...consent, createdDate: consent.createdDate.toISOString() })),
    sessions: sessions.map((each) => ({
      ...each,
      createdDate: each.createdDate.toISOString(),
      lastUsedDate: each.lastUsedDate.toISOString(),
    })),
    grants: grants.map((grant) => ({
      ...grant,
      startDate: grant.startDate.toISOString(),
      endDate: grant.endDate?.toISOString() ?? null,
      isNow: grant.isNow === 1,
    })),
    itemCount: counts[0]?.items ?? 0,
    commentCount: counts[0]?.comments ?? 0,
    suspendedDate: suspensions[0]?.createdDate.toISOString() ?? null,
    history: history.map((entry) => auditRowView(ctx, entry)),
    /** False where the account holds what the viewer does not: then every act on it is refused. */
    canAdminister: await canAdministerAccount(ctx, id),
  };
}

export type MemberDetail = View<typeof getMember>;

export function memberSegmentWords(filter: MemberFilter, roleName: string | null, profileName: string | null) {
  const { keyword, status, roleCode, profileValue, from, to } = filter;
  const words = [
    ...(keyword ? [`검색어 ‘${keyword}’`] : []),
    ...(status ? [`상태 ‘${MEMBER_STATUS_NAMES[status]}’`] : []),
    ...(roleCode ? [`역할 ‘${roleName ?? roleCode}’`] : []),
    ...(from || to ? [`가입일 ${from ?? ""}~${to ?? ""}`] : []),
    ...(profileValue ? [`${profileName ?? "가입 항목"} ‘${profileValue}’`] : []),
  ];
  return words.length === 0 ? ["모든 회원"] : words;
}

const EXPORT_MAX = 50_000;

export async function exportMembers(ctx: AppContext, input: ExportMembersInput): Promise<SheetDownload> {
  authorizeConsole(ctx);
  await countLimits(ctx, ["exportDay", requireSignedIn(ctx).userId]);
  const [rows, fields] = await ctx.db.batch([
    membersStatement(ctx.db).where(memberWhere(input.filter)).orderBy(user.createdDate).limit(EXPORT_MAX),
    ctx.db.select().from(profileField).orderBy(asc(profileField.sortOrder)),
  ]);
  const { keyword, ...filter } = input.filter;
  const { reason, format } = input;
  const detail = { filter: { ...filter, withKeyword: Boolean(keyword) }, format };
  await ctx.db.batch(auditPeople(ctx, { action: "member.export", targetType: "export", reason, detail }, rows));
  const columns = memberColumns(fields);
  return sheetDownload(
    ctx,
    input.format,
    "회원목록",
    columns.map(({ label }) => label),
    rows.map((row) => memberListRow(row, fields)),
    (row) => columns.map(({ text }) => text(row)),
  );
}
