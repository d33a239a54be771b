import { asc, desc, inArray, lt, type SQL, sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import { alumniImportChoice, alumniImportForm } from "#db/schema/alumni-import.ts";
import { holdsResidentNumber } from "#worker/contract/alumni/cell-rules.ts";
import type { FormAnswers, StoredAnswers } from "#worker/contract/alumni/import/cell-changes.ts";
import { isNameMark } from "#worker/contract/alumni/import/name-marks.ts";
import { type RememberedForm, ROW_CHOICE } from "#worker/contract/alumni/import/input.ts";
import { formKey, type ImportHeader } from "#worker/contract/alumni/import/header.ts";
import type { Ages } from "#worker/domain/audit/ages.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { authorize } from "../../kernel/authorize.server.ts";
import type { ImportRow } from "./row.server.ts";

// Answers of the office about files of the same form, by headers and values.

const FORMS_MAX = 50;

/** Needs Alumni_Import. */
export async function listImportForms(ctx: AppContext) {
  authorize(ctx, { action: "Alumni_Import" });
  const rows = await ctx.db
    .select()
    .from(alumniImportForm)
    .orderBy(desc(alumniImportForm.usedDate), asc(alumniImportForm.id))
    .limit(FORMS_MAX);
  return rows.map(({ heads, columns, answers: { marks, ...answers }, usedDate }) => ({
    heads,
    columns,
    answers: { ...answers, decisions: { ...answers.decisions, ...marks } },
    usedDate: usedDate.toISOString(),
  }));
}

/** Release 1.0.0 refuses a form with decisions that it does not know. */
function storedAnswers({ decisions, ...answers }: FormAnswers): StoredAnswers {
  const of = (isMark: boolean) =>
    Object.fromEntries(Object.entries(decisions).filter(([kind]) => isNameMark(kind.split(".")[1] ?? "") === isMark));
  return { ...answers, decisions: of(false), marks: of(true) };
}

const isOldForm = inArray(
  alumniImportForm.id,
  sql`(SELECT id FROM alumni_import_form ORDER BY used_date DESC, id LIMIT -1 OFFSET ${FORMS_MAX})`,
);

/** Rows of people that were taken for a header are not kept. */
const isHeaderOfWords = ({ heads }: RememberedForm) =>
  heads.every((head) => !/@|\d{3,4}[- .]?\d{4}/.test(head) && !holdsResidentNumber(head));

/** The ids of new people by the values that name them. */
async function readNewIds(ctx: Pick<AppContext, "db">, form: string, values: readonly string[]) {
  if (values.length === 0) return new Map<string, string>();
  const rows = await ctx.db.all<{ value: string; id: string }>(
    sql`SELECT value, alumni_id AS id FROM alumni_import_choice
      WHERE form = ${form} AND is_new = 1 AND value IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
  );
  return new Map(rows.map(({ value, id }) => [value, id]));
}

/** Answers about persons: an id, a new person, the person of another row, no person, or to be asked again. */
export async function rememberAnswers(
  ctx: AppContext,
  head: ImportHeader,
  { forms, people }: { forms: readonly RememberedForm[]; people: Readonly<Record<string, string>> },
): Promise<void> {
  const usedDate = ctx.now();
  const form = choiceForm(ctx, head);
  const rows: [value: string, id: string | null, isNew: boolean, isAsked: boolean][] = [];
  for (const [value, choice] of Object.entries(people))
    if (!choice.startsWith(ROW_CHOICE))
      rows.push([
        value,
        choice === "new" ? crypto.randomUUID() : choice === "skip" ? null : choice,
        choice === "new",
        choice === "ask",
      ]);
  const sameAs = Object.entries(people).filter(([, choice]) => choice.startsWith(ROW_CHOICE));
  const newIds = await readNewIds(
    ctx,
    form,
    sameAs.map(([, choice]) => choice.slice(ROW_CHOICE.length)),
  );
  for (const [value, id, isNew] of rows) if (isNew && id !== null) newIds.set(value, id);
  for (const [value, choice] of sameAs) {
    const first = choice.slice(ROW_CHOICE.length);
    const id = newIds.get(first) ?? crypto.randomUUID();
    newIds.set(first, id);
    if (!rows.some(([each]) => each === first)) rows.push([first, id, true, false]);
    rows.push([value, id, true, false]);
  }
  const chosen = JSON.stringify(rows);
  await runBatch(ctx.db, [
    ctx.db.run(sql`DELETE FROM alumni_import_choice WHERE form = ${form}
      AND value IN (SELECT value ->> 0 FROM json_each(${chosen}))`),
    ctx.db.run(sql`INSERT INTO alumni_import_choice (form, value, alumni_id, is_new, used_date)
      SELECT ${form}, value ->> 0, value ->> 1, value ->> 2, ${usedDate.getTime()} FROM json_each(${chosen})
      WHERE NOT value ->> 3 AND (value ->> 2 OR value ->> 1 IS NULL
        OR EXISTS (SELECT 1 FROM alumni WHERE id = json_each.value ->> 1 AND deleted_date IS NULL))`),
    ...forms.filter(isHeaderOfWords).map(({ heads, columns, ...answers }) => {
      const id = ctx.tokens.hash("import form", formKey(heads));
      const values = { heads, columns, answers: storedAnswers(answers), usedDate };
      return ctx.db
        .insert(alumniImportForm)
        .values({ id, ...values })
        .onConflictDoUpdate({ target: alumniImportForm.id, set: values });
    }),
    ctx.db.delete(alumniImportForm).where(isOldForm),
  ]);
}

/** Names the form by its mapped columns, which a file read in one call and one sent in parts share. */
export const choiceForm = (ctx: Pick<AppContext, "tokens">, { texts, columns }: ImportHeader): string =>
  ctx.tokens.hash(
    "import choice form",
    columns.flatMap((column, at) => (column === null ? [] : `${column} ${formKey([texts[at] ?? ""])}`)).join("\n"),
  );

/** @param values all that name a person in the row */
export const choiceValue = (ctx: Pick<AppContext, "tokens">, form: string, values: readonly unknown[]): string =>
  ctx.tokens.hash("import choice", JSON.stringify([form, ...values]));

/** Empty for a row that names nobody, or its person by an ID. @param tail empty if the importer sees no numbers */
export function rowValue(
  ctx: Pick<AppContext, "tokens">,
  form: string,
  { id, values }: Pick<ImportRow, "id" | "values">,
  tail: string,
): string {
  const { name = "", cohort = null, graduationYear = null, email = "", mobile = "" } = values;
  return id !== "" || name === "" ? "" : choiceValue(ctx, form, [name, cohort, graduationYear, tail, email, mobile]);
}

interface RememberedChoice {
  kind: "same" | "new" | "skip" | "gone";
  /** Of the person to add. */
  newId: string | null;
}

export interface ChoiceRow {
  at: number;
  alumni_id: string | null;
  is_new: number;
  is_there: number;
  id: string | null;
  [column: string]: unknown;
}

/** The remembered choices of rows, by position; reading renews them. */
export function choiceStatements(
  ctx: Pick<AppContext, "db" | "now">,
  { form, values }: { form: string; values: readonly string[] },
  columns: SQL,
) {
  const keys = JSON.stringify(values);
  return [
    ctx.db.all(sql`SELECT k.key AS at, c.alumni_id, c.is_new,
        EXISTS (SELECT 1 FROM alumni WHERE id = c.alumni_id) AS is_there, ${columns}
      FROM json_each(${keys}) k CROSS JOIN alumni_import_choice c ON c.form = ${form} AND c.value = k.value
      LEFT JOIN alumni a ON a.id = c.alumni_id AND a.deleted_date IS NULL`),
    ctx.db.all(sql`UPDATE alumni_import_choice SET used_date = ${ctx.now().getTime()}
      WHERE form = ${form} AND value IN (SELECT value FROM json_each(${keys}))`),
  ];
}

export function rememberedChoice({ alumni_id, is_new, is_there, id }: ChoiceRow): RememberedChoice {
  if (alumni_id === null) return { kind: "skip", newId: null };
  if (id !== null) return { kind: is_new === 1 ? "new" : "same", newId: null };
  return is_new === 1 && is_there === 0 ? { kind: "new", newId: alumni_id } : { kind: "gone", newId: null };
}

export const cleanUpImportChoices = (ctx: Pick<AppContext, "db">, ages: Ages) =>
  ctx.db.delete(alumniImportChoice).where(lt(alumniImportChoice.usedDate, ages.before("import-answer")));
