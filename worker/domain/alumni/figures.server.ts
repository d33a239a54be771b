import { and, eq, or, sql } from "drizzle-orm";
import { alumni, IS_GONE } from "#db/schema/alumni.ts";
import { alumniFigure, alumniFactColumns } from "#db/schema/alumni-figure.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import {
  type AlumniFigures,
  type CountedFact,
  FIGURE_LIMITS,
  makeAlumniFigures,
} from "#worker/contract/alumni/figures.ts";
import type { segmentFiguresInput } from "#worker/contract/alumni/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorize, authorizeConsole } from "../kernel/authorize.server.ts";
import { alumniSettings } from "./setting.server.ts";
import { describeSegment, requireSeenCount, requireSegment } from "./segment.server.ts";

const FACTS = alumniFactColumns("alumni");

const figuresView = (ctx: AppContext, facts: readonly CountedFact[]): AlumniFigures =>
  makeAlumniFigures(facts, (field) => isFieldUsed(alumniSettings(ctx), field), koreanDay(ctx.now()).slice(0, 7));

/** Figures can identify people in small groups, so they require access to the address book. */
function authorizeFigures(ctx: Pick<AppContext, "actor">): void {
  authorizeConsole(ctx);
  authorize(ctx, { action: "Alumni_Read" });
}

/** The index avoids sorting all affiliations. */
const MOST_FREQUENT = `SELECT kind, key, reach, count FROM alumni_figure INDEXED BY alumni_figure_affiliation
  WHERE kind = 'affiliation' AND key <> '' ORDER BY count DESC, key DESC LIMIT ${FIGURE_LIMITS.affiliations}`;

/** Triggers count everybody; these move to those without a contact. */
const GONE = `SELECT g.key, g.reach, count(*) AS count
  FROM (SELECT ${FACTS.cohort} AS key, ${FACTS.reach} AS reach FROM alumni INDEXED BY alumni_gone
    WHERE deleted_date IS NULL AND ${IS_GONE}) g GROUP BY 1, 2`;

const withoutContact = ({ key, reach, count }: Omit<CountedFact, "kind">): CountedFact[] => [
  { kind: "cohort", key, reach, count: -count },
  { kind: "cohort", key, reach: "none", count },
];

export async function getAlumniFigures(scope: RequestScope): Promise<AlumniFigures> {
  const { db } = scope;
  const isAffiliation = eq(alumniFigure.kind, "affiliation");
  const { ctx, rows } = await scope.readFor(authorizeFigures, [
    db
      .select()
      .from(alumniFigure)
      .where(
        or(
          sql`${alumniFigure.kind} IN ('cohort', 'year', 'region', 'month')`,
          and(isAffiliation, eq(alumniFigure.key, "")),
        ),
      ),
    db.all<CountedFact>(sql.raw(MOST_FREQUENT)),
    db.all<Omit<CountedFact, "kind">>(sql.raw(GONE)),
  ]);
  return figuresView(ctx, [...rows[0], ...rows[1], ...rows[2].flatMap(withoutContact)]);
}

/** Figures of the selected people, counted from rows. Only for the office, because filters may use closed fields. */
export async function countSegmentFigures(
  ctx: AppContext,
  { segment, count, reason }: Parsed<typeof segmentFiguresInput>,
): Promise<AlumniFigures> {
  authorize(ctx, { action: "Alumni_Write" });
  const facts = sql.raw(
    Object.entries({ ...FACTS, reach: `iif(${IS_GONE}, 'none', ${FACTS.reach})` })
      .map(([name, expression]) => `${expression} AS ${name}_key`)
      .join(", "),
  );
  const counted = await ctx.db.all<CountedFact>(sql`
    WITH p AS MATERIALIZED (SELECT ${facts} FROM ${alumni} WHERE ${requireSegment(ctx, segment).where} LIMIT ${ALUMNI_LIMITS.exportRows + 1})
    SELECT 'cohort' AS kind, cohort_key AS key, reach_key AS reach, count(*) AS count FROM p GROUP BY cohort_key, reach_key
    UNION ALL SELECT 'year', year_key, '', count(*) FROM p GROUP BY year_key
    UNION ALL SELECT 'region', region_key, '', count(*) FROM p GROUP BY region_key
    UNION ALL SELECT 'month', month_key, '', count(*) FROM p GROUP BY month_key
    UNION ALL SELECT * FROM (SELECT 'affiliation', affiliation_key, '', count(*) FROM p GROUP BY affiliation_key
      ORDER BY affiliation_key = '' DESC, count(*) DESC, affiliation_key DESC LIMIT ${FIGURE_LIMITS.affiliations + 1})`);
  const figures = figuresView(ctx, counted);
  if (figures.total > ALUMNI_LIMITS.exportRows)
    throw new AppError("PAYLOAD_TOO_LARGE", {
      message: "한 번에 10만 명까지 셀 수 있습니다. 조건을 좁혀 주십시오.",
    });
  requireSeenCount(segment, count, figures.total);
  await audit(ctx, {
    action: "alumni.figures",
    reason,
    detail: { ...describeSegment(ctx, segment), people: figures.total },
  });
  return figures;
}
