import { eq, sql } from "drizzle-orm";
import { mailing, mailingRecipient } from "#db/schema/mailing.ts";
import { type AlumniFilter, conditionsToAsk } from "#worker/contract/alumni/conditions.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { ownFields } from "../alumni/setting.server.ts";
import { duesFilterOf, type Mailing, mailingPeopleOnce, registeredOf } from "./people.server.ts";

/** Recipients are frozen: a stored filter could contain a name. Jobs ask again whether its conditions are usable. */
export const sentTarget = (
  ctx: Pick<AppContext, "storedSettings">,
  { source, target }: Pick<Mailing, "source" | "target">,
): Mailing["target"] => ({
  ids: [],
  dues: duesFilterOf(target),
  registered: registeredOf(target),
  asked:
    source === "alumni" && "filter" in target
      ? conditionsToAsk(target.filter as AlumniFilter, ownFields(ctx))
      : "unansweredTo" in target
        ? target.asked
        : undefined,
});

/** Stores every person; a reminder only those it reaches. Columns follow the table's order. */
export const freezeStatement = (ctx: AppContext, row: Mailing) =>
  ctx.db.insert(mailingRecipient).select(
    sql`SELECT ${row.id}, p.person_id, p.address, iif(p.cause = '', 'waiting', 'left'), p.cause,
      iif(p.cause = '' AND ${Number(row.isEach)} = 0, p.address, NULL), ${ctx.now().getTime()}, NULL
      FROM (${mailingPeopleOnce(ctx, row)}) p WHERE ${row.wave} = 0 OR p.cause = ''`,
  );

/** Recipients, for a statement after `countFrozenStatement` in the batch. */
export const frozenPeople = (id: string) => ({
  ids: sql`SELECT person_id AS id FROM mailing_recipient WHERE mailing_id = ${id} AND state = 'waiting'`,
  count: sql<number>`(SELECT people FROM mailing WHERE id = ${id})`,
});

export const countFrozenStatement = (ctx: Pick<AppContext, "db">, id: string) =>
  ctx.db
    .update(mailing)
    .set({ people: sql`(SELECT count(*) FROM mailing_recipient WHERE mailing_id = ${id} AND state = 'waiting')` })
    .where(eq(mailing.id, id));
