import { findBrowser } from "../e2e/support/chromium.ts";
import { prepareDemoState } from "./test-site.ts";

// Run by `prepare-site.ts` in a process of its own.
await Promise.all([prepareDemoState(), process.argv.includes("browser") && findBrowser()]);
