import { cx } from "#app/ui/cx.ts";

export interface RowSelection {
  chosen: readonly number[];
  toggle: (itemNo: number, on: boolean) => void;
}

interface RowTickProps {
  row: { itemNo: number; title: string };
  selection: RowSelection | undefined;
  className?: string;
}

export function RowTick({ row, selection, className }: RowTickProps) {
  if (!selection) return null;
  return (
    <input
      type="checkbox"
      aria-label={`${row.title} 고르기`}
      checked={selection.chosen.includes(row.itemNo)}
      onChange={(event) => selection.toggle(row.itemNo, event.target.checked)}
      className={cx("size-6 shrink-0 accent-primary-60", className)}
    />
  );
}
