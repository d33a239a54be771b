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

/** Mailings and rounds store conditions parsed, sent mailings under `asked`, views as text. */
const conditionIn = (part: "filter" | "asked", { code }: Change) => `$.${part}.${fieldFilterKey(code)}`;
const storedCondition = (change: Change) => conditionIn("filter", change);
const conditionText = (change: Change) => sql`(${alumniView.content} ->> ${storedCondition(change)})`;
/** No choice has a comma. */
const wordsOf = (change: Change) =>
  sql`json_each('[' || replace(json_quote(substr(${conditionText(change)}, instr(${conditionText(change)}, ':') + 1)), ',', '","') || ']') w`;
const isWordCondition = (operator: SQL) => sql`${operator} IN ('in', 'has')`;
const textOperator = (change: Change) =>
  sql`substr(${conditionText(change)}, 1, instr(${conditionText(change)}, ':') - 1)`;

const inTarget = (
  table: typeof mailing | typeof confirmationRound,
  part: "filter" | "asked",
): ChoiceHolder<OwnFieldCode> => {
  const target = sql`${table.target}`;
  return {
    table,
    column: table.target,
    holds: (change) => isWordCondition(sql`(${target} ->> ${`${conditionIn(part, change)}.operator`})`),
    renamed: (change) => renamedInJson(change, target, `${conditionIn(part, change)}.values`),
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

/** A draft's condition that cannot follow is named. */
const inDraft = (
  table: typeof mailing | typeof confirmationRound,
  { label, name, isOpen }: { label: string; name: SQL; isOpen: SQL },
): ChoiceHolder<OwnFieldCode> => ({
  ...inTarget(table, "filter"),
  left: (change) => ({
    label,
    name,
    where: sql`${table.target} ->> ${`${storedCondition(change)}.operator`} = 'has' AND ${isOpen}
      AND EXISTS (SELECT 1 FROM json_each(${table.target}, ${`${storedCondition(change)}.values`}) w WHERE ${isOldPart(change, sql`w.value`)})`,
  }),
});

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
  inDraft(mailing, {
    label: "메일·문자",
    name: sql`coalesce(nullif(${mailing.subject}, ''), ${koreanDay(sql`${mailing.createdDate}`)})`,
    isOpen: sql`status = 'draft'`,
  }),
  inTarget(mailing, "asked"),
  inDraft(confirmationRound, {
    label: "정보 확인",
    name: koreanDay(sql`${confirmationRound.createdDate}`),
    isOpen: sql`(status <> 'closed' OR repeat_date IS NOT NULL)`,
  }),
];
