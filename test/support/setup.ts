import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { emptyStorage, takeIsolateDatabase } from "./empty-storage.ts";
import { checkLog, collectLog } from "./expected-log.ts";
import { isMetered, meterBindings, meterFetch, takeRefusals } from "./platform-meter.ts";
import { shareHashes } from "./shared-hashes.ts";
import { awaitDeferred, closeUnread } from "./unread-answers.ts";

// Makes each binding enforce the platform's limits.
if (!isMetered(env)) {
  Object.assign(env, meterBindings(env));
  takeIsolateDatabase();
  globalThis.fetch = meterFetch(globalThis.fetch);
  shareHashes();
}

beforeEach(async () => {
  // Stubbed globals would leak into the files that follow.
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  collectLog();
  await closeUnread();
  await awaitDeferred();
  await emptyStorage();
});

afterEach(() => {
  // Before the next file is imported, whose dates are computed then.
  vi.useRealTimers();
  checkLog();
  expect(takeRefusals(), "limits of the platform that were exceeded").toEqual([]);
});
