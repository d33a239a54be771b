import { z } from "zod";
import { reasonField } from "../kernel/fields.ts";
import { ALUMNI_FIELDS } from "./columns.ts";
import { alumniSelectionInput } from "./input.ts";
import { ownFieldCode } from "./own-field-input.ts";
import { OWN_FIELD_CODES } from "./own-fields.ts";
import { PRINT_KINDS, PRINT_ORDERS } from "./paper.ts";

export const countPrintInput = z.object({ segment: alumniSelectionInput });

export type CountPrintInput = z.output<typeof countPrintInput>;

export const printAlumniInput = z.object({
  segment: alumniSelectionInput,
  kind: z.enum(PRINT_KINDS),
  columns: z
    .array(z.union([z.enum(ALUMNI_FIELDS), ownFieldCode]))
    .max(ALUMNI_FIELDS.length + OWN_FIELD_CODES.length)
    .default([]),
  order: z.enum(PRINT_ORDERS).default("name"),
  reason: reasonField,
});

export type PrintAlumniInput = z.output<typeof printAlumniInput>;
