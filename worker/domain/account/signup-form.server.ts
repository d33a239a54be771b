import { and, asc, eq } from "drizzle-orm";
import { profileField, userKey } from "#db/schema/account.ts";
import { agreement } from "#db/schema/content.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { columnsOf } from "#db/sql.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { authenticationSettings } from "#worker/contract/account/setting-input.ts";
import type { AuthenticationInfo, ProfileField } from "#worker/contract/account/view.ts";
import { type ProfileInputType, type UserKeyType } from "#worker/contract/account/rules.ts";
import { picturesOfKindStatement, picturePlacesIn, picturePlacesOf } from "../file/picture-place.server.ts";
import { countMemberLookup } from "../kernel/limit.server.ts";
import { guestRoleStatement } from "../access/actor.server.ts";
import { missingSignupTexts, signupTextsStatement } from "./signup-open.server.ts";
import { checkUserKeyRule } from "./verification.server.ts";
import { userKeyHash } from "./verification-limit.server.ts";

export const signupStatements = (db: RequestScope["db"]) =>
  [
    db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "authentication")),
    db.select().from(profileField).where(eq(profileField.isClosed, false)).orderBy(asc(profileField.sortOrder)),
    db
      .select(columnsOf(agreement, "code", "title", "required", "version", "content", "textHash"))
      .from(agreement)
      .where(eq(agreement.isCurrent, true))
      .orderBy(asc(agreement.sortOrder)),
  ] as const;

export async function getAuthenticationInfo(scope: RequestScope): Promise<AuthenticationInfo> {
  const { agreements, missingTexts: _missing, ...info } = await getSignupForm(scope);
  return { ...info, agreements: agreements.map(({ content: _content, pictures: _pictures, ...rest }) => rest) };
}

export async function getSignupForm(scope: RequestScope) {
  const { ctx, rows } = await scope.read([
    ...signupStatements(scope.db),
    guestRoleStatement(scope.db),
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
    agreements: agreements.map(({ textHash: _hash, ...rest }) => ({
      ...rest,
      pictures: picturePlacesIn(rest.content, picturePlacesOf(pictures)),
    })),
  };
}

export function profileFieldView(row: typeof profileField.$inferSelect): ProfileField {
  const { code, name, required, detail, englishName, englishDetail, sortOrder } = row;
  const inputType = row.inputType as ProfileInputType;
  return { code, name, inputType, required, detail, englishName, englishDetail, order: sortOrder };
}

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
