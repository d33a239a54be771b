import { eq, sql } from "drizzle-orm";
import { user, userKey } from "#db/schema/account.ts";
import { alumni } from "#db/schema/alumni.ts";
import { unchanged } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { NewVersion } from "#worker/contract/kernel/envelope.ts";
import type { MemberEmailInput } from "#worker/contract/member/input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { userKeyTakenMessage } from "#worker/contract/kernel/messages.ts";
import { userKeyProblem } from "#worker/contract/account/rules.ts";
import { can } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { deliverMessageSoon, type NewMessage, queueMessage } from "../mail/message.server.ts";
import { authorizeConsole, runGuardedBatch, conflict } from "../kernel/guarded-batch.server.ts";
import { refuseExisting } from "../kernel/guard.server.ts";
import { endUndoLinks } from "../account/undo-key-change.server.ts";
import { memberNotFound } from "./list.server.ts";
import { type MemberTarget, endSessionsOf, authorizeMemberTargets } from "./member-target.server.ts";

/**
 * For a mailbox that is lost for good. Notifies both addresses and ends all sessions. @throws AppError NOT_FOUND,
 * FORBIDDEN, CONFLICT, ALREADY_EXISTS
 */
export async function correctMemberEmail(ctx: AppContext, id: string, input: MemberEmailInput): Promise<NewVersion> {
  authorizeConsole(ctx);
  const {
    stillTheirs,
    targets: [target],
  } = await authorizeMemberTargets(ctx, [id], ["active", "waiting", "blocked"]);
  if (!target) throw memberNotFound();
  const problem = userKeyProblem("Email", input.email, ctx.rules);
  if (problem) throw invalidInput({ email: problem });
  const now = ctx.now();
  const write = await loadTemplateRenderer(ctx);
  const changeMessage = (recipient: string, text: string): NewMessage => ({
    channel: "email",
    recipient,
    userId: id,
    ...write("emailCorrected", { 이름: target.userName, 내용: text }),
  });
  const queuedMessages = [
    ...(target.email && target.email !== input.email
      ? [queueMessage(ctx, changeMessage(target.email, "관리자가 회원님의 이메일을 다른 주소로 변경하였습니다."))]
      : []),
    queueMessage(ctx, changeMessage(input.email, "관리자가 회원님의 이메일을 이 주소로 변경하였습니다.")),
  ];
  await authorizeAddressOfBook(ctx, target, input.email);
  await refuseExisting(userKeyTakenMessage("Email"), () =>
    runGuardedBatch(
      ctx,
      [stillTheirs, { holds: unchanged(user, id, input.version), error: () => conflict() }],
      [
        ctx.db.delete(userKey).where(sql`user_id = ${id} AND user_key_type = 'Email'`),
        ctx.db
          .insert(userKey)
          .values({ userKeyType: "Email", userKeyCode: input.email, userId: id, verifiedDate: now }),
        ctx.db
          .update(user)
          .set({ modifiedDate: now, version: input.version + 1 })
          .where(eq(user.id, id)),
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
        ...queuedMessages.map(({ statement }) => statement),
      ],
    ),
  );
  for (const sent of queuedMessages) deliverMessageSoon(ctx, sent.id);
  return { version: input.version + 1 };
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
