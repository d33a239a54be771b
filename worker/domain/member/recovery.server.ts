import type { MailTemplateValue } from "#worker/contract/mail/templates.ts";
import { eq, sql } from "drizzle-orm";
import { user, userKey } from "#db/schema/account.ts";
import { alumni } from "#db/schema/alumni.ts";
import { unchanged } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import type { MemberEmailInput, MemberNameInput } from "#worker/contract/member/input.ts";
import { userKeyTakenMessage } from "#worker/contract/kernel/messages.ts";
import { isLatinName, userKeyProblem, userNameProblem } from "#worker/contract/account/rules.ts";
import { authorizeConsole, can } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { loadLetterRenderer } from "../mail/render-template.server.ts";
import {
  contactOf,
  type NewMessage,
  queueMessage,
  queueOwnerMessage,
  sendCodeMessageNow,
  userKeysStatement,
} from "../mail/message.server.ts";
import { conflict, refuseExisting, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { endUndoLinks } from "../account/credential.server.ts";
import { memberNotFound } from "./member.server.ts";
import { authorizeMemberTargets, endSessionsOf, type MemberTarget } from "./member-target.server.ts";
import { randomPincode } from "#worker/adapters/secrets.server.ts";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import { authorizeAccounts } from "../access/account-authority.server.ts";
import {
  issueVerificationCode,
  retireAddressStatements,
  verificationCodeLimits,
} from "../account/verification.server.ts";
import { countLimits } from "../kernel/limit.server.ts";

/** @throws AppError NOT_FOUND, FORBIDDEN */
async function requireMember(ctx: AppContext, id: string) {
  const { stillTheirs, targets } = await authorizeMemberTargets(ctx, [id], ["active", "waiting", "blocked"]);
  const [target] = targets;
  if (!target) throw memberNotFound();
  return { stillTheirs, target };
}

const TO_ANOTHER = {
  ko: "관리자가 회원님의 이메일을 다른 주소로 변경하였습니다.",
  en: "the office has changed the e-mail address of your account to another one.",
};
const TO_THIS = {
  ko: "관리자가 회원님의 이메일을 이 주소로 변경하였습니다.",
  en: "the office has changed the e-mail address of your account to this one.",
};

/**
 * For a mailbox that is lost for good. Notifies both addresses and ends all sessions. @throws AppError NOT_FOUND,
 * FORBIDDEN, CONFLICT, ALREADY_EXISTS
 */
export async function correctMemberEmail(ctx: AppContext, id: string, input: MemberEmailInput): Promise<NewVersion> {
  authorizeConsole(ctx);
  const { stillTheirs, target } = await requireMember(ctx, id);
  const problem = userKeyProblem("Email", input.email, ctx.rules);
  if (problem) throw invalidInput({ email: problem });
  const now = ctx.now();
  const write = await loadLetterRenderer(ctx, id);
  const changeMessage = (recipient: string, text: MailTemplateValue): NewMessage => ({
    channel: "email",
    recipient,
    userId: id,
    ...write("emailCorrected", { 이름: target.userName, 내용: text }),
  });
  const old = target.email === input.email ? null : target.email;
  const queuedMessages = [
    ...(old ? [queueMessage(ctx, changeMessage(old, TO_ANOTHER))] : []),
    queueMessage(ctx, changeMessage(input.email, TO_THIS)),
  ];
  await authorizeAddressOfBook(ctx, target, input.email);
  const guards = [stillTheirs, unchanged(user, id, input.version)];
  await refuseExisting(userKeyTakenMessage("Email"), () =>
    runGuardedBatch(ctx, guards, [
      ctx.db.delete(userKey).where(sql`user_id = ${id} AND user_key_type = 'Email'`),
      ctx.db.insert(userKey).values({ userKeyType: "Email", userKeyCode: input.email, userId: id, verifiedDate: now }),
      ctx.db
        .update(user)
        .set({ modifiedDate: now, version: input.version + 1 })
        .where(eq(user.id, id)),
      ...(old ? retireAddressStatements(ctx, id, "Email", old) : []),
      endUndoLinks(ctx, id, sql`1`),
      endSessionsOf(ctx, [target], "e-mail corrected"),
      audit(ctx, {
        action: "member.email",
        targetType: "user",
        targetId: id,
        subjectCount: 1,
        reason: input.reason,
        detail: { before: { email: maskedEmail(target.email) }, after: { email: maskedEmail(input.email) } },
      }),
      ...queuedMessages,
    ]),
  );
  return { version: input.version + 1 };
}

/**
 * Corrects a name, by the rules of the name field, and tells the member. @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT,
 * INVALID_INPUT
 */
export async function renameMember(ctx: AppContext, id: string, input: MemberNameInput): Promise<NewVersion> {
  authorizeConsole(ctx);
  const { stillTheirs, target } = await requireMember(ctx, id);
  const { userName, reason, version } = input;
  const problem = userNameProblem(userName, ctx.rules, isLatinName(target.userName));
  if (problem) throw invalidInput({ userName: problem });
  if (userName === target.userName) throw invalidInput({ userName: "지금 이름과 같습니다." });
  const write = await loadLetterRenderer(ctx, id);
  const letter = write("nameCorrected", { 이름: userName, "이전 이름": target.userName });
  const guards = [stillTheirs, unchanged(user, id, version)];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .update(user)
      .set({ userName, modifiedDate: ctx.now(), version: version + 1 })
      .where(eq(user.id, id)),
    audit(ctx, { action: "member.name", targetType: "user", targetId: id, subjectCount: 1, reason }),
    queueOwnerMessage(ctx, id, await userKeysStatement(ctx, id), letter),
  ]);
  return { version: version + 1 };
}

/**
 * An account with an entry's address owns that entry, so assigning it requires the right to change entries. @throws
 * AppError FORBIDDEN
 */
async function authorizeAddressOfBook(ctx: AppContext, target: MemberTarget, email: string): Promise<void> {
  if (email === target.email || can(ctx.actor, { action: "Alumni_Write" })) return;
  const [entry] = await ctx.db.select({ id: alumni.id }).from(alumni).where(eq(alumni.email, email)).limit(1);
  if (entry)
    throw new AppError("FORBIDDEN", {
      message: "주소록에 있는 이메일입니다. 주소록을 고칠 수 있는 관리자에게 요청해 주십시오.",
    });
}

/** h***@example.kr: enough to recognise, too little to write to. */
const maskedEmail = (email: string | null) => (email ? email.replace(/^(.).*@/, "$1***@") : "");

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
  const write = await loadLetterRenderer(ctx, userId);
  // After the #, so that no server or log receives the token.
  const link = `${ctx.config.SITE_ORIGIN}/Account/FindPassword#${token}.${pincode}`;
  const outgoing = { ...contact, userId, ...write("resetLink", { 이름: target.userName, 주소: link }) };
  await sendCodeMessageNow(ctx, outgoing, pincode, "메일을 보내지 못했습니다. 잠시 후 다시 시도해 주십시오.");
  return {};
}
