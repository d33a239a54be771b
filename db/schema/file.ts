import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { orderColumn, partialIndex, requiredDate, requiredText } from "../columns.ts";

/** `pending` until the bytes are in R2, `ready` until something refers to it, then `attached`. */
export const file = sqliteTable(
  "file",
  {
    id: text().primaryKey(),
    purpose: text()
      .$type<
        | "board"
        | "image"
        | "general"
        | "content"
        | "alumni"
        | "alumni-import"
        | "alumni-export"
        | "inquiry"
        | "mailing"
        | "proposal"
      >()
      .notNull(),
    boardCode: text(),
    itemId: integer(),
    ownerUserId: requiredText(),
    fileName: requiredText(),
    size: integer().notNull(),
    contentType: requiredText(),
    hash: text(),
    pixelWidth: integer(),
    pixelHeight: integer(),
    status: text().$type<"pending" | "ready" | "attached" | "swept">().notNull(),
    storageKey: requiredText(),
    sortOrder: orderColumn(),
    createdDate: requiredDate(),
  },
  (table) => [
    index("file_item").on(table.itemId, table.sortOrder),
    partialIndex("file_loose", sql`status <> 'attached'`, table.createdDate),
    index("file_owner").on(table.ownerUserId),
    // Partial, as alumni pictures are few among all files.
    index("file_alumni")
      .on(table.id)
      .where(sql`purpose = 'alumni' AND status = 'attached'`),
    index("file_storage").on(table.storageKey),
  ],
);

/** Text of a document for search, extracted in the uploader's browser. A trigger deletes it with its file. */
export const fileText = sqliteTable("file_text", {
  fileId: text().primaryKey(),
  text: requiredText(),
  createdDate: requiredDate(),
});

export const fileTriggers = [
  `CREATE TRIGGER file_text_gone AFTER DELETE ON file BEGIN
  DELETE FROM file_text WHERE file_id = OLD.id;
END`,
];
