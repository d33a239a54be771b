import { z } from "zod";
import { ENDED_MAX, MISSING_MAX } from "../list.ts";
import { MISSING_STATES } from "#worker/contract/mail/letters.ts";
import { cleanFileName } from "#worker/contract/file/rules.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { ALUMNI_COLUMNS } from "#worker/contract/alumni/columns.ts";
import { OWN_FIELD_CODES } from "#worker/contract/alumni/own-fields.ts";
import { CONFIRMED_CHOICES, EMPTIED_CHOICES, FAULT_DECISIONS, HIDDEN_ANSWERS } from "./cell-changes.ts";
import { idField, flagField, isoDateField, lineField } from "#worker/contract/kernel/fields.ts";

// Imports send a file in parts, read in the browser; each part may be sent again.

export const importMode = z.enum(["insert", "upsert"]);

export const importMapping = z.record(z.string().max(500), z.string().max(500).nullable());

/** Rows of several files and sheets are numbered consecutively. */
const rowNumber = z
  .number()
  .int()
  .min(1)
  .max(ALUMNI_LIMITS.importSources * 1_048_576);

export const openImportInput = z.object({
  fileName: z.string().max(2000).transform(cleanFileName).pipe(z.string().min(1)),
  /** 0 when there is no header. */
  headRow: z.number().int().min(0).max(1_048_576),
  heads: z.array(z.string().max(500)).min(1).max(ALUMNI_LIMITS.importColumns),
  mapping: importMapping,
  parts: z.number().int().min(1).max(ALUMNI_LIMITS.importParts),
  sources: z
    .array(z.object({ name: lineField(300), base: z.number().int().min(0) }))
    .max(ALUMNI_LIMITS.importSources)
    .default([]),
  /** Values confirmed later are kept; without a date all confirmed values are. */
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

/** The limit of a workbook cell; longer values are faults of their row, not of the call. */
const cellTextField = z.string().max(32_767);

export const importPartInput = z.object({
  rows: z
    .array(z.tuple([rowNumber, z.array(cellTextField).max(ALUMNI_LIMITS.importColumns)]))
    .min(1)
    .max(ALUMNI_LIMITS.partRows),
});

export type ImportPart = z.output<typeof importPartInput>;

const emptiedChoice = z.enum(EMPTIED_CHOICES).default("byId");
/** By kind of fault or of mark in a name: `mobile.several`, `name.title`. */
export const faultDecisionsField = z.record(z.string().max(60), z.enum(FAULT_DECISIONS)).default({});
/** People whose 작고, 탈퇴 or refusal may end. */
export const endedPeople = z.array(idField).max(ENDED_MAX).default([]);
/** States of people who are not in the file, by id. */
export const missingPeople = z
  .record(idField, z.enum(MISSING_STATES))
  .refine((states) => Object.keys(states).length <= MISSING_MAX, `한 번에 ${MISSING_MAX}명까지 정할 수 있습니다.`)
  .default({});
const hiddenAnswer = z.enum(HIDDEN_ANSWERS).nullable();

/** Begins the answer that a row is the person of another one, named by its value. */
export const ROW_CHOICE = "row:";

const rowChoice = z.string().regex(/^row:[\w-]{1,60}$/);

/** A form of file as it was read and mapped; remembered for the next one. */
const rememberedForm = z.object({
  heads: z.array(z.string().max(500)).min(1).max(ALUMNI_LIMITS.importColumns),
  columns: z.array(z.enum([...ALUMNI_COLUMNS, ...OWN_FIELD_CODES]).nullable()).max(ALUMNI_LIMITS.importColumns),
  sheets: z.record(z.string().max(300), z.boolean()),
  hidden: z.object({ rows: hiddenAnswer, columns: hiddenAnswer }),
  emptied: emptiedChoice,
  decisions: faultDecisionsField,
});

export type RememberedForm = z.output<typeof rememberedForm>;

export const previewImportInput = z.object({
  mode: importMode,
  confirmed: z.enum(CONFIRMED_CHOICES).default("keep"),
  emptied: emptiedChoice,
  decisions: faultDecisionsField,
  ended: endedPeople,
  missing: missingPeople,
  forms: z.array(rememberedForm).max(20).default([]),
  /** By the value of a question: the id of the same person, or their row; a new one, no one, or the question again. */
  people: z.record(z.string().max(60), z.union([z.enum(["new", "skip", "ask"]), idField, rowChoice])).default({}),
});

export const commitImportInput = z.object({ skipInvalid: flagField.default(false) });

export const correctCellsInput = z.object({
  cells: z
    .array(
      z.object({ row: rowNumber, column: z.string().min(1).max(500), value: z.string().max(ALUMNI_LIMITS.cellLength) }),
    )
    .min(1)
    .max(ALUMNI_LIMITS.correctedCells),
});
