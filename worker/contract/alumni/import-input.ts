import { z } from "zod";
import { cleanFileName } from "../file/rules.ts";
import { ALUMNI_LIMITS } from "../kernel/limits.ts";
import { CONFIRMED_CHOICES, EMPTIED_CHOICES, FAULT_DECISIONS } from "./cell-changes.ts";
import { idField, flagField, isoDateField, lineField } from "../kernel/fields.ts";

// A file of any size as parts of rows: read in the browser, sent one by one, each as often as need be.

export const importMode = z.enum(["insert", "upsert"]);

/** Header text of the file to field code (or its label), or the other way round. */
export const importMapping = z.record(z.string().max(500), z.string().max(500).nullable());

/** Rows of several files and sheets are counted on. */
const rowNumber = z
  .number()
  .int()
  .min(1)
  .max(ALUMNI_LIMITS.importSources * 1_048_576);

export const openImportInput = z.object({
  fileName: z.string().max(2000).transform(cleanFileName).pipe(z.string().min(1)),
  /** 0 where the first row is a person. */
  headRow: z.number().int().min(0).max(1_048_576),
  heads: z.array(z.string().max(500)).min(1).max(ALUMNI_LIMITS.importColumns),
  mapping: importMapping,
  parts: z.number().int().min(1).max(ALUMNI_LIMITS.importParts),
  /** Files and sheets that come as one: by what they are called, and after which row their own first one counts. */
  sources: z
    .array(z.object({ name: lineField(300), base: z.number().int().min(0) }))
    .max(ALUMNI_LIMITS.importSources)
    .default([]),
  /** When the file was last saved: values confirmed later are kept. Without it all confirmed values are. */
  savedDate: isoDateField.nullish(),
});

export type OpenImportInput = z.output<typeof openImportInput>;

export const importPartPath = z.object({
  importId: idField,
  partNo: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .transform(Number),
});

/** What a cell of a workbook can hold; what is too long for us is a fault of the row, not of the call. */
const cellTextField = z.string().max(32_767);

export const importPartInput = z.object({
  rows: z
    .array(z.tuple([rowNumber, z.array(cellTextField).max(ALUMNI_LIMITS.importColumns)]))
    .min(1)
    .max(ALUMNI_LIMITS.partRows),
});

export type ImportPart = z.output<typeof importPartInput>;

export const previewImportInput = z.object({
  mode: importMode,
  confirmed: z.enum(CONFIRMED_CHOICES).default("keep"),
  emptied: z.enum(EMPTIED_CHOICES).default("byId"),
  decisions: z.record(z.string().max(60), z.enum(FAULT_DECISIONS)).default({}),
});

export type PreviewImportInput = z.output<typeof previewImportInput>;

export const commitImportInput = z.object({ skipInvalid: flagField.default(false) });

/** Cells to correct in what was sent, by row and header text of the file. */
export const correctCellsInput = z.object({
  cells: z
    .array(
      z.object({ row: rowNumber, column: z.string().min(1).max(500), value: z.string().max(ALUMNI_LIMITS.cellLength) }),
    )
    .min(1)
    .max(ALUMNI_LIMITS.correctedCells),
});

export type CorrectCellsInput = z.output<typeof correctCellsInput>;
