import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { user } from "#db/schema/account.ts";
import { file } from "#db/schema/file.ts";
import { inquiry, inquiryFile, inquiryMessage } from "#db/schema/inquiry.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { InquiryMessage, InquiryRow } from "#worker/contract/inquiry/view.ts";

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

export const messageView = (row: MessageRecord, files: readonly FileRecord[]): InquiryMessage => ({
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
