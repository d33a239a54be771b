import { type SQL, sql } from "drizzle-orm";
import { prepareOnce } from "#db/prepared.ts";
import { EVENT_LIMITS } from "#worker/contract/board/event-rules.ts";
import { koreanDay, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { DAY_MS, NEW_ITEM_MS } from "#worker/contract/kernel/limits.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";

const NOW = sql.placeholder("now");

const firstOf = (column: "created_date" | "event_end", offset = 0) =>
  sql`(SELECT min(${sql.raw(column)}) + ${sql.raw(String(offset))} FROM board_item WHERE board_code = b.board_code AND deleted_date IS NULL
    ${sql.raw(column === "event_end" ? "AND event_start IS NOT NULL" : "")} AND ${sql.raw(column)} > ${NOW} - ${sql.raw(String(offset))})`;
const firstUnpinned = sql`(SELECT min(pinned_until) FROM board_item INDEXED BY board_item_pinned
  WHERE board_code = b.board_code AND is_pinned = 1 AND deleted_date IS NULL AND pinned_until > ${NOW})`;

/** An item appears, stops being new or pinned; an event ends or leaves calendar feeds. */
const BOARD_MOMENTS = [
  firstOf("created_date"),
  firstOf("created_date", NEW_ITEM_MS),
  firstUnpinned,
  firstOf("event_end"),
  firstOf("event_end", EVENT_LIMITS.daysMax * DAY_MS),
];
const SITE_MOMENTS = [
  sql`(SELECT min(start_date) FROM popup WHERE start_date > ${NOW})`,
  sql`(SELECT min(end_date) FROM popup WHERE end_date > ${NOW})`,
  sql`(SELECT min((SELECT min(effective_date) FROM content_version AS v WHERE v.code = c.code AND effective_date > ${NOW})) FROM content AS c)`,
];

const LATEST = sql.raw(String(Number.MAX_SAFE_INTEGER));
const earliestOf = (moments: readonly SQL[]) =>
  sql<number>`min(${sql.join(
    moments.map((moment) => sql`coalesce(${moment}, ${LATEST})`),
    sql`, `,
  )})`;

const siteMoment = prepareOnce((db) => db.select({ moment: earliestOf(SITE_MOMENTS) }).from(sql`(SELECT 1)`));
const boardMoment = prepareOnce((db) => {
  const ofBoards = sql`(SELECT min(${earliestOf(BOARD_MOMENTS)}) FROM board AS b WHERE ${sql.placeholder("boardCode")} IN (b.board_code, 'boards'))`;
  return db.select({ moment: earliestOf([...SITE_MOMENTS, ofBoards]) }).from(sql`(SELECT 1)`);
});

/** Next time-based change of a page with these scopes; midnight in Korea at the latest. */
export async function readNextChange(scope: RequestScope, shows: readonly string[]): Promise<number> {
  const time = scope.now();
  const midnight = startOfKoreanDay(koreanDay(new Date(time.getTime() + DAY_MS))).getTime();
  const boardCode = shows.find((each) => each !== "site")?.replace(/^board:/, "");
  const now = time.getTime();
  const statement = boardCode ? boardMoment(scope.db, { now, boardCode }) : siteMoment(scope.db, { now });
  const { rows } = await scope.read([statement]);
  return Math.min(rows[0][0]?.moment ?? midnight, midnight);
}
