import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { destruction } from "#db/schema/audit.ts";
import { boardItem } from "#db/schema/board.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import type { Page } from "#worker/contract/kernel/envelope.ts";
import type { DestructionRow } from "#worker/contract/audit/view.ts";
import type { ListDestructionsQuery } from "#worker/contract/audit/input.ts";
import { authorizeConsole, koreanDayRange } from "../kernel/guarded-batch.server.ts";

interface DestructionRecord {
  kind: string;
  /** A retention rule, `retire` for one's own doing, `request` for the office's at somebody's request. */
  rule: string;
  basis: string;
  fingerprint?: string;
}

/** The same person has the same reference, and nobody reads from it who that was. */
export const subjectReference = (ctx: Pick<AppContext, "tokens">, id: string) =>
  ctx.tokens.hash("destroyed", id).slice(0, 20);

/** One row of the register a person, for the batch that destroys them. */
export function registerDestroyedPeople(ctx: AppContext, ids: readonly string[], what: DestructionRecord) {
  const refs = JSON.stringify(ids.map((id) => subjectReference(ctx, id)));
  // In the order of the table's columns.
  return ctx.db
    .insert(destruction)
    .select(
      sql`SELECT NULL, ${ctx.now().getTime()}, ${what.kind}, ${what.rule}, ${what.basis}, value, 1, ${what.fingerprint ?? ""}, ${actorUserIdOf(ctx)} FROM json_each(${refs})`,
    );
}

/** One row for things that are nobody's alone. */
export function registerDestroyedThings(ctx: AppContext, count: number, what: DestructionRecord) {
  return ctx.db.insert(destruction).values({ ...what, count, createdDate: ctx.now(), actorUserId: actorUserIdOf(ctx) });
}

/** One row for as many items as the condition finds, in front of their deletion; none where it finds none. */
export function registerDestroyedItems(ctx: AppContext, where: SQL, what: DestructionRecord) {
  // In the order of the table's columns.
  return ctx.db
    .insert(destruction)
    .select(
      sql`SELECT NULL, ${ctx.now().getTime()}, ${what.kind}, ${what.rule}, ${what.basis}, '', count(*), ${what.fingerprint ?? ""}, ${actorUserIdOf(ctx)} FROM ${boardItem} WHERE ${where} HAVING count(*) > 0`,
    );
}

const actorUserIdOf = (ctx: AppContext) => (ctx.actor.kind === "guest" ? null : ctx.actor.userId);

export const DESTRUCTION_COLUMNS = {
  id: destruction.id,
  createdDate: destruction.createdDate,
  kind: destruction.kind,
  rule: destruction.rule,
  basis: destruction.basis,
  subjectRef: destruction.subjectRef,
  count: destruction.count,
  actorUserId: destruction.actorUserId,
  actorName: sql<string>`coalesce("user"."user_name", '')`,
};

export function destructionWhere(filter: Pick<ListDestructionsQuery, "rule" | "from" | "to">) {
  const { since, before } = koreanDayRange(filter.from, filter.to);
  return and(
    filter.rule ? eq(destruction.rule, filter.rule) : undefined,
    since ? gte(destruction.createdDate, since) : undefined,
    before ? lt(destruction.createdDate, before) : undefined,
  );
}

/** The register of what was destroyed, newest first: what, when, by which rule, how many. No function changes or removes a row. */
export async function listDestructions(
  scope: RequestScope,
  query: ListDestructionsQuery,
): Promise<Page<DestructionRow>> {
  const where = destructionWhere(query);
  const { rows } = await scope.readFor(authorizeConsole, [
    rowsOfPage(
      scope.db
        .select(DESTRUCTION_COLUMNS)
        .from(destruction)
        .leftJoin(user, eq(user.id, destruction.actorUserId))
        .where(where)
        .orderBy(desc(destruction.id)),
      query,
    ),
    countRows(scope.db, destruction, where),
  ]);
  const content = rows[0].map(({ actorUserId, ...row }): DestructionRow => ({
    ...row,
    createdDate: row.createdDate.toISOString(),
    automatic: actorUserId === null,
  }));
  return makeCountedPage(query, content, rows[1]);
}
