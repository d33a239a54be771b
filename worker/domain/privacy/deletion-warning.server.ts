import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { user, userKey } from "#db/schema/account.ts";
import { deletionWarning } from "#db/schema/privacy.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { DELETION_WARNING_DAYS } from "#worker/contract/audit/retention-rules.ts";
import { contactOf } from "../mail/owner-message.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { queueMessage } from "../mail/message.server.ts";

export async function deletionWarningStatements(ctx: AppContext, ids: readonly string[]) {
  const within = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const [people, keys] = await ctx.db.batch([
    ctx.db
      .select({ id: user.id, userName: user.userName })
      .from(user)
      .where(sql`${user.id} IN ${within}`),
    ctx.db
      .select()
      .from(userKey)
      .where(sql`${userKey.userId} IN ${within}`),
  ]);
  const write = await loadTemplateRenderer(ctx);
  const messages = people.flatMap(({ id, userName }) => {
    const contact = contactOf(keys.filter((key) => key.userId === id));
    if (!contact) return [];
    return [
      queueMessage(ctx, {
        ...contact,
        ...write("inactive", {
          이름: userName,
          일수: String(DELETION_WARNING_DAYS),
          주소: `${ctx.config.SITE_ORIGIN}/Account/Signin`,
        }),
        userId: id,
      }),
    ];
  });
  const now = ctx.now();
  const statements: BatchItem<"sqlite">[] = [
    ctx.db.insert(deletionWarning).select(sql`SELECT value, ${now.getTime()} FROM json_each(${JSON.stringify(ids)})`),
    ...messages.map(({ statement }) => statement),
  ];
  return { statements, letterIds: messages.map(({ id }) => id) };
}
