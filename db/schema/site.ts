import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PopupPosition, PopupSize } from "#worker/contract/site/rules.ts";
import { flagColumn, requiredDate, requiredText, textColumn, versionColumn, orderColumn } from "../columns.ts";

/** A message over the home page, within its period. */
export const popup = sqliteTable(
  "popup",
  {
    id: text().primaryKey(),
    title: requiredText(),
    content: requiredText(),
    /** For the English home page, where a popup without them is not shown. */
    englishTitle: textColumn(),
    englishContent: textColumn(),
    linkUrl: textColumn(),
    startDate: requiredDate(),
    endDate: requiredDate(),
    sortOrder: orderColumn(),
    isClosed: flagColumn(),
    /** On a phone every popup stands at the foot, as wide as the screen. */
    position: text().$type<PopupPosition>().notNull().default("right"),
    size: text().$type<PopupSize>().notNull().default("md"),
    modifiedDate: requiredDate(),
    version: versionColumn(),
  },
  (table) => [index("popup_end").on(table.endDate)],
);

/** A link on the home page's first screen. */
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
