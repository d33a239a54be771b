import type { AppContext } from "#worker/domain/kernel/context.ts";
import { type UserKeyType } from "#worker/contract/account/rules.ts";
import { RATE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { type LimitEntry } from "../kernel/limit.server.ts";

export type AddressKeyType = Exclude<UserKeyType, "Id">;

export const userKeyHash = (ctx: AppContext, type: UserKeyType, code: string) =>
  ctx.tokens.hash("userKey", `${type}:${code}`);

type CodeKey = { userKeyType: AddressKeyType; userKeyCode: string };

export const CODE_WAIT_SECONDS = RATE_LIMITS.codeKeyWait.windowSeconds;

/**
 * Limits for an address, the network address and the site, counted per purpose. @param sends false checks for a free
 * place without a message
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
    ["codeAddressDay", `${purpose}@${ctx.client.address}`],
    ...site,
  ];
}
