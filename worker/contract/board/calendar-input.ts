import { z } from "zod";
import { boardCode } from "./input.ts";

const month = z
  .string()
  .regex(/^20\d{2}-(?:0[1-9]|1[0-2])$/)
  .optional()
  .catch(undefined);

/** Ignores invalid parameters of a page address. */
export const calendarPageQuery = z.object({ month, board: boardCode.optional().catch(undefined) });

export type CalendarPageQuery = z.output<typeof calendarPageQuery>;
