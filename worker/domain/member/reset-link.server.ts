import { eq } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { randomPincode } from "#worker/adapters/secrets.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import { authorizeAccounts } from "../access/account-authority.server.ts";
import { contactOf, userKeysStatement } from "../mail/owner-message.server.ts";
import { verificationCodeLimits } from "../account/verification-limit.server.ts";
import { issueVerificationCode } from "../account/verification.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { sendCodeMessageNow } from "../mail/message.server.ts";
import { authorizeConsole, conflict } from "../kernel/guarded-batch.server.ts";
import { memberNotFound } from "./list.server.ts";

/**
 * Mails a link, valid once for a day, for setting a new password; the old one works until then. @throws AppError
 * NOT_FOUND, FORBIDDEN, CONFLICT, INVALID_INPUT, TOO_MANY_REQUESTS, UPSTREAM_UNAVAILABLE
 */
export async function mailResetLink(ctx: AppContext, userId: string): Promise<Record<string, never>> {
  authorizeConsole(ctx);
  await authorizeAccounts(ctx, [userId]);
  const [[target], keys] = await ctx.db.batch([
    ctx.db.select().from(user).where(eq(user.id, userId)),
    userKeysStatement(ctx, userId),
  ]);
  if (!target || target.status === "retired") throw memberNotFound();
  if (target.status !== "active")
    throw conflict("로그인할 수 있는 회원에게만 보냅니다. 먼저 승인하거나 차단을 해제해 주십시오.");
  const contact = contactOf(keys);
  if (!contact)
    throw invalidInput({ email: "인증된 이메일이나 휴대전화번호가 없습니다. 먼저 이메일을 정정해 주십시오." });

  const key = {
    userKeyType: contact.channel === "email" ? ("Email" as const) : ("Mobile" as const),
    userKeyCode: contact.recipient,
  };
  const [first, ...others] = verificationCodeLimits(ctx, key, "reset").filter(([name]) => name !== "codeAddressDay");
  if (first) await countLimits(ctx, first, ...others);
  await audit(ctx, { action: "member.reset-link", targetType: "user", targetId: userId, subjectCount: 1 });
  const pincode = randomPincode();
  const sealed = { purpose: "reset" as const, ...key, userId };
  const { token } = await issueVerificationCode(ctx, sealed, pincode, TOKEN_LIMITS.resetLinkTtlSeconds);
  const write = await loadTemplateRenderer(ctx);
  // After the #, so that no server or log receives the token.
  const link = `${ctx.config.SITE_ORIGIN}/Account/FindPassword#${token}.${pincode}`;
  const outgoing = { ...contact, userId, ...write("resetLink", { 이름: target.userName, 주소: link }) };
  await sendCodeMessageNow(ctx, outgoing, pincode, "메일을 보내지 못했습니다. 잠시 후 다시 시도해 주십시오.");
  return {};
}
