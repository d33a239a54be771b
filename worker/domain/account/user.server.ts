import { eq, sql } from "drizzle-orm";
import { user, userKey } from "#db/schema/account.ts";
import type { AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { checkProfileChange } from "#worker/contract/account/own-field.ts";
import { isLatinName, type ProfileInput, userNameProblem } from "#worker/contract/account/rules.ts";
import type { updateUserInput } from "#worker/contract/account/input.ts";
import { authorizeAccounts } from "../access/account-authority.server.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { confirmPassword } from "../access/password-attempt.server.ts";
import { abortBatchUnless, isBatchAborted } from "../kernel/guarded-batch.server.ts";
import { refusalKind } from "./refusal-kind.ts";
import { openProfileFields, profileFieldView } from "./profile.server.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";

export async function getUser(ctx: AppContext, id: string) {
  authorize(ctx, { action: "User.Read", userId: id }, refusalKind(ctx));
  const [[row], keys] = await ctx.db.batch([
    ctx.db.select().from(user).where(eq(user.id, id)),
    ctx.db.select().from(userKey).where(eq(userKey.userId, id)),
  ]);
  if (!row || row.status === "retired") throw new AppError("NOT_FOUND");
  if (requireSignedIn(ctx).userId !== id)
    ctx.defer(audit(ctx, { action: "user.view", targetId: id, subjectCount: 1 }).run());
  return {
    ...fieldsOf(row, "id", "userName", "userType", "roleCode"),
    userKeys: keys.map((key) => ({
      userKeyType: key.userKeyType,
      userKeyCode: key.userKeyCode,
      verified: key.verifiedDate !== null,
    })),
    ...fieldsOf(row, "profile", "language", "createdDate", "version"),
  };
}

export type UserView = View<typeof getUser>;

/**
 * Updates name and the given profile fields; `currentPassword` is the caller's own. @throws AppError
 * INVALID_CREDENTIAL, INVALID_INPUT, NOT_FOUND, CONFLICT for an outdated `version`
 */
export async function updateUser(
  ctx: AppContext,
  id: string,
  input: Parsed<typeof updateUserInput>,
): Promise<UserView> {
  authorize(ctx, { action: "User.Change", userId: id }, refusalKind(ctx));
  if (input.currentPassword !== undefined) await confirmPassword(ctx, input.currentPassword, "user.update");
  const stillTheirs = await authorizeAccounts(ctx, [id]);
  const [[row], fields] = await ctx.db.batch([
    ctx.db.select().from(user).where(eq(user.id, id)),
    openProfileFields(ctx.db),
  ]);
  if (!row || row.status === "retired") throw new AppError("NOT_FOUND");
  const renamed = input.userName !== undefined && input.userName !== row.userName;
  const misnamed = renamed ? userNameProblem(input.userName ?? "", ctx.rules, isLatinName(row.userName)) : null;
  if (misnamed) throw invalidInput({ userName: misnamed });
  const profile = input.profile ? mergeProfile(fields.map(profileFieldView), row.profile, input.profile) : row.profile;
  const work = ctx.db.batch([
    abortBatchUnless(
      ctx,
      sql`${stillTheirs.holds} AND EXISTS (SELECT 1 FROM user WHERE id = ${id} AND version = ${input.version} AND status <> 'retired')`,
    ),
    ctx.db
      .update(user)
      .set({
        userName: input.userName ?? row.userName,
        profile,
        language: input.language ?? row.language,
        modifiedDate: ctx.now(),
        version: sql`${user.version} + 1`,
      })
      .where(eq(user.id, id)),
    audit(ctx, { action: "user.update", targetId: id, subjectCount: 1 }),
  ]);
  await work.catch((cause: unknown) => {
    throw isBatchAborted(cause) ? new AppError("CONFLICT", { cause }) : cause;
  });
  return getUser(ctx, id);
}

/** Keeps values that are not changed. @throws AppError INVALID_INPUT */
function mergeProfile(
  fields: ReturnType<typeof profileFieldView>[],
  stored: Record<string, unknown>,
  given: ProfileInput,
) {
  const { profile, errors, checked } = checkProfileChange(fields, stored, given);
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
  return { ...Object.fromEntries(Object.entries(stored).filter(([code]) => !checked.has(code))), ...profile };
}
