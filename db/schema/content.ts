import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  flagColumn,
  orderColumn,
  partialIndex,
  partialUniqueIndex,
  requiredDate,
  requiredText,
  textColumn,
  versionColumn,
} from "../columns.ts";

export const content = sqliteTable("content", {
  code: text().primaryKey(),
  status: text().$type<"draft" | "published">().notNull().default("draft"),
  draft: text({ mode: "json" }).$type<Record<string, unknown>>(),
  modifiedDate: requiredDate(),
  /** Null for seeded content. */
  modifiedUserId: text(),
  modifiedUserName: requiredText(),
  version: versionColumn(),
});

export const contentVersion = sqliteTable(
  "content_version",
  {
    code: requiredText(),
    versionNo: integer().notNull(),
    value: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    effectiveDate: requiredDate(),
    createdDate: requiredDate(),
    createdUserId: text(),
    createdUserName: requiredText(),
    note: textColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.code, table.versionNo] }),
    index("content_version_effective").on(table.code, table.effectiveDate, table.versionNo),
  ],
);

/** Files of a page, its drafts and older texts (`about`, `center.seoul`, `popup.{id}`, `agreement.terms`). */
export const contentFile = sqliteTable("content_file", { code: requiredText(), fileId: text().notNull() }, (table) => [
  primaryKey({ columns: [table.code, table.fileId] }),
  index("content_file_id").on(table.fileId),
]);

export const center = sqliteTable(
  "center",
  {
    regionCode: text().primaryKey(),
    regionName: requiredText(),
    centerName: requiredText(),
    director: textColumn(),
    address: textColumn(),
    phone: textColumn(),
    fax: textColumn(),
    url: textColumn(),
    directions: textColumn(),
    introduction: textColumn(),
    imageFileId: textColumn(),
    imageAlt: textColumn(),
    englishName: textColumn(),
    englishDirector: textColumn(),
    englishAddress: textColumn(),
    englishDirections: textColumn(),
    englishIntroduction: textColumn(),
    englishImageAlt: textColumn(),
    sortOrder: orderColumn(),
    version: versionColumn(),
  },
  (table) => [index("center_order").on(table.sortOrder)],
);

export const agreement = sqliteTable(
  "agreement",
  {
    code: requiredText(),
    version: requiredText(),
    title: requiredText(),
    required: flagColumn(),
    content: requiredText(),
    /** Empty without an English version. */
    englishTitle: textColumn(),
    englishContent: textColumn(),
    textHash: requiredText(),
    effectiveDate: requiredDate(),
    isCurrent: flagColumn(),
    sortOrder: orderColumn(),
    isAnnounced: flagColumn(),
    /** Last member, by id, who was mailed about it; null once all were. */
    mailedThrough: text(),
    mailedCount: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.code, table.version] }),
    partialUniqueIndex("agreement_current", sql`is_current = 1`, table.code),
    partialIndex("agreement_announced", sql`is_announced = 1`, table.effectiveDate, table.code, table.title),
  ],
);
