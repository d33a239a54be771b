import type { MailTemplateValue } from "#worker/contract/mail/templates.ts";
import { ACCOUNT_RULE_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { and, eq, sql, type SQL } from "drizzle-orm";
import { session, user, userKey, verification } from "#db/schema/account.ts";
import { hashPassword } from "#worker/adapters/password.server.ts";
import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES, USER_KEY_TEXTS, userKeyTakenMessage } from "#worker/contract/kernel/messages.ts";
import type { changePasswordInput, changeUserKeyInput, endOtherSessionsInput } from "#worker/contract/account/input.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import {
  abortBatchUnless,
  isBatchAborted,
  isUniqueViolation,
  runGuardedBatch,
} from "../kernel/guarded-batch.server.ts";
import { queueMessage, queueOwnerMessage, userKeysStatement } from "../mail/message.server.ts";
import { loadLetterRenderer, loadTemplateRenderer } from "../mail/render-template.server.ts";
import { confirmPassword } from "../access/password-attempt.server.ts";
import { passwordProblem } from "./password-rule.server.ts";
import { endSessions } from "./session.server.ts";
import {
  type AddressKeyType,
  endCodes,
  forgetVerificationTokens,
  messageChannelOf,
  readVerificationToken,
  retireAddressStatements,
  sealVerificationToken,
  userKeyHash,
  verificationTokensStatement,
} from "./verification.server.ts";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import { administratorAddressesStatement } from "../access/account-authority.server.ts";

export function authorizeOwnAccount(ctx: AppContext, userId: string): void {
  authorize(ctx, { action: "User.Self", userId }, ctx.actor.kind === "guest" ? "told" : "hidden");
}

/** Ends every other session and open resets. @throws AppError INVALID_CREDENTIAL, INVALID_INPUT, TOO_MANY_REQUESTS, CONFLICT */
export async function changePassword(
  ctx: AppContext,
  userId: string,
  input: Parsed<typeof changePasswordInput>,
): Promise<Record<string, never>> {
  authorizeOwnAccount(ctx, userId);
  const me = requireSignedIn(ctx);
  const stored = await confirmPassword(ctx, input.password, "user.changePassword");
  const keys = await userKeysStatement(ctx, userId);
  const problem =
    input.newPassword === input.password
      ? ACCOUNT_RULE_MESSAGES.passwordSame
      : await passwordProblem(ctx.rules, input.newPassword, [...keys.map((key) => key.userKeyCode), me.userName]);
  if (problem) throw invalidInput({ newPassword: problem });

  const passwordHash = hashPassword(input.newPassword, ctx.config.PASSWORD_PEPPER);
  const write = await loadLetterRenderer(ctx, userId);
  const queued = queueOwnerMessage(ctx, userId, keys, write("passwordChanged", {}));
  await runGuardedBatch(ctx, isPasswordUnchanged(userId, stored), [
    ctx.db.update(user).set({ passwordHash, modifiedDate: ctx.now() }).where(eq(user.id, userId)),
    endSessions(ctx, userId, "password changed", me.sessionId),
    endCodes(ctx, keys, "reset"),
    audit(ctx, { action: "user.changePassword", targetId: userId }),
    queued,
  ]);
  return {};
}

/**
 * Ends every other session. The password keeps the finder of an open device from locking the owner out. @throws
 * AppError INVALID_CREDENTIAL, TOO_MANY_REQUESTS, CONFLICT
 */
export async function endOtherSessions(
  ctx: AppContext,
  userId: string,
  input: Parsed<typeof endOtherSessionsInput>,
): Promise<{ ended: number }> {
  authorizeOwnAccount(ctx, userId);
  const me = requireSignedIn(ctx);
  const stored = await confirmPassword(ctx, input.password, "session.endOthers");
  const work = ctx.db.batch([
    abortBatchUnless(ctx, isPasswordUnchanged(userId, stored)),
    endSessions(ctx, userId, "ended by hand", me.sessionId).returning({ id: session.id }),
    audit(ctx, { action: "session.endOthers", targetType: "user", targetId: userId }),
  ]);
  const [, ended] = await work.catch((cause: unknown) => {
    throw isBatchAborted(cause) ? new AppError("CONFLICT", { cause }) : cause;
  });
  return { ended: ended.length };
}

/** True while the account still has the password that was just compared. */
export const isPasswordUnchanged = (userId: string, passwordHash: string) =>
  sql`EXISTS (SELECT 1 FROM user WHERE id = ${userId} AND status = 'active' AND password_hash = ${passwordHash})`;

/**
 * Sets a verified e-mail or mobile and notifies the old address. @throws AppError INVALID_CREDENTIAL, INVALID_INPUT,
 * ALREADY_EXISTS, TOO_MANY_REQUESTS, CONFLICT
 */
