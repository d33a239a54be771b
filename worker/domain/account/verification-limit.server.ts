import { eq, sql } from "drizzle-orm";
import { user, userKey } from "#db/schema/account.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { type UserKeyType } from "#worker/contract/account/rules.ts";
import { countLimits, rateLimitOf, type LimitEntry } from "../kernel/limit.server.ts";
import { deliverMessageSoon, queueMessage } from "../mail/message.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { isAdministrator } from "../access/administrators.server.ts";

export type AddressKeyType = Exclude<UserKeyType, "Id">;

export const userKeyHash = (ctx: AppContext, type: UserKeyType, code: string) =>
  ctx.tokens.hash("userKey", `${type}:${code}`);

type CodeKey = { userKeyType: AddressKeyType; userKeyCode: string };

/** How long a person waits before another code is sent to the same address. */
export const codeWaitSeconds = (ctx: AppContext): number => rateLimitOf(ctx, "codeKeyWait").windowSeconds;

/**
 * One send a minute, five an hour and ten a day for an address; and for whoever asks, and for the whole site. Codes of one
 * purpose use up nothing of another. @param sends false where nothing goes out: that a place is free is all that is asked
 */
export function verificationCodeLimits(
  ctx: AppContext,
  key: CodeKey,
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
    ["codeAddressDay", ctx.client.address],
    ...site,
  ];
}

/** Counts codes, and tells the administrators once when half of a day's are used up. @throws AppError TOO_MANY_REQUESTS */
export async function countCodes(ctx: AppContext, limits: [LimitEntry, ...LimitEntry[]]): Promise<void> {
  const counted = await countLimits(ctx, ...limits);
  for (const entry of limits) {
    const [name, , weight] = entry;
    if (weight === 0 || (name !== "codeSignupSiteDay" && name !== "codeResetSiteDay")) continue;
    const { max } = rateLimitOf(ctx, name);
    if (counted(entry) === Math.ceil(max / 2)) ctx.defer(notifyHalfUsed(ctx, name, max));
  }
}

const CODE_PURPOSES = { codeSignupSiteDay: "가입", codeResetSiteDay: "비밀번호 재설정" } as const;

async function notifyHalfUsed(ctx: AppContext, name: keyof typeof CODE_PURPOSES, max: number): Promise<void> {
  const people = await ctx.db
    .select({ userId: user.id, recipient: userKey.userKeyCode })
    .from(user)
    .innerJoin(userKey, eq(userKey.userId, user.id))
    .where(sql`${user.status} = 'active' AND ${isAdministrator} AND ${userKey.userKeyType} = 'Email'`)
    .limit(50);
  const write = await loadTemplateRenderer(ctx);
  const text = write("codesHalfUsed", {
    용도: CODE_PURPOSES[name],
    한도: max.toLocaleString("ko"),
    주소: `${ctx.config.SITE_ORIGIN}/Admin`,
  });
  const messages = people.map((person) => queueMessage(ctx, { channel: "email", ...person, ...text }));
  const [first, ...others] = messages.map(({ statement }) => statement);
  if (first) await ctx.db.batch([first, ...others]);
  for (const { id } of messages) deliverMessageSoon(ctx, id);
}
