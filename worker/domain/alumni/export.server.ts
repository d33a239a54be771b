import { idsIn } from "#db/sql.ts";
import { alumniSettings, ownFields } from "./setting.server.ts";
import { and, eq, not, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import {
  csvPieces,
  type SheetColumn,
  type SheetRowSource,
  writeXlsx,
  xlsxPieces,
} from "#worker/adapters/spreadsheet/write.server.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import type { exportAlumniInput } from "#worker/contract/alumni/input.ts";
import { isBookFieldUsed, usedFields } from "#worker/contract/alumni/alumni-settings.ts";
import {
  ALUMNI_FIELDS,
  ALUMNI_MAX_LENGTHS,
  ALUMNI_SAMPLE,
  type AlumniColumn,
  type AlumniField,
  isNumberField,
} from "#worker/contract/alumni/columns.ts";
import {
  type BookColumn,
  columnLabel,
  isImportable,
  isOwnFieldCode,
  type OwnField,
  ownFieldsFor,
} from "#worker/contract/alumni/own-fields.ts";
import { IMPORT_SAMPLE_NAME } from "#worker/contract/alumni/import/header.ts";
import { NO, YES } from "#worker/contract/alumni/own-values.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { koreanDayStamp } from "#worker/contract/kernel/korea.ts";
import { ALUMNI_LIMITS, HOUR_MS } from "#worker/contract/kernel/limits.ts";
import { authorize, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { inSiteWords } from "../kernel/site-identity.server.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { actWithinLimit } from "../kernel/limit.server.ts";
import { alumniOrder, alumniWhere, bookForCaller, usableSort } from "./filter.server.ts";
import { ALUMNI_PERSON_COLUMNS, visibleTextsFor } from "./row.server.ts";
import { countLeftOut, describeFilter, mayBeSent, requireSeenCount, requireUsableFilter } from "./segment.server.ts";
import { file } from "#db/schema/file.ts";
import { storeChunks } from "#worker/adapters/storage.server.ts";
import { type FileToServe, getFileToServe } from "../file/read.server.ts";
import { rowsWhileAwaited } from "../kernel/sheet-download.server.ts";
import { newFileRow } from "../file/upload.server.ts";

/** Rows per statement; about 600 kB for thirty columns. */
const CHUNK = 500;

/** Needs Alumni_Export and a reason; the audit row is in the batch that releases the file. */
export async function exportAlumni(ctx: AppContext, input: Parsed<typeof exportAlumniInput>) {
  authorize(ctx, { action: "Alumni_Export" });
  const me = requireSignedIn(ctx);
  return actWithinLimit(ctx, ["exportDay", me.userId], () => writeExport(ctx, input));
}

async function writeExport(ctx: AppContext, input: Parsed<typeof exportAlumniInput>) {
  const { filter, format, count, reason } = input;
  const settings = alumniSettings(ctx);
  const office = can(ctx.actor, { action: "Alumni_Write" });
  const own = ownFieldsFor(ownFields(ctx), office);
  const all: BookColumn[] = [...ALUMNI_FIELDS, ...own.map(({ code }) => code), "id"];
  const columns = (input.columns ?? all).filter((column) => column === "id" || isBookFieldUsed(settings, own, column));
  if (columns.length === 0) throw invalidInput({ columns: "내보낼 항목이 없습니다. 지금 쓰는 항목을 골라 주십시오." });
  const book = bookForCaller(ctx);
  // A file that does not name the state would bring back who is gone.
  const means = input.means ?? (office && columns.includes("state") ? null : "paper");
  requireUsableFilter(book, filter, "filter");
  const where = and(
    alumniWhere(book, filter),
    filter.ids && idsIn(alumni.id, filter.ids),
    filter.except && filter.except.length > 0 ? not(idsIn(alumni.id, filter.except)) : undefined,
  );
  const excluded = means ? await countLeftOut(ctx, where, means) : [];
  // Reads the IDs first, so that concurrent changes neither repeat nor hide a row.
  const people = (
    await ctx.db
      .select({ id: alumni.id })
      .from(alumni)
      .where(and(where, means ? mayBeSent(means) : undefined))
      .orderBy(...alumniOrder(usableSort(book, filter.sort)))
      .limit(ALUMNI_LIMITS.exportRows + 1)
  ).map(({ id }) => id);
  if (people.length > ALUMNI_LIMITS.exportRows)
    throw new AppError("PAYLOAD_TOO_LARGE", {
      message: "한 번에 10만 명까지 내보낼 수 있습니다. 조건을 좁혀 주십시오.",
    });
  const { ids, except = [] } = filter;
  const left = excluded.reduce((sum, each) => sum + each.count, 0);
  requireSeenCount(ids ? { ids } : { filter, except }, count, people.length + left);
  let rows = 0;
  const counted = async function* () {
    for await (const row of alumniExportRows(ctx, people, columns)) {
      rows += 1;
      yield row;
    }
  };
  const fileName = `${alumniSheetName(ctx)}_${koreanDayStamp(ctx.now())}.${format}`;
  const stored = await storeSheet(ctx, {
    fileName,
    format,
    columns: alumniSheetColumns(columns, own),
    rows: counted(),
  });
  await ctx.db.batch([
    sheetReadyStatement(ctx, stored),
    ...auditPeople(
      ctx,
      {
        action: "alumni.export",
        targetType: "file",
        targetId: stored.fileId,
        reason,
        detail: {
          format,
          columns: columns.map((column) => (isOwnFieldCode(column) ? columnLabel(column, own) : column)),
          ...describeFilter(ctx, filter),
          keyword: filter.keyword,
          chosen: ids?.length,
          left: filter.except?.length,
          means: input.means,
          excluded: left || undefined,
        },
      },
      people,
    ),
  ]);
  return { fileId: stored.fileId, url: stored.url, rows, excluded };
}

async function* alumniExportRows(ctx: AppContext, people: readonly string[], columns: readonly BookColumn[]) {
  for (let at = 0; at < people.length; at += CHUNK) {
    const ids = people.slice(at, at + CHUNK);
    const found = await ctx.db
      .select(ALUMNI_PERSON_COLUMNS)
      .from(alumni)
      .where(sql`${alumni.deletedDate} IS NULL AND ${idsIn(alumni.id, ids)}`);
    const byId = new Map(found.map((person) => [person.id, person]));
    for (const id of ids) {
      const person = byId.get(id);
      if (!person) continue;
      yield visibleTextsFor(ctx, person, columns);
    }
  }
}

const CHOICES_LENGTH = 250;
const sampleOf = (field: AlumniField) => {
  if (field === "name") return IMPORT_SAMPLE_NAME;
  if (field === "memo") return "예시 행입니다. 지우지 않아도 가져오지 않습니다.";
  return isNumberField(field) ? Number(ALUMNI_SAMPLE[field]) : ALUMNI_SAMPLE[field];
};

export async function createImportTemplate(ctx: AppContext): Promise<Blob> {
  authorize(ctx, { action: "Alumni_Import" });
  const used = (field: "affiliation" | "position" | "department") =>
    ctx.db
      .select({ value: alumni[field] })
      .from(alumni)
      .where(sql`${alumni.deletedDate} IS NULL AND ${alumni[field]} NOT IN ('') AND instr(${alumni[field]}, ',') = 0`)
      .groupBy(alumni[field])
      .orderBy(sql`count(*) DESC`)
      .limit(30);
  const [affiliation, position, department] = await ctx.db.batch([
    used("affiliation"),
    used("position"),
    used("department"),
  ]);
  const lists: Partial<Record<AlumniColumn, { value: string }[]>> = { affiliation, position, department };
  const fields = usedFields(alumniSettings(ctx));
  const columns = alumniSheetColumns(fields).map((column, at) => {
    const list = lists[fields[at] ?? "name"];
    return list ? { ...column, choices: choicesThatFit(list.map((each) => each.value)) } : column;
  });
  const own = ownFields(ctx).filter(isImportable);
  const ownColumns = alumniSheetColumns(
    own.map(({ code }) => code),
    own,
  ).map((column, at) => {
    const choices = own[at]?.kind === "yesNo" ? [YES, NO] : own[at]?.kind === "choice" ? own[at].choices : [];
    return choices.length > 0 ? { ...column, choices: choicesThatFit(choices) } : column;
  });
  return writeXlsx(
    alumniSheetName(ctx),
    [...columns, ...ownColumns],
    [[...fields.map((field) => sampleOf(field)), ...own.map(() => "")]],
  );
}

function choicesThatFit(values: readonly string[]): string[] {
  let length = 0;
  return values.filter((value) => (length += value.length + 1) <= CHOICES_LENGTH);
}

export const alumniSheetName = (ctx: Pick<AppContext, "storedSettings">) => inSiteWords(ctx, "{동문주소록}");
const ID_WIDTH = 38;
const OWN_WIDTH = 16;

function alumniSheetColumns(fields: readonly BookColumn[], own: readonly OwnField[] = []): SheetColumn[] {
  const widthOf = (field: BookColumn) => {
    if (field === "id") return ID_WIDTH;
    return isOwnFieldCode(field) ? OWN_WIDTH : Math.min(Math.max(ALUMNI_MAX_LENGTHS[field] * 0.4, 8), 40);
  };
  return fields.map((field) => ({ header: columnLabel(field, own), width: widthOf(field) }));
}

interface NewSheet {
  fileName: string;
  format: "xlsx" | "csv";
  columns: readonly SheetColumn[];
  rows: SheetRowSource;
}

interface StoredSheet {
  fileId: string;
  url: string;
  size: number;
}

/**
 * Streams a sheet into R2 for a day. The `pending` row lets clean-up find partial uploads; the batch needs
 * `sheetReadyStatement`.
 */
export async function storeSheet(ctx: AppContext, { fileName, format, columns, rows }: NewSheet): Promise<StoredSheet> {
  const row = newFileRow(ctx, { fileName, size: 0 }, "alumni-export", null);
  await ctx.db.insert(file).values({ ...row, status: "pending" });
  const awaited = rowsWhileAwaited(ctx, rows);
  const pieces = format === "csv" ? csvPieces(columns, awaited) : xlsxPieces(alumniSheetName(ctx), columns, awaited);
  const size = await storeChunks(ctx.files, row.storageKey, pieces, row.contentType);
  return { fileId: row.id, url: signSheetUrl(ctx, row.id), size };
}

export const sheetReadyStatement = (ctx: AppContext, { fileId, size }: StoredSheet) =>
  ctx.db.update(file).set({ status: "ready", size }).where(eq(file.id, fileId));

function signSheetUrl(ctx: AppContext, fileId: string): string {
  const ticket = ctx.tokens.sign(
    "alumni-file",
    `${fileId}~${ctx.now().getTime() + alumniSettings(ctx).exportHours * HOUR_MS}`,
  );
  return `/api/alumni/export-data/${ticket}`;
}

/** Requires a signed link and the permission. @throws AppError NOT_FOUND */
export async function getSheetToServe(scope: RequestScope, ticket: string): Promise<FileToServe> {
  const ctx = await scope.context();
  requireSignedIn(ctx);
  const [fileId, expires] = ctx.tokens.unsign("alumni-file", ticket)?.split("~") ?? [];
  if (!fileId || Number(expires) <= ctx.now().getTime())
    throw new AppError("NOT_FOUND", { message: "내려받을 수 있는 기간이 지났습니다. 다시 내보내 주십시오." });
  return getFileToServe(scope, fileId);
}
