import { vi } from "vitest";
import { meterFetch } from "../support/platform-meter.ts";

/** Other hosts answer as told; `vi.unstubAllGlobals()` takes it away again. Each fetch counts as one subrequest. */
export const stubFetch = (answer: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>) =>
  vi.stubGlobal("fetch", meterFetch(answer as typeof fetch));
