import type { ImportSummary } from "#db/schema/alumni-import.ts";
import type { ImportPreview, ImportProblem } from "#worker/contract/alumni/view.ts";
import type { ImportFacts } from "./import-facts.server.ts";

export interface PreviewedImport {
  importId: string;
  planNo: number;
  summary: ImportSummary;
  problems: ImportProblem[];
  preview: ImportPreview[];
  warnings: { row: number; message: string }[];
  notes: string[];
  facts: ImportFacts["all"];
}
