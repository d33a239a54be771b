import { alumniSettings } from "../alumni/setting.server.ts";
import { type SQL, sql } from "drizzle-orm";
import { user, userKey } from "#db/schema/account.ts";
import { message } from "#db/schema/mail.ts";
import { idsIn } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { forgetVerificationTokens, userKeyHash, verificationTokensStatement } from "../account/verification.server.ts";
import { keepDestroyedTraces } from "../audit/destruction.server.ts";
import { unlinkAlumniStatements } from "../alumni/own-entry.server.ts";
import { reindexStaleItems } from "../board/search-index.server.ts";
import { cleanUpFiles } from "../file/clean-up.server.ts";
import { leavingStatements } from "./account-columns.server.ts";

const listOf = (values: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/**
 * Returns statements and follow-up work that destroy identifying data. Posts stay without names; required consents and
 * the audit log keep the bare id.
 */
export async function destroyPeople(ctx: AppContext, userIds: readonly string[]) {
  const people = listOf(userIds);
  const [keys, names] = await ctx.db.batch([
    ctx.db.select().from(userKey).where(idsIn(userKey.userId, userIds)),
    ctx.db
      .select({ id: user.id, userName: user.userName, createdDate: user.createdDate })
      .from(user)
      .where(sql`${user.id} IN ${people} AND ${user.status} <> 'retired'`),
  ]);
  const traces = keepDestroyedTraces(
    ctx,
    names.map(({ id, userName, createdDate }) => ({
      id,
      type: "user",
      since: createdDate,
      knownAs: [userName, ...keys.filter(({ userId }) => userId === id).map(({ userKeyCode }) => userKeyCode)],
    })),
  );
  const sealed = await verificationTokensStatement(ctx, keys, people);
  const codes = keys.map((key) => key.userKeyCode);
  const statements = [
    ...(await forgetNamesInMessages(ctx, people)),
    ...leavingStatements(ctx.db, {
      account: people,
      key: listOf(codes),
      keyHash: listOf(keys.map((key) => userKeyHash(ctx, key.userKeyType, key.userKeyCode))),
      oldId: sql`(SELECT old_key FROM moved_thing WHERE kind = 'member' AND target_id IN ${people})`,
      now: ctx.now(),
    }),
    ...(await unlinkAlumniStatements(ctx, codes)),
    ...traces,
  ];
  return {
    statements,
    /** Deletes marked files within seconds; the scheduled job is the fallback. */
    after: () =>
      ctx.defer(
        Promise.all([
          cleanUpFiles(ctx, alumniSettings(ctx).exportHours),
          reindexStaleItems(ctx),
          forgetVerificationTokens(ctx, sealed),
        ]),
      ),
  };
}

async function forgetNamesInMessages(ctx: AppContext, people: SQL) {
  const { retiredUser } = UI_MESSAGES;
  const named = await ctx.db.all<{ id: string; name: string }>(sql`
    SELECT DISTINCT about.key AS id, about.value AS name FROM message, json_each(message.about_people) AS about
    WHERE message.about_people IS NOT NULL AND about.key IN ${people} AND about.value <> ${retiredUser}`);
  return named.map(({ id, name }) =>
    ctx.db
      .update(message)
      .set({
        subject: sql`replace(${message.subject}, ${name}, ${retiredUser})`,
        body: sql`replace(${message.body}, ${name}, ${retiredUser})`,
        aboutPeople: sql`json_set(${message.aboutPeople}, ${`$."${id}"`}, ${retiredUser})`,
      })
      .where(sql`${message.aboutPeople} IS NOT NULL AND ${message.aboutPeople} ->> ${`$."${id}"`} = ${name}`),
  );
}
