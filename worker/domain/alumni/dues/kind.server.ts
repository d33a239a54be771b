import { eq, type SQL, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { dueKind } from "#db/schema/alumni-dues.ts";
import { usedFields } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { parseGrade } from "#worker/contract/alumni/dues/dues.ts";
import {
  type AlumniFieldCode,
  foldFieldName,
  isOwnFieldCode,
  ownFieldByName,
} from "#worker/contract/alumni/own-fields.ts";
import { dueKindRow } from "#worker/contract/alumni/rows.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { conflict } from "../../kernel/guarded-batch.server.ts";
import { namesOf } from "../../kernel/choice-rename.server.ts";
import { rowsOf } from "../../kernel/rows.server.ts";
import { alumniSettings, ownFields } from "../setting.server.ts";

export type DueKind = typeof dueKind.$inferSelect;

/** The field of the address book with this name, if a grade can be written in it. */
function gradeFieldOf(ctx: Pick<AppContext, "storedSettings">, name: string): AlumniFieldCode | undefined {
  const own = ownFields(ctx).filter(({ kind }) => kind === "choice" || kind === "text");
  const used = usedFields(alumniSettings(ctx));
  return ownFieldByName(own, name)?.code ?? used.find((field) => ALUMNI_COLUMN_LABELS[field] === name);
}

/** The text that a person has in a field. */
export const fieldText = (field: AlumniFieldCode | null | undefined): SQL<string> => {
  if (!field) return sql<string>`''`;
  return sql<string>`coalesce(${isOwnFieldCode(field) ? sql`json_extract(alumni.own, ${`$.${field}`})` : alumni[field]}, '')`;
};

/** Own fields that can say who paid before the site kept dues. */
export const pastDueFields = (ctx: Pick<AppContext, "storedSettings">) =>
  ownFields(ctx).filter(({ kind }) => kind === "text" || kind === "choice" || kind === "yesNo");

function problemsOf({ gradeField, grades }: Pick<DueKind, "gradeField" | "grades">) {
  const wrong = grades.find((line) => parseGrade(line) === null);
  const names = new Set(grades.map((line) => foldFieldName(parseGrade(line)?.grade ?? "")));
  return {
    gradeField: !gradeField && grades.length > 0 ? "등급이 적힌 주소록 항목의 이름을 적어 주십시오." : null,
    grades:
      wrong || (gradeField && grades.length === 0)
        ? `등급별 금액을 ‘정회원 50000’처럼 적어 주십시오. ${wrong ?? ""}`
        : names.size < grades.length
          ? "같은 등급이 두 번 있습니다."
          : null,
  };
}

/** Dues of the kind, for `namesOf`. */
const countedDues = (label: string, states: SQL) =>
  sql`SELECT ${label} || ' ' || sum(dues) || '건' AS name FROM due_sum WHERE kind_id = "due_kind"."id" AND ${states} HAVING sum(dues) > 0`;

export const dueKinds = rowsOf(dueKindRow, dueKind, {
  section: "dueKinds",
  uses: namesOf([
    countedDues("청구한 회비", sql`1`),
    countedDues("다 내지 않은 회비", sql`state IN ('unpaid', 'partial')`),
  ]),
  async check(ctx, value) {
    const problems = problemsOf(value);
    if (value.gradeField && !gradeFieldOf(ctx, value.gradeField))
      problems.gradeField = `주소록에 ‘${value.gradeField}’ 항목이 없습니다. 글이나 하나 고르기 항목의 이름을 적어 주십시오.`;
    const found = Object.entries(problems).filter((each): each is [string, string] => each[1] !== null);
    if (found.length > 0) throw invalidInput(Object.fromEntries(found));
    return value;
  },
  deletable: (id) => ({
    holds: sql`NOT EXISTS (SELECT 1 FROM due WHERE kind_id = ${id})`,
    error: () => conflict("청구한 회비가 있어 삭제할 수 없습니다. ‘더 청구하지 않습니다’를 골라 닫아 주십시오."),
  }),
  transfer: { problemsOf },
});

/** @throws AppError NOT_FOUND */
export async function requireDueKind(ctx: AppContext, id: string): Promise<DueKind> {
  const [kind] = await ctx.db.select().from(dueKind).where(eq(dueKind.id, id));
  if (!kind) throw new AppError("NOT_FOUND", { message: "회비 종류를 찾을 수 없습니다." });
  return kind;
}

/** @throws AppError NOT_FOUND, CONFLICT for a closed kind or one whose field of grades is gone */
export async function requireOpenDueKind(ctx: AppContext, id: string) {
  const open = await requireGradedDueKind(ctx, id);
  if (open.kind.isClosed) throw conflict("더 청구하지 않는 회비입니다.");
  return open;
}

/** @throws AppError NOT_FOUND, CONFLICT for a kind whose field of grades is gone */
export async function requireGradedDueKind(ctx: AppContext, id: string) {
  const kind = await requireDueKind(ctx, id);
  const gradeField = gradeFieldOf(ctx, kind.gradeField);
  if (kind.gradeField && !gradeField)
    throw conflict(`주소록에 등급이 적힌 ‘${kind.gradeField}’ 항목이 없습니다. 회비 종류를 고쳐 주십시오.`);
  const grades = kind.grades.flatMap((line) => parseGrade(line) ?? []);
  const byGrade = new Map(grades.map(({ grade, amount }) => [foldFieldName(grade), amount]));
  return {
    kind,
    gradeField,
    /** The amount for a grade: 0 exempts, null means that none is set. Only an empty grade takes the general amount. */
    amountOf: (grade: string): number | null =>
      byGrade.get(foldFieldName(grade)) ?? (grade.trim() === "" ? kind.amount || null : null),
  };
}

export type OpenDueKind = Awaited<ReturnType<typeof requireOpenDueKind>>;
