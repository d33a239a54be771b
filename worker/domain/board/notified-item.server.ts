import { and, eq, isNotNull, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { user, userKey } from "#db/schema/account.ts";
import { board, boardItem } from "#db/schema/board.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { can } from "../kernel/authorize.server.ts";
import { absentActor, permissionsAt } from "../access/actor.server.ts";
import { isNotSuspended } from "../mail/message.server.ts";
import { signUnsubscribeToken, type UnsubscribeTarget } from "../mail/unsubscribe.server.ts";

export type NotificationContext = Pick<
  AppContext,
  "db" | "now" | "messages" | "tokens" | "config" | "origin" | "storedSettings"
>;

/** Column names are unique, because a D1 batch merges columns of the same name. */
export const ITEM_COLUMNS = {
  itemId: boardItem.id,
  boardCode: boardItem.boardCode,
  itemNo: boardItem.itemNo,
  title: boardItem.title,
  createdUserId: boardItem.createdUserId,
  createdUserName: boardItem.createdUserName,
  isSecret: boardItem.isSecret,
  createdDate: boardItem.createdDate,
  deletedDate: boardItem.deletedDate,
  boardName: board.boardName,
  isClosed: board.isClosed,
};
export type NotifiedItem = Pick<
  typeof boardItem.$inferSelect,
  "boardCode" | "itemNo" | "title" | "createdUserId" | "createdUserName" | "isSecret" | "createdDate" | "deletedDate"
> & { itemId: number; boardName: string; isClosed: boolean };

const recipientColumns = (now: Date) => ({
  id: user.id,
  userName: user.userName,
  userType: user.userType,
  roleCode: user.roleCode,
  roleName: role.roleName,
  permissions: permissionsAt(now),
  email: userKey.userKeyCode,
});

/** Excludes blocked, retired and suspended people; without a verified address, only the bell is used. */
export const recipientsStatement = (ctx: NotificationContext, ids: ReturnType<typeof sql>) =>
  ctx.db
    .select(recipientColumns(ctx.now()))
    .from(user)
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .leftJoin(
      userKey,
      and(eq(userKey.userId, user.id), eq(userKey.userKeyType, "Email"), isNotNull(userKey.verifiedDate)),
    )
    .where(sql`${user.id} IN ${ids} AND ${user.status} = 'active' AND ${isNotSuspended(sql`${user.id}`)}`);
type NotifiedPerson = Awaited<ReturnType<typeof recipientsStatement>>[number];
export type AddressedPerson = NotifiedPerson & { email: string };
export const hasAddress = (person: NotifiedPerson): person is AddressedPerson => person.email !== null;

/** Checks the current rights, which may have changed since the person followed. */
export const canReadItem = (ctx: NotificationContext, person: NotifiedPerson, item: NotifiedItem) =>
  can(absentActor(person), { action: "Item.Read", item: { ...item, board: item }, now: ctx.now() });

export const itemLink = (ctx: NotificationContext, item: NotifiedItem) =>
  `${ctx.config.SITE_ORIGIN}/board/${item.boardCode}/View/${item.itemNo}`;

export function unsubscribeLink(ctx: NotificationContext, target: UnsubscribeTarget) {
  const token = signUnsubscribeToken(ctx, target);
  return { offToken: token, "알림 끄기": `${ctx.config.SITE_ORIGIN}/mail/off/${token}` };
}
