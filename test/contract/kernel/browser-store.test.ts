import { afterEach, describe, expect, test, vi } from "vitest";
import { hasRefused, localStore, subscribeToRefusal, tabStore } from "#app/lib/browser-store.ts";
import { now, setClockBy } from "#app/lib/clock.ts";
import { isSignedIn } from "#app/lib/session-tokens.ts";
import { keepSession } from "#app/lib/session.ts";

afterEach(() => {
  for (const store of [localStore, tabStore]) for (const key of store.keys()) store.remove(key);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function stubStorage(isFull: () => boolean): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => kept.delete(key),
    setItem(key: string, text: string) {
      if (isFull()) throw new DOMException("full", "QuotaExceededError");
      kept.set(key, text);
    },
  });
  return kept;
}
const answerOf = (date: string) => new Response(null, { headers: { Date: date } });
const tokensOf = (issuedAt: number) => {
  const accessToken = `head.${btoa(JSON.stringify({ exp: issuedAt / 1000 + 1800 }))}.sign`;
  return { accessToken, refreshToken: "refresh", user: {} } as Parameters<typeof keepSession>[0];
};

describe("the storage wrappers", () => {
  test("keep values for the page when the browser has no storage", () => {
    const refused = vi.fn();
    const unsubscribe = subscribeToRefusal(refused);
    expect(hasRefused()).toBe(true);
    expect(localStore.write("a", "1")).toBe(false);
    expect(localStore.read("a")).toBe("1");
    expect(localStore.keys()).toEqual(["a"]);
    localStore.remove("a");
    expect(localStore.read("a")).toBeNull();
    unsubscribe();
  });

  test("return the last written value, even when storage was full", () => {
    let isFull = false;
    const kept = stubStorage(() => isFull);
    expect(localStore.write("a", "old")).toBe(true);
    isFull = true;
    expect(localStore.write("a", "new")).toBe(false);
    expect(localStore.read("a")).toBe("new");
    isFull = false;
    expect(localStore.write("a", "newest")).toBe(true);
    expect(kept.get("a")).toBe("newest");
  });

  test("read invalid JSON as null", () => {
    localStore.write("a", "{");
    expect(localStore.readJson("a")).toBeNull();
  });

  test("keep no used refresh token when storage is full", () => {
    let isFull = false;
    const kept = stubStorage(() => isFull);
    localStore.write("refreshToken", "used");
    isFull = true;
    keepSession(tokensOf(Date.now()));
    expect(kept.has("refreshToken")).toBe(false);
    expect(localStore.read("refreshToken")).toBe("refresh");
  });
});

describe("the clock", () => {
  const SERVER = Date.parse("2026-11-25T09:00:00Z");

  test.each([0, 2 * 3_600_000, -2 * 3_600_000, 72 * 3_600_000])(
    "tells the server's time on a computer %i ms ahead",
    (ahead) => {
      stubStorage(() => false);
      vi.stubGlobal("document", { documentElement: { dataset: {} } });
      vi.useFakeTimers({ now: SERVER + ahead });
      setClockBy(answerOf(new Date(SERVER).toUTCString()), Date.now());
      expect(Math.abs(now() - SERVER)).toBeLessThan(1000);
      expect(localStore.read("clockDifference") === null).toBe(ahead === 0);
      keepSession(tokensOf(SERVER));
      expect(isSignedIn()).toBe(true);
      vi.advanceTimersByTime(29 * 60_000);
      expect(isSignedIn()).toBe(true);
      vi.advanceTimersByTime(2 * 60_000);
      expect(isSignedIn()).toBe(false);
    },
  );

  test("ignores an answer without a date or after a delay", () => {
    stubStorage(() => false);
    vi.useFakeTimers({ now: SERVER });
    setClockBy(new Response(null), Date.now());
    setClockBy(answerOf(new Date(0).toUTCString()), Date.now() - 60_000);
    expect(now()).toBe(SERVER);
  });
});
