import { sql } from "drizzle-orm";
import { dueWork } from "#db/schema/alumni-dues.ts";
import { payerKey } from "#worker/contract/alumni/dues/payer.ts";
import { koreanLongDay } from "#worker/contract/kernel/korea.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { audit } from "../../kernel/audit-entry.server.ts";
import { requireSignedIn } from "../../kernel/authorize.server.ts";
import { conflict, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { storeDeed } from "../deed/deed-tables.server.ts";
import { entryOf, requireWaiting } from "./bank.server.ts";
import { listOf, payerHash } from "./book.server.ts";
import { NOBODY } from "./payer-book.ts";
import { authorizeDues } from "./work.server.ts";

const IS_WAITING = sql`is_closed = 0 AND allocated < amount`;

/**
 * Closes all waiting deposits with the payer's text of this one, and remembers the text for later files. Needs
 * Dues_Manage. @throws AppError NOT_FOUND, CONFLICT if nothing is left or the deposit has no text
 */
export async function closeAlikeDeposits(ctx: AppContext, id: string, version: number) {
  authorizeDues(ctx);
  const { payer, paidDate } = await requireWaiting(ctx, id, version);
  const key = payerKey(payer);
  if (key === "") throw conflict("보낸분이 적히지 않은 입금은 하나씩 정해 주십시오.");
  const waiting = await ctx.db.all<{ id: string; payer: string }>(
    sql`SELECT id, payer FROM deposit WHERE ${IS_WAITING}`,
  );
  const alike = waiting.filter((each) => payerKey(each.payer) === key);
  const ids = listOf(alike.map((each) => each.id));
  const workId = crypto.randomUUID();
  const hash = payerHash(ctx, payer);
  const name = `${koreanLongDay(paidDate)} 입금과 같은 내용`;
  const work = { id: workId, kind: "other" as const, name, added: alike.length };
  const areWaiting = {
    holds: sql`(SELECT count(*) FROM deposit WHERE ${IS_WAITING} AND id IN (${ids})) = ${alike.length}`,
    error: () => conflict("그사이 같은 내용의 입금이 바뀌었습니다. 다시 시도해 주십시오."),
  };
  await runGuardedBatch(
    ctx,
    [areWaiting],
    [
      ctx.db.insert(dueWork).values({ ...work, userId: requireSignedIn(ctx).userId, createdDate: ctx.now() }),
      ...storeDeed(ctx, workId, { deposit: sql`t.id IN (${ids})`, payer: sql`t.payer = ${hash}` }, [
        ctx.db.run(sql`UPDATE deposit SET is_closed = 1, doubt = '', related_id = '', version = version + 1
          WHERE id IN (${ids})`),
        ctx.db.run(sql`DELETE FROM due_payer WHERE payer = ${hash} AND alumni_id <> ${NOBODY}`),
        ctx.db.run(sql`INSERT OR IGNORE INTO due_payer (payer, alumni_id, used_date)
          VALUES (${hash}, ${NOBODY}, ${ctx.now().getTime()})`),
      ]),
      audit(ctx, entryOf(id, { isClosed: true, count: alike.length })),
    ],
  );
  return { workId, count: alike.length };
}
