import { test as base } from "vitest";
import { watchLog } from "./expected-log.ts";
import { startTestSite, type TestSiteOptions } from "./test-site.ts";

/** Tests the built Worker; each file has a separate site from `siteOptions`, which it may `extend`. */
export const test = base
  .extend("siteOptions", { scope: "file" }, {} as TestSiteOptions)
  .extend("site", { scope: "file" }, async ({ siteOptions }, { onCleanup }) => {
    const site = await startTestSite({ onLog: watchLog, ...siteOptions });
    onCleanup(() => site.dispose());
    return site;
  })
  .extend("db", { scope: "file" }, async ({ site }) => (await site.mf.getBindings<{ DB: D1Database }>()).DB);
