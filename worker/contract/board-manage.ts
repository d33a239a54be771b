import { z } from "zod";
import { boardCode, type BoardInfo, itemNo, type ItemRow } from "./board.ts";
import type { Page } from "./envelope.ts";
import { pageNumber, pageSize, version } from "./fields.ts";
import type { DiffLine } from "./text.ts";

export const BULK_MAX = 100;

/** What a manager does with many at once. `destroy` and `restore` are for what lies in the bin. */
export const bulkInput = z.discriminatedUnion("action", [
  z.object({ action: z.enum(["delete", "restore", "destroy"]), itemNos: itemNos() }),
  z.object({ action: z.literal("move"), itemNos: itemNos(), toBoardCode: boardCode }),
]);
export type BulkInput = z.output<typeof bulkInput>;

function itemNos() {
  return z.array(z.number().int().min(1).max(999_999_999)).min(1).max(BULK_MAX);
}

export const binQuery = z.object({ page: pageNumber, size: pageSize(20) });
export type BinQuery = z.output<typeof binQuery>;

export interface BinRow extends ItemRow {
  deletedDate: string;
  /** When the scheduled job removes it for good; null where the bin is not emptied by itself. */
  purgeDate: string | null;
}
export type BinPage = Page<BinRow>;
export interface BinPageData {
  board: BoardInfo;
  bin: BinPage;
  /** How long what was deleted can be brought back; null for ever. */
  keptDays: number | null;
}

const revision = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number);
export const revisionPath = z.object({ boardCode, itemNo, revision });
export const restoreRevisionInput = z.object({ version });

export interface RevisionRow {
  version: number;
  title: string;
  modifiedUserName: string;
  modifiedDate: string;
}
export interface RevisionView extends RevisionRow {
  content: string;
  category: string;
}

export interface HistoryPageData {
  board: BoardInfo;
  item: { itemNo: number; title: string; version: number };
  /** Newest first. */
  revisions: RevisionRow[];
  /** The chosen version against the one before it. */
  chosen: (RevisionRow & { before: number | null; isCurrent: boolean; lines: DiffLine[] }) | null;
}

export const exportQuery = z.object({ format: z.enum(["xlsx", "csv"]).default("xlsx") });
