import { lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { type Place, prepareOnce } from "#db/prepared.ts";
import { activity } from "#db/schema/mail.ts";
import { ACTIVITY_DAYS, type ActivityDetail, type ActivityKind, UNREAD_COUNT_MAX } from "#worker/contract/mail/mail.ts";
import type { readActivityInput } from "#worker/contract/mail/input.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { Ages } from "#worker/domain/audit/ages.server.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";

export interface NewActivity {
  userId: string;
  kind: ActivityKind;
  itemId?: number;
  commentId?: string;
  detail?: ActivityDetail;
  onceKey?: string;
}

/** True unless the person switched this kind off. */
export const isBellOn = (kind: SQL, userId: SQL) =>
  sql`NOT EXISTS (SELECT 1 FROM notice_choice AS off WHERE off.kind = 'bell' AND off.target = ${kind} AND off.user_id = ${userId} AND off.is_on = 0)`;

export function activityStatements(ctx: Pick<AppContext, "db" | "now">, activities: readonly NewActivity[]) {
  const now = ctx.now().getTime();
  return jsonArrays(activities).map((json) =>
    ctx.db
      .insert(activity)
      .select(
        sql`SELECT NULL, value ->> 'userId', value ->> 'kind', value ->> 'itemId', value ->> 'commentId',
          coalesce(value -> 'detail', '{}'), ${now}, NULL, value ->> 'onceKey' FROM json_each(${json})
          WHERE ${isBellOn(sql`value ->> 'kind'`, sql`value ->> 'userId'`)}`,
      )
      .onConflictDoNothing(),
  );
}

export const unreadStatement = (db: Db, userId: string) => preparedUnread(db, { userId });

export const unreadCount = (userId: Place<string>) =>
  sql<number>`(SELECT count(*) FROM (SELECT 1 FROM activity INDEXED BY activity_unread WHERE user_id = ${userId} AND read_date IS NULL LIMIT ${UNREAD_COUNT_MAX + 1}))`;

const preparedUnread = prepareOnce((db) =>
  db.select({ count: unreadCount(sql.placeholder("userId")) }).from(sql`(SELECT 1)`),
);

export async function readActivity(
  ctx: AppContext,
  userId: string,
  input: Parsed<typeof readActivityInput>,
): Promise<{ unread: number }> {
  authorize(ctx, { action: "User.Self", userId }, ctx.actor.kind === "guest" ? "told" : "hidden");
  const chosen =
    "upTo" in input
      ? sql`${activity.id} <= ${input.upTo}`
      : sql`${activity.id} IN (SELECT value FROM json_each(${JSON.stringify(input.ids)}))`;
  const [, [left]] = await ctx.db.batch([
    ctx.db
      .update(activity)
      .set({ readDate: ctx.now() })
      .where(sql`${activity.userId} = ${userId} AND ${activity.readDate} IS NULL AND ${chosen}`),
    unreadStatement(ctx.db, userId),
  ]);
  return { unread: left?.count ?? 0 };
}

export const cleanUpActivity = (ctx: Pick<AppContext, "db">, ages: Ages) =>
  ctx.db.delete(activity).where(lt(activity.createdDate, ages.before("activity", ACTIVITY_DAYS * DAY_MS)));
