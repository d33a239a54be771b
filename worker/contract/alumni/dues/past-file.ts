import type { z } from "zod";
import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { cleanCell } from "../cell-rules.ts";
import type { RawRow } from "../import/sheet-content.ts";
import { headerMeaning } from "../import/header-words.ts";
import type { chargeDuesInput } from "./due-input.ts";
import { DUE_LIMITS } from "./dues.ts";

type PastWord = NonNullable<z.input<typeof chargeDuesInput>["words"]>[number];

export interface PastFile {
  /** Rows of a period, with the cell of its year. */
  periods: Map<string, PastWord[]>;
  /** Rows without a readable name and cohort, by number. */
  refused: number[];
}

const HEAD_SEARCH_ROWS = 40;
const YEAR = /(?<!\d)(?:(?:19|20)\d\d(?!\d)|\d\d(?=년|학년))/;
const HALF = /상반기|하반기/;
const KNOWN_WORDS = /학?년도?|상반기|하반기|\p{L}{0,4}?회비|납부|납입|여부|현황|내역|금액/gu;

/** `2024`, `24년도 회비`, `회비(2024)`, `2024년 상반기 납부`. */
export function periodOfHead(head: string): string | null {
  const text = normaliseUnicode(head.slice(0, 100), "NFKC").replace(/[^\p{L}\p{N}]+/gu, "");
  const [year] = YEAR.exec(text) ?? [];
  if (year === undefined || text.replace(year, "").replace(KNOWN_WORDS, "") !== "") return null;
  const [half] = HALF.exec(text) ?? [];
  const century = year.length === 4 ? "" : Number(year) < 50 ? "20" : "19";
  return `${century}${year}${half === undefined ? "" : `-${half}`}`;
}

function headsOf({ row, cells }: RawRow) {
  const meanings = cells.map((text) => headerMeaning(text)?.column);
  const years = cells.flatMap((text, at) => ({ at, period: periodOfHead(text) ?? "" })).filter(({ period }) => period);
  return { row, years, name: meanings.indexOf("name"), cohort: meanings.indexOf("cohort") };
}

/** Reads sheets with a column of names, and one of each year. */
export function readPastFile(sheets: readonly { rows: readonly RawRow[] }[]): PastFile {
  const file: PastFile = { periods: new Map(), refused: [] };
  for (const { rows } of sheets) {
    const heads = rows.slice(0, HEAD_SEARCH_ROWS).map(headsOf);
    const head = heads.find(({ name, years }) => name >= 0 && years.length > 0);
    for (const { row, cells } of head ? rows : []) {
      if (!head || row <= head.row) continue;
      const words = head.years.map(({ at, period }) => ({ period, word: (cells[at] ?? "").trim() }));
      const name = cleanCell("name", cells[head.name] ?? "");
      const cohort = cleanCell("cohort", cells[head.cohort] ?? "");
      if ("error" in name || "error" in cohort) {
        if (words.some(({ word }) => word !== "")) file.refused.push(row);
        continue;
      }
      for (const { period, word } of words) {
        const said = { name: name.value, cohort: cohort.value, word: word.slice(0, DUE_LIMITS.word) };
        if (!file.periods.get(period)?.push(said)) file.periods.set(period, [said]);
      }
    }
  }
  return file;
}

const BEGUN = [
  ["paid", /^(?:납부|납부함|완납|납입|예|[OYV○])$/i],
  ["unpaid", /^(?:미납|미납부|아니요|[XN×])$/i],
  ["exempt", /^면제함?$/],
] as const;

/** The state that a word of a past year says, or the won that were paid. */
export function begunState(text: string): "paid" | "unpaid" | "exempt" | number | undefined {
  const won = /^[₩￦]?(\d[\d,]{0,12})원?$/.exec(text)?.[1];
  return won === undefined ? BEGUN.find(([, pattern]) => pattern.test(text))?.[0] : Number(won.replaceAll(",", ""));
}
