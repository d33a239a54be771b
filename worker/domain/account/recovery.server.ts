import { ACCOUNT_RULE_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { and, eq, sql } from "drizzle-orm";
import { user, userKey, verification } from "#db/schema/account.ts";
import { rateLimit, siteSetting } from "#db/schema/kernel.ts";
import { hashPassword, peppersOf, verifyPassword } from "#worker/adapters/password.server.ts";
import { randomPincode, sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { authenticationSettings } from "#worker/contract/account/setting-input.ts";
import type { findIdInput, resetPasswordInput, resetPasswordTokenInput } from "#worker/contract/account/input.ts";
import { SIGNIN_KEY, type UserKeyType } from "#worker/contract/account/rules.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { countLimits, countMemberLookup, limitsWhere } from "../kernel/limit.server.ts";
import {
  codeMessage,
  queueMessage,
  queueOwnerMessage,
  sendCodeMessage,
  userKeysStatement,
} from "../mail/message.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { signinLimitsOf } from "../access/password-attempt.server.ts";
import { passwordProblem } from "./password-rule.server.ts";
import { endSessions } from "./session.server.ts";
import {
  checkUserKeyRule,
  CODE_WAIT_SECONDS,
  endCodes,
  issueVerificationCode,
  messageChannelOf,
  tryVerificationCode,
  userKeyHash,
  verificationCodeLimits,
} from "./verification.server.ts";

const IS_VERIFIED = sql`${userKey.verifiedDate} IS NOT NULL`;
/** Imported members without a sign-in prove their address by the reset code. */
const IS_NOT_YET_IN = sql`${user.status} = 'active' AND ${user.lastSigninDate} IS NULL
  AND (${user.passwordHash} = '' OR ${user.passwordHash} LIKE 'imported$%')
  AND EXISTS (SELECT 1 FROM moved_thing WHERE moved_thing.kind = 'member' AND moved_thing.target_id = ${user.id})`;

function ownerStatement(ctx: AppContext, key: Parsed<typeof findIdInput>["userKey"], isTheirs = IS_VERIFIED) {
  return ctx.db
    .select({ id: user.id, userName: user.userName, createdDate: user.createdDate })
    .from(userKey)
    .innerJoin(user, eq(user.id, userKey.userId))
    .where(and(eq(userKey.userKeyType, key.userKeyType), eq(userKey.userKeyCode, key.userKeyCode), isTheirs));
}

function maskPart(part: string): string {
  const letters = [...part];
  const shown = letters.length <= 2 ? 1 : 2;
  const tail = letters.length >= 6 ? 1 : 0;
  const stars = "*".repeat(Math.max(1, letters.length - shown - tail));
  return letters.slice(0, shown).join("") + stars + letters.slice(letters.length - tail).join("");
}

/** Masks the middle of a key: `ho****g`, `ho***@pid.kr`, `010-****-5678`. */
function maskUserKey(userKeyType: UserKeyType, code: string): string {
  if (userKeyType === "Mobile") return code.replace(/-\d+-/, (middle) => `-${"*".repeat(middle.length - 2)}-`);
  const at = userKeyType === "Email" ? code.lastIndexOf("@") : -1;
  return at < 0 ? maskPart(code) : maskPart(code.slice(0, at)) + code.slice(at);
}

/**
 * Returns the masked IDs and mails the full ones; requires the name and the verified address. @throws AppError
 * NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function findSigninKey(
  ctx: AppContext,
  input: Parsed<typeof findIdInput>,
): Promise<{ idList: { userKeyCode: string; createdDate: string }[] }> {
  checkUserKeyRule(ctx, input.userKey);
  await countLimits(ctx, ["findIdAddress", ctx.client.address]);
  await countMemberLookup(ctx, userKeyHash(ctx, input.userKey.userKeyType, input.userKey.userKeyCode));
  const [settings, [found], keys] = await ctx.db.batch([
    ctx.db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "authentication")),
    ownerStatement(ctx, input.userKey),
    ctx.db
      .select()
      .from(userKey)
      .where(
        sql`${userKey.userId} = (SELECT user_id FROM user_key AS address WHERE address.user_key_type = ${input.userKey.userKeyType} AND address.user_key_code = ${input.userKey.userKeyCode})`,
      ),
  ]);
  const { authType } = authenticationSettings.parse(settings[0]?.value ?? {});
  const owner = found?.userName === input.userName ? found : null;
  const id = owner && (keys.find((key) => key.userKeyType === SIGNIN_KEY[authType]) ?? keys[0]);
  const note = audit(ctx, {
    action: "user.findId",
    targetId: owner?.id ?? "",
    ...(owner && { subjectCount: 1 }),
  });
  if (!owner || !id) {
    await note;
    throw new AppError("NOT_FOUND", { message: UI_MESSAGES.userNotFound });
  }
  const write = await loadTemplateRenderer(ctx, input.language);
  const queued = queueMessage(ctx, {
    channel: messageChannelOf(input.userKey.userKeyType),
    recipient: input.userKey.userKeyCode,
    userId: owner.id,
    ...write("foundIds", { 아이디: id.userKeyCode }),
  });
  await runGuardedBatch(ctx, [], [note, queued]);
  const userKeyCode = maskUserKey(id.userKeyType, id.userKeyCode);
  return { idList: [{ userKeyCode, createdDate: owner.createdDate.toISOString() }] };
}

/**
 * Creates a reset token and sends the code. Answer, work and limits do not reveal whether the address is known. @throws
 * AppError TOO_MANY_REQUESTS
 */
export async function requestPasswordReset(
  ctx: AppContext,
  input: Parsed<typeof resetPasswordTokenInput>,
): Promise<{ userToken: string; resendSeconds: number }> {
  const key = input.userKey;
  checkUserKeyRule(ctx, key);
  // Counts no lookup, because the answer reveals nothing and failed sign-ins must not block a reset.
  const [owner] = await ownerStatement(ctx, key, sql`(${IS_VERIFIED} OR (${IS_NOT_YET_IN}))`);
  await countLimits(ctx, ...verificationCodeLimits(ctx, key, "reset", owner !== undefined));
  const pincode = randomPincode();
  const sealed = { purpose: "reset" as const, ...key, userId: owner?.id ?? null };
  const { token } = await issueVerificationCode(ctx, sealed, owner ? pincode : null);
  if (owner) {
    const channel = messageChannelOf(key.userKeyType);
    const outgoing = { channel, recipient: key.userKeyCode, userId: owner.id };
    const sent = loadTemplateRenderer(ctx, input.language).then((write) =>
      sendCodeMessage(ctx, { ...outgoing, ...codeMessage(write, channel, pincode, "비밀번호 재설정 화면") }, pincode),
    );
    // Awaiting the provider or reporting its failure would reveal that the account exists.
    if (ctx.messages.isLocal) await sent;
    else ctx.defer(sent.catch(() => undefined));
  }
  return { userToken: token, resendSeconds: CODE_WAIT_SECONDS };
}

/**
 * Sets a password by code and ends all sessions, without a sign-in. @throws AppError INVALID_INPUT, PINCODE_MISMATCH,
 * PINCODE_EXPIRED, TOO_MANY_REQUESTS
 */
export async function resetPassword(
  ctx: AppContext,
  input: Parsed<typeof resetPasswordInput>,
): Promise<Record<string, never>> {
  const common = await passwordProblem(ctx.rules, input.password, []);
  if (common) throw invalidInput({ password: common });
  const sealed = await tryVerificationCode(ctx, input.userToken, input.pincode, "reset").catch((error: unknown) => {
    throw error instanceof AppError && error.code.startsWith("PINCODE") ? resetFailure(error) : error;
  });
  const userId = sealed.userId ?? "";
  const [[owner], keys] = await ctx.db.batch([
    ctx.db.select().from(user).where(eq(user.id, userId)),
    userKeysStatement(ctx, userId),
  ]);
  if (!owner) throw resetFailure(new AppError("PINCODE_EXPIRED"));
  await refuseBadPassword(ctx, input, owner.passwordHash, [...keys.map((key) => key.userKeyCode), owner.userName]);

  const now = ctx.now();
  const tokenHash = sha256Base64Url(input.userToken);
  const write = await loadTemplateRenderer(ctx, input.language);
  const queued = queueOwnerMessage(ctx, userId, keys, write("passwordReset", {}));
  const isUsable = {
    holds: sql`EXISTS (SELECT 1 FROM verification WHERE token_hash = ${tokenHash} AND used_date IS NULL AND expires_date > ${now.getTime()}) AND EXISTS (SELECT 1 FROM user WHERE id = ${userId} AND password_hash = ${owner.passwordHash})
          AND EXISTS (SELECT 1 FROM user_key WHERE user_id = ${userId} AND user_key_type = ${sealed.userKeyType} AND user_key_code = ${sealed.userKeyCode})`,
    error: () => resetFailure(new AppError("PINCODE_EXPIRED")),
  };
  await runGuardedBatch(ctx, isUsable, [
    ctx.db
      .update(user)
      .set({ passwordHash: hashPassword(input.password, ctx.config.PASSWORD_PEPPER), modifiedDate: now })
      .where(eq(user.id, userId)),
    endCodes(ctx, keys),
    ctx.db
      .update(userKey)
      .set({ verifiedDate: now })
      .where(
        sql`${userKey.userId} = ${userId} AND ${userKey.userKeyType} = ${sealed.userKeyType} AND ${userKey.userKeyCode} = ${sealed.userKeyCode} AND ${userKey.verifiedDate} IS NULL`,
      ),
    endSessions(ctx, userId, "password reset"),
    ctx.db.delete(rateLimit).where(limitsWhere(ctx, signinLimitsOf(ctx, userId))),
    audit(ctx, { action: "user.resetPassword", actorUserId: userId, targetType: "user", targetId: userId }),
    queued,
  ]);
  return {};
}

/** Checks that only the owner of the code may see; the right code stays valid. @throws AppError INVALID_INPUT */
async function refuseBadPassword(
  ctx: AppContext,
  input: Parsed<typeof resetPasswordInput>,
  stored: string,
  ownWords: string[],
): Promise<void> {
  const same = verifyPassword(input.password, stored, peppersOf(ctx.config));
  const problem = same
    ? ACCOUNT_RULE_MESSAGES.passwordSame
    : await passwordProblem(ctx.rules, input.password, ownWords);
  if (!problem) return;
  await ctx.db
    .update(verification)
    .set({ attempts: sql`max(0, ${verification.attempts} - 1)` })
    .where(eq(verification.tokenHash, sha256Base64Url(input.userToken)));
  throw invalidInput({ password: problem });
}

function resetFailure(error: AppError): AppError {
  return new AppError(error.code, { message: UI_MESSAGES.resetFailed, ...(error.data ? { data: error.data } : {}) });
}
