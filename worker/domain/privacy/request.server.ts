import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import { user, userKey } from "#db/schema/account.ts";
import { privacyRequest } from "#db/schema/privacy.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import type { Page } from "#worker/contract/kernel/envelope.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { koreanDay, koreanLongDay, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { EnterRequestInput, ListRequestsQuery, OwnRequestInput } from "#worker/contract/privacy/input.ts";
import { type PrivacyRequestKind, REQUEST_KIND_NAMES } from "#worker/contract/privacy/privacy.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { contactOf, deliverMessageSoon, queueMessage, userKeysStatement } from "../mail/message.server.ts";
import { auditRowView, targetHistoryStatement } from "../audit/audit-log.server.ts";
import { authorizeConsole } from "../kernel/guarded-batch.server.ts";
import { auditLook, auditPeople } from "../kernel/audit-entry.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { readPrivacySettings } from "../audit/retention-setting.server.ts";
import type { MailTemplateText } from "#worker/contract/mail/templates.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";

const OPEN_REQUEST_STATUSES = ["received", "processing"] as const;

/** Last millisecond of the day, `days` after receipt, in Korean days. */
export function requestDueDate(receivedDate: Date, days: number): Date {
  return new Date(startOfKoreanDay(koreanDay(receivedDate)).getTime() + (days + 1) * DAY_MS - 1);
}

type PrivacyRequestRecord = typeof privacyRequest.$inferSelect;
const privacyRequestRowView = (row: PrivacyRequestRecord, now: Date) => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  userId: row.userId,
  requesterName: row.requesterName,
  contact: row.contact,
  receivedDate: row.receivedDate.toISOString(),
  dueDate: row.dueDate.toISOString(),
  closedDate: row.closedDate?.toISOString() ?? null,
  overdue: row.closedDate === null && row.dueDate < now,
  version: row.version,
});

type PrivacyRequestRow = View<typeof privacyRequestRowView>;

/** @throws AppError TOO_MANY_REQUESTS */
export async function submitOwnPrivacyRequest(
  ctx: AppContext,
  input: OwnRequestInput,
): Promise<{ id: string; dueDate: string }> {
  const me = requireSignedIn(ctx);
  await countLimits(ctx, ["privacyRequestDay", me.userId]);
  const contact = contactOf(await userKeysStatement(ctx, me.userId));
  return storeRequest(ctx, input, {
    userId: me.userId,
    requesterName: me.userName,
    contact: contact?.channel === "email" ? contact.recipient : "",
    receivedDate: ctx.now(),
  });
}

export async function listOwnPrivacyRequests(ctx: AppContext) {
  const me = requireSignedIn(ctx);
  const rows = await ctx.db
    .select()
    .from(privacyRequest)
    .where(eq(privacyRequest.userId, me.userId))
    .orderBy(desc(privacyRequest.receivedDate))
    .limit(50);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    status: row.status,
    content: row.content,
    answer: row.answer,
    extendedReason: row.extendedReason,
    receivedDate: row.receivedDate.toISOString(),
    dueDate: row.dueDate.toISOString(),
    closedDate: row.closedDate?.toISOString() ?? null,
  }));
}

export type OwnPrivacyRequestRow = View<typeof listOwnPrivacyRequests>[number];

/** For requests by letter or telephone, with or without an account. @throws AppError INVALID_INPUT */
export async function enterPrivacyRequest(
  ctx: AppContext,
  input: EnterRequestInput,
): Promise<{ id: string; dueDate: string }> {
  authorizeConsole(ctx);
  const now = ctx.now();
  const received = input.receivedDay ? new Date(`${input.receivedDay}T09:00:00+09:00`) : now;
  if (received > now && input.receivedDay !== koreanDay(now))
    throw invalidInput({ receivedDay: "오늘이나 지난 날짜를 입력해 주십시오." });
  const from = input.userKeyCode ? await requireMemberByKey(ctx, input.userKeyCode) : null;
  return storeRequest(ctx, input, {
    userId: from?.id ?? null,
    requesterName: input.requesterName || (from?.userName ?? ""),
    contact: input.contact || (from?.email ?? ""),
    receivedDate: received,
  });
}

async function requireMemberByKey(ctx: AppContext, code: string) {
  const [row] = await ctx.db
    .select({
      id: user.id,
      userName: user.userName,
      email: sql<
        string | null
      >`(SELECT user_key_code FROM user_key AS mail WHERE mail.user_id = "user"."id" AND mail.user_key_type = 'Email')`,
    })
    .from(user)
    .innerJoin(userKey, eq(userKey.userId, user.id))
    .where(eq(userKey.userKeyCode, code.toLowerCase()))
    .limit(1);
  if (!row) throw invalidInput({ userKeyCode: "그런 아이디나 이메일의 회원이 없습니다." });
  return row;
}

type RequestOrigin = Pick<PrivacyRequestRecord, "userId" | "requesterName" | "contact" | "receivedDate">;

