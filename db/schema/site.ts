import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PopupValues } from "#worker/contract/site/rows.ts";
import { flagColumn, requiredDate, requiredText, textColumn, versionColumn, orderColumn } from "../columns.ts";

export const popup = sqliteTable(
  "popup",
  {
    id: text().primaryKey(),
    title: requiredText(),
    content: requiredText(),
    englishTitle: textColumn(),
    englishContent: textColumn(),
    linkUrl: textColumn(),
    startDate: requiredDate(),
    endDate: requiredDate(),
    sortOrder: orderColumn(),
    isClosed: flagColumn(),
    /** Phones show every popup at the bottom, full width. */
    position: text().$type<PopupValues["position"]>().notNull().default("right"),
    size: text().$type<PopupValues["size"]>().notNull().default("md"),
    modifiedDate: requiredDate(),
    version: versionColumn(),
  },
  (table) => [index("popup_end").on(table.endDate)],
);

export const quickLink = sqliteTable(
  "quick_link",
  {
    id: text().primaryKey(),
    label: requiredText(),
    note: textColumn(),
    href: requiredText(),
    englishLabel: textColumn(),
    englishNote: textColumn(),
    sortOrder: orderColumn(),
    version: versionColumn(),
  },
  (table) => [index("quick_link_order").on(table.sortOrder)],
);
