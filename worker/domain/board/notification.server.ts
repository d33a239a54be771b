import { sql } from "drizzle-orm";
import { pendingNotification } from "#db/schema/mail.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { notifyAboutComments } from "./comment-notification.server.ts";
import { notifyAboutItems } from "./item-notification.server.ts";
import { type NotificationContext } from "./notified-item.server.ts";

const COMMENT_BATCHES = 10;

export async function sendNotifications(ctx: NotificationContext): Promise<void> {
  await ctx.db
    .delete(pendingNotification)
    .where(sql`NOT EXISTS (SELECT 1 FROM board_item WHERE board_item.id = ${pendingNotification.itemId})`);
  const write = await loadTemplateRenderer(ctx);
  await notifyAboutItems(ctx, write);
  for (let at = 0; at < COMMENT_BATCHES; at += 1) if (!(await notifyAboutComments(ctx, write))) return;
}
