import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { CorrectionState, ProposedField, ProposedValues } from "#worker/contract/alumni/representative.ts";
import { dateColumn, requiredDate, requiredText, textColumn } from "../columns.ts";

/** What a representative of a cohort says is right of a person, until the office accepts or refuses it. */
export const alumniCorrection = sqliteTable(
  "alumni_correction",
  {
    id: text().primaryKey(),
    alumniId: requiredText(),
    /** Who proposed it. */
    userId: requiredText(),
    /** The person's when it was proposed. */
    cohort: integer().notNull(),
    fields: text({ mode: "json" }).$type<ProposedField[]>().notNull(),
    /** Emptied, like the note, once it is decided: no address lies here that nobody corrects. */
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
