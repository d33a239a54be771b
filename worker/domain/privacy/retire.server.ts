import { eq, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import type { RetireInput } from "#worker/contract/account/input.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { isAdministrator } from "../access/administrators.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { isBatchAborted, abortBatchUnless } from "../kernel/guard.server.ts";
import { destroyPeople } from "./destroy.server.ts";
import { registerDestroyedPeople } from "../audit/destruction-register.server.ts";
import { userKeysStatement } from "../mail/owner-message.server.ts";
import { confirmPassword } from "../access/password-attempt.server.ts";
import { isPasswordUnchanged } from "../account/credential.server.ts";

/**
 * Destroys what tells who the person was, in one batch: fully a member, or fully retired.
 * Posts and comments stay without the name; required consents and the audit log stay under the bare id.
 * @throws AppError INVALID_CREDENTIAL, CONFLICT for the last administrator, TOO_MANY_REQUESTS
 */
export async function retireOwnAccount(ctx: AppContext, input: RetireInput): Promise<Record<string, never>> {
  const me = requireSignedIn(ctx);
  const stored = await confirmPassword(ctx, input.password, "user.retire");
  const { userId } = me;
  const [[person], keys] = await ctx.db.batch([
    ctx.db.select().from(user).where(eq(user.id, userId)),
    userKeysStatement(ctx, userId),
  ]);
  if (!person) throw new AppError("UNAUTHORIZED");
  const codes = keys.map((key) => key.userKeyCode);
  const destroyed = await destroyPeople(ctx, [userId]);

  await ctx.db
    .batch([
      abortBatchUnless(ctx, sql`${isPasswordUnchanged(userId, stored)} AND ${isAnotherAdministratorLeft(userId)}`),
      ...destroyed.statements,
      registerDestroyedPeople(ctx, [userId], { kind: "회원정보", rule: "retire", basis: "본인 탈퇴" }),
      audit(ctx, {
        action: "user.retire",
        targetType: "user",
        targetId: userId,
        subjectCount: 1,
        reason: withoutOwnWords(input.reason ?? "", [person.userName, ...codes, ...profileTexts(person.profile)]),
      }),
    ])
    .catch(async (cause: unknown) => {
      if (!isBatchAborted(cause)) throw cause;
      throw (await isLastAdministrator(ctx, userId))
        ? new AppError("CONFLICT", { message: UI_MESSAGES.lastAdministrator })
        : new AppError("CONFLICT", { cause });
    });
  destroyed.after();
  return {};
}

/** Somebody who can do at least what this person can is left to administer the site; true for everybody who does not. */
function isAnotherAdministratorLeft(userId: string) {
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
  const [row] = await ctx.db.all<{ safe: number }>(sql`SELECT ${isAnotherAdministratorLeft(userId)} AS safe`);
  return row?.safe === 0;
}

function profileTexts(profile: Record<string, unknown>): string[] {
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