export async function changeUserKey(
  ctx: AppContext,
  userId: string,
  input: Parsed<typeof changeUserKeyInput>,
): Promise<Record<string, never>> {
  authorizeOwnAccount(ctx, userId);
  const stored = await confirmPassword(ctx, input.password, "user.changeUserKey");
  const sealed = await readVerificationToken(ctx, input.userKeyToken, "verified");
  const unverified = invalidInput({
    userKeyToken: input.userKeyType === "Email" ? UI_MESSAGES.emailUnverified : UI_MESSAGES.mobileUnverified,
  });
  // Refuses a token that another signed-in person requested.
  if (!sealed || sealed.userKeyType !== input.userKeyType || (sealed.userId ?? userId) !== userId) throw unverified;

  const now = ctx.now();
  const { userKeyType, userKeyCode } = sealed;
  const tokenHash = sha256Base64Url(input.userKeyToken);
  const keys = await userKeysStatement(ctx, userId);
  const old = keys.find((key) => key.userKeyType === userKeyType);
  const sealedForOld = old ? await verificationTokensStatement(ctx, [old]) : [];
  const write = await loadLetterRenderer(ctx, userId);
  const undo = old ? await newUndoLink(ctx, { userId, userKeyType, userKeyCode: old.userKeyCode }) : null;
  const queued = old
    ? queueMessage(ctx, {
        channel: messageChannelOf(userKeyType),
        recipient: old.userKeyCode,
        userId,
        ...write("userKeyChanged", { 항목: USER_KEY_TEXTS[userKeyType], 되돌리기: undo?.link ?? "" }),
      })
    : null;
  const usable = sql`EXISTS (SELECT 1 FROM verification WHERE token_hash = ${tokenHash} AND purpose = 'verified' AND used_date IS NULL AND expires_date > ${now.getTime()})`;
  const guard = { holds: sql`${isPasswordUnchanged(userId, stored)} AND ${usable}`, error: () => unverified };
  const work = runGuardedBatch(ctx, guard, [
    ctx.db
      .update(verification)
      .set({ usedDate: now, usedByUserId: userId })
      .where(eq(verification.tokenHash, tokenHash)),
    old
      ? ctx.db
          .update(userKey)
          .set({ userKeyCode, verifiedDate: now })
          .where(and(eq(userKey.userId, userId), eq(userKey.userKeyType, userKeyType)))
      : ctx.db.insert(userKey).values({ userId, userKeyType, userKeyCode, verifiedDate: now }),
    ...(old ? retireAddressStatements(ctx, userId, userKeyType, old.userKeyCode) : []),
    endUndoLinksTo(ctx, { userId, userKeyType, userKeyCode }),
    ...(undo?.statements ?? []),
    ctx.db.update(user).set({ modifiedDate: now }).where(eq(user.id, userId)),
    audit(ctx, { action: "user.changeUserKey", targetId: userId, detail: { userKeyType } }),
    queued,
  ]);
  await work.catch((cause: unknown) => {
    if (isUniqueViolation(cause, "user_key."))
      throw new AppError("ALREADY_EXISTS", { message: userKeyTakenMessage(userKeyType), cause });
    throw cause;
  });
  ctx.defer(forgetVerificationTokens(ctx, sealedForOld));
  return {};
}

interface OwnedKey {
  userId: string;
  userKeyType: AddressKeyType;
  userKeyCode: string;
}

/** Creates the link for the old address. Its statement must follow those that end other codes. */
async function newUndoLink(ctx: AppContext, old: OwnedKey) {
  const sealed = { ...old, purpose: "undo" as const, codeHash: null };
  const { token, statements } = await sealVerificationToken(ctx, sealed, TOKEN_LIMITS.undoTtlSeconds);
  return { link: `${ctx.config.SITE_ORIGIN}/mail/undo/${token}`, statements };
}

/** Ends undo links that a later change of the address made unsafe. */
export const endUndoLinks = (ctx: AppContext, userId: string | SQL, more: SQL) =>
  ctx.db
    .update(verification)
    .set({ usedDate: ctx.now() })
    .where(
      sql`${verification.usedByUserId} = ${userId} AND ${verification.purpose} = 'undo' AND ${verification.usedDate} IS NULL AND ${more}`,
    );

/** Ends links back to an address that the account has again. */
const endUndoLinksTo = (ctx: AppContext, { userId, userKeyType, userKeyCode }: OwnedKey) =>
  endUndoLinks(ctx, userId, sql`${verification.keyHash} = ${userKeyHash(ctx, userKeyType, userKeyCode)}`);

const linkNotFound = () =>
  new AppError("NOT_FOUND", {
    message: "되돌릴 수 없는 주소입니다. 이미 쓰였거나 7일이 지났습니다. 사이트 아래의 연락처로 알려 주십시오.",
  });

