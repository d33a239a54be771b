import { writeCsv, writeXlsx } from "#worker/adapters/spreadsheet/write.server.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { koreanDayStamp } from "#worker/contract/kernel/korea.ts";
import { audit, type AuditEntry, type AuditedPeople, auditPeople } from "./audit-entry.server.ts";
import { requireSignedIn } from "./authorize.server.ts";
import type { AppContext } from "./context.ts";
import { countLimits } from "./limit.server.ts";

export interface SheetDownload {
  fileName: string;
  contentType: string;
  body: Blob;
}

/** Stops at the next row after the client disconnects. @throws AppError CONFLICT */
export async function* rowsWhileAwaited<T>(
  ctx: Pick<AppContext, "client">,
  rows: AsyncIterable<T> | Iterable<T>,
): AsyncGenerator<T> {
  for await (const row of rows) {
    if (ctx.client.isGone()) throw new AppError("CONFLICT", { message: "요청이 취소되어 파일을 만들지 않았습니다." });
    yield row;
  }
}

interface SheetColumn<Row> {
  label: string;
  text: (row: Row) => string | number;
}

function* linesOf<Row>(rows: readonly Row[], columns: readonly SheetColumn<Row>[]) {
  for (const row of rows) yield columns.map(({ text }) => text(row));
}

const WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/**
 * Streams csv or a workbook. CSV has a BOM for Korean in Excel and quotes formulas with `'`; workbook cells are always
 * text.
 */
export async function sheetDownload<Row>(
  ctx: Pick<AppContext, "client" | "now">,
  format: "csv" | "xlsx",
  name: string,
  rows: readonly Row[],
  columns: readonly SheetColumn<Row>[],
): Promise<SheetDownload> {
  const lines = rowsWhileAwaited(ctx, linesOf(rows, columns));
  const heads = columns.map(({ label }) => ({ header: label, width: 18 }));
  const isWorkbook = format === "xlsx";
  const body = await (isWorkbook ? writeXlsx(name, heads, lines) : writeCsv(heads, lines));
  return {
    fileName: `${name}_${koreanDayStamp(ctx.now())}.${format}`,
    contentType: isWorkbook ? WORKBOOK_TYPE : "text/csv; charset=utf-8",
    body,
  };
}

/** Counts an export of the day. @throws AppError TOO_MANY_REQUESTS */
export const countExport = (ctx: AppContext) => countLimits(ctx, ["exportDay", requireSignedIn(ctx).userId]);

interface AuditedExport extends Omit<AuditEntry, "reason" | "subjectCount"> {
  /** Without people the number of rows is recorded. */
  people?: AuditedPeople;
}

/** Records an export with its reason before the sheet is made. */
export async function auditedSheet<Row>(
  ctx: AppContext,
  { format, reason }: { format: "csv" | "xlsx"; reason: string },
  { people, ...entry }: AuditedExport,
  name: string,
  rows: readonly Row[],
  columns: readonly SheetColumn<Row>[],
): Promise<SheetDownload> {
  const detail = { ...entry.detail, format, ...(people ? {} : { rows: rows.length }) };
  const recorded = { ...entry, reason, detail };
  await ctx.db.batch(people ? auditPeople(ctx, recorded, people) : [audit(ctx, recorded)]);
  return sheetDownload(ctx, format, name, rows, columns);
}
