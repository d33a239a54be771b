import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import { type SheetColumn, type SheetValue, writeCsv, writeXlsx } from "#worker/adapters/spreadsheet/write.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { koreanDateTime, koreanDayStamp } from "#worker/contract/kernel/korea.ts";
import { type BoardRow } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { countExport, rowsWhileAwaited } from "../kernel/sheet-download.server.ts";
import { authorizeBoard, boardStatement } from "./board.server.ts";
import { htmlToText } from "../kernel/html-text.server.ts";

const CHUNK = 500;
const CELL_MAX = 32_000;

const COLUMNS: SheetColumn[] = [
  { header: "번호", width: 8 },
  { header: "분류", width: 12 },
  { header: "제목", width: 50 },
  { header: "작성자", width: 14 },
  { header: "등록일", width: 18 },
  { header: "수정일", width: 18 },
  { header: "조회", width: 8 },
  { header: "댓글", width: 8 },
  { header: "첨부", width: 8 },
  { header: "고정", width: 8 },
  { header: "비밀글", width: 8 },
  { header: "메인 노출", width: 10 },
  { header: "내용", width: 80 },
];

/** Needs Manage; 10 a day, each with an audit row. */
export async function exportBoard(ctx: AppContext, boardCode: string, format: "xlsx" | "csv") {
  const row = authorizeBoard(ctx, await boardStatement(ctx.db, boardCode).all(), "Manage");
  await countExport(ctx);
  // Audited before the bytes are sent, whatever the outcome.
  const entry = {
    action: "board.export" as const,
    targetId: boardCode,
    detail: { format, items: row.itemCount },
  };
  await audit(ctx, entry);
  const rows = rowsWhileAwaited(ctx, exportRows(ctx, row));
  return {
    fileName: `${row.boardName}_${koreanDayStamp(ctx.now())}.${format}`,
    contentType:
      format === "csv"
        ? "text/csv; charset=utf-8"
        : "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    bytes: format === "csv" ? await writeCsv(COLUMNS, rows) : await writeXlsx("글", COLUMNS, rows),
  };
}

/** Reads by item number in chunks, so that memory never holds the whole board. */
async function* exportRows(ctx: AppContext, row: BoardRow): AsyncGenerator<SheetValue[]> {
  const yes = (flag: boolean) => (flag ? "예" : "");
  for (let last = 0; ;) {
    const items = await ctx.db
      .select()
      .from(boardItem)
      .where(
        and(eq(boardItem.boardCode, row.boardCode), gt(boardItem.itemNo, last), isNull(sql`+${boardItem.deletedDate}`)),
      )
      .orderBy(asc(boardItem.itemNo))
      .limit(CHUNK);
    for (const item of items) {
      yield [
        item.itemNo,
        item.category,
        item.title,
        item.createdUserName,
        koreanDateTime(item.createdDate),
        koreanDateTime(item.modifiedDate),
        item.viewCount,
        item.commentCount,
        item.fileCount,
        yes(item.isPinned),
        yes(item.isSecret),
        yes(item.showItemToMain),
        htmlToText(item.content).slice(0, CELL_MAX),
      ];
    }
    if (items.length < CHUNK) return;
    last = items.at(-1)?.itemNo ?? last;
  }
}
