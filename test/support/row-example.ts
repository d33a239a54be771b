import type { ConsoleRowKind } from "#worker/contract/kernel/console/console-page.ts";
import type { RowFields, RowType } from "#worker/contract/kernel/row.ts";

const ROWS = import.meta.glob<Record<string, Partial<RowType<RowFields>>>>("../../worker/contract/*/rows.ts", {
  eager: true,
});

/** All kinds of rows. */
export const rowTypes = () =>
  Object.values(ROWS)
    .flatMap((module) => Object.values(module))
    .filter((each): each is RowType<RowFields> => each.fields !== undefined);

export function rowExample({ code }: Pick<ConsoleRowKind, "code">): Record<string, unknown> {
  const row = rowTypes().find((each) => each.code === code);
  if (!row?.example) throw new Error(`${code} has no example`);
  return row.example;
}
