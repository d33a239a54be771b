import { eq, sql } from "drizzle-orm";
import { privacyRequest } from "#db/schema/privacy.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError, invalid } from "#worker/contract/kernel/errors.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { AnswerRequestInput, EraseRequestInput, ExtendRequestInput } from "#worker/contract/privacy/input.ts";
import { signedIn } from "../kernel/authorize.server.ts";
import { isAdministrator } from "../access/administrators.server.ts";
import { administrating, change, conflict, type Guard } from "../kernel/change.server.ts";
import { audit, type AuditEntry } from "../kernel/audit-entry.server.ts";
import { deliverSoon } from "../mail/message.server.ts";
import { destroyPeople } from "./destroy.server.ts";
import { answeredLetter, extendedLetter } from "./messages.server.ts";
import { registerPeople } from "../audit/destruction-register.server.ts";
import { requestMissing } from "./request.server.ts";
import { suspendStatements } from "./suspension.server.ts";

type Request = typeof privacyRequest.$inferSelect;

async function openRequest(ctx: AppContext, id: string): Promise<Request> {
  const [row] = await ctx.db.select().from(privacyRequest).where(eq(privacyRequest.id, id));
  if (!row) throw requestMissing();
  if (row.closedDate) throw conflict("이미 처리를 마친 요구입니다.");
  return row;
}

const unchanged = (id: string, version: number): Guard => ({
  holds: sql`EXISTS (SELECT 1 FROM privacy_request WHERE id = ${id} AND version = ${version} AND closed_date IS NULL)`,
  error: () => conflict(),
});

const setRequest = (ctx: AppContext, id: string, version: number, values: Partial<Request>) =>
  ctx.db
    .update(privacyRequest)
    .set({
      ...values,
      handlerUserId: signedIn(ctx).userId,
      modifiedDate: ctx.now(),
      version: version + 1,
    })
    .where(eq(privacyRequest.id, id));

const told = (ctx: AppContext, id: string, entry: Pick<AuditEntry, "action" | "detail" | "reason">) =>
  audit(ctx, { ...entry, targetType: "privacyRequest", targetId: id, subjectCount: 1 });

/** Somebody sees to it now. @throws AppError NOT_FOUND, CONFLICT */
export async function startRequest(ctx: AppContext, id: string, version: number): Promise<{ version: number }> {
  administrating(ctx);
  const request = await openRequest(ctx, id);
  await change(
    ctx,
    [unchanged(id, version)],
    [
      setRequest(ctx, id, version, { status: "processing" }),
      told(ctx, id, {
        action: "privacy.start",
        detail: { before: { status: request.status }, after: { status: "processing" } },
      }),
    ],
  );
  return { version: version + 1 };
}

/** The answer is mailed; the request is closed with it, and what was asked to stop stops. @throws AppError NOT_FOUND, CONFLICT */
export async function answerRequest(
  ctx: AppContext,
  id: string,
  input: AnswerRequestInput,
): Promise<{ version: number; mailed: boolean }> {
  administrating(ctx);
  const request = await openRequest(ctx, id);
  const { result, answer, version } = input;
  const letter = await answeredLetter(ctx, request, result, answer);
  const { userId, kind } = request;
  const suspended =
    kind === "suspension" && result === "done" && userId ? await suspendStatements(ctx, userId, id) : [];
  await change(
    ctx,
    [unchanged(id, version)],
    [
      setRequest(ctx, id, version, { status: result, answer, closedDate: ctx.now() }),
      told(ctx, id, {
        action: "privacy.answer",
        detail: { before: { status: request.status }, after: { status: result }, mailed: letter !== null },
      }),
      ...(letter ? [letter.statement] : []),
      ...suspended,
    ],
  );
  if (letter) deliverSoon(ctx, letter.id);
  return { version: version + 1, mailed: letter !== null };
}

/** A later day, with its reason told to the person (시행령 제43조). @throws AppError NOT_FOUND, CONFLICT, INVALID_INPUT */
export async function extendRequest(
  ctx: AppContext,
  id: string,
  input: ExtendRequestInput,
): Promise<{ version: number; dueDate: string }> {
  administrating(ctx);
  const request = await openRequest(ctx, id);
  if (request.extendedReason) throw invalid({ reason: "기한은 한 번만 늦출 수 있습니다." });
  const { days, reason, version } = input;
  const dueDate = new Date(request.dueDate.getTime() + days * DAY_MS);
  const letter = await extendedLetter(ctx, request, dueDate, reason);
  await change(
    ctx,
    [unchanged(id, version)],
    [
      setRequest(ctx, id, version, { dueDate, extendedReason: reason }),
      told(ctx, id, {
        action: "privacy.extend",
        reason,
        detail: { before: { dueDate: request.dueDate }, after: { dueDate } },
      }),
      ...(letter ? [letter.statement] : []),
    ],
  );
  if (letter) deliverSoon(ctx, letter.id);
  return { version: version + 1, dueDate: dueDate.toISOString() };
}

/**
 * Destroys the account of who asked for it and answers him at the address that he had.
 * @throws AppError NOT_FOUND, CONFLICT for an administrator, INVALID_INPUT for a request that is nobody's account
 */
export async function eraseForRequest(
  ctx: AppContext,
  id: string,
  input: EraseRequestInput,
): Promise<{ version: number }> {
  administrating(ctx);
  const request = await openRequest(ctx, id);
  const { userId } = request;
  if (!userId || request.kind !== "erasure") throw invalid({ _: "회원 계정이 연결된 삭제 요구가 아닙니다." });
  const { answer, version } = input;
  const destroyed = await destroyPeople(ctx, [userId]);
  // Tells of nobody any more: what is left of it goes with the leftovers, five days after the retirement.
  const letter = await answeredLetter(ctx, request, "done", answer);
  await change(
    ctx,
    [
      unchanged(id, version),
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
        .set({ handlerUserId: signedIn(ctx).userId, modifiedDate: ctx.now() })
        .where(eq(privacyRequest.id, id)),
      registerPeople(ctx, [userId], { kind: "회원정보", rule: "request", basis: "정보주체의 삭제 요구" }),
      told(ctx, id, { action: "privacy.erase", detail: { userId, mailed: letter !== null } }),
      audit(ctx, { action: "user.retire", targetType: "user", targetId: userId, subjectCount: 1, reason: "삭제 요구" }),
      ...(letter ? [letter.statement] : []),
    ],
  );
  destroyed.after();
  if (letter) deliverSoon(ctx, letter.id);
  return { version: version + 1 };
}
