import { asc } from "drizzle-orm";
import { alumniField } from "#db/schema/alumni.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import type { AlumniFieldDocument } from "#worker/contract/alumni/own-field-input.ts";
import { foldFieldName } from "#worker/contract/alumni/own-fields.ts";
import { type RowTransfer, stampOf, writeOrderedRow } from "../kernel/row-transfer.server.ts";
import { authorizeAlumniSetup } from "./office.server.ts";
import { bumpAlumniRevision } from "./row.server.ts";

type AlumniFieldRow = typeof alumniField.$inferSelect;

export const alumniFieldTransfer: RowTransfer<AlumniFieldRow, AlumniFieldDocument> = {
  select: (db) => db.select().from(alumniField).orderBy(asc(alumniField.sortOrder), asc(alumniField.code)),
  stamp: stampOf(alumniField, alumniField.code, alumniField.version),
  documentOf: ({ sortOrder: _order, version: _version, ...document }) => document as AlumniFieldDocument,
  keyOf: ({ code }) => code,
  rowKeyOf: ({ code }) => code,
  nameOf: ({ name }) => name,
  write: (ctx, document) => [writeOrderedRow(ctx, alumniField, alumniField.code, document)],
  problems: importedFieldProblems,
  authorize: authorizeAlumniSetup,
  ordered: alumniField,
  also: ({ db }) => [bumpAlumniRevision(db)],
};

function importedFieldProblems(
  documents: readonly AlumniFieldDocument[],
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
    names.set(folded, code);
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
