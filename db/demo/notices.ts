import type { DemoItem } from "./types.ts";
import { noticesPart1 } from "./notices-1.ts";
import { noticesPart2 } from "./notices-2.ts";
import { noticesPart3 } from "./notices-3.ts";
import { noticesPart4 } from "./notices-4.ts";
import { noticesPart5 } from "./notices-5.ts";
import { noticesPart6 } from "./notices-6.ts";

/** Board `notice`, newest first. */
export const demoNotices: DemoItem[] = [
  ...noticesPart1,
  ...noticesPart2,
  ...noticesPart3,
  ...noticesPart4,
  ...noticesPart5,
  ...noticesPart6,
];
