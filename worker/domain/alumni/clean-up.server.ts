import { sql } from "drizzle-orm";
import { alumniBefore, deedRow } from "#db/schema/alumni-import.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { DUE_LIMITS } from "#worker/contract/alumni/dues/dues.ts";
import { firstOfKoreanDay } from "#worker/contract/kernel/day-ends.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { readAges } from "../audit/ages.server.ts";
import { cleanUpCorrections } from "./correction.server.ts";
import { readAlumniSettings } from "./setting.server.ts";
import { cleanUpAlumniViews } from "./list-view.server.ts";
import { releaseUnusedFiles } from "./own-field.server.ts";
import { cleanUpImportChoices } from "./import/memory.server.ts";
import { cleanUpImportPeople } from "./import/missing.server.ts";
import { cleanUpImportStaging } from "./import/staging.server.ts";

/** Deletes undo data that has expired, and rolls back imports left open for a day. */
export async function cleanUpAlumni(ctx: Pick<AppContext, "db" | "now">): Promise<void> {
  const ages = await readAges(ctx);
  const { undoDays } = await readAlumniSettings(ctx.db);
  // An undo is possible until the end of its last day.
  const undoEnd = firstOfKoreanDay(ages.before("address-book-undo", undoDays * DAY_MS)).getTime();
  const duesUndoEnd = firstOfKoreanDay(ages.before("dues-undo", DUE_LIMITS.undoDays * DAY_MS)).getTime();
  const leftOpen = firstOfKoreanDay(ages.before("import-left-open", undoDays * DAY_MS));
  const [forgotten] = await ctx.db.batch([
    ctx.db.delete(alumniBefore).where(
      sql`${alumniBefore.importId} IN (SELECT id FROM alumni_import WHERE created_date < ${undoEnd}
          UNION ALL SELECT id FROM alumni_merge WHERE created_date < ${undoEnd})`,
    ),
    ctx.db.delete(deedRow).where(
      sql`${deedRow.deedId} IN (SELECT id FROM alumni_merge WHERE created_date < ${undoEnd}
          UNION ALL SELECT id FROM due_work WHERE created_date < ${duesUndoEnd})`,
    ),
    cleanUpAlumniViews(ctx, ages),
    cleanUpCorrections(ctx, ages),
    cleanUpImportChoices(ctx, ages),
    cleanUpImportPeople(ctx, ages),
    cleanUpImportStaging(ctx, ages.before("import-preview"), leftOpen),
  ]);
  if (forgotten.meta.changes > 0) await releaseUnusedFiles(ctx.db);
}
