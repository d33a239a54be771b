import type { DemoItem } from "./types.ts";
import { referencesPart1 } from "./references-1.ts";
import { referencesPart2 } from "./references-2.ts";
import { referencesPart3 } from "./references-3.ts";
import { referencesPart4 } from "./references-4.ts";

/** Board `reference`, newest first. */
export const demoReferences: DemoItem[] = [
  ...referencesPart1,
  ...referencesPart2,
  ...referencesPart3,
  ...referencesPart4,
];
