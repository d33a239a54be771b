import { createRequire } from "node:module";

// An import scans wrangler's 15 MB for the names of its exports, which takes a second of each start.
const require = createRequire(import.meta.url);
export const requireMiniflare = () => require("miniflare") as typeof import("miniflare");
export const requireWrangler = () => require("wrangler") as typeof import("wrangler");
