import { type SQL, sql } from "drizzle-orm";
import { numberDigits } from "#worker/contract/kernel/text.ts";

/** Also finds numbers regardless of spaces and hyphens. */
export function holdsText(value: SQL, text: string): SQL {
  const digits = numberDigits(text);
  return digits === null
    ? sql`instr(${value}, ${text})`
    : sql`(instr(${value}, ${text}) OR instr(replace(${value}, '-', ''), ${digits}))`;
}
