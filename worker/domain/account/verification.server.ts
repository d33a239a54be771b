import { and, eq, gt, isNull, lt, type SQL, sql } from "drizzle-orm";
import { userKey, verification } from "#db/schema/account.ts";
import { message } from "#db/schema/mail.ts";
import { idsIn } from "#db/sql.ts";
import { isSameSecret, randomPincode, randomToken, sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { RATE_LIMITS, SIGNIN_LIMITS } from "#worker/contract/kernel/limits.ts";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { userKeyProblem, type UserKeyType } from "#worker/contract/account/rules.ts";
import { chargeLimit, countLimits, isLimitUsedUp, type LimitEntry, refundLimits } from "../kernel/limit.server.ts";
import { codeMessage, sendCodeMessage } from "../mail/message.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";

/** Codes of one purpose are invalid for another. `entry`: second proof for an address book link. */
type CodePurpose = "code" | "reset" | "entry";
type VerificationPurpose = CodePurpose | "verified" | "entryVerified" | "undo" | "join";

interface SealedUserKey {
  purpose: VerificationPurpose;
  userKeyType: AddressKeyType;
  userKeyCode: string;
  /** The only person who can use the token: the owner of a reset, or the signed-in requester. */
  userId: string | null;
  personId?: string;
  codeHash: string | null;
}

const kvKey = (tokenHash: string) => `verification:${tokenHash}`;

/** @throws AppError INVALID_INPUT at `field` for a key that the site's rules refuse */
export function checkUserKeyRule(
  ctx: AppContext,
  key: { userKeyType: UserKeyType; userKeyCode: string },
  field = key.userKeyType === "Email" ? "email" : "mobile",
): void {
  const problem = userKeyProblem(key.userKeyType, key.userKeyCode, ctx.rules);
  if (problem) throw invalidInput({ [field]: problem });
}

/**
 * Sends a 6-digit code to a free address, or a notice to the owner of a taken one; the answer is identical. @throws
 * AppError TOO_MANY_REQUESTS, UPSTREAM_UNAVAILABLE
 */
export async function sendVerificationCode(
  ctx: AppContext,
  { language, ...input }: { userKeyType: AddressKeyType; userKeyCode: string; language?: Language | undefined },
) {
  checkUserKeyRule(ctx, input, "userKeyCode");
  const [owner] = await ctx.db
    .select({ userId: userKey.userId })
    .from(userKey)
    .where(and(eq(userKey.userKeyType, input.userKeyType), eq(userKey.userKeyCode, input.userKeyCode)));
  const userId = ctx.actor.kind === "guest" ? null : ctx.actor.userId;
  const limits = verificationCodeLimits(ctx, input, "code");
  await countLimits(ctx, ...limits);
  const pincode = owner ? null : randomPincode();
  const channel = messageChannelOf(input.userKeyType);
  const write = await loadTemplateRenderer(ctx, language);
  const text = pincode ? codeMessage(write, channel, pincode, "요청하신 화면") : write("alreadyMember", {});
  try {
    const issued = await issueVerificationCode(ctx, { purpose: "code", ...input, userId }, pincode);
    const outgoing = { channel, recipient: input.userKeyCode, userId: owner?.userId ?? null, ...text };
    await sendCodeMessage(ctx, outgoing, pincode);
    return {
      userKeyToken: issued.token,
      expiresDate: issued.expiresDate.toISOString(),
      resendSeconds: CODE_WAIT_SECONDS,
    };
  } catch (cause) {
    // A failed send counts only for the network address and the site.
    await refundLimits(ctx, ...limits.slice(0, 3));
    throw new AppError("UPSTREAM_UNAVAILABLE", { message: UI_MESSAGES.pincodeSendFailed, cause });
  }
}

export const messageChannelOf = (userKeyType: AddressKeyType) =>
  userKeyType === "Email" ? ("email" as const) : ("sms" as const);

/** Creates a token with the code `pincode`, or with none; ends older ones of the same address and purpose. */
export async function issueVerificationCode(
  ctx: AppContext,
  key: Omit<SealedUserKey, "codeHash"> & { purpose: CodePurpose },
  pincode: string | null,
  life: number | Date = TOKEN_LIMITS.pincodeTtlSeconds,
): Promise<{ token: string; expiresDate: Date }> {
  const token = randomToken();
  const codeHash = pincode ? ctx.tokens.hash("pincode", `${token}:${pincode}`) : null;
  const { expiresDate } = await storeVerificationToken(ctx, token, { ...key, codeHash }, life);
  return { token, expiresDate };
}

async function storeVerificationToken(ctx: AppContext, token: string, sealed: SealedUserKey, life: number | Date) {
  const { expiresDate, statements } = await sealVerificationToken(ctx, sealed, life, token);
  await ctx.db.batch(statements);
  return { expiresDate };
}

/**
 * Writes the token to KV and returns the statements that activate it and end older ones. @param life seconds, or the end
 * that people read
 */
export async function sealVerificationToken(
  ctx: AppContext,
  sealed: SealedUserKey,
  life: number | Date,
  token = randomToken(),
) {
  const now = ctx.now();
  const { purpose, userId } = sealed;
  const tokenHash = sha256Base64Url(token);
  const expiresDate = typeof life === "number" ? new Date(now.getTime() + life * 1000) : life;
  const expirationTtl = Math.ceil((expiresDate.getTime() - now.getTime()) / 1000);
  const keyHash = userKeyHash(ctx, sealed.userKeyType, sealed.userKeyCode);
  await ctx.kv.put(kvKey(tokenHash), JSON.stringify(sealed), { expirationTtl });
  const older = and(
    eq(verification.keyHash, keyHash),
    eq(verification.purpose, purpose),
    isNull(verification.usedDate),
  );
  const usedByUserId = purpose === "undo" || purpose === "join" ? userId : null;
  const statements = [
    ctx.db.update(verification).set({ usedDate: now }).where(older),
    ctx.db.insert(verification).values({ tokenHash, purpose, keyHash, createdDate: now, expiresDate, usedByUserId }),
  ] as const;
  return { token, expiresDate, statements };
}

interface KnownKey {
  userKeyType: UserKeyType;
  userKeyCode: string;
}

const isOfKeys = (ctx: AppContext, keys: readonly KnownKey[]) =>
  idsIn(
    verification.keyHash,
    keys.map((key) => userKeyHash(ctx, key.userKeyType, key.userKeyCode)),
  );

/** Ends open codes and links that were sent to these keys. */
export const endCodes = (ctx: AppContext, keys: readonly KnownKey[], purpose?: CodePurpose) =>
  ctx.db
    .update(verification)
    .set({ usedDate: ctx.now() })
    .where(
      and(isOfKeys(ctx, keys), isNull(verification.usedDate), purpose ? eq(verification.purpose, purpose) : undefined),
    );

/** Ends codes sent to an old address; its messages remain findable for retirement. */
export function retireAddressStatements(ctx: AppContext, userId: string, userKeyType: AddressKeyType, oldCode: string) {
  return [
    endCodes(ctx, [{ userKeyType, userKeyCode: oldCode }]),
    ctx.db.update(message).set({ userId }).where(eq(message.recipient, oldCode)),
  ];
}

export function verificationTokensStatement(ctx: AppContext, keys: readonly KnownKey[], people: SQL = sql`()`) {
  return ctx.db
    .select({ tokenHash: verification.tokenHash })
    .from(verification)
    .where(
      sql`${isOfKeys(ctx, keys)} OR (${verification.purpose} IN ('undo', 'join') AND ${verification.usedByUserId} IN ${people})`,
    );
}

export async function forgetVerificationTokens(ctx: AppContext, tokens: readonly { tokenHash: string }[]) {
  await Promise.all(tokens.map(({ tokenHash }) => ctx.kv.delete(kvKey(tokenHash))));
}

export async function readVerificationToken(ctx: AppContext, token: string, purpose: VerificationPurpose) {
  const sealed = await ctx.kv.get<SealedUserKey>(kvKey(sha256Base64Url(token)), "json");
  return sealed?.purpose === purpose ? sealed : null;
}

/**
 * Counts a try before comparing, so that parallel guesses stay limited. @throws AppError PINCODE_EXPIRED,
 * PINCODE_MISMATCH with `remaining`
 */
export async function tryVerificationCode(ctx: AppContext, token: string, pincode: string, purpose: CodePurpose) {
  const wrongAtAddress: LimitEntry = ["confirmAddress", ctx.client.address];
  const tokenHash = sha256Base64Url(token);
  const now = ctx.now();
  const isCrowded = await isLimitUsedUp(ctx, wrongAtAddress);
  const max = isCrowded ? SIGNIN_LIMITS.crowdedTries : RATE_LIMITS.codeTries.max;
  const open = and(
    eq(verification.tokenHash, tokenHash),
    eq(verification.purpose, purpose),
    isNull(verification.usedDate),
    gt(verification.expiresDate, now),
  );
  const [[row], sealed] = await Promise.all([
    ctx.db
      .update(verification)
      .set({ attempts: sql`${verification.attempts} + 1` })
      .where(and(open, lt(verification.attempts, max)))
      .returning({ attempts: verification.attempts }),
    readVerificationToken(ctx, token, purpose),
  ]);
  const right =
    sealed?.codeHash != null && isSameSecret(sealed.codeHash, ctx.tokens.hash("pincode", `${token}:${pincode}`));
  if (row && sealed && right) return sealed;
  // Counts only wrong codes, because many people may confirm theirs from one network address.
  await chargeLimit(ctx, wrongAtAddress);
  throw row && sealed
    ? new AppError("PINCODE_MISMATCH", { data: { remaining: max - row.attempts } })
    : new AppError("PINCODE_EXPIRED");
}

/** Only one of several parallel requests succeeds. @throws AppError PINCODE_EXPIRED, PINCODE_MISMATCH */
export async function confirmVerificationCode(
  ctx: AppContext,
  input: { userKeyToken: string; pincode: string },
): Promise<{ userKeyToken: string }> {
  const sealed = await tryVerificationCode(ctx, input.userKeyToken, input.pincode, "code");
  return { userKeyToken: await exchangeTriedToken(ctx, input.userKeyToken, { ...sealed, purpose: "verified" }) };
}

/** Exchanges the token of a right code, once. @throws AppError PINCODE_EXPIRED */
export async function exchangeTriedToken(
  ctx: AppContext,
  token: string,
  sealed: SealedUserKey & { purpose: "verified" | "entryVerified" },
): Promise<string> {
  const [won] = await ctx.db
    .update(verification)
    .set({ usedDate: ctx.now() })
    .where(and(eq(verification.tokenHash, sha256Base64Url(token)), isNull(verification.usedDate)))
    .returning({ tokenHash: verification.tokenHash });
  if (!won) throw new AppError("PINCODE_EXPIRED");
  const verified = randomToken();
  await storeVerificationToken(ctx, verified, { ...sealed, codeHash: null }, TOKEN_LIMITS.verifiedTtlSeconds);
  return verified;
}

export type AddressKeyType = Exclude<UserKeyType, "Id">;

export const userKeyHash = (ctx: AppContext, type: UserKeyType, code: string) =>
  ctx.tokens.hash("userKey", `${type}:${code}`);

export const CODE_WAIT_SECONDS = RATE_LIMITS.codeKeyWait.windowSeconds;

/**
 * Limits for an address, the network address and the site, counted per purpose. @param sends false checks for a free
 * place without a message
 */
export function verificationCodeLimits(
  ctx: AppContext,
  key: { userKeyType: AddressKeyType; userKeyCode: string },
  purpose: "code" | "reset" | "entry",
  sends = true,
): [LimitEntry, ...LimitEntry[]] {
  const address = `${purpose}:${userKeyHash(ctx, key.userKeyType, key.userKeyCode)}`;
  const site: LimitEntry[] =
    purpose === "reset"
      ? [["codeResetSiteDay", "site", sends ? 1 : 0]]
      : // A member who changes an address does not wait for what strangers ask for, nor who has a link of their own.
        purpose === "code" && ctx.actor.kind === "guest"
        ? [["codeSignupSiteDay", "site"]]
        : [];
  return [
    ["codeKeyWait", address],
    ["codeKeyHour", address],
    ["codeKeyDay", address],
    ["codeAddressDay", `${purpose}@${ctx.client.address}`],
    ...site,
  ];
}
