import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { CorrectionState, ProposedField, ProposedValues } from "#worker/contract/alumni/representative.ts";
import { dateColumn, requiredDate, requiredText, textColumn } from "../columns.ts";

/** Correction proposed by a cohort representative, until the office accepts or refuses it. */
export const alumniCorrection = sqliteTable(
  "alumni_correction",
  {
    id: text().primaryKey(),
    alumniId: requiredText(),
    userId: requiredText(),
    cohort: integer().notNull(),
    fields: text({ mode: "json" }).$type<ProposedField[]>().notNull(),
    /** Emptied with the note once decided, so that no unused personal data stays. */
    values: text({ mode: "json" }).$type<ProposedValues>().notNull(),
    note: textColumn(),
    state: text().$type<CorrectionState>().notNull(),
    answer: textColumn(),
    createdDate: requiredDate(),
    decidedDate: dateColumn(),
  },
  (table) => [
    uniqueIndex("alumni_correction_waiting")
      .on(table.alumniId, table.userId)
      .where(sql`state = 'waiting'`),
    index("alumni_correction_person").on(table.alumniId, table.userId, table.createdDate),
    index("alumni_correction_state").on(table.state, table.createdDate),
    index("alumni_correction_user").on(table.userId),
  ],
);
