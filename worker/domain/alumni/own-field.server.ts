import { and, eq, sql } from "drizzle-orm";
import { alumni, alumniField } from "#db/schema/alumni.ts";
import type { AppContext, View } from "#worker/domain/kernel/context.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import {
  alumniFieldInputs,
  CHOICES_MISSING_ISSUE,
  type OwnValuesInput,
} from "#worker/contract/alumni/own-field-input.ts";
import {
  foldFieldName,
  isOwnFieldCode,
  isOwnFile,
  OWN_FIELD_CODES,
  OWN_FIELD_LIMITS,
  ownFieldByName,
  type OwnFieldCode,
} from "#worker/contract/alumni/own-fields.ts";
import { needsChoices } from "#worker/contract/alumni/own-values.ts";
import { alumniFieldRow } from "#worker/contract/alumni/rows.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { abortBatchUnless } from "../kernel/guarded-batch.server.ts";
import { rowsOf } from "../kernel/rows.server.ts";
import { CHOICE_HOLDERS, fieldUses } from "./choice-holders.server.ts";
import type { SentFiles } from "./own-value.server.ts";
import { changeOf, renameStatements, requireRenames } from "../kernel/choice-rename.server.ts";
import { ALUMNI_PERSON_COLUMNS, bumpAlumniRevision, visibleOwnValuesFor } from "./row.server.ts";
import { writeOrderedRow } from "../kernel/row-transfer.server.ts";
import { idsIn } from "#db/sql.ts";
import type { Db } from "#db/client.ts";
import { file } from "#db/schema/file.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import type { FileToServe } from "../file/read.server.ts";

/** @throws AppError INVALID_INPUT if a header could mean two fields */
async function requireOwnName(ctx: AppContext, name: string, own: OwnFieldCode | null): Promise<void> {
  const isTaken = Object.values(ALUMNI_COLUMN_LABELS).some((label) => foldFieldName(label) === foldFieldName(name));
  if (isTaken || foldFieldName(name) === "")
    throw invalidInput({ name: isTaken ? "주소록에 이미 있는 항목의 이름입니다." : "글자가 든 이름을 적어 주십시오." });
  const others = await ctx.db.select({ code: alumniField.code, name: alumniField.name }).from(alumniField);
  const same = ownFieldByName(
    others.filter(({ code }) => code !== own),
    name,
  );
  if (same) throw invalidInput({ name: `이름이 같은 항목이 있습니다: ${same.name}` });
}

/** Undo data and open imports count as values. */
const hasValues = sql`(EXISTS (SELECT 1 FROM alumni_value WHERE field = "alumni_field"."code")
  OR EXISTS (SELECT 1 FROM alumni_before WHERE instr("values", "alumni_field"."code" || '\\"') > 0)
  OR EXISTS (SELECT 1 FROM alumni_staging WHERE committed_date IS NULL AND instr(head, '"' || "alumni_field"."code" || '"') > 0))`;

/** A change keeps all values except renamed choices. */
export const alumniFields = rowsOf(alumniFieldRow, alumniField, {
  inputs: alumniFieldInputs,
  section: "alumniFields",
  async check(ctx, value, change) {
    if (needsChoices(value)) throw invalidInput({ choices: CHOICES_MISSING_ISSUE.message });
    await requireOwnName(ctx, value.name, change?.before.code ?? null);
    if (change) await requireRenames(ctx, CHOICE_HOLDERS, { ...change, value, choices: "choices" });
    return value;
  },
  async newCode({ db }) {
    const taken = await db.select({ code: alumniField.code }).from(alumniField);
    const code = OWN_FIELD_CODES.find((each) => taken.every((row) => row.code !== each));
    if (!code) throw invalidInput({ name: `항목은 ${OWN_FIELD_LIMITS.fields}개까지 만들 수 있습니다.` });
    return { code };
  },
  also: ({ db }, _code, value, change) => [
    bumpAlumniRevision(db),
    ...(change && value ? renameStatements(db, CHOICE_HOLDERS, changeOf(change, value)) : []),
  ],
  uses: fieldUses({ code: sql`"alumni_field"."code"`, name: sql`"alumni_field"."name"` }),
  values: {
    count: sql<number>`(SELECT count(DISTINCT alumni_id) FROM alumni_value WHERE alumni_value.field = "alumni_field"."code")`,
    exist: hasValues,
    logged: ({ name }) => ({ name }),
  },
  transfer: {
    write: (ctx, document) => [writeOrderedRow(ctx, alumniField, alumniField.code, document)],
    problems: importedFieldProblems,
    also: ({ db }) => [bumpAlumniRevision(db)],
  },
});

export type AdminAlumniField = View<typeof alumniFields.list>[number];

type AlumniFieldRow = typeof alumniField.$inferSelect;

