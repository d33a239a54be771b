import { sql } from "drizzle-orm";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { MAILING_PEOPLE_MAX } from "#worker/contract/mailing/rules.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { type BatchGuard, conflict } from "../kernel/guarded-batch.server.ts";
import { type Mailing, mailingPeopleOnce } from "./people.server.ts";
import { type CauseCount, countPeople, reachedOf } from "./preview-mailing.server.ts";

const NOBODY_REACHED: Record<Mailing["channel"], string> = {
  email: "메일을 받을 수 있는 사람이 없습니다.",
  sms: "문자를 받을 수 있는 사람이 없습니다.",
  alimtalk: "알림톡을 받을 수 있는 사람이 없습니다.",
};

/**
 * Compares the recipients with the previewed count. @returns the count including those left out, and a guard for the
 * batch
 */
export async function requireSamePeople(
  ctx: AppContext,
  row: Mailing,
  count: number,
): Promise<{ all: number; counts: CauseCount[]; sameCount: BatchGuard }> {
  const counts = await countPeople(ctx, row);
  const all = counts.reduce((sum, each) => sum + each.count, 0);
  const reached = reachedOf(counts).count;
  if (reached === 0) throw invalidInput({ target: NOBODY_REACHED[row.channel] });
  if (all > MAILING_PEOPLE_MAX)
    throw invalidInput({ target: "한 번에 10만 명까지 보낼 수 있습니다. 조건을 좁혀 주십시오." });
  if (reached !== count)
    throw conflict(`미리 본 뒤에 받을 사람이 ${count}명에서 ${reached}명으로 바뀌었습니다. 다시 확인해 주십시오.`);
  const sameCount = {
    holds: sql`(SELECT count(*) FROM (${mailingPeopleOnce(ctx, row)}) p WHERE p.cause = '') = ${count}`,
    error: () => conflict("미리 본 뒤에 받을 사람이 바뀌었습니다. 다시 확인해 주십시오."),
  };
  return { all, counts, sameCount };
}
