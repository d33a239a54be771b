import { sql } from "drizzle-orm";
import { check, index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { dateColumn, requiredDate, requiredText, textColumn } from "../columns.ts";
import { partialIndex } from "../indexes.ts";

/** Issued certificates. The name is read from the account or entry, so that none outlives it. */
export const alumniCertificate = sqliteTable(
  "alumni_certificate",
  {
    id: text().primaryKey(),
    number: requiredText(),
    userId: text(),
    alumniId: text(),
    purpose: textColumn(),
    createdUserId: requiredText(),
    createdDate: requiredDate(),
    expiresDate: requiredDate(),
    withdrawnDate: dateColumn(),
    withdrawReason: textColumn(),
  },
  (table) => [
    uniqueIndex("alumni_certificate_number").on(table.number),
    partialIndex("alumni_certificate_user", sql`user_id IS NOT NULL`, table.userId, table.createdDate),
    partialIndex("alumni_certificate_person", sql`alumni_id IS NOT NULL`, table.alumniId),
    index("alumni_certificate_created").on(table.createdDate, table.id),
    check("alumni_certificate_of_one", sql`(user_id IS NULL) <> (alumni_id IS NULL)`),
  ],
);
