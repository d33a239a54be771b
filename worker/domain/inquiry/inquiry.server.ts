import { and, asc, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { user } from "#db/schema/account.ts";
import { file } from "#db/schema/file.ts";
import { inquiry, inquiryFile, inquiryMessage } from "#db/schema/inquiry.ts";
import { columnsOf } from "#db/sql.ts";
import type * as input from "#worker/contract/inquiry/input.ts";
import { INQUIRY_DESK, INQUIRY_LIMITS } from "#worker/contract/inquiry/inquiry.ts";
import type { NewVersion } from "#worker/contract/kernel/errors.ts";
import type { Page } from "#worker/contract/kernel/page.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { auditRowView, targetHistoryStatement } from "../audit/audit-log.server.ts";
import { unusableFiles } from "../file/upload.server.ts";
import { auditLook } from "../kernel/audit-entry.server.ts";
import { authorize, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { auditCase, caseMissing, type Desk, requireCase, runCommand } from "../kernel/desk.server.ts";
import { type BatchGuard, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { countRows, makeCountedPage, rowsOfPage } from "../kernel/page.server.ts";
import { activityStatements } from "../mail/activity.server.ts";
import { contactOf, queueMessage, userKeysStatement } from "../mail/message.server.ts";
import { loadLetterRenderer } from "../mail/render-template.server.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";

const authorizeAnswering = (ctx: Pick<AppContext, "actor">) => authorize(ctx, { action: "Inquiry_Answer" });

const DESK: Desk<typeof INQUIRY_DESK, typeof inquiry> = {
  rules: INQUIRY_DESK,
  table: inquiry,
  state: "status",
  target: "inquiry",
  authorize: authorizeAnswering,
  missing: "문의를 찾을 수 없습니다.",
  ended: "종료된 문의입니다. 더 궁금하신 점은 새 문의로 보내 주십시오.",
};

type InquiryRecord = typeof inquiry.$inferSelect;

const inquiryRowView = (row: InquiryRecord) =>
  fieldsOf(row, "id", "category", "subject", "status", "createdDate", "lastDate", "version");

export type InquiryRow = View<typeof inquiryRowView>;

const officeRowView = (row: InquiryRecord, userName: string) => ({
  ...inquiryRowView(row),
  userId: row.userId,
  userName,
});

const threadStatements = (db: Db, within: SQL) =>
  [
    db
      .select({
        ...columnsOf(inquiryMessage, "id", "inquiryId", "isOffice", "content", "createdDate"),
        authorName: sql<string>`coalesce("user"."user_name", '')`.as("author_name"),
      })
      .from(inquiryMessage)
      .leftJoin(user, eq(user.id, inquiryMessage.authorUserId))
      .where(sql`${inquiryMessage.inquiryId} IN (${within})`)
      .orderBy(asc(inquiryMessage.createdDate), sql`${inquiryMessage}.rowid`),
    db
      .select({
        messageId: inquiryFile.messageId,
        fileId: inquiryFile.fileId,
        ...columnsOf(file, "fileName", "size", "contentType"),
      })
      .from(inquiryFile)
      .innerJoin(file, eq(file.id, inquiryFile.fileId))
      .where(sql`${inquiryFile.inquiryId} IN (${within})`)
      .orderBy(asc(inquiryFile.sortOrder)),
  ] as const;

type Thread = ReturnType<typeof threadStatements>;
type MessageRecord = Awaited<Thread[0]>[number];
type FileRecord = Awaited<Thread[1]>[number];

const messageView = (row: MessageRecord, files: readonly FileRecord[]) => ({
  ...fieldsOf(row, "id", "isOffice", "content", "createdDate"),
  files: files
    .filter(({ messageId }) => messageId === row.id)
    .map(({ fileId, fileName, size, contentType }) => ({
      fileId,
      fileName,
      size,
      contentType,
      url: `/api/file/${fileId}`,
    })),
});

export type InquiryMessage = View<typeof messageView>;

/** Hides who of the office answered. */
const ownInquiryView = (row: InquiryRecord, messages: readonly MessageRecord[], files: readonly FileRecord[]) => ({
  ...inquiryRowView(row),
  messages: messages.filter(({ inquiryId }) => inquiryId === row.id).map((each) => messageView(each, files)),
});

/** Guard in the batch: the caller uploaded all files, and none is attached. */
function filesUsableGuard(ctx: AppContext, fileIds: readonly string[]): BatchGuard {
  const { userId } = requireSignedIn(ctx);
  return {
    holds: sql`(SELECT count(*) FROM file WHERE id IN (SELECT value FROM json_each(${JSON.stringify(fileIds)}))
      AND purpose = 'general' AND status = 'ready' AND owner_user_id = ${userId}
      AND NOT EXISTS (SELECT 1 FROM content_file WHERE content_file.file_id = file.id)) = ${fileIds.length}`,
    error: unusableFiles,
  };
}

function messageStatements(
  ctx: AppContext,
  inquiryId: string,
  isOffice: boolean,
  { content, fileIds }: input.InquiryMessageInput,
) {
  const { userId } = requireSignedIn(ctx);
  const id = crypto.randomUUID();
  const wanted = JSON.stringify(fileIds);
  return [
    ctx.db
      .insert(inquiryMessage)
      .values({ id, inquiryId, isOffice, authorUserId: userId, content, createdDate: ctx.now() }),
    ctx.db
      .update(file)
      .set({ status: "attached", purpose: "inquiry" })
      .where(sql`${file.id} IN (SELECT value FROM json_each(${wanted}))`),
    ctx.db.insert(inquiryFile).select(sql`SELECT value, ${inquiryId}, ${id}, key FROM json_each(${wanted}) WHERE 1`),
  ];
}

/** @throws AppError TOO_MANY_REQUESTS, INVALID_INPUT for another person's files */
export async function submitInquiry(ctx: AppContext, sent: input.SubmitInquiryInput): Promise<{ id: string }> {
  const { userId } = requireSignedIn(ctx);
  await countLimits(ctx, ["inquiryDay", userId]);
  const now = ctx.now();
  const id = crypto.randomUUID();
  const { category, subject } = sent;
  await runGuardedBatch(ctx, filesUsableGuard(ctx, sent.fileIds), [
    ctx.db
      .insert(inquiry)
      .values({ id, userId, category, subject, status: "waiting", createdDate: now, lastDate: now }),
    ...messageStatements(ctx, id, false, sent),
    ...auditCase(ctx, DESK, { id, userId }, { action: "inquiry.submit", detail: { category } }),
    ...storeIdempotentAnswer(ctx, { id }),
  ]);
  return { id };
}

export async function listOwnInquiries(ctx: AppContext, query: input.ListOwnInquiriesQuery): Promise<Page<InquiryRow>> {
  const { userId } = requireSignedIn(ctx);
  const mine = eq(inquiry.userId, userId);
  const [rows, counts] = await ctx.db.batch([
    rowsOfPage(ctx.db.select().from(inquiry).where(mine).orderBy(desc(inquiry.lastDate), desc(inquiry.id)), query),
    countRows(ctx.db, inquiry, mine),
  ]);
  return makeCountedPage(query, rows.map(inquiryRowView), counts);
}

/** Only the member's own; everyone else, including the office, gets NOT_FOUND. @throws AppError NOT_FOUND */
export async function getOwnInquiry(ctx: AppContext, id: string) {
  requireSignedIn(ctx);
  const [[row], messages, files] = await ctx.db.batch([
    ctx.db.select().from(inquiry).where(eq(inquiry.id, id)),
    ...threadStatements(ctx.db, sql`SELECT ${id}`),
  ]);
  if (!row || !can(ctx.actor, { action: "User.Self", userId: row.userId })) throw caseMissing(DESK);
  return ownInquiryView(row, messages, files);
}

export async function exportOwnInquiries(ctx: AppContext) {
  const { userId } = requireSignedIn(ctx);
  const [rows, messages, files] = await ctx.db.batch([
    ctx.db.select().from(inquiry).where(eq(inquiry.userId, userId)).orderBy(desc(inquiry.createdDate)),
    ...threadStatements(ctx.db, sql`SELECT id FROM inquiry WHERE user_id = ${userId}`),
  ]);
  return rows.map((row) => ownInquiryView(row, messages, files));
}

const USER_NAME = sql<string>`(SELECT user_name FROM user WHERE user.id = ${inquiry.userId})`.as("asked_by");

/** Waiting inquiries first, longest wait on top, then the rest by last change. The view is audited. */
export async function listInquiries(
  scope: RequestScope,
  query: Parsed<typeof input.listInquiriesQuery>,
): Promise<Page<View<typeof officeRowView>>> {
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
  const entry = { action: "inquiry.list", detail: { status, category, page } } as const;
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

const keysOfAskerStatement = (ctx: AppContext, id: string) =>
  userKeysStatement(ctx, sql`(SELECT user_id FROM inquiry WHERE id = ${id})`);

/** The view is audited. @throws AppError NOT_FOUND */
export async function getInquiry(ctx: AppContext, id: string) {
  authorizeAnswering(ctx);
  const [[row], messages, files, keys, history] = await ctx.db.batch([
    ctx.db.select({ inquiry, userName: USER_NAME }).from(inquiry).where(eq(inquiry.id, id)),
    ...threadStatements(ctx.db, sql`SELECT ${id}`),
    keysOfAskerStatement(ctx, id),
    targetHistoryStatement(ctx.db, "inquiry", id, "inquiry.view"),
  ]);
  if (!row) throw caseMissing(DESK);
  auditLook(ctx, { action: "inquiry.view", targetId: id }, [row.inquiry.userId]);
  return {
    ...officeRowView(row.inquiry, row.userName),
    messages: messages.map((each) => ({ ...messageView(each, files), authorName: each.authorName })),
    /** True when the answer is mailed as well, to a verified address. */
    hasMail: contactOf(keys)?.channel === "email",
    history: history.map((entry) => auditRowView(ctx, entry)),
  };
}

const furtherMessage = (ctx: AppContext, id: string, isOffice: boolean, sent: input.InquiryMessageInput) => ({
  set: { lastDate: ctx.now() },
  guards: [
    {
      holds: sql`(SELECT count(*) FROM inquiry_message WHERE inquiry_id = ${id}) < ${INQUIRY_LIMITS.messages}`,
      error: () => conflict("한 문의에 주고받을 수 있는 글이 가득 찼습니다. 새 문의로 보내 주십시오."),
    },
    filesUsableGuard(ctx, sent.fileIds),
  ],
  messages: messageStatements(ctx, id, isOffice, sent),
});

/** Sets the inquiry to waiting again. @throws AppError NOT_FOUND, CONFLICT, TOO_MANY_REQUESTS */
export async function addInquiryMessage(
  ctx: AppContext,
  id: string,
  sent: input.InquiryMessageInput,
): Promise<{ id: string }> {
  const row = await requireCase(ctx, DESK, "add", id);
  await countLimits(ctx, ["inquiryDay", row.userId]);
  const { messages, ...change } = furtherMessage(ctx, id, false, sent);
  const parts = [
    ...messages,
    ...auditCase(ctx, DESK, row, { action: "inquiry.add" }),
    ...storeIdempotentAnswer(ctx, { id }),
  ];
  await runCommand(ctx, DESK, "add", row, { ...change, parts });
  return { id };
}

/** Publishes the answer on the member's page, in the bell and by mail. @throws AppError NOT_FOUND, CONFLICT */
export async function answerInquiry(
  ctx: AppContext,
  id: string,
  sent: Parsed<typeof input.answerInquiryInput>,
): Promise<{ version: number; mailed: boolean }> {
  const row = await requireCase(ctx, DESK, "answer", id);
  const letter = await queueAnswer(ctx, row, sent.content);
  const { messages, ...change } = furtherMessage(ctx, id, true, sent);
  const detail = { before: { status: row.status }, after: { status: "answered" }, mailed: letter !== null };
  const parts = [
    ...messages,
    ...activityStatements(ctx, [{ userId: row.userId, kind: "inquiry", detail: { inquiryId: id } }]),
    letter,
    ...auditCase(ctx, DESK, row, { action: "inquiry.answer", detail }),
  ];
  await runCommand(ctx, DESK, "answer", row, { ...change, version: sent.version, parts });
  return { version: sent.version + 1, mailed: letter !== null };
}

/** Sent by mail only, because an answer is too long for an SMS. */
async function queueAnswer(ctx: AppContext, { id, userId, subject }: InquiryRecord, answer: string) {
  const [keys, [asker]] = await ctx.db.batch([
    userKeysStatement(ctx, userId),
    ctx.db.select({ userName: user.userName }).from(user).where(eq(user.id, userId)),
  ]);
  const contact = contactOf(keys);
  if (!asker || contact?.channel !== "email") return null;
  const render = await loadLetterRenderer(ctx, userId);
  const text = render(INQUIRY_DESK.letters.answer, {
    이름: asker.userName,
    제목: subject,
    답변: answer,
    주소: `${ctx.config.SITE_ORIGIN}/Mypage/Inquiries/${id}`,
  });
  return queueMessage(ctx, { ...contact, ...text, userId });
}

async function endInquiry(ctx: AppContext, command: "close" | "closeByOffice", id: string, version: number) {
  const row = await requireCase(ctx, DESK, command, id);
  const parts = auditCase(ctx, DESK, row, { action: "inquiry.close" });
  await runCommand(ctx, DESK, command, row, { version, set: { lastDate: ctx.now() }, parts });
  return { version: version + 1 };
}

/** Closes without an answer, such as after a phone call. @throws AppError NOT_FOUND, CONFLICT */
export const closeInquiry = (ctx: AppContext, id: string, version: number): Promise<NewVersion> =>
  endInquiry(ctx, "closeByOffice", id, version);

/** @throws AppError NOT_FOUND, CONFLICT */
export const closeOwnInquiry = (ctx: AppContext, id: string, version: number): Promise<NewVersion> =>
  endInquiry(ctx, "close", id, version);

/** Destroys inquiries with their messages; the upload clean-up deletes their files. @param which IDs */
export const destroyInquiryStatements = (db: Db, which: SQL) => [
  db
    .update(file)
    .set({ status: "ready", createdDate: new Date(0) })
    .where(sql`${file.id} IN (SELECT file_id FROM inquiry_file WHERE inquiry_id IN (${which}))`),
  db.delete(inquiryFile).where(sql`${inquiryFile.inquiryId} IN (${which})`),
  db.delete(inquiryMessage).where(sql`${inquiryMessage.inquiryId} IN (${which})`),
  db.delete(inquiry).where(sql`${inquiry.id} IN (${which})`),
];
