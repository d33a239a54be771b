import { type SQL, sql } from "drizzle-orm";
import { dueKind } from "#db/schema/alumni-dues.ts";
import { alumniBeforeChange, alumniImportPreviewPart } from "#db/schema/alumni-import.ts";
import { alumni, alumniView } from "#db/schema/alumni.ts";
import { confirmationRound, mailing } from "#db/schema/mailing.ts";
import { fieldFilterKey } from "#worker/contract/alumni/list.ts";
import type { OwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import {
  type ChoiceChange,
  type ChoiceHolder,
  isOldPart,
  isOldWord,
  renamedInJson,
  renamedWord,
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
const isGradeField = ({ names: [name] }: Change) =>
  sql`${plainName(sql`${dueKind.gradeField}`)} = ${plainName(sql`${name}`)}`;
/** The line of a grade without its amount, as `parseGrade` reads it. */
const gradeOf = (line: SQL) => sql`rtrim(rtrim(rtrim(trim(${line}), '원 '), '0123456789,'), ' :=')`;
const renamedLine = (change: Change) =>
  sql`(SELECT coalesce((SELECT n.value ->> 'to' FROM json_each(${JSON.stringify(change.renames)}) n
    WHERE ${plainName(sql`(n.value ->> 'from')`)} = ${plainName(gradeOf(sql`g.value`))}) || substr(trim(g.value), length(${gradeOf(sql`g.value`)}) + 1), g.value))`;

/** Mailings and rounds store conditions parsed, views as text. */
const storedCondition = (change: Change) => `$.filter.${fieldFilterKey(change.code)}`;
const conditionText = (change: Change) => sql`(${alumniView.content} ->> ${storedCondition(change)})`;
/** No choice has a comma. */
const wordsOf = (change: Change) =>
  sql`json_each('[' || replace(json_quote(substr(${conditionText(change)}, instr(${conditionText(change)}, ':') + 1)), ',', '","') || ']') w`;
const isWordCondition = (operator: SQL) => sql`${operator} IN ('in', 'has')`;
const textOperator = (change: Change) =>
  sql`substr(${conditionText(change)}, 1, instr(${conditionText(change)}, ':') - 1)`;

const inTarget = (
  table: typeof mailing | typeof confirmationRound,
  name: (ids: SQL) => SQL,
): ChoiceHolder<OwnFieldCode> => {
  const target = sql`${table.target}`;
  const operator = (change: Change) => sql`(${target} ->> ${`${storedCondition(change)}.operator`})`;
  const values = (change: Change) => `${storedCondition(change)}.values`;
  return {
    table,
    column: table.target,
    holds: (change) => isWordCondition(operator(change)),
    renamed: (change) => renamedInJson(change, target, values(change)),
    left: (change) => ({
      label: table === mailing ? "메일·문자" : "정보 확인",
      name: name(sql`${table.createdDate}`),
      where: sql`${operator(change)} = 'has' AND ${table === mailing ? sql`status = 'draft'` : sql`(status <> 'closed' OR repeat_date IS NOT NULL)`}
        AND EXISTS (SELECT 1 FROM json_each(${target}, ${values(change)}) w WHERE ${isOldPart(change, sql`w.value`)})`,
    }),
  };
};

/** Entries as a deed found or left them. */
const inDeeds = (
  column: typeof alumniBeforeChange.values | typeof alumniBeforeChange.after,
): ChoiceHolder<OwnFieldCode> => {
  const own = sql`(${column} ->> 'own')`;
  return {
    table: alumniBeforeChange,
    column,
    holds: (change) => sql`json_type(${own}, ${pathOf(change)}) IS NOT NULL`,
    renamed: (change) => sql`json_set(${column}, '$.own', ${renamedInJson(change, own, pathOf(change))} || '')`,
  };
};

const koreanDay = (date: SQL) => sql`strftime('%Y-%m-%d', ${date} / 1000 + 32400, 'unixepoch')`;

/** Places that hold the words of own fields: a rename changes all of them in one batch. */
export const CHOICE_HOLDERS: readonly ChoiceHolder<OwnFieldCode>[] = [
  {
    table: alumni,
    column: alumni.own,
    holds: (change) =>
      sql`${alumni.id} IN (SELECT v.alumni_id FROM alumni_value v WHERE v.field = ${change.code} AND ${isOldWord(change, sql`v.value`)})`,
    renamed: (change) => renamedInJson(change, sql`${alumni.own}`, pathOf(change)),
  },
  inDeeds(alumniBeforeChange.values),
  inDeeds(alumniBeforeChange.after),
  {
    table: alumniImportPreviewPart,
    column: alumniImportPreviewPart.rows,
    holds: ({ code }) =>
      sql`${alumniImportPreviewPart.kind} IN ('insert', 'update') AND instr(${alumniImportPreviewPart.rows}, ${code}) > 0
        AND ${alumniImportPreviewPart.importId} IN (SELECT id FROM alumni_staging WHERE committed_date IS NOT NULL)`,
    renamed: (change) =>
      sql`(SELECT json_group_array(json_set(r.value, ${place}, ${renamedInJson(change, sql`(r.value ->> ${place})`, pathOf(change))} || ''))
        FROM json_each(${alumniImportPreviewPart.rows}) r)`,
  },
  {
    table: dueKind,
    column: dueKind.grades,
    holds: isGradeField,
    renamed: (change) => sql`(SELECT json_group_array(${renamedLine(change)}) FROM json_each(${dueKind.grades}) g)`,
  },
  // After the grades, which are found by the field's old name.
  { table: dueKind, column: dueKind.gradeField, holds: isGradeField, renamed: ({ names: [, name] }) => sql`${name}` },
  {
    table: alumniView,
    column: alumniView.content,
    holds: (change) => isWordCondition(textOperator(change)),
    renamed: (change) =>
      sql`json_set(${alumniView.content}, ${storedCondition(change)}, ${textOperator(change)} || ':' ||
        (SELECT group_concat(${renamedWord(change, sql`trim(w.value)`)}, ',') FROM ${wordsOf(change)}))`,
    left: (change) => ({
      label: "저장한 보기",
      name: sql`${alumniView.name}`,
      where: sql`deleted_date IS NULL AND ${textOperator(change)} = 'has'
        AND EXISTS (SELECT 1 FROM ${wordsOf(change)} WHERE ${isOldPart(change, sql`trim(w.value)`)})`,
    }),
  },
  inTarget(mailing, (date) => sql`coalesce(nullif(${mailing.subject}, ''), ${koreanDay(date)})`),
  inTarget(confirmationRound, koreanDay),
];
