import { eq, inArray, sql } from "drizzle-orm";
import {
  boardItem,
  boardItemComment,
  boardItemRevision,
  content,
  contentVersion,
  file,
  itemDraft,
  message,
  refreshToken,
  roleGrant,
  session,
  user,
  userConsent,
  userKey,
  verification,
} from "#db/schema.ts";
import type { AppContext } from "#worker/context.server.ts";
import { AppError } from "#worker/contract/errors.ts";
import { MESSAGES } from "#worker/contract/messages.ts";
import type { RetireInput } from "#worker/contract/user.ts";
import { can, signedIn } from "../access.server.ts";
import { isAdministrator } from "../admin/administrators.server.ts";
import { audit } from "../audit.server.ts";
import { reindexStale } from "../board/search-index.server.ts";
import { sweepFiles } from "../file/sweep.server.ts";
import { conditionFailed, onlyIf } from "../guard.server.ts";
import { keysStatement } from "./letters.server.ts";
import { confirmPassword } from "./password-attempt.server.ts";
import { isStored } from "./credential.server.ts";
import { forgetTokens, keyHash, tokensStatement } from "./verification.server.ts";

/**
 * Destroys what tells who the person was, in one batch: fully a member, or fully retired.
 * Posts and comments stay without the name; required consents and the audit log stay under the bare id.
 * @throws AppError INVALID_CREDENTIAL, CONFLICT for the last administrator, TOO_MANY_REQUESTS
 */
export async function retire(ctx: AppContext, input: RetireInput): Promise<Record<string, never>> {
  const me = signedIn(ctx);
  const stored = await confirmPassword(ctx, input.password, "user.retire");
  const { userId } = me;
  const [[person], keys] = await ctx.db.batch([
    ctx.db.select().from(user).where(eq(user.id, userId)),
    keysStatement(ctx, userId),
  ]);
  if (!person) throw new AppError("UNAUTHORIZED");
  const codes = keys.map((key) => key.userKeyCode);
  const addresses = JSON.stringify(keys.map((key) => keyHash(ctx, key.userKeyType, key.userKeyCode)));
  const tokens = sql`${verification.keyHash} IN (SELECT value FROM json_each(${addresses})) OR ${verification.usedByUserId} = ${userId}`;
  const sealed = await tokensStatement(ctx, keys);

  await ctx.db
    .batch([
      onlyIf(ctx, sql`${isStored(userId, stored)} AND ${anotherAdministrator(userId)}`),
      ctx.db
        .update(user)
        .set({
          userName: MESSAGES.retiredUser,
          userType: "Member",
          roleCode: "member",
          status: "retired",
          passwordHash: "",
          profile: {},
          lastSigninDate: null,
          modifiedDate: ctx.now(),
          version: sql`${user.version} + 1`,
        })
        .where(eq(user.id, userId)),
      ctx.db.delete(userKey).where(eq(userKey.userId, userId)),
      ctx.db
        .delete(refreshToken)
        .where(sql`${refreshToken.sessionId} IN (SELECT id FROM session WHERE user_id = ${userId})`),
      ctx.db.delete(session).where(eq(session.userId, userId)),
      ctx.db.delete(verification).where(tokens),
      ctx.db.delete(userConsent).where(optionalConsents(userId)),
      ctx.db.delete(message).where(sql`${eq(message.userId, userId)} OR ${inArray(message.recipient, codes)}`),
      ctx.db
        .update(boardItem)
        .set({ createdUserName: MESSAGES.retiredUser })
        .where(eq(boardItem.createdUserId, userId)),
      ctx.db
        .update(boardItemComment)
        .set({ createdUserName: MESSAGES.retiredUser })
        .where(eq(boardItemComment.createdUserId, userId)),
      ctx.db
        .update(boardItemRevision)
        .set({ modifiedUserName: MESSAGES.retiredUser })
        .where(eq(boardItemRevision.modifiedUserId, userId)),
      ctx.db.delete(roleGrant).where(eq(roleGrant.userId, userId)),
      ctx.db.delete(itemDraft).where(eq(itemDraft.userId, userId)),
      ...(can(ctx.actor, { action: "ADMIN_Access" }) ? administratorsTraces(ctx, person.userName) : []),
      // As old as the sweep of loose uploads wants them.
      ctx.db
        .update(file)
        .set({ createdDate: new Date(0) })
        .where(sql`${file.ownerUserId} = ${userId} AND ${file.status} <> 'attached'`),
      audit(ctx, {
        action: "user.retire",
        targetType: "user",
        targetId: userId,
        subjectCount: 1,
        reason: withoutOwnWords(input.reason ?? "", [person.userName, ...codes, ...textsOf(person.profile)]),
      }),
    ])
    .catch(async (cause: unknown) => {
      if (!conditionFailed(cause)) throw cause;
      throw (await isLastAdministrator(ctx, userId))
        ? new AppError("CONFLICT", { message: MESSAGES.lastAdministrator })
        : new AppError("CONFLICT", { cause });
    });
  // What the batch marked is gone within seconds; should this fail, the scheduled job does it.
  ctx.defer(Promise.all([sweepFiles(ctx), reindexStale(ctx), forgetTokens(ctx, sealed)]));
  return {};
}

/** Names of administrators stand in the history of pages and in letters to the others. */
function administratorsTraces(ctx: AppContext, userName: string) {
  const { retiredUser } = MESSAGES;
  return [
    ctx.db.update(content).set({ modifiedUserName: retiredUser }).where(eq(content.modifiedUserName, userName)),
    ctx.db
      .update(contentVersion)
      .set({ createdUserName: retiredUser })
      .where(eq(contentVersion.createdUserName, userName)),
    ctx.db
      .update(message)
      .set({ body: sql`replace(${message.body}, ${userName}, ${retiredUser})` })
      .where(sql`instr(${message.body}, ${userName}) > 0`),
  ];
}

/** Somebody who can do at least what this person can is left to administer the site; true for everybody who does not. */
function anotherAdministrator(userId: string) {
  return sql`(
    NOT EXISTS (SELECT 1 FROM user WHERE id = ${userId} AND ${isAdministrator})
    OR EXISTS (
      SELECT 1 FROM user JOIN user AS me ON me.id = ${userId}
      WHERE user.id <> me.id AND user.status = 'active' AND ${isAdministrator}
        AND (user.user_type = 'Admin' OR me.user_type <> 'Admin')
    )
  )`;
}

async function isLastAdministrator(ctx: AppContext, userId: string): Promise<boolean> {
  const [row] = await ctx.db.all<{ safe: number }>(sql`SELECT ${anotherAdministrator(userId)} AS safe`);
  return row?.safe === 0;
}

/** That the required ones were agreed to must be provable afterwards; the others served a purpose that ended. */
const optionalConsents = (userId: string) =>
  sql`${userConsent.userId} = ${userId} AND NOT EXISTS (SELECT 1 FROM agreement WHERE code = ${userConsent.code} AND version = ${userConsent.version} AND required = 1)`;

function textsOf(profile: Record<string, unknown>): string[] {
  return Object.values(profile)
    .flat()
    .filter((value) => typeof value === "string");
}

/** Why somebody left is worth keeping, who it was is not. */
function withoutOwnWords(reason: string, words: string[]): string {
  return words
    .filter((word) => word.length > 1)
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, word) => text.replaceAll(word, "○○"), reason);
}
