import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readNextChange } from "#worker/domain/site/next-change.server.ts";
import { openRequestScope } from "../../support/open-scope.ts";
import { runSql } from "../../support/test-database.ts";

const NOW = Date.parse("2026-11-27T03:00:00Z");
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const MIDNIGHT = Date.parse("2026-11-27T15:00:00Z");
const A_WEEK_ON = NOW + 7 * DAY;
const LIST = ["site", "board:notice", "items:notice"];
const PAGE = ["site", "board:notice", "item:1"];

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
afterEach(() => void vi.useRealTimers());

function nextChange(shows: readonly string[], itemNo?: string): Promise<number> {
  const request = new Request("https://example.test/");
  const scope = openRequestScope({ request, env, credential: null, requestId: "test", defer: () => {} });
  return readNextChange(scope, shows, itemNo);
}

const addItem = (itemNo: number, createdDate: number, boardCode = "notice") =>
  runSql(
    `INSERT INTO board_item (board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date)
      VALUES (?, ?, '글', '', 'a', '가나', ?, 1)`,
    boardCode,
    itemNo,
    createdDate,
  );
const holdEvent = (itemNo: number, endsAt: number) =>
  runSql("UPDATE board_item SET event_start = ?, event_end = ? WHERE item_no = ?", endsAt - HOUR, endsAt, itemNo);

test("a page without moments is kept for a week", async () => {
  await addItem(1, NOW - 9 * DAY);
  expect(await nextChange(["site"])).toBe(A_WEEK_ON);
  expect(await nextChange(LIST)).toBe(A_WEEK_ON);
  expect(await nextChange(PAGE, "1")).toBe(A_WEEK_ON);
  expect(await nextChange(["site", "boards"])).toBe(MIDNIGHT);
});

test("a list changes when an item stops being new", async () => {
  await addItem(1, NOW - 9 * DAY);
  await addItem(2, NOW - HOUR);
  expect(await nextChange(LIST)).toBe(NOW - HOUR + DAY);
  expect(await nextChange(PAGE, "2")).toBe(NOW - HOUR + DAY);
  expect(await nextChange(PAGE, "1")).toBe(A_WEEK_ON);
});

test("every page of a board changes when a scheduled item appears", async () => {
  await addItem(1, NOW - 9 * DAY);
  await addItem(2, NOW + HOUR);
  expect(await nextChange(LIST)).toBe(NOW + HOUR);
  expect(await nextChange(PAGE, "1")).toBe(NOW + HOUR);
});

test("a pinned item's list changes when its pin ends", async () => {
  await addItem(1, NOW - 9 * DAY);
  await addItem(2, NOW - 9 * DAY);
  await runSql("UPDATE board_item SET is_pinned = 1, pinned_until = ? WHERE item_no = 1", NOW + 2 * DAY);
  expect(await nextChange(LIST)).toBe(NOW + 2 * DAY);
  expect(await nextChange(PAGE, "1")).toBe(NOW + 2 * DAY);
  expect(await nextChange(PAGE, "2")).toBe(A_WEEK_ON);
});

test.for([
  ["ahead", NOW + 20 * DAY, MIDNIGHT],
  ["that ended today", NOW - HOUR, MIDNIGHT],
  ["that ended two days ago", NOW - 2 * DAY, A_WEEK_ON],
] as const)("an event %s changes the pages that show it", async ([, endsAt, expected]) => {
  await addItem(1, NOW - 90 * DAY);
  await addItem(2, NOW - 90 * DAY);
  await holdEvent(1, endsAt);
  expect(await nextChange(LIST)).toBe(expected);
  expect(await nextChange(PAGE, "1")).toBe(expected);
  expect(await nextChange(PAGE, "2")).toBe(A_WEEK_ON);
});

test("another board's items change neither", async () => {
  await addItem(1, NOW - 9 * DAY);
  await addItem(1, NOW - HOUR, "reference");
  expect(await nextChange(LIST)).toBe(A_WEEK_ON);
});

test("an agreement that comes into force changes every page", async () => {
  await runSql(
    "INSERT INTO agreement (code, version, title, content, text_hash, required, is_announced, effective_date) VALUES ('a', '2', '동의', '', 'h', 1, 1, ?)",
    NOW + HOUR,
  );
  for (const shows of [["site"], ["site", "boards"], LIST]) expect(await nextChange(shows)).toBe(NOW + HOUR);
  expect(await nextChange(PAGE, "1")).toBe(NOW + HOUR);
});

test("a coming popup changes home", async () => {
  await runSql(
    "INSERT INTO popup (id, title, content, link_url, start_date, end_date, modified_date) VALUES ('p', '알림', '', '', ?, 9e15, 1)",
    NOW + HOUR,
  );
  expect(await nextChange(["site", "boards"])).toBe(NOW + HOUR);
  expect(await nextChange(LIST)).toBe(A_WEEK_ON);
});
