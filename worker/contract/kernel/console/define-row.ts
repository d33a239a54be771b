import type { RowFields, RowType } from "../row.ts";
import { CONSOLE_ROWS } from "./console-pages.ts";

/** @param row with `name` and `title` unless it has a screen of its own */
export const defineRow = <F extends RowFields>(
  rowCode: RowType<F>["code"],
  row: Omit<RowType<F>, "code" | "name" | "title"> & Partial<Pick<RowType<F>, "name" | "title">>,
): RowType<F> => ({ code: rowCode, ...CONSOLE_ROWS.find((each) => each.code === rowCode), ...row }) as RowType<F>;