function importedFieldProblems(
  documents: readonly (Pick<AlumniFieldRow, "name" | "kind"> & { code?: string })[],
  stored: readonly AlumniFieldRow[],
): Record<string, string> {
  const problems: Record<string, string> = {};
  const names = new Map<string, string>(Object.values(ALUMNI_COLUMN_LABELS).map((label) => [foldFieldName(label), ""]));
  for (const { code, name } of [
    ...stored.filter((row) => documents.every((each) => each.code !== row.code)),
    ...documents,
  ]) {
    const folded = foldFieldName(name);
    const at = documents.findIndex((each) => each.code === code);
    if (at >= 0 && (folded === "" || names.has(folded)))
      problems[`${at}.name`] = "이름이 같은 항목이 있거나 글자가 없는 이름입니다.";
    names.set(folded, code ?? "");
  }
  for (const [at, { code, kind }] of documents.entries()) {
    const before = stored.find((row) => row.code === code);
    // Existing values would be read as another kind.
    if (before && before.kind !== kind)
      problems[`${at}.kind`] =
        `이 사이트의 '${before.name}' 항목과 종류가 다릅니다. 파일에서 이 항목을 빼거나 그 항목을 먼저 지워 주십시오.`;
  }
  return problems;
}

export const isOwnUpload = (ctx: AppContext, ids: readonly string[]) =>
  and(
    idsIn(file.id, ids),
    eq(file.ownerUserId, requireSignedIn(ctx).userId),
    eq(file.purpose, "general"),
    eq(file.status, "ready"),
  );

export async function readSentFiles(ctx: AppContext, given: OwnValuesInput): Promise<SentFiles> {
  const ids = Object.values(given).flatMap((sent) => (isOwnFile(sent) ? [sent.fileId] : []));
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.select({ id: file.id, fileName: file.fileName }).from(file).where(isOwnUpload(ctx, ids));
  return new Map(rows.map(({ id, fileName }) => [id, fileName]));
}

/** Part of the batch that writes the values, so that no other use can claim the uploads. */
export const attachOwnFiles = (ctx: AppContext, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : [
        abortBatchUnless(ctx, sql`(SELECT count(*) FROM file WHERE ${isOwnUpload(ctx, ids)}) = ${ids.length}`),
        ctx.db.update(file).set({ purpose: "alumni", status: "attached" }).where(isOwnUpload(ctx, ids)),
      ];

export const ownFileNotFound = (cause: unknown) =>
  Object.assign(invalidInput({ fileIds: "올리지 못한 파일이 있습니다. 다시 올려 주십시오." }), { cause });

export const releaseUnusedFiles = (db: Db) =>
  db
    .update(file)
    .set({ status: "swept" })
    .where(
      sql`${file.purpose} = 'alumni' AND ${file.status} = 'attached' AND ${file.id} NOT IN (
        SELECT f.value ->> 'fileId' FROM alumni_field d CROSS JOIN alumni_value v ON v.field = d.code
          CROSS JOIN alumni a ON a.id = v.alumni_id, json_each(a.own) f WHERE d.kind = 'file' AND f.type = 'object'
        UNION ALL SELECT seal_id FROM certificate_kind UNION ALL SELECT seal_id FROM alumni_certificate WHERE seal_id <> ''
        UNION ALL SELECT f.value ->> 'fileId' FROM alumni_before b, json_each(b."values" ->> 'own') f WHERE f.type = 'object')`,
    );

/** Reading the file needs access to its value. Needs Alumni_Read. */
export async function getOwnFile(ctx: AppContext, id: string, code: string): Promise<FileToServe> {
  authorize(ctx, { action: "Alumni_Read" });
  const [person] = await ctx.db
    .select(ALUMNI_PERSON_COLUMNS)
    .from(alumni)
    .where(and(eq(alumni.id, id), sql`${alumni.deletedDate} IS NULL`));
  const value = person && isOwnFieldCode(code) ? visibleOwnValuesFor(ctx, person)[code] : undefined;
  return readAttachedFile(ctx, isOwnFile(value) ? value.fileId : "");
}

/** A file of the address book; the caller authorizes. @throws AppError NOT_FOUND */
export async function readAttachedFile(ctx: AppContext, fileId: string): Promise<FileToServe> {
  const [found] = await ctx.db
    .select()
    .from(file)
    .where(and(eq(file.id, fileId), eq(file.purpose, "alumni"), eq(file.status, "attached")));
  if (!found) throw new AppError("NOT_FOUND", { message: "파일을 찾을 수 없습니다." });
  const { fileName, contentType, size, storageKey, hash, pixelWidth, pixelHeight } = found;
  const etag = `"${hash ?? storageKey}"`;
  return { id: found.id, fileName, contentType, size, storageKey, etag, pixelWidth, pixelHeight, isPublic: false };
}