async function readUndoLink(ctx: AppContext, token: string) {
  const sealed = await readVerificationToken(ctx, token, "undo");
  if (!sealed?.userId) throw linkNotFound();
  const { userId, userKeyType } = sealed;
  const [row] = await ctx.db
    .select({ link: verification, userName: user.userName, current: userKey.userKeyCode })
    .from(verification)
    .innerJoin(user, and(eq(user.id, userId), eq(user.status, "active")))
    .innerJoin(userKey, and(eq(userKey.userId, userId), eq(userKey.userKeyType, userKeyType)))
    .where(eq(verification.tokenHash, sha256Base64Url(token)));
  if (!row || row.link.expiresDate <= ctx.now()) throw linkNotFound();
  const isDone = row.link.usedDate !== null;
  if (isDone && row.current !== sealed.userKeyCode) throw linkNotFound();
  return { sealed: { ...sealed, userId }, ...row, isDone };
}

/** Shows anyone with the link its key type, but not the account. */
export async function getUndoKeyChange(ctx: AppContext, token: string) {
  const { sealed, isDone } = await readUndoLink(ctx, token);
  return { userKeyType: sealed.userKeyType, isDone };
}

/**
 * Restores the old address and ends all sessions and later links. The link is the authorization; idempotent. @throws
 * AppError NOT_FOUND
 */
export async function undoKeyChange(ctx: AppContext, token: string): Promise<Record<string, never>> {
  const { sealed, link, userName, current, isDone } = await readUndoLink(ctx, token);
  if (isDone) return {};
  const { userId, userKeyType, userKeyCode } = sealed;
  const now = ctx.now();
  const [writeToOwner, write, administrators] = [
    await loadLetterRenderer(ctx, userId),
    await loadTemplateRenderer(ctx),
    await administratorAddressesStatement(ctx),
  ];
  const tell = (recipient: string, channel: "email" | "sms", 내용: MailTemplateValue, ownerId: string | null) =>
    queueMessage(ctx, {
      channel,
      recipient,
      userId: ownerId,
      ...(ownerId ? writeToOwner : write)("userKeyUndone", { 항목: USER_KEY_TEXTS[userKeyType], 내용 }),
      about: ownerId ? [] : [{ id: userId, userName }],
    });
  const channel = messageChannelOf(userKeyType);
  const messages = [
    tell(
      userKeyCode,
      channel,
      {
        ko: "변경을 취소하고 모든 기기에서 로그아웃하였습니다. 사이트의 '비밀번호 찾기'에서 비밀번호를 바로 다시 정해 주십시오.",
        en: 'We have undone the change and signed out all devices. Please set a new password at once with "Reset password" on the sign-in page.',
      },
      userId,
    ),
    tell(
      current,
      channel,
      {
        ko: "예전 주소에서 변경을 취소하였습니다. 이 주소로는 더 이상 계정을 이용하실 수 없습니다. 취소하신 적이 없다면 사이트 아래의 연락처로 바로 알려 주십시오.",
        en: "The change was undone from the old address. You can no longer use the account with this one. If you did not undo it, please tell the office at once.",
      },
      userId,
    ),
    ...administrators.map(({ address }) =>
      tell(
        address,
        "email",
        `${userName}님이 본인이 하지 않은 변경이라며 되돌리고 모든 기기에서 로그아웃하였습니다. 계정이 도용되지 않았는지 확인해 주십시오.`,
        null,
      ),
    ),
  ];
  const isOpen = sql`EXISTS (SELECT 1 FROM verification WHERE token_hash = ${link.tokenHash} AND used_date IS NULL AND expires_date > ${now.getTime()})
    AND EXISTS (SELECT 1 FROM user WHERE id = ${userId} AND status = 'active')`;
  const work = runGuardedBatch(ctx, { holds: isOpen, error: linkNotFound }, [
    endUndoLinks(ctx, userId, sql`${verification.createdDate} >= ${link.createdDate.getTime()}`),
    ...retireAddressStatements(ctx, userId, userKeyType, current),
    ctx.db
      .update(userKey)
      .set({ userKeyCode, verifiedDate: now })
      .where(and(eq(userKey.userId, userId), eq(userKey.userKeyType, userKeyType))),
    ctx.db.update(user).set({ modifiedDate: now }).where(eq(user.id, userId)),
    endSessions(ctx, userId, "change of address undone"),
    audit(ctx, { action: "user.undoUserKey", targetId: userId, detail: { userKeyType } }),
    ...messages,
  ]);
  await work.catch((cause: unknown) => {
    throw isUniqueViolation(cause, "user_key.") ? linkNotFound() : cause;
  });
  return {};
}
