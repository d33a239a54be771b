import { vi } from "vitest";
import { meterFetch } from "../support/platform-meter.ts";

/** Stubs `fetch` and counts subrequests. `vi.unstubAllGlobals()` restores it. */
export const stubFetch = (answer: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>) =>
  vi.stubGlobal("fetch", meterFetch(answer as typeof fetch));
