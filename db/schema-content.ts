import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PopupPosition, PopupSize } from "#worker/contract/site/view.ts";

const date = () => integer({ mode: "timestamp_ms" });

/** An information page, legal text, banner or centre (`center.seoul`) as its editors see it. */
export const content = sqliteTable("content", {
  code: text().primaryKey(),
  /** Only what is published is shown; the newest version in force. */
  status: text().$type<"draft" | "published">().notNull().default("draft"),
  draft: text({ mode: "json" }).$type<Record<string, unknown>>(),
  modifiedDate: date().notNull(),
  modifiedUserName: text().notNull(),
  version: integer().notNull().default(1),
});

/** Every text that was ever published; never changed. */
export const contentVersion = sqliteTable(
  "content_version",
  {
    code: text().notNull(),
    versionNo: integer().notNull(),
    value: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    effectiveDate: date().notNull(),
    createdDate: date().notNull(),
    createdUserName: text().notNull(),
    note: text().notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.code, table.versionNo] }),
    index("content_version_effective").on(table.code, table.effectiveDate, table.versionNo),
  ],
);

/** The pictures and files of a page, its drafts and its older texts (`about`, `center.seoul`, `popup.{id}`, `agreement.terms`). */
export const contentFile = sqliteTable(
  "content_file",
  { code: text().notNull(), fileId: text().notNull() },
  (table) => [primaryKey({ columns: [table.code, table.fileId] }), index("content_file_id").on(table.fileId)],
);

/** A message over the home page, within its period. */
export const popup = sqliteTable(
  "popup",
  {
    id: text().primaryKey(),
    title: text().notNull(),
    content: text().notNull(),
    linkUrl: text().notNull().default(""),
    startDate: date().notNull(),
    endDate: date().notNull(),
    sortOrder: integer().notNull().default(0),
    isClosed: integer({ mode: "boolean" }).notNull().default(false),
    /** On a phone every popup stands at the foot, as wide as the screen. */
    position: text().$type<PopupPosition>().notNull().default("right"),
    size: text().$type<PopupSize>().notNull().default("md"),
    modifiedDate: date().notNull(),
    version: integer().notNull().default(1),
  },
  (table) => [index("popup_end").on(table.endDate)],
);

/** A way on from the home page's first screen. */
export const quickLink = sqliteTable(
  "quick_link",
  {
    id: text().primaryKey(),
    label: text().notNull(),
    note: text().notNull().default(""),
    href: text().notNull(),
    sortOrder: integer().notNull().default(0),
    version: integer().notNull().default(1),
  },
  (table) => [index("quick_link_order").on(table.sortOrder)],
);
