import { and, eq, sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import { alumniImport, file } from "#db/schema.ts";
import { readTable } from "#worker/adapters/spreadsheet-read.server.ts";
import type { AppContext } from "#worker/context.server.ts";
import type { ImportAlumniInput, ImportResult } from "#worker/contract/alumni.ts";
import { AppError } from "#worker/contract/errors.ts";
import { extensionOf, type UploadTicket } from "#worker/contract/file.ts";
import { ALUMNI } from "#worker/contract/limits.ts";
import { formatBytes } from "#worker/contract/text.ts";
import { permit, signedIn } from "../access.server.ts";
import { audit } from "../audit.server.ts";
import { issueUploadUrl } from "../file/upload.server.ts";
import { countLimits, giveBack } from "../limit.server.ts";
import { type Plan, planImport, problemsOf } from "./import-plan.server.ts";
import { BEFORE_JSON, ROW_COLUMNS } from "./import-sql.server.ts";
import { bumpRevision } from "./row.server.ts";
import { storeSheet } from "./stored-file.server.ts";

/** A place to PUT a file to import. Needs Alumni_Import. */
export async function importUploadUrl(
  ctx: AppContext,
  input: { fileName: string; size: number },
): Promise<UploadTicket> {
  permit(ctx, { action: "Alumni_Import" });
  const extension = extensionOf(input.fileName);
  if (!["xlsx", "xls", "csv"].includes(extension)) {
    throw new AppError("UNSUPPORTED_FILE", { message: "xlsx, xls, csv 파일만 가져올 수 있습니다." });
  }
  const max = extension === "csv" ? ALUMNI.importBytes : ALUMNI.workbookBytes;
  if (input.size > max) {
    const message = `파일이 너무 큽니다. ${extension} 파일은 ${formatBytes(max)}까지 보낼 수 있습니다.`;
    throw new AppError("PAYLOAD_TOO_LARGE", { message });
  }
  return issueUploadUrl(ctx, input, "alumni-import", null);
}

const PROBLEMS_MAX = 1000;
const TRIES = 3;

/**
 * Plans a file against the book and, unless it is a dry run, writes the plan in one batch: all valid rows or none.
 * Whoever changes the book between the plan and the batch makes the batch fail, and the plan is made anew.
 */
export async function importAlumni(ctx: AppContext, input: ImportAlumniInput): Promise<ImportResult> {
  permit(ctx, { action: "Alumni_Import" });
  const { fileName, bytes } = await uploaded(ctx, input.fileId);
  for (let attempt = 1; ; attempt++) {
    const plan = await planImport(ctx, await readTable(fileName, bytes), input);
    const wanted = !input.dryRun && (input.skipInvalid || plan.refused.length === 0);
    const changes = wanted ? plan.inserted + plan.updated : 0;
    const importId = crypto.randomUUID();
    if (changes > 0 && !(await write(ctx, importId, fileName, plan, input))) {
      if (attempt < TRIES) continue;
      throw new AppError("CONFLICT", {
        message: "그사이 주소록이 여러 번 바뀌었습니다. 잠시 후 다시 시도해 주십시오.",
      });
    }
    return result(ctx, importId, plan, { ...input, applied: changes > 0 });
  }
}

async function uploaded(ctx: AppContext, fileId: string) {
  const [row] = await ctx.db
    .select()
    .from(file)
    .where(and(eq(file.id, fileId), eq(file.purpose, "alumni-import"), eq(file.ownerUserId, signedIn(ctx).userId)));
  const object = row && row.status !== "pending" ? await ctx.files.get(row.storageKey) : null;
  if (!row || !object) throw new AppError("NOT_FOUND", { message: "파일을 찾을 수 없습니다. 다시 올려 주십시오." });
  return { fileName: row.fileName, bytes: new Uint8Array(await object.arrayBuffer()) };
}

/** @returns false when the book changed since the plan; then nothing was written */
async function write(
  ctx: AppContext,
  importId: string,
  fileName: string,
  plan: Plan,
  { fileId, mode }: ImportAlumniInput,
): Promise<boolean> {
  const me = signedIn(ctx).userId;
  await countLimits(ctx, ["importHour", me]);
  const now = ctx.now();
  const { inserted, updated } = plan;
  const isCurrent = sql<number>`(SELECT coalesce(max(revision), 0) FROM alumni_state) = ${plan.revision}`;
  const statements = [
    ctx.db
      .insert(alumniImport)
      .values({ id: importId, fileId, fileName, userId: me, mode, inserted, updated, createdDate: now, isCurrent }),
    ...plan.inserts.map((rows) => ctx.db.run(insertRows(rows, importId, now))),
    ...plan.updates.flatMap((rows) => [ctx.db.run(keepBefore(rows, importId)), ctx.db.run(updateRows(rows, now))]),
    audit(ctx, {
      action: "alumni.import",
      targetType: "alumniImport",
      targetId: importId,
      subjectCount: inserted + updated,
      detail: { mode, inserted, updated, unchanged: plan.unchanged, rejected: plan.refused.length },
    }),
    bumpRevision(ctx.db),
  ];
  try {
    await runBatch(ctx.db, statements);
    return true;
  } catch (error) {
    await giveBack(ctx, ["importHour", me]);
    const text = `${error} ${error instanceof Error ? error.cause : ""}`;
    if (text.includes("alumni_import_is_current")) return false;
    throw error;
  }
}

const picked = (from: number) =>
  sql.raw(
    ROW_COLUMNS.slice(from)
      .map((_, at) => `value ->> ${at + from}`)
      .join(", "),
  );
const named = sql.raw(ROW_COLUMNS.join(", "));

const insertRows = (rows: string, importId: string, now: Date) => sql`
  INSERT INTO alumni (${named}, open_fields, import_id, created_date, modified_date, version)
  SELECT ${picked(0)}, '[]', ${importId}, ${now.getTime()}, ${now.getTime()}, 1 FROM json_each(${rows})`;

const keepBefore = (rows: string, importId: string) => sql`
  INSERT INTO alumni_before (import_id, alumni_id, "values", version_after)
  SELECT ${importId}, a.id, ${sql.raw(BEFORE_JSON)}, a.version + 1
  FROM json_each(${rows}) j CROSS JOIN alumni a ON a.id = j.value ->> 0`;

const updateRows = (rows: string, now: Date) => sql`
  UPDATE alumni SET (${sql.raw(ROW_COLUMNS.slice(1).join(", "))}) = (j.n1, j.n2, j.n3, j.n4, j.n5, j.n6, j.n7, j.n8, j.n9, j.n10, j.n11, j.n12, j.n13, j.n14, j.n15, j.n16),
    modified_date = ${now.getTime()}, version = version + 1
  FROM (SELECT value ->> 0 AS n0, ${sql.raw(
    ROW_COLUMNS.slice(1)
      .map((_, at) => `value ->> ${at + 1} AS n${at + 1}`)
      .join(", "),
  )} FROM json_each(${rows})) j
  WHERE alumni.id = j.n0`;

async function result(
  ctx: AppContext,
  importId: string,
  plan: Plan,
  { applied, dryRun }: { applied: boolean; dryRun: boolean },
): Promise<ImportResult> {
  const problems = problemsOf(plan);
  const counted = applied || dryRun;
  return {
    importId,
    total: plan.inserted + plan.updated + plan.unchanged + plan.refused.length,
    inserted: counted ? plan.inserted : 0,
    updated: counted ? plan.updated : 0,
    unchanged: plan.unchanged,
    rejected: plan.refused.length,
    errors: problems.slice(0, PROBLEMS_MAX),
    errorFileUrl: plan.refused.length > 0 ? await storeRefused(ctx, plan) : null,
    applied,
    preview: plan.preview,
    warnings: plan.warnings,
  };
}

/** The refused rows as they came, with the reason beside them, ready to be corrected and imported again. */
async function storeRefused(ctx: AppContext, { head, refused }: Plan): Promise<string> {
  const width = (text: string) => Math.min(Math.max(text.length * 2, 10), 40);
  const columns = [
    ...head.texts.map((header) => ({ header, width: width(header) })),
    { header: "행", width: 8 },
    { header: "사유", width: 60 },
  ];
  const rows = refused.map(({ raw, problems }) => [
    ...head.texts.map((_, at) => raw.cells[at] ?? ""),
    raw.row,
    problems.map((problem) => `${problem.column}: ${problem.message}`).join(" / "),
  ]);
  const stored = await storeSheet(ctx, { fileName: "동문주소록_오류행.xlsx", format: "xlsx", columns, rows });
  await ctx.db.update(file).set({ status: "ready" }).where(eq(file.id, stored.fileId));
  return stored.url;
}
