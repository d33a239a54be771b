import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { user, userConsent, userKey, verification } from "#db/schema/account.ts";
import { hashPassword } from "#worker/adapters/password.server.ts";
import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES, userKeyTakenMessage } from "#worker/contract/kernel/messages.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { SIGNUP_ROLE_CODE } from "#worker/contract/kernel/permissions.ts";
import { checkProfile } from "#worker/contract/account/own-field.ts";
import { authenticationSettings } from "#worker/contract/account/setting-input.ts";
import { SIGNIN_KEY, userKeyProblem, type UserKeyType, userNameProblem } from "#worker/contract/account/rules.ts";
import type { signupInput } from "#worker/contract/account/input.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { countLimits, countMemberLookup } from "../kernel/limit.server.ts";
import { openProfileFields, profileFieldView } from "./profile.server.ts";
import { passwordProblem } from "./password-rule.server.ts";
import { checkUserKeyRule, readVerificationToken, userKeyHash } from "./verification.server.ts";
import { agreement, content, contentVersion } from "#db/schema/content.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { columnsOf } from "#db/sql.ts";
import { SIGNUP_TEXTS, signupClosedMessage, type SignupText } from "#worker/contract/account/view.ts";
import { picturePlacesIn, picturePlacesOf, picturesOfKindStatement } from "../file/picture.server.ts";
import { siteSettingsStatement } from "../access/actor.server.ts";
import type { Db } from "#db/client.ts";

/**
 * Creates the person, keys and consents and uses the verified address in one batch. @throws AppError FORBIDDEN before
 * the required texts are there, INVALID_INPUT, ALREADY_EXISTS, TOO_MANY_REQUESTS
 */
export async function signup(ctx: AppContext, input: Parsed<typeof signupInput>): Promise<{ userName: string }> {
  const [settings, fields, agreements, texts] = await ctx.db.batch([
    ...signupStatements(ctx.db),
    signupTextsStatement(ctx.db, ctx.now()),
  ]);
  requireSignupTexts(texts);
  const { authType, signupApproval } = authenticationSettings.parse(settings[0]?.value ?? {});
  const { profile, errors } = checkProfile(fields.map(profileFieldView), input.profile);
  if (input.userKeyType !== SIGNIN_KEY[authType]) errors.userKeyType = "이 사이트에서 쓰지 않는 가입 방식입니다.";
  const agreed = new Set(input.agreements.map(({ code, version }) => `${code}@${version}`));
  for (const { code, version, title, required } of agreements) {
    if (required && !agreed.has(`${code}@${version}`)) errors[`agreements.${code}`] = `'${title}'에 동의해 주십시오.`;
  }

  const byMobile = authType === "MobileAndPassword";
  const token = byMobile ? input.userKeyTokenForMobile : input.userKeyTokenForEmail;
  const tokenField = byMobile ? "userKeyTokenForMobile" : "userKeyTokenForEmail";
  const unverified = byMobile ? UI_MESSAGES.mobileUnverified : UI_MESSAGES.emailUnverified;
  const address = token ? await readVerificationToken(ctx, token, "verified") : null;
  const weak = await passwordProblem(ctx.rules, input.password, [
    input.userKeyCode,
    address?.userKeyCode ?? "",
    input.userName,
  ]);
  if (weak) errors.password = weak;
  const misnamed = userNameProblem(input.userName, ctx.rules, input.language === "en");
  if (misnamed) errors.userName = misnamed;
  const miskeyed = userKeyProblem(input.userKeyType, input.userKeyCode, ctx.rules);
  if (miskeyed) errors.userKeyCode = miskeyed;
  const fits =
    address?.userId === null &&
    address.userKeyType === (byMobile ? "Mobile" : "Email") &&
    (input.userKeyType === "Id" || address.userKeyCode === input.userKeyCode);
  if (!fits) errors[tokenField] = unverified;
  if (!token || !address || Object.keys(errors).length > 0) throw invalidInput(errors);
  // Counted after the checks, so that invalid requests do not block other people.
  await countLimits(ctx, ["signupAddress", ctx.client.address]);

  const now = ctx.now();
  const id = crypto.randomUUID();
  const tokenHash = sha256Base64Url(token);
  const person = {
    id,
    userName: input.userName,
    userType: "Member" as const,
    roleCode: SIGNUP_ROLE_CODE,
    status: signupApproval ? ("waiting" as const) : ("active" as const),
    passwordHash: hashPassword(input.password, ctx.config.PASSWORD_PEPPER),
    profile,
    language: input.language ?? "ko",
    createdDate: now,
    modifiedDate: now,
  };
  const keys = [
    { userKeyType: address.userKeyType, userKeyCode: address.userKeyCode, userId: id, verifiedDate: now },
  ] as (typeof userKey.$inferInsert)[];
  if (input.userKeyType === "Id") keys.unshift({ userKeyType: "Id", userKeyCode: input.userKeyCode, userId: id });
  const consents = agreements.map(({ code, version, textHash }) => ({
    userId: id,
    code,
    version,
    agreed: agreed.has(`${code}@${version}`),
    textHash,
    createdDate: now,
  }));
  // The Worker's clock stops during hashing, so the database supplies the time.
  const committed = sql`max(${now.getTime()}, CAST(unixepoch('subsec') * 1000 AS INTEGER))`;
  try {
    await ctx.db.batch([
      ctx.db.insert(user).values(person),
      // Runs after the account's insert, because the used token references the account.
      ctx.db
        .update(verification)
        .set({ usedDate: committed, usedByUserId: id })
        .where(
          sql`token_hash = ${tokenHash} AND purpose = 'verified' AND used_date IS NULL AND expires_date > ${now.getTime()}`,
        ),
      ...keys.map((key) =>
        ctx.db.insert(userKey).values({
          ...key,
          userId: sql`(SELECT used_by_user_id FROM verification WHERE token_hash = ${tokenHash} AND used_by_user_id = ${id})`,
        }),
      ),
      ...consents.map((consent) => ctx.db.insert(userConsent).values(consent)),
      ...storeIdempotentAnswer(ctx, { userName: input.userName }),
      audit(ctx, { action: "user.signup", actorUserId: id, targetType: "user", targetId: id, subjectCount: 1 }),
    ]);
  } catch (error) {
    return resolveFailedSignup(ctx, error, {
      input,
      id,
      addressCode: address.userKeyCode,
      tokenHash,
      unverified: { [tokenField]: unverified },
    });
  }
  await forgetTokenAccount(ctx, tokenHash);
  return { userName: input.userName };
}

