import { asc, eq, sql, type SQL } from "drizzle-orm";
import { file } from "#db/schema/file.ts";
import { inquiry, inquiryFile, inquiryMessage } from "#db/schema/inquiry.ts";
import type { InquiryMessageInput } from "#worker/contract/inquiry/input.ts";
import { INQUIRY_LIMITS, type InquiryRow, type InquiryStatus } from "#worker/contract/inquiry/inquiry.ts";
import type { NewVersion } from "#worker/contract/kernel/envelope.ts";
import type { AppContext, View } from "#worker/domain/kernel/context.ts";
import { unusableFiles } from "../file/upload.server.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { type BatchGuard, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import type { Db } from "#db/client.ts";
import { user } from "#db/schema/account.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";

/** Guard in the batch: the caller uploaded all files, and none is attached. */
export function filesUsableGuard(ctx: AppContext, fileIds: readonly string[]): BatchGuard {
  const { userId } = requireSignedIn(ctx);
  return {
    holds: sql`(SELECT count(*) FROM file WHERE id IN (SELECT value FROM json_each(${JSON.stringify(fileIds)}))
      AND purpose = 'general' AND status = 'ready' AND owner_user_id = ${userId}
      AND NOT EXISTS (SELECT 1 FROM content_file WHERE content_file.file_id = file.id)) = ${fileIds.length}`,
    error: unusableFiles,
  };
}

/** Guards: still open, with room for a message. @param version the expected version, if it matters */
const openInquiryGuards = (id: string, version?: number): BatchGuard[] => [
  {
    holds: sql`EXISTS (SELECT 1 FROM inquiry WHERE id = ${id} AND status <> 'closed')`,
    error: () => conflict("종료된 문의입니다. 더 궁금하신 점은 새 문의로 보내 주십시오."),
  },
  {
    holds: sql`(SELECT count(*) FROM inquiry_message WHERE inquiry_id = ${id}) < ${INQUIRY_LIMITS.messages}`,
    error: () => conflict("한 문의에 주고받을 수 있는 글이 가득 찼습니다. 새 문의로 보내 주십시오."),
  },
  ...(version === undefined ? [] : [inquiryUnchangedGuard(id, version)]),
];

const inquiryUnchangedGuard = (id: string, version: number): BatchGuard => ({
  holds: sql`EXISTS (SELECT 1 FROM inquiry WHERE id = ${id} AND version = ${version} AND status <> 'closed')`,
  error: () => conflict(),
});

export function messageStatements(
  ctx: AppContext,
  inquiryId: string,
  isOffice: boolean,
  { content, fileIds }: InquiryMessageInput,
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

const inquiryStatusStatement = (ctx: AppContext, id: string, status: InquiryStatus) =>
  ctx.db
    .update(inquiry)
    .set({ status, lastDate: ctx.now(), version: sql`${inquiry.version} + 1` })
    .where(sql`${inquiry.id} = ${id}`);

export const furtherMessage = (
  ctx: AppContext,
  id: string,
  input: InquiryMessageInput & { version?: number },
  status: "answered" | "waiting",
) => ({
  guards: [...openInquiryGuards(id, input.version), filesUsableGuard(ctx, input.fileIds)],
  statements: [inquiryStatusStatement(ctx, id, status), ...messageStatements(ctx, id, status === "answered", input)],
});

export async function closeInquiryBatch(ctx: AppContext, id: string, version: number): Promise<NewVersion> {
  await runGuardedBatch(
    ctx,
    [inquiryUnchangedGuard(id, version)],
    [
      inquiryStatusStatement(ctx, id, "closed"),
      ...auditPeople(
        ctx,
        { action: "inquiry.close", targetType: "inquiry", targetId: id },
        { ids: sql`SELECT user_id AS id FROM inquiry WHERE id = ${id}`, count: 1 },
      ),
    ],
  );
  return { version: version + 1 };
}

export type InquiryRecord = typeof inquiry.$inferSelect;

export const inquiryNotFound = () => new AppError("NOT_FOUND", { message: "문의를 찾을 수 없습니다." });

export const inquiryRowView = (row: InquiryRecord): InquiryRow => ({
  id: row.id,
  category: row.category,
  subject: row.subject,
  status: row.status,
  createdDate: row.createdDate.toISOString(),
  lastDate: row.lastDate.toISOString(),
  version: row.version,
});

export const threadStatements = (db: Db, within: SQL) =>
  [
    db
      .select({
        id: inquiryMessage.id,
        inquiryId: inquiryMessage.inquiryId,
        isOffice: inquiryMessage.isOffice,
        content: inquiryMessage.content,
        createdDate: inquiryMessage.createdDate,
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
        fileName: file.fileName,
        size: file.size,
        contentType: file.contentType,
      })
      .from(inquiryFile)
      .innerJoin(file, eq(file.id, inquiryFile.fileId))
      .where(sql`${inquiryFile.inquiryId} IN (${within})`)
      .orderBy(asc(inquiryFile.sortOrder)),
  ] as const;

type Thread = ReturnType<typeof threadStatements>;
type MessageRecord = Awaited<Thread[0]>[number];
type FileRecord = Awaited<Thread[1]>[number];

export const messageView = (row: MessageRecord, files: readonly FileRecord[]) => ({
  id: row.id,
  isOffice: row.isOffice,
  content: row.content,
  createdDate: row.createdDate.toISOString(),
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
