import type { AlumniFieldCode } from "#worker/contract/alumni/own-fields.ts";
import { faultDecisions, faultKind } from "#worker/contract/alumni/import/cell-changes.ts";
import type {
  ImportConfirmed,
  ImportEmptied,
  ImportFaultKind,
  ImportPreview,
  ImportProblem,
  ImportResult,
  ImportRuleChange,
} from "#worker/contract/alumni/view.ts";
import type { ImportRow, RefusedRow } from "./row.server.ts";
import type { ImportSummary } from "#db/schema/alumni-import.ts";

const SAMPLES = 20;
const KINDS_MAX = 200;
const CONFIRMED_MAX = 1000;

export class ImportFacts {
  private readonly rules = new Map<string, ImportRuleChange>();
  private readonly faults = new Map<string, ImportFaultKind>();
  private readonly asTyped: ImportRuleChange["samples"] = [];
  private readonly emptied: ImportEmptied = { count: 0, samples: [] };
  private readonly confirmed: ImportConfirmed;

  constructor(savedDate: string | null) {
    this.confirmed = { savedDate, count: 0, samples: [] };
  }

  addRow({ row, changed, values }: ImportRow): void {
    for (const { field, rule, before, after } of changed) {
      const key = `${rule} ${field}`;
      let found = this.rules.get(key);
      if (!found) this.rules.set(key, (found = { rule, field, count: 0, samples: [] }));
      found.count += 1;
      if (found.samples.length < SAMPLES)
        found.samples.push({ row, before: before.slice(0, 200), after: after.slice(0, 200) });
    }
    const { phone = "" } = values;
    if (phone !== "" && !/^[+\d][\d -]*$/.test(phone) && this.asTyped.length < SAMPLES)
      this.asTyped.push({ row, before: phone, after: phone });
  }

  addRefused({ problems }: RefusedRow): void {
    for (const { row, field, fault, message: told, value } of problems) {
      const message = fault === "resident" ? "주민등록번호로 보이는 값은 저장할 수 없습니다." : told;
      const key = `${faultKind(field, fault)} ${message}`;
      let found = this.faults.get(key);
      if (!found) {
        if (this.faults.size === KINDS_MAX) continue;
        const choices = fault === "missing" ? [] : faultDecisions(field, fault);
        found = { kind: faultKind(field, fault), field, message, count: 0, samples: [], choices };
        this.faults.set(key, found);
      }
      found.count += 1;
      if (found.samples.length < SAMPLES) found.samples.push({ row, value });
    }
  }

  addConfirmed(...values: ImportConfirmed["samples"]): void {
    this.confirmed.count += values.length;
    if (this.confirmed.samples.length < CONFIRMED_MAX) this.confirmed.samples.push(...values);
  }

  /** @param name and @param shown limited to the caller's visible fields */
  addEmptied(
    row: number,
    name: string,
    fields: readonly AlumniFieldCode[],
    shown: (field: AlumniFieldCode) => string,
  ): void {
    this.emptied.count += fields.length;
    for (const field of fields)
      if (this.emptied.samples.length < SAMPLES)
        this.emptied.samples.push({ row, name, field, before: shown(field).slice(0, 200) });
  }

  get all(): Pick<ImportResult, "rules" | "asTyped" | "faults" | "emptied" | "confirmed"> {
    const byCount = (a: { count: number }, b: { count: number }) => b.count - a.count;
    return {
      rules: [...this.rules.values()].toSorted(byCount),
      asTyped: this.asTyped,
      faults: [...this.faults.values()].toSorted(byCount),
      emptied: this.emptied,
      confirmed: this.confirmed,
    };
  }
}

export const NO_IMPORT_FACTS: ImportFacts["all"] = {
  rules: [],
  asTyped: [],
  faults: [],
  emptied: { count: 0, samples: [] },
  confirmed: { savedDate: null, count: 0, samples: [] },
};

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