async function storeRequest(
  ctx: AppContext,
  input: Pick<PrivacyRequestRecord, "kind" | "content">,
  from: RequestOrigin,
) {
  const { requestDays } = await readPrivacySettings(ctx);
  const id = crypto.randomUUID();
  const dueDate = requestDueDate(from.receivedDate, requestDays);
  const queued = await queueReceiptMessage(ctx, { ...from, kind: input.kind, dueDate });
  const { kind, content } = input;
  const answer = { id, dueDate: dueDate.toISOString() };
  await ctx.db.batch([
    ctx.db
      .insert(privacyRequest)
      .values({ id, kind, content, status: "received", ...from, dueDate, modifiedDate: ctx.now() }),
    ...auditPeople(
      ctx,
      { action: "privacy.request", targetType: "privacyRequest", targetId: id, detail: { kind, userId: from.userId } },
      [from.userId],
    ),
    ...(queued ? [queued.statement] : []),
    ...storeIdempotentAnswer(ctx, answer),
  ]);
  if (queued) deliverMessageSoon(ctx, queued.id);
  return answer;
}

export function privacyRequestWhere(query: Pick<ListRequestsQuery, "status" | "kind">, now: Date) {
  const { status, kind } = query;
  return and(
    status === "open" || status === "overdue"
      ? inArray(privacyRequest.status, [...OPEN_REQUEST_STATUSES])
      : status
        ? eq(privacyRequest.status, status)
        : undefined,
    status === "overdue" ? lt(privacyRequest.dueDate, now) : undefined,
    kind ? eq(privacyRequest.kind, kind) : undefined,
  );
}

export async function listPrivacyRequests(
  scope: RequestScope,
  query: ListRequestsQuery,
): Promise<Page<PrivacyRequestRow>> {
  const now = scope.now();
  const where = privacyRequestWhere(query, now);
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    rowsOfPage(
      scope.db
        .select()
        .from(privacyRequest)
        .where(where)
        .orderBy(
          sql`${privacyRequest.closedDate} IS NOT NULL`,
          sql`CASE WHEN ${privacyRequest.closedDate} IS NULL THEN ${privacyRequest.dueDate} END`,
          desc(privacyRequest.receivedDate),
        ),
      query,
    ),
    countRows(scope.db, privacyRequest, where),
  ]);
  const [found, counts] = rows;
  const { page, size: _size, ...filter } = query;
  const entry = { action: "privacy.list", targetType: "privacyRequest", detail: { ...filter, page } } as const;
  auditLook(
    ctx,
    entry,
    found.map(({ userId }) => userId),
  );
  return makeCountedPage(
    query,
    found.map((row) => privacyRequestRowView(row, now)),
    counts,
  );
}

export const privacyRequestNotFound = () => new AppError("NOT_FOUND", { message: "요구를 찾을 수 없습니다." });

export async function getPrivacyRequest(ctx: AppContext, id: string) {
  authorizeConsole(ctx);
  const [found, history] = await ctx.db.batch([
    ctx.db
      .select({ request: privacyRequest, handlerName: sql<string>`coalesce("user"."user_name", '')` })
      .from(privacyRequest)
      .leftJoin(user, eq(user.id, privacyRequest.handlerUserId))
      .where(eq(privacyRequest.id, id)),
    targetHistoryStatement(ctx.db, "privacyRequest", id, "privacy.view"),
  ]);
  const row = found[0];
  if (!row) throw privacyRequestNotFound();
  auditLook(ctx, { action: "privacy.view", targetType: "privacyRequest", targetId: id }, [row.request.userId]);
  const { content, answer, extendedReason } = row.request;
  return {
    ...privacyRequestRowView(row.request, ctx.now()),
    content,
    answer,
    extendedReason,
    handlerName: row.handlerName,
    history: history.map((entry) => auditRowView(ctx, entry)),
  };
}

export type PrivacyRequestDetail = View<typeof getPrivacyRequest>;

interface Addressee {
  userId: string | null;
  requesterName: string;
  contact: string;
  kind: PrivacyRequestKind;
}

const requestFields = (to: Addressee) => ({
  이름: to.requesterName,
  요구: `개인정보 ${REQUEST_KIND_NAMES[to.kind]} 요구`,
});

function queueRequestMessage(ctx: AppContext, to: Addressee, text: MailTemplateText) {
  if (to.contact === "") return null;
  return queueMessage(ctx, { channel: "email", recipient: to.contact, ...text, userId: to.userId });
}

async function queueReceiptMessage(ctx: AppContext, to: Addressee & { dueDate: Date }) {
  const write = await loadTemplateRenderer(ctx);
  return queueRequestMessage(
    ctx,
    to,
    write("privacyReceived", { ...requestFields(to), 기한: koreanLongDay(to.dueDate) }),
  );
}

export async function queueAnswerMessage(ctx: AppContext, to: Addressee, result: "done" | "refused", answer: string) {
  const write = await loadTemplateRenderer(ctx);
  return queueRequestMessage(
    ctx,
    to,
    write(result === "done" ? "privacyDone" : "privacyRefused", { ...requestFields(to), 답변: answer }),
  );
}

export async function queueExtensionMessage(ctx: AppContext, to: Addressee, dueDate: Date, reason: string) {
  const write = await loadTemplateRenderer(ctx);
  return queueRequestMessage(
    ctx,
    to,
    write("privacyExtended", { ...requestFields(to), 기한: koreanLongDay(dueDate), 사유: reason }),
  );
}
