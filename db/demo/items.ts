import { sql } from "drizzle-orm";
import { addDays } from "#worker/contract/board/event-rules.ts";
import { extensionOf, FILE_TYPES } from "#worker/contract/file/rules.ts";
import { indexItemStatements } from "#worker/domain/board/search-index.server.ts";
import { sendBatch } from "../batch.ts";
import { board, boardItem, boardItemComment } from "../schema/board.ts";
import { file } from "../schema/file.ts";
import { sha256Hex } from "./digest.ts";
import { demoFile } from "./files.ts";
import type { DemoItem } from "./texts.ts";
import { type DemoAuthor, type DemoWriteContext, HOUR_MS, type InsertStatement } from "./context.ts";

function demoEventColumns(event: DemoItem["event"]) {
  if (!event) return {};
  const moment = (text: string) => new Date(text.length > 10 ? `${text}:00+09:00` : `${text}T00:00:00+09:00`);
  const isEventAllDay = event.start.length === 10;
  return {
    eventStart: moment(event.start),
    eventEnd: moment(isEventAllDay ? addDays(event.end, 1) : event.end),
    isEventAllDay,
    eventPlace: event.place,
    eventDeadline: event.deadline ? moment(event.deadline) : null,
    isEventCancelled: event.isCancelled ?? false,
  };
}

/** Takes items oldest first, so that numbers rise with the dates. */
export async function writeItems(writing: DemoWriteContext, boardCode: string, items: DemoItem[]): Promise<void> {
  const { db, now, admin, members } = writing;
  const person = (index: number | "admin"): DemoAuthor => (index === "admin" ? admin : (members[index] ?? admin));
  const statements: InsertStatement[] = [];
  const oldestFirst = items.toSorted((a, b) => b.hoursAgo - a.hoursAgo);
  for (const [at, item] of oldestFirst.entries()) {
    const itemNo = at + 1;
    const itemId = sql<number>`(SELECT id FROM board_item WHERE board_code = ${boardCode} AND item_no = ${itemNo})`;
    const createdDate = new Date(now.getTime() - item.hoursAgo * HOUR_MS);
    const writer = person(item.writer);
    const comments = (item.comments ?? []).flatMap((comment, commentAt) => {
      const id = crypto.randomUUID();
      const date = new Date(
        Math.min(createdDate.getTime() + comment.hoursAfter * HOUR_MS, now.getTime() - (20 - commentAt) * 60_000),
      );
      const row = (
        by: number | "admin",
        content: string,
        rowId: string,
        parentCommentId: string | null,
        minutes: number,
      ) => {
        const when = new Date(date.getTime() + minutes * 60_000);
        const author = person(by);
        return {
          id: rowId,
          itemId,
          parentCommentId,
          content,
          createdUserId: author.id,
          createdUserName: author.userName,
          createdDate: when,
          modifiedDate: when,
        };
      };
      const replies = (comment.replies ?? []).map((reply, n) =>
        row(reply.by, reply.content, crypto.randomUUID(), id, n + 1),
      );
      return [row(comment.by, comment.content, id, null, 0), ...replies];
    });
    statements.push(
      db.insert(boardItem).values({
        boardCode,
        itemNo,
        title: item.title,
        content: item.content.trim(),
        category: item.category,
        isPinned: item.isPinned ?? false,
        showItemToMain: item.showItemToMain ?? false,
        createdUserId: writer.id,
        createdUserName: writer.userName,
        createdDate,
        modifiedDate: createdDate,
        ...demoEventColumns(item.event),
        viewCount: item.viewCount,
        commentCount: comments.length,
        fileCount: item.files?.length ?? 0,
      }),
      ...comments.map((comment) => db.insert(boardItemComment).values(comment)),
      ...(await fileRows(writing, boardCode, item, itemId, writer, createdDate)),
      ...indexItemStatements(db, itemId, {
        boardCode,
        isSecret: false,
        createdUserId: writer.id,
        createdUserName: writer.userName,
        createdDate,
        title: item.title,
        content: item.content,
        fileNames: (item.files ?? []).map(({ fileName }) => fileName),
        fileTexts: [],
      }),
    );
  }
  statements.push(
    db
      .update(board)
      .set({ lastItemNo: items.length, useEvents: items.some(({ event }) => event) })
      .where(sql`board_code = ${boardCode}`),
  );
  await sendBatch(db, statements);
}

async function fileRows(
  writing: DemoWriteContext,
  boardCode: string,
  item: DemoItem,
  itemId: ReturnType<typeof sql<number>>,
  owner: DemoAuthor,
  createdDate: Date,
) {
  const rows: InsertStatement[] = [];
  for (const [sortOrder, { fileName, kind }] of (item.files ?? []).entries()) {
    const bytes = demoFile(kind, item.title);
    const id = crypto.randomUUID();
    const storageKey = `f/demo/${id}`;
    const contentType = FILE_TYPES[extensionOf(fileName)] ?? "application/octet-stream";
    await writing.files.put(storageKey, bytes, { httpMetadata: { contentType } });
    rows.push(
      writing.db.insert(file).values({
        id,
        purpose: "board",
        boardCode,
        itemId,
        ownerUserId: owner.id,
        fileName: fileName.normalize("NFC"),
        size: bytes.byteLength,
        contentType,
        hash: sha256Hex(bytes),
        status: "attached",
        storageKey,
        sortOrder,
        createdDate,
      }),
    );
  }
  return rows;
}
