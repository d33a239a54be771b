import { expect, test, vi } from "vitest";
import { progressOf } from "#app/features/alumni/import/progress.tsx";

test("the remaining time is shown after two seconds of progress, but not at 0 or 100 percent", () => {
  vi.useFakeTimers({ now: 0, toFake: ["performance"] });
  let passedMs = 0;
  const tell = progressOf("되돌리고 있습니다");
  const toldAfter = (ms: number, percent: number) => {
    vi.advanceTimersByTime(ms - passedMs);
    passedMs = ms;
    return tell(percent).left;
  };
  expect(toldAfter(1_000, 10)).toBeUndefined();
  expect(toldAfter(5_000, 0)).toBeUndefined();
  expect(toldAfter(5_000, 25)).toBe(15);
  expect(toldAfter(20_000, 99.9)).toBe(1);
  expect(toldAfter(20_000, 100)).toBeUndefined();
});
