import { and, desc, eq, lt, sql } from "drizzle-orm";
import { user, userKey } from "#db/schema/account.ts";
import { privacyRequest } from "#db/schema/privacy.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import type { Page } from "#worker/contract/kernel/page.ts";
import { koreanDay, longDayTexts } from "#worker/contract/kernel/korea.ts";
import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import type { MailTemplateText, MailTemplateValue } from "#worker/contract/mail/templates.ts";
import type * as input from "#worker/contract/privacy/input.ts";
import { type PrivacyRequestKind, REQUEST_DESK, REQUEST_KIND_NAMES } from "#worker/contract/privacy/privacy.ts";
import { authorizeAccounts, isAdministrator } from "../access/account-authority.server.ts";
import { auditRowView, targetHistoryStatement } from "../audit/audit-log.server.ts";
import { registerDestroyedPeople } from "../audit/destruction.server.ts";
import { readPrivacySettings } from "../audit/retention-setting.server.ts";
import { audit, auditLook } from "../kernel/audit-entry.server.ts";
import { authorizeConsole, requireSignedIn } from "../kernel/authorize.server.ts";
import { auditCase, caseMissing, type Desk, inStateFor, requireCase, runCommand } from "../kernel/desk.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { contactOf, queueMessage, userKeysStatement } from "../mail/message.server.ts";
import { loadLetterRenderer, type TemplateRenderer } from "../mail/render-template.server.ts";
import { destroyPeople } from "./destroy.server.ts";
import { suspendMemberStatements } from "./suspension.server.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";

const DESK: Desk<typeof REQUEST_DESK, typeof privacyRequest> = {
  rules: REQUEST_DESK,
  table: privacyRequest,
  state: "status",
  target: "privacyRequest",
  authorize: authorizeConsole,
  missing: "요청을 찾을 수 없습니다.",
  ended: "이미 처리를 마친 요청입니다.",
};

type PrivacyRequestRecord = typeof privacyRequest.$inferSelect;
const privacyRequestRowView = (row: PrivacyRequestRecord, now: Date) => ({
  ...fieldsOf(row, "id", "kind", "status", "userId", "requesterName", "contact", "receivedDate", "dueDate"),
  closedDate: row.closedDate?.toISOString() ?? null,
  overdue: row.closedDate === null && row.dueDate < now,
  version: row.version,
});

/** @throws AppError TOO_MANY_REQUESTS */
export async function submitOwnPrivacyRequest(
  ctx: AppContext,
  sent: Parsed<typeof input.ownRequestInput>,
): Promise<{ id: string; dueDate: string }> {
  const me = requireSignedIn(ctx);
  await countLimits(ctx, ["privacyRequestDay", me.userId]);
  const contact = contactOf(await userKeysStatement(ctx, me.userId));
  return storeRequest(ctx, sent, {
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
    ...fieldsOf(row, "id", "kind", "status", "content", "answer", "extendedReason", "receivedDate", "dueDate"),
    closedDate: row.closedDate?.toISOString() ?? null,
  }));
}

export type OwnPrivacyRequestRow = View<typeof listOwnPrivacyRequests>[number];

