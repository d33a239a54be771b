import { type BookColumn, isOwnFieldCode, type OwnField } from "#worker/contract/alumni/own-fields.ts";
import type { RawRow, StoredCell } from "./sheet-content.ts";

const NUMBER_COLUMNS: readonly BookColumn[] = ["cohort", "graduationYear"];
const CONTACT_COLUMNS: readonly BookColumn[] = ["mobile", "phone", "zipCode"];
const SAMPLES = 5;

const letters = (at: number): string =>
  (at < 26 ? "" : letters(Math.floor(at / 26) - 1)) + String.fromCodePoint(65 + (at % 26));

export const cellName = (row: number, column: number) => `${letters(column)}${row}`;

export class ShownCells {
  private readonly dates: string[] = [];
  private readonly others: string[] = [];
  private dateCount = 0;
  private otherCount = 0;
  private readonly own: readonly OwnField[];

  constructor(own: readonly OwnField[]) {
    this.own = own;
  }

  private takesStored(column: BookColumn, { shown, isDate }: StoredCell): boolean {
    const kind = isOwnFieldCode(column) ? this.own.find(({ code }) => code === column)?.kind : undefined;
    if (isDate) return column === "graduationYear" || kind === "date";
    if (CONTACT_COLUMNS.includes(column) || kind === "phone") return /^\d{1,3}(?:,\d{3})+$/.test(shown);
    return NUMBER_COLUMNS.includes(column) || kind === "number";
  }

  take({ row, cells, stored = [] }: RawRow, at: number, column: BookColumn): string {
    const text = cells[at] ?? "";
    const cell = stored.find((each) => each.column === at && (each.shown === text || each.stored === text));
    if (!cell) return text;
    const value = this.takesStored(column, cell) ? cell.stored : text;
    const place = `${cellName(row, at)} ‘${cell.shown}’`;
    if (value === cell.stored) {
      this.otherCount += 1;
      if (this.others.length < SAMPLES) this.others.push(`${place} → ${cell.stored.slice(0, 50)}`);
    } else if (cell.isDate) {
      this.dateCount += 1;
      if (this.dates.length < SAMPLES) this.dates.push(`${place}(${cell.stored})`);
    }
    return value;
  }

  get sentences(): string[] {
    const listed = (samples: readonly string[], count: number) =>
      samples.join(", ") + (count > samples.length ? ` 외 ${count - samples.length}` : "");
    const said: string[] = [];
    if (this.dateCount > 0)
      said.push(
        `날짜로 저장된 칸 ${this.dateCount}개를 보이는 대로 읽었습니다. 번지나 호수를 엑셀이 날짜로 바꾸었는지 확인해 주십시오: ${listed(this.dates, this.dateCount)}`,
      );
    if (this.otherCount > 0)
      said.push(
        `보이는 글자와 저장된 값이 다른 칸 ${this.otherCount}개는 저장된 값으로 읽었습니다: ${listed(this.others, this.otherCount)}`,
      );
    return said;
  }
}
