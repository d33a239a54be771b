import type { SheetContent } from "../alumni/sheet-content.ts";

const ID_HEAD =
  /^(?:회원 ?)?(?:아이디|id|mb_id|user_?id|user_?login|login_?id|이메일|e-?mail(?:_address)?|user_email|mb_email)$/i;
/** Column for the date of a block in gnuboard; empty for members who are not blocked. */
const SINCE_HEAD = /^(?:mb_intercept_date|(?:접근 ?)?차단 ?일(?:자)?)$/i;

export const splitIds = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];

/** Returns the IDs of the headed column, else of the first column or the only row. */
export function blockedIdsOf(sheets: readonly SheetContent[]): string[] {
  const cells = sheets.flatMap(({ rows }) => {
    const headAt = rows.findIndex((row) => row.cells.some((cell) => ID_HEAD.test(cell.trim())));
    const head = rows[headAt]?.cells ?? [];
    const idAt = head.findIndex((cell) => ID_HEAD.test(cell.trim()));
    const sinceAt = head.findIndex((cell) => SINCE_HEAD.test(cell.trim()));
    if (idAt < 0) return rows.length === 1 ? (rows[0]?.cells ?? []) : rows.map((row) => row.cells[0] ?? "");
    const below = rows.slice(headAt + 1).filter((row) => sinceAt < 0 || /[1-9]/.test(row.cells[sinceAt] ?? ""));
    return below.map((row) => row.cells[idAt] ?? "");
  });
  return splitIds(cells.join("\n"));
}
