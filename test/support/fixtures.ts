import { test as base } from "vitest";
import { watchLog } from "./expected-log.ts";
import { startTestSite, type TestSiteOptions } from "./test-site.ts";

/** A test of the built Worker: its file has a site of its own, as `siteOptions` say (`extend` them). */
export const test = base
  .extend("siteOptions", { scope: "file" }, {} as TestSiteOptions)
  .extend("site", { scope: "file" }, async ({ siteOptions }, { onCleanup }) => {
    const site = await startTestSite({ onLog: watchLog, ...siteOptions });
    onCleanup(() => site.dispose());
    return site;
  })
  .extend("db", { scope: "file" }, async ({ site }) => (await site.mf.getBindings<{ DB: D1Database }>()).DB);
