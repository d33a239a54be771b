/** The used part of SheetJS, injected because the Worker and the browser load it differently. */
export interface SheetReader {
  read(data: Uint8Array, options: Record<string, unknown>): SheetWorkbook;
  SSF: {
    is_date(format: string): boolean;
    format(format: string, value: number | string, options: { date1904: boolean }): string;
  };
  CFB: {
    read(data: Uint8Array, options: { type: "array" }): object;
    find(container: object, path: string): { size: number; content?: ArrayLike<number> } | null;
  };
}

export interface SheetWorkbook {
  SheetNames: string[];
  Sheets: Record<string, Sheet>;
  Props?: { ModifiedDate?: unknown };
  Workbook?: { Sheets?: { Hidden?: number }[]; WBProps?: { date1904?: boolean } };
}

export interface SheetCell {
  t: string;
  v?: unknown;
  w?: string;
  z?: unknown;
  f?: string;
}

interface SheetPlace {
  r: number;
  c: number;
}

interface Sheet {
  "!data"?: (SheetCell | undefined)[][];
  "!merges"?: { s: SheetPlace; e: SheetPlace }[];
  "!rows"?: ({ hidden?: boolean } | null | undefined)[];
  "!cols"?: ({ hidden?: boolean } | null | undefined)[];
}
