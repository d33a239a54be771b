import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#db/client.ts";
import {
  areRenamesFit,
  type ChoiceRename,
  RENAMES_UNFIT,
  usesLeftMessage,
} from "#worker/contract/kernel/choice-rename.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import type { AppContext, BatchStatement } from "./context.ts";

/** A renamed field, or renamed choices of it. */
export interface ChoiceChange<Code extends string = string> {
  code: Code;
  /** Before and after. */
  names: readonly [string, string];
  renames: readonly ChoiceRename[];
}

/** A column that holds the words of a field's choices, or its name. */
export interface ChoiceHolder<Code extends string = string> {
  table: SQLiteTable;
  column: SQLiteColumn;
  /** Rows that a rename may change. */
  holds(change: ChoiceChange<Code>): SQL;
  /** The column's new value. */
  renamed(change: ChoiceChange<Code>): SQL;
  /** Named before the field is changed or closed. */
  use?: FieldUse;
  /** Of the rows in use, those that keep an old word. */
  keeps?(change: ChoiceChange<Code>): SQL;
}

export interface UsedField {
  code: SQL;
  name: SQL;
}

/** Rows that use a field, by their name for the office. */
export interface FieldUse {
  label: string;
  name: SQL;
  where(field: UsedField): SQL;
}

/** A part of `namesOf`. */
export const namesWhere = (table: SQLiteTable, { label, name }: Pick<FieldUse, "label" | "name">, where: SQL) =>
  sql`SELECT ${label} || ' ‘' || ${name} || '’' AS name FROM ${table} WHERE ${where}`;

/** Joined as JSON, because D1 refuses a UNION of more than five. @param parts each selects `name` */
export const namesOf = (parts: readonly SQL[]) =>
  sql<string>`json_array(${sql.join(
    parts.map((part) => sql`json((SELECT json_group_array(name) FROM (${part})))`),
    sql`, `,
  )})`;

export const readNames = (names: string): string[] => [...new Set((JSON.parse(names) as string[][]).flat())];

/** Names of what uses a field, for `readNames`. */
export const usesOf = <Code extends string>(holders: readonly ChoiceHolder<Code>[], field: UsedField) =>
  namesOf(holders.flatMap(({ table, use }) => (use ? [namesWhere(table, use, use.where(field))] : [])));

const isRenamed = ({ names: [before, after], renames }: ChoiceChange) => renames.length > 0 || before !== after;

/** Part of the batch that renames; versions stay, because the choice is the same. */
export const renameStatements = <Code extends string>(
  db: Db,
  holders: readonly ChoiceHolder<Code>[],
  change: ChoiceChange<Code>,
): BatchStatement[] =>
  isRenamed(change)
    ? holders.map(({ table, column, holds, renamed }) =>
        db
          .update(table)
          .set({ [column.name]: renamed(change) } as never)
          .where(holds(change)),
      )
    : [];

const LEFT_NAMED = 10;

/** Names of what a rename would leave with an old word. */
async function namesLeft<Code extends string>(
  db: Db,
  holders: readonly ChoiceHolder<Code>[],
  change: ChoiceChange<Code>,
): Promise<string[]> {
  if (!isRenamed(change)) return [];
  const field = { code: sql`${change.code}`, name: sql`${change.names[0]}` };
  const parts = holders.flatMap(({ table, use, keeps }) =>
    use && keeps
      ? [sql`${namesWhere(table, use, sql`${use.where(field)} AND ${keeps(change)}`)} LIMIT ${LEFT_NAMED}`]
      : [],
  );
  const row = await db.get<{ names: string }>(sql`SELECT ${namesOf(parts)} AS names`);
  return readNames(row.names);
}

interface FieldChange<Code extends string> {
  before: { code: Code; name: string };
  sent: { renames?: readonly ChoiceRename[]; leavesUses?: boolean };
}

export const changeOf = <Code extends string>(
  { before, sent }: FieldChange<Code>,
  { name }: { name: string },
): ChoiceChange<Code> => ({ code: before.code, names: [before.name, name], renames: sent.renames ?? [] });

/** @param choices the member that lists them @throws AppError INVALID_INPUT for unfit renames and named leftovers */
export async function requireRenames<Code extends string, K extends string>(
  { db }: Pick<AppContext, "db">,
  holders: readonly ChoiceHolder<Code>[],
  {
    choices,
    value,
    ...change
  }: { before: FieldChange<Code>["before"] & Record<K, string[]>; sent: FieldChange<Code>["sent"] } & {
    choices: K;
    value: { name: string } & Record<K, string[]>;
  },
): Promise<void> {
  const renamed = changeOf(change, value);
  if (!areRenamesFit(change.before[choices], value[choices], renamed.renames))
    throw invalidInput({ [choices]: RENAMES_UNFIT });
  const left = change.sent.leavesUses ? [] : await namesLeft(db, holders, renamed);
  if (left.length > 0) throw invalidInput({ [choices]: usesLeftMessage(left) });
}

const pairsOf = ({ renames }: ChoiceChange) => JSON.stringify(renames.map(({ from, to }) => [from, to]));

/** Whether a text is one of the renamed words. */
export const isOldWord = (change: ChoiceChange, text: SQL) =>
  sql`${text} IN (SELECT n.value ->> 0 FROM json_each(${pairsOf(change)}) n)`;

export const renamedWord = (change: ChoiceChange, text: SQL) =>
  sql`coalesce((SELECT n.value ->> 1 FROM json_each(${pairsOf(change)}) n WHERE n.value ->> 0 = ${text}), ${text})`;

/** A part of a renamed word that the new word does not contain. */
export const isOldPart = (change: ChoiceChange, text: SQL) =>
  sql`EXISTS (SELECT 1 FROM json_each(${pairsOf(change)}) n WHERE n.value ->> 0 <> ${text}
    AND instr(lower(n.value ->> 0), lower(${text})) > 0 AND instr(lower(n.value ->> 1), lower(${text})) = 0)`;

/** A word, or each of an array, at a path of a JSON text. */
export const renamedInJson = (change: ChoiceChange, json: SQL, path: string) =>
  sql`(CASE json_type(${json}, ${path})
    WHEN 'text' THEN json_set(${json}, ${path}, ${renamedWord(change, sql`(${json} ->> ${path})`)})
    WHEN 'array' THEN json_set(${json}, ${path}, json((SELECT json_group_array(${renamedWord(change, sql`c.value`)}) FROM json_each(${json}, ${path}) c)))
    ELSE ${json} END)`;