/** For requests by letter or telephone, with or without an account. @throws AppError INVALID_INPUT */
export async function enterPrivacyRequest(
  ctx: AppContext,
  sent: Parsed<typeof input.enterRequestInput>,
): Promise<{ id: string; dueDate: string }> {
  authorizeConsole(ctx);
  const now = ctx.now();
  const received = sent.receivedDay ? new Date(`${sent.receivedDay}T09:00:00+09:00`) : now;
  if (received > now && sent.receivedDay !== koreanDay(now))
    throw invalidInput({ receivedDay: "오늘이나 지난 날짜를 입력해 주십시오." });
  const from = sent.userKeyCode ? await requireMemberByKey(ctx, sent.userKeyCode) : null;
  return storeRequest(ctx, sent, {
    userId: from?.id ?? null,
    requesterName: sent.requesterName || (from?.userName ?? ""),
    contact: sent.contact || (from?.email ?? ""),
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

async function storeRequest(
  ctx: AppContext,
  { kind, content }: Pick<PrivacyRequestRecord, "kind" | "content">,
  from: Pick<PrivacyRequestRecord, "userId" | "requesterName" | "contact" | "receivedDate">,
) {
  const { requestDays } = await readPrivacySettings(ctx);
  const id = crypto.randomUUID();
  const dueDate = daysLater(from.receivedDate, requestDays);
  const { userId } = from;
  const answer = { id, dueDate: dueDate.toISOString() };
  await runGuardedBatch(
    ctx,
    [],
    [
      ctx.db
        .insert(privacyRequest)
        .values({ id, kind, content, status: "received", ...from, dueDate, modifiedDate: ctx.now() }),
      ...auditCase(ctx, DESK, { id, userId }, { action: "privacy.request", detail: { kind, userId } }),
      await queueLetter(ctx, { ...from, kind }, (write, to) =>
        write("privacyReceived", { ...to, 기한: longDayTexts(dueDate) }),
      ),
      ...storeIdempotentAnswer(ctx, answer),
    ],
  );
  return answer;
}

export function privacyRequestWhere(query: Pick<Parsed<typeof input.listRequestsQuery>, "status" | "kind">, now: Date) {
  const { status, kind } = query;
  return and(
    status === "open" || status === "overdue"
      ? inStateFor(REQUEST_DESK, "accept", privacyRequest.status)
      : status
        ? eq(privacyRequest.status, status)
        : undefined,
    status === "overdue" ? lt(privacyRequest.dueDate, now) : undefined,
    kind ? eq(privacyRequest.kind, kind) : undefined,
  );
}

export async function listPrivacyRequests(
  scope: RequestScope,
  query: Parsed<typeof input.listRequestsQuery>,
): Promise<Page<View<typeof privacyRequestRowView>>> {
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
  if (!row) throw caseMissing(DESK);
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

const ENGLISH_REQUESTS: Record<PrivacyRequestKind, string> = {
  access: "request for a copy of your data",
  correction: "request to correct your data",
  erasure: "request to erase your data",
  suspension: "request to stop processing your data",
};

async function queueLetter(
  ctx: AppContext,
  { requesterName, contact, kind, userId }: Addressee,
  textOf: (write: TemplateRenderer, to: { 이름: string; 요청: MailTemplateValue }) => MailTemplateText,
) {
  if (contact === "") return null;
  const to = {
    이름: requesterName,
    요청: { ko: `개인정보 ${REQUEST_KIND_NAMES[kind]} 요청`, en: ENGLISH_REQUESTS[kind] },
  };
  const text = textOf(await loadLetterRenderer(ctx, userId ?? ""), to);
  return queueMessage(ctx, { channel: "email", recipient: contact, ...text, userId });
}

const queueAnswer = (ctx: AppContext, to: Addressee, command: "accept" | "refuse" | "erase", answer: string) =>
  queueLetter(ctx, to, (write, fields) => write(REQUEST_DESK.letters[command], { ...fields, 답변: answer }));

const handledNow = (ctx: AppContext) => ({ handlerUserId: requireSignedIn(ctx).userId, modifiedDate: ctx.now() });

/** @throws AppError NOT_FOUND, CONFLICT */
export async function startPrivacyRequest(ctx: AppContext, id: string, version: number): Promise<NewVersion> {
  const request = await requireCase(ctx, DESK, "start", id);
  const detail = { before: { status: request.status }, after: { status: "processing" } };
  const parts = auditCase(ctx, DESK, request, { action: "privacy.start", detail });
  await runCommand(ctx, DESK, "start", request, { version, set: handledNow(ctx), parts });
  return { version: version + 1 };
}

/** Mails the answer and closes the request; a requested stop takes effect. @throws AppError NOT_FOUND, CONFLICT */
export async function answerPrivacyRequest(
  ctx: AppContext,
  id: string,
  { result, answer, version }: Parsed<typeof input.answerRequestInput>,
): Promise<{ version: number; mailed: boolean }> {
  const command = result === "done" ? "accept" : "refuse";
  const request = await requireCase(ctx, DESK, command, id);
  const { userId, kind, status } = request;
  const stops = kind === "suspension" && command === "accept" && userId;
  const guards = userId ? [await authorizeAccounts(ctx, [userId])] : [];
  const letter = await queueAnswer(ctx, request, command, answer);
  const detail = { before: { status }, after: { status: result }, mailed: letter !== null };
  const parts = [
    ...auditCase(ctx, DESK, request, { action: "privacy.answer", detail }),
    letter,
    ...(stops ? await suspendMemberStatements(ctx, userId, id) : []),
  ];
  const set = { ...handledNow(ctx), answer, closedDate: ctx.now() };
  await runCommand(ctx, DESK, command, request, { version, set, guards, parts });
  return { version: version + 1, mailed: letter !== null };
}

/** Extends the deadline and mails the reason (시행령 제43조). @throws AppError NOT_FOUND, CONFLICT, INVALID_INPUT */
export async function extendPrivacyRequest(
  ctx: AppContext,
  id: string,
  { days, reason, version }: Parsed<typeof input.extendRequestInput>,
): Promise<{ version: number; dueDate: string }> {
  const request = await requireCase(ctx, DESK, "extend", id);
  if (request.extendedReason) throw invalidInput({ reason: "기한은 한 번만 늦출 수 있습니다." });
  const dueDate = daysLater(request.dueDate, days);
  const letter = await queueLetter(ctx, request, (write, to) =>
    write(REQUEST_DESK.letters.extend, { ...to, 기한: longDayTexts(dueDate), 사유: reason }),
  );
  const detail = { before: { dueDate: request.dueDate }, after: { dueDate } };
  const parts = [...auditCase(ctx, DESK, request, { action: "privacy.extend", reason, detail }), letter];
  const set = { ...handledNow(ctx), dueDate, extendedReason: reason };
  await runCommand(ctx, DESK, "extend", request, { version, set, parts });
  return { version: version + 1, dueDate: dueDate.toISOString() };
}

/**
 * Destroys the requester's account and mails the answer to its former address. @throws AppError NOT_FOUND, CONFLICT for
 * an administrator, INVALID_INPUT without an account
 */
export async function eraseForPrivacyRequest(
  ctx: AppContext,
  id: string,
  { answer, version }: Parsed<typeof input.eraseRequestInput>,
): Promise<NewVersion> {
  const request = await requireCase(ctx, DESK, "erase", id);
  const { userId } = request;
  if (!userId || request.kind !== "erasure") throw invalidInput({ _: "회원 계정이 연결된 삭제 요청이 아닙니다." });
  const isErasable = {
    holds: sql`EXISTS (SELECT 1 FROM user WHERE id = ${userId} AND status <> 'retired' AND NOT ${isAdministrator})`,
    error: () => conflict("이미 탈퇴한 회원이거나 관리자입니다. 관리자는 먼저 일반 회원으로 바꾸어 주십시오."),
  };
  const guards = [await authorizeAccounts(ctx, [userId]), isErasable];
  const destroyed = await destroyPeople(ctx, [userId]);
  const letter = await queueAnswer(ctx, request, "erase", answer);
  const parts = [
    ...destroyed.statements,
    registerDestroyedPeople(ctx, [userId], { kind: "회원정보", rule: "request", basis: "정보주체의 삭제 요청" }),
    ...auditCase(ctx, DESK, request, { action: "privacy.erase", detail: { userId, mailed: letter !== null } }),
    audit(ctx, { action: "user.retire", targetId: userId, subjectCount: 1, reason: "삭제 요청" }),
    letter,
  ];
  await runCommand(ctx, DESK, "erase", request, { version, set: handledNow(ctx), guards, parts });
  destroyed.after();
  return { version: version + 1 };
}
