import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { ageClock } from "#db/schema/audit.ts";
import { CLOCK_JUMP_MS, DESTROYED_BY_AGE, type DestroyedByAge, type KeptMs } from "#worker/contract/audit/ages.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { koreanDateTime } from "#worker/contract/kernel/korea.ts";
import type { AppContext } from "../kernel/context.ts";

type AgeContext = Pick<AppContext, "db" | "now">;

/** Older than everything, except dates set to 0 by a decision to destroy. */
const NOTHING_IS_OLDER = 1;
const NOTHING_IS_LATER = 8.64e15;

const CLOCK_ID = 1;

/** The dates before which this run may destroy. */
export interface Ages {
  /** Null for a clock that continues from the last run. */
  jump: { from: Date; to: Date } | null;
  /** Rows dated before this are old enough; none are after a jump of the clock. */
  before<What extends DestroyedByAge>(what: What, ...kept: KeptMs<What>): Date;
  /** Rows dated after this are too far ahead; none are after a jump of the clock. */
  after(ms: number): Date;
}

/**
 * Compares the clock with that of the last run. A jump of more than a day stops destruction by age until the clock is
 * back, has run on for a day, or is confirmed by the office.
 */
export async function readAges(ctx: AgeContext): Promise<Ages> {
  const now = ctx.now().getTime();
  const isNear = (date: SQLiteColumn) => sql`abs(${now} - ${date}) <= ${CLOCK_JUMP_MS}`;
  const ranOn = sql`(${isNear(ageClock.lastDate)} AND ${now} - ${ageClock.jumpedDate} >= ${CLOCK_JUMP_MS})`;
  const isRight = sql`(${isNear(ageClock.trustedDate)} OR coalesce(${ranOn}, 0))`;
  const unlessRight = (value: SQL | number) => sql`iif(${isRight}, NULL, ${value})`;
  const [clock] = await ctx.db
    .insert(ageClock)
    .values({ id: CLOCK_ID, trustedDate: new Date(now) })
    .onConflictDoUpdate({
      target: ageClock.id,
      set: {
        trustedDate: sql`iif(${isRight}, ${now}, ${ageClock.trustedDate})`,
        jumpedDate: unlessRight(sql`iif(${isNear(ageClock.lastDate)}, ${ageClock.jumpedDate}, ${now})`),
        lastDate: unlessRight(now),
      },
    })
    .returning();
  const jump = clock?.jumpedDate ? { from: clock.trustedDate, to: clock.jumpedDate } : null;
  return {
    jump,
    before: (what, ...kept) => new Date(jump ? NOTHING_IS_OLDER : now - (kept[0] ?? keptMs(what))),
    after: (ms) => new Date(jump ? NOTHING_IS_LATER : now + ms),
  };
}

const keptMs = (what: DestroyedByAge): number =>
  (DESTROYED_BY_AGE as Partial<Record<DestroyedByAge, number | null>>)[what] ?? 0;

export const describeJump = ({ from, to }: { from: Date; to: Date }): string =>
  `서버의 시계가 ${koreanDateTime(from)}에서 ${koreanDateTime(to)}으로 건너뛰었습니다.`;

/** For a person who destroys what is old. @throws AppError CONFLICT after a jump of the clock */
export async function requireTrustedClock(ctx: AgeContext): Promise<void> {
  const { jump } = await readAges(ctx);
  if (jump)
    throw new AppError("CONFLICT", {
      message: `${describeJump(jump)} 시계가 맞으면 관리 → 예약 작업·백업의 '살펴볼 일'에서 '확인함'을 누른 뒤 다시 해 주십시오.`,
    });
}

/** The office confirms the clock after a jump. */
export const trustClock = ({ db }: Pick<AppContext, "db">) =>
  db
    .update(ageClock)
    .set({ trustedDate: sql`${ageClock.lastDate}`, jumpedDate: null, lastDate: null })
    .where(sql`${ageClock.jumpedDate} IS NOT NULL`);
