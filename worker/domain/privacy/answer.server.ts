import { eq, sql } from "drizzle-orm";
import { privacyRequest } from "#db/schema/privacy.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import type { NewVersion } from "#worker/contract/kernel/envelope.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { AnswerRequestInput, EraseRequestInput, ExtendRequestInput } from "#worker/contract/privacy/input.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { authorizeAccounts, isAdministrator } from "../access/account-authority.server.ts";
import { authorizeConsole, type BatchGuard, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { audit, type AuditEntry, auditPeople } from "../kernel/audit-entry.server.ts";
import { deliverMessageSoon } from "../mail/message.server.ts";
import { destroyPeople } from "./destroy.server.ts";
import { privacyRequestNotFound, queueAnswerMessage, queueExtensionMessage } from "./request.server.ts";
import { registerDestroyedPeople } from "../audit/destruction.server.ts";
import { suspendMemberStatements } from "./suspension.server.ts";

type PrivacyRequestRecord = typeof privacyRequest.$inferSelect;

async function requireOpenRequest(ctx: AppContext, id: string): Promise<PrivacyRequestRecord> {
  const [row] = await ctx.db.select().from(privacyRequest).where(eq(privacyRequest.id, id));
  if (!row) throw privacyRequestNotFound();
  if (row.closedDate) throw conflict("이미 처리를 마친 요구입니다.");
  return row;
}

const requestUnchangedGuard = (id: string, version: number): BatchGuard => ({
  holds: sql`EXISTS (SELECT 1 FROM privacy_request WHERE id = ${id} AND version = ${version} AND closed_date IS NULL)`,
  error: () => conflict(),
});

const updateRequestStatement = (ctx: AppContext, id: string, version: number, values: Partial<PrivacyRequestRecord>) =>
  ctx.db
    .update(privacyRequest)
    .set({
      ...values,
      handlerUserId: requireSignedIn(ctx).userId,
      modifiedDate: ctx.now(),
      version: version + 1,
    })
    .where(eq(privacyRequest.id, id));

const auditRequest = (
  ctx: AppContext,
  { id, userId }: PrivacyRequestRecord,
  entry: Pick<AuditEntry, "action" | "detail" | "reason">,
) => auditPeople(ctx, { ...entry, targetType: "privacyRequest", targetId: id }, [userId]);

/** @throws AppError NOT_FOUND, CONFLICT */
export async function startPrivacyRequest(ctx: AppContext, id: string, version: number): Promise<NewVersion> {
  authorizeConsole(ctx);
  const request = await requireOpenRequest(ctx, id);
  await runGuardedBatch(
    ctx,
    [requestUnchangedGuard(id, version)],
    [
      updateRequestStatement(ctx, id, version, { status: "processing" }),
      ...auditRequest(ctx, request, {
        action: "privacy.start",
        detail: { before: { status: request.status }, after: { status: "processing" } },
      }),
    ],
  );
  return { version: version + 1 };
}

/** Mails the answer and closes the request; a requested stop takes effect. @throws AppError NOT_FOUND, CONFLICT */
export async function answerPrivacyRequest(
  ctx: AppContext,
  id: string,
  input: AnswerRequestInput,
): Promise<{ version: number; mailed: boolean }> {
  authorizeConsole(ctx);
  const request = await requireOpenRequest(ctx, id);
  const { result, answer, version } = input;
  const stillTheirs = request.userId ? [await authorizeAccounts(ctx, [request.userId])] : [];
  const queued = await queueAnswerMessage(ctx, request, result, answer);
  const { userId, kind } = request;
  const suspended =
    kind === "suspension" && result === "done" && userId ? await suspendMemberStatements(ctx, userId, id) : [];
  await runGuardedBatch(
    ctx,
    [requestUnchangedGuard(id, version), ...stillTheirs],
    [
      updateRequestStatement(ctx, id, version, { status: result, answer, closedDate: ctx.now() }),
      ...auditRequest(ctx, request, {
        action: "privacy.answer",
        detail: { before: { status: request.status }, after: { status: result }, mailed: queued !== null },
      }),
      ...(queued ? [queued.statement] : []),
      ...suspended,
    ],
  );
  if (queued) deliverMessageSoon(ctx, queued.id);
  return { version: version + 1, mailed: queued !== null };
}

/** Extends the deadline and mails the reason (시행령 제43조). @throws AppError NOT_FOUND, CONFLICT, INVALID_INPUT */
export async function extendPrivacyRequest(
  ctx: AppContext,
  id: string,
  input: ExtendRequestInput,
): Promise<{ version: number; dueDate: string }> {
  authorizeConsole(ctx);
  const request = await requireOpenRequest(ctx, id);
  if (request.extendedReason) throw invalidInput({ reason: "기한은 한 번만 늦출 수 있습니다." });
  const { days, reason, version } = input;
  const dueDate = new Date(request.dueDate.getTime() + days * DAY_MS);
  const queued = await queueExtensionMessage(ctx, request, dueDate, reason);
  await runGuardedBatch(
    ctx,
    [requestUnchangedGuard(id, version)],
    [
      updateRequestStatement(ctx, id, version, { dueDate, extendedReason: reason }),
      ...auditRequest(ctx, request, {
        action: "privacy.extend",
        reason,
        detail: { before: { dueDate: request.dueDate }, after: { dueDate } },
      }),
      ...(queued ? [queued.statement] : []),
    ],
  );
  if (queued) deliverMessageSoon(ctx, queued.id);
  return { version: version + 1, dueDate: dueDate.toISOString() };
}

/**
 * Destroys the requester's account and mails the answer to its former address. @throws AppError NOT_FOUND, CONFLICT for
 * an administrator, INVALID_INPUT without an account
 */
export async function eraseForPrivacyRequest(
  ctx: AppContext,
  id: string,
  input: EraseRequestInput,
): Promise<NewVersion> {
  authorizeConsole(ctx);
  const request = await requireOpenRequest(ctx, id);
  const { userId } = request;
  if (!userId || request.kind !== "erasure") throw invalidInput({ _: "회원 계정이 연결된 삭제 요구가 아닙니다." });
  const stillTheirs = await authorizeAccounts(ctx, [userId]);
  const { answer, version } = input;
  const destroyed = await destroyPeople(ctx, [userId]);
  const queued = await queueAnswerMessage(ctx, request, "done", answer);
  await runGuardedBatch(
    ctx,
    [
      requestUnchangedGuard(id, version),
      stillTheirs,
      {
        holds: sql`EXISTS (SELECT 1 FROM user WHERE id = ${userId} AND status <> 'retired' AND NOT ${isAdministrator})`,
        error: () =>
          new AppError("CONFLICT", {
            message: "이미 탈퇴한 회원이거나 관리자입니다. 관리자는 먼저 일반 회원으로 바꾸어 주십시오.",
          }),
      },
    ],
    [
      ...destroyed.statements,
      ctx.db
        .update(privacyRequest)
        .set({ handlerUserId: requireSignedIn(ctx).userId, modifiedDate: ctx.now() })
        .where(eq(privacyRequest.id, id)),
      registerDestroyedPeople(ctx, [userId], { kind: "회원정보", rule: "request", basis: "정보주체의 삭제 요구" }),
      ...auditRequest(ctx, request, { action: "privacy.erase", detail: { userId, mailed: queued !== null } }),
      audit(ctx, { action: "user.retire", targetType: "user", targetId: userId, subjectCount: 1, reason: "삭제 요구" }),
      ...(queued ? [queued.statement] : []),
    ],
  );
  destroyed.after();
  if (queued) deliverMessageSoon(ctx, queued.id);
  return { version: version + 1 };
}
