import { eq, type SQL, sql } from "drizzle-orm";
import { user, userKey } from "#db/schema/account.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { isGrantActive } from "./grant.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { type NamedPerson, queueMessage } from "../mail/message.server.ts";
import type { BatchGuard } from "../kernel/guarded-batch.server.ts";

/** Console access by the own role; temporary roles do not count as a remaining administrator. */
export const isAdministrator = sql`(user.user_type = 'Admin' OR EXISTS (SELECT 1 FROM role AS r, json_each(r.permissions) AS p WHERE r.role_code = user.role_code AND p.value = 'ADMIN_Access'))`;

export const isAdministratorAt = (now: Date) =>
  sql`(${isAdministrator} OR EXISTS (SELECT 1 FROM role_grant AS g, role AS r, json_each(r.permissions) AS p
    WHERE g.user_id = user.id AND r.role_code = g.role_code AND p.value = 'ADMIN_Access' AND ${isGrantActive(now)}))`;

/** Ensures that an administrator remains, and a system administrator when one of them leaves. */
export function administratorRemainsGuard(leaving: SQL, systemLeaves: boolean): BatchGuard {
  const who = systemLeaves ? sql`user.user_type = 'Admin'` : isAdministrator;
  return {
    holds: sql`EXISTS (SELECT 1 FROM user WHERE status = 'active' AND ${who} AND NOT (${leaving}))`,
    error: () =>
      new AppError("CONFLICT", {
        message: "마지막 관리자의 권한은 없앨 수 없습니다. 다른 관리자를 먼저 지정해 주십시오.",
      }),
  };
}

export const administratorAddressesStatement = (ctx: AppContext) =>
  ctx.db
    .select({ address: userKey.userKeyCode })
    .from(user)
    .innerJoin(userKey, eq(userKey.userId, user.id))
    .where(
      sql`${user.status} = 'active' AND ${isAdministratorAt(ctx.now())} AND ${userKey.userKeyType} = 'Email' AND ${user.id} <> ${ctx.actor.kind === "guest" ? "" : ctx.actor.userId}`,
    )
    .limit(50);

/**
 * Prepares a message to all other administrators that names the caller and `people`; add its statements to the batch.
 */
export async function notifyAdministrators(ctx: AppContext, what: string, people: readonly NamedPerson[] = []) {
  const self = ctx.actor.kind === "guest" ? "" : ctx.actor.userId;
  const name = ctx.actor.kind === "guest" ? "" : ctx.actor.userName;
  const rows = await administratorAddressesStatement(ctx);
  const write = await loadTemplateRenderer(ctx);
  const text = write("administratorsChanged", {
    이름: name,
    내용: what,
    주소: `${ctx.config.SITE_ORIGIN}/Admin/Audit`,
  });
  return rows.map(({ address }) =>
    queueMessage(ctx, {
      channel: "email",
      recipient: address,
      ...text,
      about: [...(self ? [{ id: self, userName: name }] : []), ...people],
    }),
  );
}
