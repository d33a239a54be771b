import { type SQL, sql } from "drizzle-orm";
import { confirmationRound } from "#db/schema/mailing.ts";
import { idsIn } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { inviteAlumni } from "../alumni/join.server.ts";
import { mayBeSent } from "../alumni/segment.server.ts";
import { runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { askStatements } from "./round-wave.server.ts";

const ASKED_AT_ONCE = 1000;

/** People with a held address and a trusted one, whom no open round asks. */
const heldAmong = (people: SQL) => sql`SELECT alumni.id FROM alumni WHERE ${people} AND alumni.deleted_date IS NULL
  AND alumni.email_hold <> '' AND ${mayBeSent("email")} AND NOT EXISTS (
    SELECT 1 FROM mailing_recipient JOIN mailing ON mailing.id = mailing_recipient.mailing_id
    JOIN confirmation_round ON confirmation_round.id = mailing.round_id
    WHERE mailing_recipient.person_id = alumni.id AND mailing_recipient.state <> 'left' AND confirmation_round.status = 'open')
  LIMIT ${ASKED_AT_ONCE}`;

/** Asks those of the people whose address is held, at the address trusted before. The caller authorizes. */
export async function askHeldPeople(ctx: AppContext, people: SQL): Promise<void> {
  const rows = await ctx.db.all<{ id: string }>(heldAmong(people));
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  const { round, statements } = await askStatements(ctx, { ids }, requireSignedIn(ctx).userId);
  await runGuardedBatch(ctx, [], [ctx.db.insert(confirmationRound).values(round), ...statements]);
}

/** Invites, or asks the trusted address of an entry whose address is held. @throws AppError CONFLICT for a held one */
export async function invitePerson(ctx: AppContext, id: string): Promise<{ asked: string }> {
  authorize(ctx, { action: "Alumni_Write" });
  await askHeldPeople(ctx, idsIn(sql`alumni.id`, [id]));
  return inviteAlumni(ctx, id);
}