/** Makes a repeat of an answered sign-up a duplicate; before that, it counts as a retry. */
async function forgetTokenAccount(ctx: AppContext, tokenHash: string): Promise<void> {
  const forget = ctx.db.update(verification).set({ usedByUserId: null }).where(eq(verification.tokenHash, tokenHash));
  await forget.catch(() => undefined);
}

interface FailedSignup {
  input: Parsed<typeof signupInput>;
  id: string;
  addressCode: string;
  tokenHash: string;
  unverified: Record<string, string>;
}

/** A taken key, a used token, or a retry after a lost answer. */
async function resolveFailedSignup(ctx: AppContext, cause: unknown, failed: FailedSignup) {
  const { input, id, addressCode, tokenHash, unverified } = failed;
  const [taken, spent] = await ctx.db.batch([
    ctx.db
      .select({ userKeyType: userKey.userKeyType, userId: userKey.userId })
      .from(userKey)
      .where(
        sql`(user_key_type = ${input.userKeyType} AND user_key_code = ${input.userKeyCode}) OR (user_key_type IN ('Email', 'Mobile') AND user_key_code = ${addressCode})`,
      ),
    ctx.db
      .select({
        userId: verification.usedByUserId,
        usedDate: verification.usedDate,
        expiresDate: verification.expiresDate,
      })
      .from(verification)
      .where(eq(verification.tokenHash, tokenHash)),
  ]);
  const use = spent[0];
  if (use?.userId === id) return { userName: input.userName };
  const repeated = use?.userId && use.usedDate && use.usedDate < ctx.startedDate;
  if (repeated && taken.some((key) => key.userId === use.userId && key.userKeyType === input.userKeyType)) {
    return { userName: input.userName };
  }
  const key = taken.find(({ userKeyType }) => userKeyType === input.userKeyType) ?? taken[0];
  if (key) {
    throw new AppError("ALREADY_EXISTS", {
      message: userKeyTakenMessage(key.userKeyType),
      data: { userKeyType: key.userKeyType },
      cause,
    });
  }
  if (!use || use.usedDate || use.expiresDate <= ctx.now()) throw invalidInput(unverified);
  throw new AppError("INTERNAL_ERROR", { message: UI_MESSAGES.signupFailed, cause });
}

