import type { AppContext } from "#worker/domain/kernel/context.ts";
import { getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  alumni,
  alumniCertificate,
  alumniConfirmation,
  alumniCorrection,
  alumniDistinct,
  alumniValue,
} from "#db/schema/alumni.ts";
import { due, dueListPerson, duePayer, dueStanding } from "#db/schema/alumni-dues.ts";
import {
  alumniBefore,
  alumniImportChoice,
  alumniImportPerson,
  alumniMerge,
  deedRow,
} from "#db/schema/alumni-import.ts";
import { confirmationAnswer, mailingAnswer, mailingRecipient } from "#db/schema/mailing.ts";

/**
 * Why the own data leaves rows out: `copy` of shown ones, `office` for its work on others, a `secret` or hash, the access
 * `log`, `undo` data that the shown rows had, or rows of `others`.
 */
export type NotShown = "copy" | "office" | "secret" | "log" | "undo" | "others";

export type OwnPersonPart =
  | "alumniEntry"
  | "certificates"
  | "corrections"
  | "dues"
  | "dueLists"
  | "mailings"
  | "mailingAnswers"
  | "confirmations";

interface PersonTable {
  table: SQLiteTable;
  /** Columns that hold the id of a person of the address book. */
  columns: readonly string[];
  /**
   * `move` gives the rows to the kept person, except a row whose key that person already has; `join` also deletes such a
   * row; `rule` is a function of its own; `leave` keeps the rows with the absorbed person.
   */
  merge: "move" | "join" | "rule" | "leave";
  /** `delete` deletes the rows; `unpaid` those that hold no money; `end` withdraws them; `person` follows the person's row. */
  destroyed: "delete" | "unpaid" | "end" | "person";
  /** The part of the own data that shows the rows to the account with the entry's address, or why none does. */
  own: OwnPersonPart | NotShown;
  /** A row of a newly added person keeps that person at the undo of the import, for this reason. */
  keepsAdded?: string;
}

/** Each table with a column that holds a person of the address book. `person-tables.test.ts` compares it with the schema. */
export const PERSON_TABLES: readonly PersonTable[] = [
  { table: alumni, columns: ["merged_into"], merge: "rule", destroyed: "person", own: "alumniEntry" },
  { table: alumniValue, columns: ["alumni_id"], merge: "leave", destroyed: "person", own: "copy" },
  {
    table: alumniConfirmation,
    columns: ["alumni_id"],
    merge: "rule",
    destroyed: "delete",
    own: "alumniEntry",
    keepsAdded: "본인이 정보를 확인하였습니다.",
  },
  { table: alumniDistinct, columns: ["low_id", "high_id"], merge: "leave", destroyed: "delete", own: "office" },
  {
    table: alumniCertificate,
    columns: ["alumni_id"],
    merge: "move",
    destroyed: "end",
    own: "certificates",
    keepsAdded: "증명서를 발급하였습니다.",
  },
  {
    table: alumniCorrection,
    columns: ["alumni_id"],
    merge: "move",
    destroyed: "delete",
    own: "corrections",
    keepsAdded: "기수 대표가 고칠 것을 제안하였습니다.",
  },
  { table: alumniBefore, columns: ["alumni_id"], merge: "leave", destroyed: "delete", own: "undo" },
  { table: alumniImportChoice, columns: ["alumni_id"], merge: "leave", destroyed: "delete", own: "office" },
  { table: alumniImportPerson, columns: ["alumni_id"], merge: "leave", destroyed: "delete", own: "office" },
  { table: alumniMerge, columns: ["kept_id"], merge: "leave", destroyed: "person", own: "office" },
  { table: deedRow, columns: ["alumni_id"], merge: "leave", destroyed: "delete", own: "undo" },
  {
    table: due,
    columns: ["alumni_id"],
    merge: "rule",
    destroyed: "unpaid",
    own: "dues",
    keepsAdded: "청구한 회비가 있습니다.",
  },
  { table: duePayer, columns: ["alumni_id"], merge: "join", destroyed: "delete", own: "secret" },
  { table: dueListPerson, columns: ["alumni_id"], merge: "join", destroyed: "delete", own: "dueLists" },
  { table: dueStanding, columns: ["alumni_id"], merge: "leave", destroyed: "person", own: "copy" },
  { table: mailingRecipient, columns: ["person_id"], merge: "leave", destroyed: "delete", own: "mailings" },
  { table: mailingAnswer, columns: ["person_id"], merge: "leave", destroyed: "delete", own: "mailingAnswers" },
  { table: confirmationAnswer, columns: ["person_id"], merge: "leave", destroyed: "delete", own: "confirmations" },
];

export const tablesThat = <Act extends "merge" | "destroyed">(act: Act, how: PersonTable[Act]) =>
  PERSON_TABLES.filter((each) => each[act] === how).map(({ table, columns }) => ({
    name: getTableName(table),
    columns,
  }));

/** Why a person added by an import stays at its undo, or NULL. @param id of the person */
export const keepsAddedSql = (id: SQL) =>
  sql<string | null>`CASE ${sql.join(
    PERSON_TABLES.flatMap(({ table, columns, keepsAdded }) =>
      keepsAdded === undefined
        ? []
        : columns.map(
            (column) =>
              sql`WHEN EXISTS (SELECT 1 FROM ${table} k WHERE k.${sql.raw(column)} = ${id}
                ${table === alumniCertificate ? sql`AND k.withdrawn_date IS NULL` : sql``}) THEN ${keepsAdded}`,
          ),
    ),
    sql` `,
  )} END`;

/** Moves the rows of absorbed people, table by table, to the kept one. */
export const mergeTableStatements = (ctx: Pick<AppContext, "db">, keepId: string, lost: readonly string[]) => {
  const absorbed = sql`(SELECT value FROM json_each(${JSON.stringify(lost)}))`;
  return PERSON_TABLES.flatMap(({ table, columns, merge }) =>
    merge !== "move" && merge !== "join"
      ? []
      : columns.flatMap((name) => {
          const column = sql.raw(name);
          const moved = sql`UPDATE OR IGNORE ${table} SET ${column} = ${keepId} WHERE ${column} IN ${absorbed}`;
          const doubled = sql`DELETE FROM ${table} WHERE ${column} IN ${absorbed}`;
          return merge === "join" ? [ctx.db.run(moved), ctx.db.run(doubled)] : [ctx.db.run(moved)];
        }),
  );
};
