import { sql } from "drizzle-orm";
import { dueWork } from "#db/schema/alumni-dues.ts";
import { payerKey } from "#worker/contract/alumni/dues/payer.ts";
import { koreanLongDay } from "#worker/contract/kernel/korea.ts";
import type { alikeDepositsInput } from "#worker/contract/alumni/dues/due-input.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { audit } from "../../kernel/audit-entry.server.ts";
import { requireSignedIn } from "../../kernel/authorize.server.ts";
import { conflict, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { storeDeed } from "../deed/deed-tables.server.ts";
import { depositsWithoutDues, entryOf, IS_WAITING, requireWaiting } from "./bank.server.ts";
import { listOf, payerHash } from "./book.server.ts";
import { NOBODY } from "./payer-book.ts";
import { authorizeDues } from "./work.server.ts";

const rememberNobody = (ctx: AppContext, hash: string) => [
  ctx.db.run(sql`DELETE FROM due_payer WHERE payer = ${hash} AND alumni_id <> ${NOBODY}`),
  ctx.db.run(sql`INSERT OR IGNORE INTO due_payer (payer, alumni_id, used_date)
    VALUES (${hash}, ${NOBODY}, ${ctx.now().getTime()})`),
];

async function depositsWithText(ctx: AppContext, key: string): Promise<string[]> {
  if (key === "") throw conflict("보낸분이 적히지 않은 입금은 하나씩 정해 주십시오.");
  const waiting = await ctx.db.all<{ id: string; payer: string }>(
    sql`SELECT id, payer FROM deposit WHERE ${IS_WAITING}`,
  );
  return waiting.filter((each) => payerKey(each.payer) === key).map((each) => each.id);
}

/**
 * Closes all waiting deposits with the payer's text of this one, and remembers the text for later files; or all of people
 * without dues, whose later deposits are asked about again. Needs Dues_Manage. @throws AppError NOT_FOUND, CONFLICT if
 * nothing is left, the deposit has no text, or its people have something to pay
 */
export async function closeAlikeDeposits(
  ctx: AppContext,
  id: string,
  { version, withoutDues }: Parsed<typeof alikeDepositsInput>,
) {
  authorizeDues(ctx);
  const { payer, paidDate } = await requireWaiting(ctx, id, version);
  const alike = withoutDues ? await depositsWithoutDues(ctx) : await depositsWithText(ctx, payerKey(payer));
  if (!alike.includes(id)) throw conflict("낼 회비가 있거나 다른 점을 먼저 확인할 입금입니다.");
  const ids = listOf(alike);
  const workId = crypto.randomUUID();
  const hash = payerHash(ctx, payer);
  const name = withoutDues ? "낼 회비가 없는 사람의 입금" : `${koreanLongDay(paidDate)} 입금과 같은 내용`;
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
      ...storeDeed(
        ctx,
        workId,
        { deposit: sql`t.id IN (${ids})`, ...(!withoutDues && { payer: sql`t.payer = ${hash}` }) },
        [
          ctx.db.run(sql`UPDATE deposit SET is_closed = 1, doubt = '', related_id = '', version = version + 1
          WHERE id IN (${ids})`),
          ...(withoutDues ? [] : rememberNobody(ctx, hash)),
        ],
      ),
      audit(ctx, entryOf(id, { isClosed: true, count: alike.length })),
    ],
  );
  return { workId, count: alike.length };
}