const signupStatements = (db: RequestScope["db"]) =>
  [
    db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "authentication")),
    openProfileFields(db),
    db
      .select(
        columnsOf(
          agreement,
          "code",
          "title",
          "required",
          "version",
          "content",
          "textHash",
          "englishTitle",
          "englishContent",
        ),
      )
      .from(agreement)
      .where(eq(agreement.isCurrent, true))
      .orderBy(asc(agreement.sortOrder)),
  ] as const;

export async function getAuthenticationInfo(scope: RequestScope) {
  const { agreements, missingTexts: _missing, ...info } = await getSignupForm(scope);
  return { ...info, agreements: agreements.map(({ content: _content, pictures: _pictures, ...rest }) => rest) };
}

/** In English, agreements without an English version stay Korean. */
export async function getSignupForm(scope: RequestScope, language: Language = "ko") {
  const { ctx, rows } = await scope.read([
    ...signupStatements(scope.db),
    siteSettingsStatement(scope.db),
    picturesOfKindStatement(scope.db, "agreement", "terms"),
    signupTextsStatement(scope.db, scope.now()),
  ]);
  const [settings, fields, agreements, roles, pictures, texts] = rows;
  const { authType, roleCodeForGuest } = authenticationSettings.parse(settings[0]?.value ?? {});
  return {
    authType,
    roleCodeForGuest,
    userProfiles: fields.map(profileFieldView),
    roleForGuest: { roleCode: roleCodeForGuest, permissions: roles[0]?.permissions ?? [] },
    rules: ctx.rules,
    missingTexts: missingSignupTexts(texts),
    agreements: agreements.map(({ code, version, required, ...row }) => {
      const inEnglish = language === "en" && row.englishContent !== "";
      const [title, text] = inEnglish ? [row.englishTitle, row.englishContent] : [row.title, row.content];
      return {
        code,
        version,
        required,
        title,
        content: text,
        pictures: picturePlacesIn(text, picturePlacesOf(pictures)),
      };
    }),
  };
}

export type SignupFormView = View<typeof getSignupForm>;

export async function needsSignupApproval(scope: RequestScope): Promise<boolean> {
  const { rows } = await scope.read([signupStatements(scope.db)[0]]);
  return authenticationSettings.parse(rows[0][0]?.value ?? {}).signupApproval;
}

/** Rate-limited, because the answer reveals who is a member. @throws AppError TOO_MANY_REQUESTS */
export async function userKeyExists(
  ctx: AppContext,
  input: { userKeyType: UserKeyType; userKeyCode: string },
): Promise<{ exists: boolean }> {
  checkUserKeyRule(ctx, input, "userKeyCode");
  await countMemberLookup(ctx, userKeyHash(ctx, input.userKeyType, input.userKeyCode));
  const rows = await ctx.db
    .select({ userId: userKey.userId })
    .from(userKey)
    .where(and(eq(userKey.userKeyType, input.userKeyType), eq(userKey.userKeyCode, input.userKeyCode)));
  return { exists: rows.length > 0 };
}

const CODES = Object.keys(SIGNUP_TEXTS) as SignupText[];

export const signupTextsStatement = (db: Db, now: Date) =>
  db
    .select({ code: content.code })
    .from(content)
    .where(
      and(
        inArray(content.code, CODES),
        eq(content.status, "published"),
        sql`EXISTS (SELECT 1 FROM ${contentVersion} WHERE ${contentVersion.code} = ${content.code} AND ${contentVersion.effectiveDate} <= ${now.getTime()})`,
      ),
    );

export const missingSignupTexts = (inForce: readonly { code: string }[]): SignupText[] =>
  CODES.filter((code) => !inForce.some((row) => row.code === code));

/** Closes sign-up until the required legal texts are in force. @throws AppError FORBIDDEN */
function requireSignupTexts(inForce: readonly { code: string }[]): void {
  const message = signupClosedMessage(missingSignupTexts(inForce));
  if (message) throw new AppError("FORBIDDEN", { message });
}
