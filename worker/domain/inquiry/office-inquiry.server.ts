import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { user } from "#db/schema/account.ts";
import { inquiry } from "#db/schema/inquiry.ts";
import type { AnswerInquiryInput, ListInquiriesQuery } from "#worker/contract/inquiry/input.ts";
import type { NewVersion, Page } from "#worker/contract/kernel/envelope.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { contactOf, deliverMessageSoon, queueMessage, userKeysStatement } from "../mail/message.server.ts";
import { auditRowView, targetHistoryStatement } from "../audit/audit-log.server.ts";
import { auditLook, auditPeople } from "../kernel/audit-entry.server.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { countRows, makeCountedPage, rowsOfPage } from "../kernel/page.server.ts";
import { activityStatements } from "../mail/activity.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import {
  closeInquiryBatch,
  furtherMessage,
  inquiryNotFound,
  type InquiryRecord,
  inquiryRowView,
  messageView,
  threadStatements,
} from "./message.server.ts";

const authorizeAnswering = (ctx: Pick<AppContext, "actor">) => authorize(ctx, { action: "Inquiry_Answer" });

const USER_NAME = sql<string>`(SELECT user_name FROM user WHERE user.id = ${inquiry.userId})`.as("asked_by");

const officeRowView = (row: InquiryRecord, userName: string) => ({
  ...inquiryRowView(row),
  userId: row.userId,
  userName,
});

type OfficeInquiryRow = View<typeof officeRowView>;

/** Waiting inquiries first, longest wait on top, then the rest by last change. The view is audited. */
export async function listInquiries(scope: RequestScope, query: ListInquiriesQuery): Promise<Page<OfficeInquiryRow>> {
  const { page, size, status, category } = query;
  const where = and(
    status ? eq(inquiry.status, status) : undefined,
    category ? eq(inquiry.category, category) : undefined,
  );
  const { ctx, rows } = await scope.readFor(authorizeAnswering, [
    rowsOfPage(
      scope.db
        .select({ inquiry, userName: USER_NAME })
        .from(inquiry)
        .where(where)
        .orderBy(
          sql`${inquiry.status} <> 'waiting'`,
          sql`CASE WHEN ${inquiry.status} = 'waiting' THEN ${inquiry.lastDate} END`,
          desc(inquiry.lastDate),
          inquiry.id,
        ),
      { page, size },
    ),
    countRows(scope.db, inquiry, where),
  ]);
  const [found, counts] = rows;
  const entry = { action: "inquiry.list", targetType: "inquiry", detail: { status, category, page } } as const;
  auditLook(
    ctx,
    entry,
    found.map((row) => row.inquiry.userId),
  );
  return makeCountedPage(
    query,
    found.map((row) => officeRowView(row.inquiry, row.userName)),
    counts,
  );
}

export const waitingInquiriesStatement = (db: Db) => countRows(db, inquiry, eq(inquiry.status, "waiting"));

/** The view is audited. @throws AppError NOT_FOUND */
export async function getInquiry(ctx: AppContext, id: string) {
  authorizeAnswering(ctx);
  const [found, messages, files, keys, history] = await ctx.db.batch([
    ctx.db.select({ inquiry, userName: USER_NAME }).from(inquiry).where(eq(inquiry.id, id)),
    ...threadStatements(ctx.db, sql`SELECT ${id}`),
    keysOfAskerStatement(ctx, id),
    targetHistoryStatement(ctx.db, "inquiry", id, "inquiry.view"),
  ]);
  const row = found[0];
  if (!row) throw inquiryNotFound();
  auditLook(ctx, { action: "inquiry.view", targetType: "inquiry", targetId: id }, [row.inquiry.userId]);
  return {
    ...officeRowView(row.inquiry, row.userName),
    messages: messages.map((each) => ({ ...messageView(each, files), authorName: each.authorName })),
    /** True when the answer is mailed as well, to a verified address. */
    hasMail: contactOf(keys)?.channel === "email",
    history: history.map((entry) => auditRowView(ctx, entry)),
  };
}

const keysOfAskerStatement = (ctx: AppContext, id: string) =>
  userKeysStatement(ctx, sql`(SELECT user_id FROM inquiry WHERE id = ${id})`);

/** Publishes the answer on the member's page, in the bell and by mail. @throws AppError NOT_FOUND, CONFLICT */
export async function answerInquiry(
  ctx: AppContext,
  id: string,
  input: AnswerInquiryInput,
): Promise<{ version: number; mailed: boolean }> {
  authorizeAnswering(ctx);
  const [[row], [asker], keys] = await ctx.db.batch([
    ctx.db.select().from(inquiry).where(eq(inquiry.id, id)),
    ctx.db
      .select({ userName: user.userName })
      .from(user)
      .where(sql`${user.id} = (SELECT user_id FROM inquiry WHERE id = ${id})`),
    keysOfAskerStatement(ctx, id),
  ]);
  if (!row || !asker) throw inquiryNotFound();
  const queued = await queueAnswerMessage(ctx, row, asker.userName, keys, input.content);
  const { guards, statements } = furtherMessage(ctx, id, input, "answered");
  await runGuardedBatch(ctx, guards, [
    ...statements,
    ...activityStatements(ctx, [{ userId: row.userId, kind: "inquiry", detail: { inquiryId: id } }]),
    ...(queued ? [queued.statement] : []),
    ...auditPeople(
      ctx,
      {
        action: "inquiry.answer",
        targetType: "inquiry",
        targetId: id,
        detail: { before: { status: row.status }, after: { status: "answered" }, mailed: queued !== null },
      },
      [row.userId],
    ),
  ]);
  if (queued) deliverMessageSoon(ctx, queued.id);
  return { version: input.version + 1, mailed: queued !== null };
}

type UserKeys = Awaited<ReturnType<typeof userKeysStatement>>;

/** Sent by mail only, because an answer is too long for an SMS. */
async function queueAnswerMessage(
  ctx: AppContext,
  { id, userId, subject }: InquiryRecord,
  userName: string,
  keys: UserKeys,
  answer: string,
) {
  const contact = contactOf(keys);
  if (contact?.channel !== "email") return null;
  const write = await loadTemplateRenderer(ctx);
  const text = write("inquiryAnswered", {
    이름: userName,
    제목: subject,
    답변: answer,
    주소: `${ctx.config.SITE_ORIGIN}/Mypage/Inquiries/${id}`,
  });
  return queueMessage(ctx, { ...contact, ...text, userId });
}

/** Closes without an answer, such as after a phone call. @throws AppError NOT_FOUND, CONFLICT */
export async function closeInquiry(ctx: AppContext, id: string, version: number): Promise<NewVersion> {
  authorizeAnswering(ctx);
  const [row] = await ctx.db.select({ id: inquiry.id }).from(inquiry).where(eq(inquiry.id, id));
  if (!row) throw inquiryNotFound();
  return closeInquiryBatch(ctx, id, version);
}
