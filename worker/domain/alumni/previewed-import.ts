import type { ImportSummary } from "#db/schema/alumni-import.ts";
import type { ImportPreview, ImportProblem } from "#worker/contract/alumni/view.ts";
import type { ImportFacts } from "./import-facts.server.ts";

/** What an import would do, as far as it is told. */
export interface PreviewedImport {
  importId: string;
  planNo: number;
  summary: ImportSummary;
  /** The first faults; the rows themselves are staged. */
  problems: ImportProblem[];
  preview: ImportPreview[];
  warnings: { row: number; message: string }[];
  /** What was done to find the people in the file. */
  notes: string[];
  facts: ImportFacts["all"];
}
