import { encode } from "./sheet-files.ts";

type FileBytes = Uint8Array<ArrayBuffer>;

export interface SheetHabit {
  habit: string;
  fileName?: string;
  bytes: () => FileBytes;
  /** Field codes, then each person's cells in that order. */
  people: [fields: string, ...rows: (string | number)[][]];
  says: string[];
}

export const HONG = ["홍길동", "010-0000-0001"];
export const KIM = ["김하나", "010-0000-0002"];
export const TWO: SheetHabit["people"] = ["name mobile", HONG, KIM];
export const rows = (...above: unknown[][]) => [...above, ["이름", "휴대전화"], HONG, KIM];
export const csv = (...lines: string[]) => encode(`${lines.join("\n")}\n`);
export const HEAD_1 = "머리글은 1행입니다.";
export const HEAD_2 = "머리글은 2행입니다.";
export const BOTH_1_2 = "머리글은 1~2행입니다. 한 줄로 이어 읽었습니다.";
export const BOTH_2_3 = "머리글은 2~3행입니다. 한 줄로 이어 읽었습니다.";
