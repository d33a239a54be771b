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
  /** A retention rule, `retire` for the person's own request or `request` for the office. */
  rule: string;
  basis: string;
  fingerprint?: string;
}

/** Stable reference of a person that does not reveal the identity. */
const subjectReference = (ctx: Pick<AppContext, "tokens">, id: string) => ctx.tokens.hash("destroyed", id).slice(0, 20);

export function registerDestroyedPeople(ctx: AppContext, ids: readonly string[], what: DestructionRecord) {
  const refs = JSON.stringify(ids.map((id) => subjectReference(ctx, id)));
  return ctx.db
    .insert(destruction)
    .select(
      sql`SELECT NULL, ${ctx.now().getTime()}, ${what.kind}, ${what.rule}, ${what.basis}, value, 1, ${what.fingerprint ?? ""}, ${actorUserIdOf(ctx)} FROM json_each(${refs})`,
    );
}

export function registerDestroyedThings(ctx: AppContext, count: number, what: DestructionRecord) {
  return ctx.db.insert(destruction).values({ ...what, count, createdDate: ctx.now(), actorUserId: actorUserIdOf(ctx) });
}

export function registerDestroyedItems(ctx: AppContext, where: SQL, what: DestructionRecord) {
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
