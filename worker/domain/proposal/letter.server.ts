import { and, eq, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { idsIn } from "#db/sql.ts";
import type { MailTemplateText } from "#worker/contract/mail/templates.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { queueBulkMessages } from "../mail/message.server.ts";
import { loadTemplateRenderer, type TemplateRenderer } from "../mail/render-template.server.ts";

export const PROPOSAL_KEY = "proposal:";

const ADDRESS = sql<
  string | null
>`(SELECT user_key_code FROM user_key WHERE user_key.user_id = ${user.id} AND user_key_type = 'Email' AND verified_date IS NOT NULL)`;

/** By mail to those with an address. The key lets the log close them with the proposal. */
export async function letters(
  ctx: AppContext,
  { id, version }: { id: string; version: number },
  userIds: readonly string[],
  write: (render: TemplateRenderer, userName: string) => MailTemplateText,
) {
  const [render, people] = await Promise.all([
    loadTemplateRenderer(ctx),
    ctx.db
      .select({ id: user.id, userName: user.userName, address: ADDRESS.as("letter_address") })
      .from(user)
      .where(and(idsIn(user.id, userIds), eq(user.status, "active"))),
  ]);
  const messages = people.flatMap((person) => {
    if (person.address === null) return [];
    const onceKey = `${PROPOSAL_KEY}${id}:${version}:${person.id}`;
    return [
      { userId: person.id, recipient: person.address, ...write(render, person.userName), onceKey, offToken: null },
    ];
  });
  return queueBulkMessages(ctx, messages);
}
