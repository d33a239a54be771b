import { findBrowser } from "../e2e/support/chromium.ts";
import { prepareDemoState } from "./test-site.ts";

await Promise.all([prepareDemoState(), process.argv.includes("browser") && findBrowser()]);
