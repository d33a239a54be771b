import type { read } from "@e965/xlsx";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import type { StoredCell } from "#worker/contract/alumni/import/sheet-content.ts";

// Renders cells as Excel shows them in Korea, and keeps the stored value.

/** The used part of SheetJS, which leaves SSF and CFB without types. */
export interface SheetReader {
  read: typeof read;
  SSF: {
    is_date(format: string): boolean;
    format(format: string, value: number | string, options: { date1904: boolean }): string;
  };
  CFB: {
    read(data: Uint8Array, options: { type: "array" }): object;
    find(container: object, path: string): { size: number; content?: ArrayLike<number> } | null;
  };
}

export interface ReadCell {
  text: string;
  stored?: Omit<StoredCell, "column">;
}

const DAY_MS = 86_400_000;

/** Excel's last day, 9999-12-31. */
const LAST_DAY = 2_958_465;

const DAYS_1904 = 1462;

const isoDay = (serial: number) => new Date(Math.floor(serial - 25_569) * DAY_MS).toISOString().slice(0, 10);

/** Locale-dependent formats. */
const KOREAN_FORMATS: Readonly<Record<string, string>> = {
  "m/d/yy": "yyyy-mm-dd",
  "m/d/yy h:mm": "yyyy-mm-dd h:mm",
};
const LONG_DATE = 'yyyy"년" m"월" d"일" aaaa';
const LONG_TIME = "[$-412]AM/PM h:mm:ss";

const WEEKDAYS = "일월화수목금토";

const PIECES = /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|General|a{3,4}|d{3,}|m{3,}|AM\/PM|[^]/giu;

const KOREAN_LANGUAGE = /\[\$[^\]-]{0,40}-(?:[0-9a-f]{0,12}412|ko[^\]]{0,20})\]/i;

const quoted = (text: string) => `"${text}"`;

/** @param found null if the shown text is unknown */
export function readShown(found: string | null, stored: string, isDate: boolean): ReadCell {
  const shown = found?.replace(/\s+/g, " ").trim() ?? "";
  if (shown === stored) return { text: shown };
  // A narrow cell shows 8.21E+11; formats hide zero on purpose.
  const isReadable = shown === "" ? found !== null && stored === "0" : !/^-?[\d.]+E[+-]\d+$/i.test(shown);
  return { text: isReadable ? shown : stored, stored: { shown, stored, isDate } };
}

interface PreparedFormat {
  code: string;
  isDate: boolean;
  /** Whether the text depends on the day itself. */
  isOfDay: boolean;
  hasDay: boolean;
  isKnown: boolean;
}

/** SheetJS knows neither unquoted Korean letters in formats nor weekday names. */
export class CellFormats {
  private readonly prepared = new Map<string, PreparedFormat>();
  private readonly ssf: SheetReader["SSF"];
  private readonly is1904: boolean;

  constructor({ SSF }: Pick<SheetReader, "SSF">, is1904: boolean) {
    this.ssf = SSF;
    this.is1904 = is1904;
  }

  private prepare(format: string): PreparedFormat {
    const known = this.prepared.get(format);
    if (known) return known;
    const system = format.includes("[$-F800]") ? LONG_DATE : format.includes("[$-F400]") ? LONG_TIME : format;
    const source = lookUp(KOREAN_FORMATS, system) ?? system;
    const isDate = this.ssf.is_date(source.replace(/\[\$[^[\]]*\]/g, "")) || /a{3}/i.test(source);
    const isKorean = KOREAN_LANGUAGE.test(source);
    let isOfDay = false;
    const code = source.replace(PIECES, (piece) => {
      const name = piece.toLowerCase();
      if (piece.startsWith("[$")) return quoted(/^\[\$([^\]-]*)/.exec(piece)?.[1] ?? "");
      if (isDate && (name === "aaa" || name === "aaaa" || (isKorean && /^d{3}/.test(name)))) {
        isOfDay = true;
        return quoted(name.length > 3 ? "%A" : "%a");
      }
      if (isDate && isKorean && name === "mmm") return "m";
      if (isDate && isKorean && name === "mmmm") return 'm"월"';
      if (isDate && isKorean && name === "am/pm") {
        isOfDay = true;
        // SheetJS counts 12 hours only next to its own AM/PM sign.
        return 'AM/PM"%p"';
      }
      return piece.length <= 2 && /[^\u0000-\u007f]/u.test(piece) && !/^[\\_*]/.test(piece) ? quoted(piece) : piece;
    });
    const isKnown = !/\[DBNum|\[\$-[0-9a-f]{5,}\]|[gb]{1,3}(?=y|e)/i.test(source.replace(/"[^"]*"|General/gi, ""));
    const hasDay =
      isDate && /[yd]|m(?!m?:)/i.test(source.replace(/"[^"]*"|\\.|\[[^[\]]*\]|AM\/PM|hh?:mm?|mm?:s/gi, ""));
    const result = { code, isDate, isOfDay, hasDay, isKnown };
    this.prepared.set(format, result);
    return result;
  }

  private textOf({ code, isKnown, isOfDay }: PreparedFormat, value: number | string): string | null {
    if (!isKnown) return null;
    try {
      const text = this.ssf.format(code, value, { date1904: this.is1904 });
      if (!isOfDay || typeof value !== "number") return text;
      const serial = value + (this.is1904 ? DAYS_1904 : 0);
      const weekday = WEEKDAYS[(Math.floor(serial) + 6) % 7] ?? "";
      return text
        .replace("%A", () => `${weekday}요일`)
        .replace("%a", () => weekday)
        .replace(/(AM|PM)%p/, (_, half) => (half === "AM" ? "오전" : "오후"));
    } catch {
      return null;
    }
  }

  number(format: string, value: number): ReadCell {
    const prepared = this.prepare(format);
    const serial = value + (this.is1904 ? DAYS_1904 : 0);
    const isDay = prepared.hasDay && serial >= 1 && serial <= LAST_DAY;
    const found = prepared.isDate && !isDay && (serial < 0 || serial > LAST_DAY) ? null : this.textOf(prepared, value);
    return readShown(found, isDay ? isoDay(serial) : String(value), isDay);
  }

  /** Applies a text format such as @"님"; a format that hides text is ignored. */
  text(format: string, value: string): string {
    if (!format.includes("@") || format === "@") return value;
    return this.textOf(this.prepare(format), value)?.trim() || value;
  }
}
