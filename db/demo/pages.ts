import type { DemoPage, DemoPageCode } from "./types.ts";
import { pagesPart1 } from "./pages-1.ts";
import { pagesPart2 } from "./pages-2.ts";

export const demoPages: Record<DemoPageCode, DemoPage> = { ...pagesPart1, ...pagesPart2 };
