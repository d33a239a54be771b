import { z } from "zod";
import { withDefaults } from "../kernel/fields.ts";
import { fieldShape, storedShape } from "../kernel/row-input.ts";
import { CASE_REPORT_FIELDS } from "./fields.ts";

/** The service may wrap its answer in `{ code, data }` and send numbers as text. */
const countField = z.union([
  z.number().int().min(0).max(1_000_000_000),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

const countRow = z.object({
  location: z.union([z.string().min(1).max(100), z.number().transform(String)]),
  count: countField,
});

const countRows = z.array(countRow).max(1000);

export const countAnswer = z.union([countRows, z.object({ data: countRows }).transform(({ data }) => data)]);

const handOverAnswer = z.object({
  token: z.string().min(1).max(4000),
  url: z.union([z.url({ protocol: /^https?$/ }), z.literal(""), z.null()]).optional(),
});

export const tokenAnswer = z.union([handOverAnswer, z.object({ data: handOverAnswer }).transform(({ data }) => data)]);

export const storedCounts = z.object({
  locations: z.array(z.object({ regionCode: z.string(), regionName: z.string(), count: z.number() })),
  asOfDate: z.iso.datetime(),
});

export type StoredCounts = z.output<typeof storedCounts>;

/** `site_setting.case-report` */
export const caseReportSettings = withDefaults(z.object(storedShape(CASE_REPORT_FIELDS)));

export const updateCaseReportInput = z.object({
  ...fieldShape(CASE_REPORT_FIELDS),
  /** 0 until the first change. */
  version: z.number().int().min(0),
});

export type UpdateCaseReportInput = z.output<typeof updateCaseReportInput>;

export interface LocationCount {
  regionCode: string;
  regionName: string;
  /** null when masked. */
  count: number | null;
}

export interface SubjectCounts {
  total: number;
  locations: LocationCount[];
  asOfDate: string;
  /** True when the last refresh failed. */
  stale: boolean;
}
