import { asc, sql } from "drizzle-orm";
import { center } from "#db/schema/content.ts";
import type { CenterDocument } from "#worker/contract/content/center-input.ts";
import { type RowTransfer, stampOf, writeOrderedRow } from "../kernel/row-transfer.server.ts";
import { IMPORT_NOTE, publishAtOnceStatements } from "./draft-version.server.ts";

type CenterRow = typeof center.$inferSelect;

/** Publishes imported centers at once, with a version; the site's picture and drafts stay. */
export const centerTransfer: RowTransfer<CenterRow, CenterDocument> = {
  select: (db) => db.select().from(center).orderBy(asc(center.sortOrder), asc(center.regionCode)),
  stamp: stampOf(center, center.regionCode, center.version),
  documentOf: ({
    imageFileId: _picture,
    imageAlt: _alt,
    englishImageAlt: _englishAlt,
    sortOrder: _order,
    version: _version,
    ...document
  }) => document,
  keyOf: ({ regionCode }) => regionCode,
  rowKeyOf: ({ regionCode }) => regionCode,
  nameOf: ({ centerName }) => centerName,
  write(ctx, { regionCode, ...document }, here) {
    const code = `center.${regionCode}`;
    const { imageFileId = "", imageAlt = "", englishImageAlt = "" } = here ?? {};
    const value = { ...document, imageFileId, imageAlt, englishImageAlt };
    const version = sql<number>`(SELECT version FROM content WHERE code = ${code})`;
    return [
      ...publishAtOnceStatements(ctx, code, value, IMPORT_NOTE),
      writeOrderedRow(ctx, center, center.regionCode, { regionCode, ...value, version }),
    ];
  },
  judge: (_document, here) => ({ follows: here ? ["지금 내용은 이력에 남아 되돌릴 수 있습니다."] : [] }),
  ordered: center,
};
