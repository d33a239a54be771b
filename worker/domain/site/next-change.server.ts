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

/** Days left of an event change each midnight until the one after its end. */
const midnightIfEvent = (item: SQL) =>
  sql`(SELECT ${sql.placeholder("midnight")} FROM board_item WHERE ${item} AND deleted_date IS NULL AND event_start IS NOT NULL AND event_end > ${NOW} - ${sql.raw(String(DAY_MS))} LIMIT 1)`;

/** An item appears, stops being new or pinned; an event ends or leaves calendar feeds. */
const BOARD_MOMENTS = [
  firstOf("created_date"),
  firstOf("created_date", NEW_ITEM_MS),
  firstUnpinned,
  firstOf("event_end"),
  firstOf("event_end", EVENT_LIMITS.daysMax * DAY_MS),
  midnightIfEvent(sql`board_code = b.board_code`),
];
const HOME_MOMENTS = [
  sql`(SELECT min(start_date) FROM popup WHERE start_date > ${NOW})`,
  sql`(SELECT min(end_date) FROM popup WHERE end_date > ${NOW})`,
];
const SITE_MOMENTS = [
  sql`(SELECT min((SELECT min(effective_date) FROM content_version AS v WHERE v.code = c.code AND effective_date > ${NOW})) FROM content AS c)`,
  sql`(SELECT min(effective_date) FROM agreement WHERE is_announced = 1 AND effective_date > ${NOW})`,
];
const ITEM = sql`board_code = b.board_code AND item_no = ${sql.placeholder("itemNo")}`;
const ITEM_MOMENTS = [
  // The next item appears.
  firstOf("created_date"),
  sql`(SELECT created_date + ${sql.raw(String(NEW_ITEM_MS))} FROM board_item WHERE ${ITEM} AND created_date > ${NOW} - ${sql.raw(String(NEW_ITEM_MS))})`,
  sql`(SELECT pinned_until FROM board_item WHERE ${ITEM} AND pinned_until > ${NOW})`,
  sql`(SELECT event_end FROM board_item WHERE ${ITEM} AND event_start IS NOT NULL AND event_end > ${NOW})`,
  midnightIfEvent(ITEM),
];

const LATEST = sql.raw(String(Number.MAX_SAFE_INTEGER));
const earliestOf = (moments: readonly SQL[]) =>
  sql<number>`min(${sql.join(
    moments.map((moment) => sql`coalesce(${moment}, ${LATEST})`),
    sql`, `,
  )})`;
const earliestOn = (boards: SQL, moments: readonly SQL[], others: readonly SQL[] = []) =>
  earliestOf([...SITE_MOMENTS, ...others, sql`(SELECT min(${earliestOf(moments)}) FROM board AS b WHERE ${boards})`]);
const ONE_BOARD = sql`b.board_code = ${sql.placeholder("boardCode")}`;

const preparedMoment = (moment: SQL<number>) => prepareOnce((db) => db.select({ moment }).from(sql`(SELECT 1)`));
const siteMoment = preparedMoment(earliestOf(SITE_MOMENTS));
const everyBoardMoment = preparedMoment(earliestOn(sql`true`, BOARD_MOMENTS, HOME_MOMENTS));
const boardMoment = preparedMoment(earliestOn(ONE_BOARD, BOARD_MOMENTS));
const itemMoment = preparedMoment(earliestOn(ONE_BOARD, ITEM_MOMENTS));

/** Settings of the Worker change pages without a write. */
const LONGEST_MS = 7 * DAY_MS;

/** Next time-based change of a page with these scopes, within a week; pages of all boards change at midnight in Korea. */
export async function readNextChange(
  scope: RequestScope,
  shows: readonly string[],
  itemNo: string | undefined,
): Promise<number> {
  const now = scope.now().getTime();
  const midnight = startOfKoreanDay(koreanDay(new Date(now + DAY_MS))).getTime();
  const boardCode = shows.find((each) => each.startsWith("board:"))?.replace("board:", "") ?? "";
  const isOfBoards = shows.includes("boards");
  const moments = isOfBoards ? everyBoardMoment : !boardCode ? siteMoment : itemNo ? itemMoment : boardMoment;
  const { rows } = await scope.read([moments(scope.db, { now, midnight, boardCode, itemNo: Number(itemNo ?? 0) })]);
  return Math.min(rows[0][0]?.moment ?? midnight, isOfBoards ? midnight : now + LONGEST_MS);
}
