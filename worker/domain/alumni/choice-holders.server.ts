import { type SQL, sql } from "drizzle-orm";
import { dueKind } from "#db/schema/alumni-dues.ts";
import { alumniBefore, alumniStaged } from "#db/schema/alumni-import.ts";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { alumni, alumniView, certificateKind } from "#db/schema/alumni.ts";
import { confirmationRound, mailing } from "#db/schema/mailing.ts";
import { fieldFilterKey } from "#worker/contract/alumni/list.ts";
import type { OwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import {
  type ChoiceChange,
  type ChoiceHolder,
  type FieldUse,
  isOldPart,
  isOldWord,
  renamedInJson,
  renamedWord,
  type UsedField,
  usesOf,
} from "../kernel/choice-rename.server.ts";
import { STAGED_ROW_COLUMNS } from "./own-value.server.ts";

type Change = ChoiceChange<OwnFieldCode>;

const place = sql.raw(`'$[${STAGED_ROW_COLUMNS.indexOf("own")}]'`);
const pathOf = ({ code }: Change) => `$.${code}`;

const plainName = (text: SQL) =>
  [" ", "-", ".", "·", "(", ")", "/", "_", ","].reduce(
    (plain, sign) => sql`replace(${plain}, ${sign}, '')`,
    sql`lower(${text})`,
  );
const isGradeFieldNamed = (name: SQL) => sql`${plainName(sql`${dueKind.gradeField}`)} = ${plainName(name)}`;
const isGradeField = ({ names: [name] }: Change) => isGradeFieldNamed(sql`${name}`);
/** The line of a grade without its amount, as `parseGrade` reads it. */
const gradeOf = (line: SQL) => sql`rtrim(rtrim(rtrim(trim(${line}), '원 '), '0123456789,'), ' :=')`;
const renamedLine = (change: Change) =>
  sql`(SELECT coalesce((SELECT n.value ->> 'to' FROM json_each(${JSON.stringify(change.renames)}) n
    WHERE ${plainName(sql`(n.value ->> 'from')`)} = ${plainName(gradeOf(sql`g.value`))}) || substr(trim(g.value), length(${gradeOf(sql`g.value`)}) + 1), g.value))`;

/** Mailings and rounds store conditions parsed, sent mailings under `asked`, views as text. */
const conditionIn = (part: "filter" | "asked", { code }: Change) => `$.${part}.${fieldFilterKey(code)}`;
const storedCondition = (change: Change) => conditionIn("filter", change);
/** Some fields of the book have a condition of their own name too. */
const hasCondition = (json: SQL, part: "filter" | "asked", code: SQL) =>
  sql`(json_type(${json}, ${`$.${part}.f_`} || ${code}) IS NOT NULL OR json_type(${json}, ${`$.${part}.`} || ${code}) IS NOT NULL)`;
const conditionText = (change: Change) => sql`(${alumniView.content} ->> ${storedCondition(change)})`;
/** No choice has a comma. */
const wordsOf = (change: Change) =>
  sql`json_each('[' || replace(json_quote(substr(${conditionText(change)}, instr(${conditionText(change)}, ':') + 1)), ',', '","') || ']') w`;
const isWordCondition = (operator: SQL) => sql`${operator} IN ('in', 'has')`;
const textOperator = (change: Change) =>
  sql`substr(${conditionText(change)}, 1, instr(${conditionText(change)}, ':') - 1)`;

interface TargetUse extends Omit<FieldUse, "where"> {
  isOpen: SQL;
}

const inTarget = (
  table: typeof mailing | typeof confirmationRound,
  part: "filter" | "asked",
  { isOpen, ...named }: TargetUse,
): ChoiceHolder<OwnFieldCode> => {
  const target = sql`${table.target}`;
  const operator = (change: Change) => sql`(${target} ->> ${`${conditionIn(part, change)}.operator`})`;
  const values = (change: Change) => `${conditionIn(part, change)}.values`;
  return {
    table,
    column: table.target,
    holds: (change) => isWordCondition(operator(change)),
    renamed: (change) => renamedInJson(change, target, values(change)),
    use: { ...named, where: ({ code }) => sql`${isOpen} AND ${hasCondition(target, part, code)}` },
    keeps: (change) =>
      sql`${operator(change)} = 'has' AND EXISTS (SELECT 1 FROM json_each(${target}, ${values(change)}) w WHERE ${isOldPart(change, sql`w.value`)})`,
  };
};

/** Entries as a deed found or left them. */
const inDeeds = (column: typeof alumniBefore.values | typeof alumniBefore.after): ChoiceHolder<OwnFieldCode> => {
  const own = sql`(${column} ->> 'own')`;
  return {
    table: alumniBefore,
    column,
    holds: (change) => sql`json_type(${own}, ${pathOf(change)}) IS NOT NULL`,
    renamed: (change) => sql`json_set(${column}, '$.own', ${renamedInJson(change, own, pathOf(change))} || '')`,
  };
};

const koreanDay = (date: SQL) => sql`strftime('%Y-%m-%d', ${date} / 1000 + 32400, 'unixepoch')`;

/** The subject of a mailing by dues is for holders of their right. */
const MAILING_NAME = sql`coalesce(
  nullif(iif(coalesce(${mailing.target} ->> '$.filter.dues', ${mailing.target} ->> '$.dues') IS NULL, ${mailing.subject}, ''), ''),
  ${koreanDay(sql`${mailing.createdDate}`)})`;
const IS_UNSENT = sql`${mailing.source} = 'alumni' AND ${mailing.status} IN ('draft', 'sending')`;

const plain = (name: SQL) => name;
/** Inside a JSON text. */
const quoted = (name: SQL) => sql`substr(json_quote(${name}), 2, length(json_quote(${name})) - 2)`;

/** A text with `{{placeholders}}`, which name the field. */
const inText = (
  table: SQLiteTable,
  column: SQLiteColumn,
  { isOpen, ...named }: TargetUse,
  written = plain,
): ChoiceHolder<OwnFieldCode> => {
  const forms = (name: SQL) =>
    [sql`'{{' || ${written(name)} || '}}'`, sql`'{{ ' || ${written(name)} || ' }}'`] as const;
  const holds = (name: SQL) => {
    const [tight, wide] = forms(name);
    return sql`${isOpen} AND (instr(${column}, ${tight}) > 0 OR instr(${column}, ${wide}) > 0)`;
  };
  return {
    table,
    column,
    holds: ({ names: [before, after] }) => sql`${before} <> ${after} AND ${holds(sql`${before}`)}`,
    renamed: ({ names: [before, after] }) => {
      const [tight, wide] = forms(sql`${before}`);
      const [to] = forms(sql`${after}`);
      return sql`replace(replace(${column}, ${tight}, ${to}), ${wide}, ${to})`;
    },
    use: { ...named, where: ({ name }) => holds(name) },
  };
};

const DRAFT = { label: "메일·문자", name: MAILING_NAME };

/** Places that hold the words of own fields, or their names: a rename changes all of them in one batch. */
export const CHOICE_HOLDERS: readonly ChoiceHolder<OwnFieldCode>[] = [
  {
    table: alumni,
    column: alumni.own,
    holds: (change) =>
      sql`${alumni.id} IN (SELECT v.alumni_id FROM alumni_value v WHERE v.field = ${change.code} AND ${isOldWord(change, sql`v.value`)})`,
    renamed: (change) => renamedInJson(change, sql`${alumni.own}`, pathOf(change)),
  },
  inDeeds(alumniBefore.values),
  inDeeds(alumniBefore.after),
  {
    table: alumniStaged,
    column: alumniStaged.rows,
    holds: ({ code }) =>
      sql`${alumniStaged.kind} IN ('insert', 'update') AND instr(${alumniStaged.rows}, ${code}) > 0
        AND ${alumniStaged.importId} IN (SELECT id FROM alumni_staging WHERE committed_date IS NOT NULL)`,
    renamed: (change) =>
      sql`(SELECT json_group_array(json_set(r.value, ${place}, ${renamedInJson(change, sql`(r.value ->> ${place})`, pathOf(change))} || ''))
        FROM json_each(${alumniStaged.rows}) r)`,
  },
  {
    table: dueKind,
    column: dueKind.grades,
    holds: isGradeField,
    renamed: (change) => sql`(SELECT json_group_array(${renamedLine(change)}) FROM json_each(${dueKind.grades}) g)`,
  },
  // After the grades, which are found by the field's old name.
  {
    table: dueKind,
    column: dueKind.gradeField,
    holds: isGradeField,
    renamed: ({ names: [, name] }) => sql`${name}`,
    use: { label: "회비 종류", name: sql`${dueKind.name}`, where: ({ name }) => isGradeFieldNamed(name) },
  },
  {
    table: alumniView,
    column: alumniView.content,
    holds: (change) => isWordCondition(textOperator(change)),
    renamed: (change) =>
      sql`json_set(${alumniView.content}, ${storedCondition(change)}, ${textOperator(change)} || ':' ||
        (SELECT group_concat(${renamedWord(change, sql`trim(w.value)`)}, ',') FROM ${wordsOf(change)}))`,
    use: {
      label: "저장한 보기",
      name: sql`${alumniView.name}`,
      where: ({ code }) => sql`deleted_date IS NULL AND (${hasCondition(sql`${alumniView.content}`, "filter", code)}
        OR ${code} IN (SELECT value FROM json_each(${alumniView.content}, '$.columns'))
        OR ${alumniView.content} ->> '$.sort' IN (${code} || ',ASC', ${code} || ',DESC'))`,
    },
    keeps: (change) =>
      sql`${textOperator(change)} = 'has' AND EXISTS (SELECT 1 FROM ${wordsOf(change)} WHERE ${isOldPart(change, sql`trim(w.value)`)})`,
  },
  inTarget(mailing, "filter", { ...DRAFT, isOpen: sql`${mailing.status} = 'draft'` }),
  inTarget(mailing, "asked", { ...DRAFT, isOpen: sql`${mailing.status} = 'sending'` }),
  inTarget(confirmationRound, "filter", {
    label: "정보 확인",
    name: koreanDay(sql`${confirmationRound.createdDate}`),
    isOpen: sql`(${confirmationRound.status} <> 'closed' OR ${confirmationRound.repeatDate} IS NOT NULL)`,
  }),
  inText(certificateKind, certificateKind.body, {
    label: "증명서",
    name: sql`${certificateKind.name}`,
    isOpen: sql`1`,
  }),
  inText(mailing, mailing.subject, { ...DRAFT, isOpen: IS_UNSENT }),
  // The approved text of a template stays; its values name the fields.
  inText(mailing, mailing.body, { ...DRAFT, isOpen: sql`${IS_UNSENT} AND ${mailing.channel} <> 'alimtalk'` }),
  inText(mailing, mailing.templateValues, { ...DRAFT, isOpen: IS_UNSENT }, quoted),
];

/** Names of what uses a field of the address book. */
export const fieldUses = (field: UsedField) => usesOf(CHOICE_HOLDERS, field);
