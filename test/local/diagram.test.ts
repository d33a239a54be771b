import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import config from "../../drizzle.config.ts";

const README = resolve(import.meta.dirname, "../../db/README.md");
const DIAGRAM = /```mermaid\n[^]*?```\n/;

const MODULES = import.meta.glob<Record<string, unknown>>("../../db/schema/*.ts", { eager: true });
const snakeCase = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

interface TableInfo {
  name: string;
  area: string;
  columns: string[];
  /** The name by which other tables refer to a row. */
  key: string;
}

/** `alumni-dues.ts` belongs to the area `alumni`. */
const tables = Object.entries(MODULES).flatMap(([file, module]) =>
  Object.values(module).flatMap((value): TableInfo[] => {
    if (!is(value, SQLiteTable)) return [];
    const { name, columns } = getTableConfig(value);
    const nameOf = ({ name: own, keyAsName }: (typeof columns)[number]) => (keyAsName ? snakeCase(own) : own);
    const primary = columns.filter((column) => column.primary).map(nameOf);
    const [area = ""] = basename(file, ".ts").split("-");
    const key = primary.length === 1 && primary[0]?.endsWith("_code") ? primary[0] : `${name}_id`;
    return [{ name, area, columns: columns.map(nameOf), key }];
  }),
);

const firstWord = ({ name }: TableInfo) => name.split("_")[0];

/** `user_id` refers to `user`, `item_id` of an area to its `board_item`, `kind_id` of `due` to `due_kind`. */
function targetOf(table: TableInfo, column: string): TableInfo | undefined {
  const others = tables.filter((other) => other !== table);
  const whole = others.find(({ key }) => key === column);
  if (whole || column === "id") return whole;
  const near = others.filter(({ area, key }) => area === table.area && key.endsWith(`_${column}`));
  return near.length === 1 ? near[0] : near.find((other) => firstWord(other) === firstWord(table));
}

const referred = (table: TableInfo) => [...new Set(table.columns.flatMap((column) => targetOf(table, column) ?? []))];
const main = tables.filter((table) => tables.some((other) => referred(other).includes(table)));

/** A box an area with its tables that others refer to, and an arrow from each such table to those that it refers to. */
function drawDiagram(): string {
  const areas = [...new Set(main.map(({ area }) => area))].toSorted();
  const sizeOf = (area: string) => tables.filter((table) => table.area === area).length;
  const inArea = (area: string) => main.filter((table) => table.area === area).map(({ name }) => name);
  const boxes = areas.flatMap((area) => [
    `  subgraph ${area}_area["${area}: ${sizeOf(area)} tables"]`,
    ...inArea(area)
      .toSorted()
      .map((name) => `    ${name}`),
    "  end",
  ]);
  const arrows = main.flatMap((table) => referred(table).map((other) => `  ${table.name} --> ${other.name}`));
  return ["```mermaid", "flowchart LR", ...boxes, ...arrows.toSorted(), "```", ""].join("\n");
}

test("the diagram of the data is drawn from the schema", async () => {
  expect(config.casing).toBe("snake_case");
  const readme = readFileSync(README, "utf8");
  expect(readme).toMatch(DIAGRAM);
  await expect(readme.replace(DIAGRAM, () => drawDiagram())).toMatchFileSnapshot(README);
});
