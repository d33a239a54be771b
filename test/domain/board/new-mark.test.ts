import { expect, test } from "vitest";
import { isNewItem } from "#worker/domain/board/row.server.ts";

test("an item is new for 24 hours, to the millisecond, and not before it appears", () => {
  const created = new Date("2026-11-21T00:00:00Z");
  const after = (ms: number) => isNewItem(created, new Date(created.getTime() + ms));
  expect([after(0), after(86_399_999), after(86_400_000), after(-1)]).toEqual([true, true, false, false]);
});
