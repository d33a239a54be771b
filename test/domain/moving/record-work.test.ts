import { expect, test, vi } from "vitest";
import { threadFirsts } from "#worker/domain/moving/item-portion.server.ts";
import { isTooDense, parseRecord, readDocument } from "#worker/domain/moving/rdx-record.server.ts";
import { oldComment, oldDocument } from "../../samples/moving-archive.ts";

const CLOCK = { timeZone: "Asia/Seoul", now: new Date("2026-11-25T00:00:00Z"), source: "Gnuboard5" };
const PARENTS: Record<string, (at: number, count: number) => number> = {
  "a chain": (at) => at - 1,
  "a chain whose end comes first": (at, count) => (at === count ? 0 : at + 1),
  "a ring": (at, count) => (at === 1 ? count : at - 1),
  "one thread": (at) => (at === 1 ? 0 : 1),
  "no parents": () => 0,
  "parents that are missing": () => 1_000_000,
};

function commentsOf(parentOf: (at: number, count: number) => number, count: number) {
  const comments = Array.from({ length: count }, (_, n) => oldComment(n + 1, { parent_id: parentOf(n + 1, count) }));
  const read = readDocument(JSON.parse(JSON.stringify(oldDocument(1, { comments }))), CLOCK);
  return read?.comments ?? [];
}

test.each(Object.entries(PARENTS))("each comment in %s is visited a bounded number of times", (_name, parentOf) => {
  for (const count of [1, 10, 100, 10_000]) {
    let visits = 0;
    const counted = commentsOf(parentOf, count).map((comment) =>
      Object.defineProperty({ ...comment }, "parentId", {
        get: () => {
          visits += 1;
          return comment.parentId;
        },
      }),
    );
    expect(threadFirsts(counted).size).toBe(count);
    expect(visits).toBeLessThanOrEqual(3 * count);
  }
});

test("each answer belongs to the first comment of its thread", () => {
  const firstIds = (parents: number[]) => {
    const firsts = threadFirsts(commentsOf((at) => parents[at - 1] ?? 0, parents.length));
    return [...firsts].toSorted(([a], [b]) => a.id - b.id).map(([, first]) => first.id);
  };
  expect(firstIds([0, 1, 2, 0, 4])).toEqual([1, 1, 1, 4, 4]);
  expect(firstIds([3, 1, 0])).toEqual([3, 3, 3]);
  expect(firstIds([9, 1])).toEqual([1, 1]);
  expect(firstIds([1, 1])).toEqual([1, 1]);
  expect(firstIds([2, 1, 2])).toEqual([1, 1, 1]);
});

test("a record beyond its limits is refused before parsing", () => {
  const parse = vi.spyOn(JSON, "parse");
  try {
    for (const text of [
      `{"id":1,"tags":[${"[],".repeat(2_500_000)}[]]}`,
      `{"id":1,"extra_vars":{${Array.from({ length: 500_001 }, (_, at) => `"${at}":0`).join(",")}}}`,
      `{"id":1,"tags":${"[".repeat(65)}${"]".repeat(65)}}`,
    ])
      expect([isTooDense(text), parseRecord(text)]).toEqual([true, null]);
    expect(parse).not.toHaveBeenCalled();
  } finally {
    parse.mockRestore();
  }
});

test("punctuation inside a text does not count as values", () => {
  for (const content of ["[],{}".repeat(400_000), '\\"],['.repeat(400_000), `${"\\".repeat(600_001)}"[`])
    expect(parseRecord(JSON.stringify({ id: 1, content }))).toEqual({ id: 1, content });
  expect(parseRecord('{"id":"')).toBeNull();
});
