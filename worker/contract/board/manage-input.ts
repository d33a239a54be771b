import { z } from "zod";
import { BULK_ITEMS_MAX } from "./rules.ts";
import { boardCode, itemNo } from "./input.ts";
import { versionField, pageFields } from "../kernel/fields.ts";

function itemNos() {
  return z.array(z.number().int().min(1).max(999_999_999)).min(1).max(BULK_ITEMS_MAX);
}

/** `destroy` and `restore` apply to items in the recycle bin. */
export const bulkItemsInput = z.discriminatedUnion("action", [
  z.object({ action: z.enum(["delete", "restore", "destroy"]), itemNos: itemNos() }),
  z.object({ action: z.literal("move"), itemNos: itemNos(), toBoardCode: boardCode }),
]);

export type BulkItemsInput = z.output<typeof bulkItemsInput>;

export const deletedItemsQuery = z.object({ ...pageFields(20) });

export type DeletedItemsQuery = z.output<typeof deletedItemsQuery>;

const revision = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number);

export const revisionPath = z.object({ boardCode, itemNo, revision });

export const restoreRevisionInput = z.object({ version: versionField });

export const exportBoardQuery = z.object({ format: z.enum(["xlsx", "csv"]).default("xlsx") });
