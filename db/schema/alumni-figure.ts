import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { type FigureKind, type Reach, REGION_NAMES } from "#worker/contract/alumni/figures.ts";
import { sql } from "drizzle-orm";
import { partialIndex } from "../columns.ts";

/** People per value, kept by triggers only, so that figures do not scan `alumni`. */
export const alumniFigure = sqliteTable(
  "alumni_figure",
  {
    kind: text().$type<FigureKind>().notNull(),
    key: text().notNull(),
    reach: text().$type<Reach | "">().notNull(),
    count: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.key, table.reach] }),
    partialIndex("alumni_figure_affiliation", sql`kind = 'affiliation'`, table.count, table.key),
  ],
);

export const figureTablesWithoutRowid = [alumniFigure];

const quoted = (texts: readonly string[]) => texts.map((each) => `'${each}'`).join(", ");

const TWO_PART_REGIONS = ["충청북도", "충청남도", "전라북도", "전라남도", "경상북도", "경상남도"];

const regionOf = (row: string) =>
  `CASE WHEN ${row}.address = '' THEN '' WHEN substr(${row}.address, 1, 2) IN (${quoted(REGION_NAMES)}) THEN substr(${row}.address, 1, 2)
    WHEN substr(${row}.address, 1, 4) IN (${quoted(TWO_PART_REGIONS)}) THEN substr(${row}.address, 1, 1) || substr(${row}.address, 3, 1) ELSE '기타' END`;

const withoutMail = (row: string, bounced: string) =>
  `CASE WHEN ${row}.mobile <> '' OR ${row}.phone <> '' THEN '${bounced === "" ? "phone" : "bouncedPhone"}' ELSE '${bounced === "" ? "none" : "bounced"}' END`;

const reachOf = (row: string) =>
  `CASE WHEN ${row}.email = '' THEN ${withoutMail(row, "")}
    WHEN EXISTS (SELECT 1 FROM mail_address WHERE address = ${row}.email AND bounced_date IS NOT NULL) THEN ${withoutMail(row, "bounced")} ELSE 'mail' END`;

/** Expressions that `alumni` rows are counted by, for the triggers and for filtered figures. */
export const alumniFactColumns = (row: string) => ({
  cohort: `CAST(coalesce(${row}.cohort, '') AS TEXT)`,
  year: `CAST(coalesce(${row}.graduation_year, '') AS TEXT)`,
  region: regionOf(row),
  affiliation: `${row}.affiliation`,
  month: `strftime('%Y-%m', ${row}.created_date / 1000 + 32400, 'unixepoch')`,
  reach: reachOf(row),
});

const factRows = (row: "NEW" | "OLD", by: string) => {
  const { cohort, reach, ...others } = alumniFactColumns(row);
  const rest = Object.entries(others).map(([kind, key]) => `('${kind}', ${key}, '', ${by})`);
  return [`('cohort', ${cohort}, ${reach}, ${by})`, ...rest].join(",\n    ");
};

const ADD = "ON CONFLICT (kind, key, reach) DO UPDATE SET count = count + excluded.count";

const DROP_AFFILIATION =
  "DELETE FROM alumni_figure WHERE kind = 'affiliation' AND key = OLD.affiliation AND reach = '' AND count = 0;";

const COUNTED_BY = [
  "cohort",
  "graduation_year",
  "address",
  "affiliation",
  "email",
  "mobile",
  "phone",
  "created_date",
  "deleted_date",
];
const tupleOf = (row: string) => `(${COUNTED_BY.map((name) => `${row}.${name}`).join(", ")})`;

/** Moves people out of or into the mail reach when their address bounces or recovers. */
const moveReach = (row: "NEW" | "OLD", toBounced: boolean) => {
  const people = `FROM alumni WHERE email = ${row}.address AND email <> '' AND deleted_date IS NULL`;
  const [mail, bounced] = toBounced ? ["-count(*)", "count(*)"] : ["count(*)", "-count(*)"];
  return `INSERT INTO alumni_figure (kind, key, reach, count)
  SELECT 'cohort', CAST(coalesce(cohort, '') AS TEXT), 'mail', ${mail} ${people} GROUP BY 2 ${ADD};
  INSERT INTO alumni_figure (kind, key, reach, count)
  SELECT 'cohort', CAST(coalesce(cohort, '') AS TEXT), ${withoutMail("alumni", "bounced")}, ${bounced} ${people} GROUP BY 2, 3 ${ADD};`;
};

export const alumniFigureTriggers = [
  `CREATE TRIGGER alumni_counted_new AFTER INSERT ON alumni WHEN NEW.deleted_date IS NULL BEGIN
  INSERT INTO alumni_figure (kind, key, reach, count) VALUES
    ${factRows("NEW", "1")}
  ${ADD};
END`,
  `CREATE TRIGGER alumni_counted_changed AFTER UPDATE OF ${COUNTED_BY.join(", ")} ON alumni
WHEN ${tupleOf("OLD")} IS NOT ${tupleOf("NEW")} BEGIN
  INSERT INTO alumni_figure (kind, key, reach, count)
  SELECT column1, column2, column3, sum(column4) FROM (VALUES
    ${factRows("OLD", "-(OLD.deleted_date IS NULL)")},
    ${factRows("NEW", "(NEW.deleted_date IS NULL)")})
  GROUP BY 1, 2, 3 HAVING sum(column4) <> 0 ${ADD};
  ${DROP_AFFILIATION}
END`,
  `CREATE TRIGGER alumni_counted_gone AFTER DELETE ON alumni WHEN OLD.deleted_date IS NULL BEGIN
  INSERT INTO alumni_figure (kind, key, reach, count) VALUES
    ${factRows("OLD", "-1")}
  ${ADD};
  ${DROP_AFFILIATION}
END`,
  `CREATE TRIGGER alumni_reach_new AFTER INSERT ON mail_address WHEN NEW.bounced_date IS NOT NULL BEGIN
  ${moveReach("NEW", true)}
END`,
  `CREATE TRIGGER alumni_reach_lost AFTER UPDATE OF bounced_date ON mail_address WHEN OLD.bounced_date IS NULL AND NEW.bounced_date IS NOT NULL BEGIN
  ${moveReach("NEW", true)}
END`,
  `CREATE TRIGGER alumni_reach_back AFTER UPDATE OF bounced_date ON mail_address WHEN OLD.bounced_date IS NOT NULL AND NEW.bounced_date IS NULL BEGIN
  ${moveReach("NEW", false)}
END`,
  `CREATE TRIGGER alumni_reach_gone AFTER DELETE ON mail_address WHEN OLD.bounced_date IS NOT NULL BEGIN
  ${moveReach("OLD", false)}
END`,
];
