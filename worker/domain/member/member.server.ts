import { asc, desc, eq, sql } from "drizzle-orm";
import { profileField, session, user, userConsent } from "#db/schema/account.ts";
import { suspension } from "#db/schema/privacy.ts";
import { columnsOf } from "#db/sql.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext, View } from "#worker/domain/kernel/context.ts";
import { profileText } from "../account/profile.server.ts";
import { canAdministerAccount } from "../access/account-authority.server.ts";
import { roleGrantsStatement } from "../access/actor.server.ts";
import { auditRowView, targetHistoryStatement } from "../audit/audit-log.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorizeConsole } from "../kernel/authorize.server.ts";
import { memberRowView, membersStatement } from "./list.server.ts";

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
