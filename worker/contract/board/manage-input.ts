import { z } from "zod";
import { BULK_MAX } from "./rules.ts";
import { boardCode, itemNo } from "./input.ts";
import { pageNumber, pageSize, version } from "../kernel/fields.ts";

function itemNos() {
  return z.array(z.number().int().min(1).max(999_999_999)).min(1).max(BULK_MAX);
}

/** What a manager does with many at once. `destroy` and `restore` are for what lies in the bin. */
export const bulkInput = z.discriminatedUnion("action", [
  z.object({ action: z.enum(["delete", "restore", "destroy"]), itemNos: itemNos() }),
  z.object({ action: z.literal("move"), itemNos: itemNos(), toBoardCode: boardCode }),
]);

export type BulkInput = z.output<typeof bulkInput>;

export const binQuery = z.object({ page: pageNumber, size: pageSize(20) });

export type BinQuery = z.output<typeof binQuery>;

const revision = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number);

export const revisionPath = z.object({ boardCode, itemNo, revision });

export const restoreRevisionInput = z.object({ version });

export const exportQuery = z.object({ format: z.enum(["xlsx", "csv"]).default("xlsx") });
