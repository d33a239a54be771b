import { requirePresent } from "../../support/require-present.ts";
import { env } from "cloudflare:workers";
import { eq, getTableName } from "drizzle-orm";
import { expect, test } from "vitest";
import { connectDatabase } from "#db/client.ts";
import { moving } from "#db/schema/moving.ts";
import { backupDrill, backupRun } from "#db/schema/operation.ts";
import { claimWork, WorkStep } from "#worker/domain/kernel/stepped-work.server.ts";
import { runSql } from "../../support/test-database.ts";

const WORKS = {
  move: [
    moving,
    "INSERT INTO moving (id, site, status, created_user_id, created_user_name, created_date, entries, state) VALUES ('w', 'old', 'checking', '', '', 1, '[]', '{}')",
  ],
  backup: [
    backupRun,
    "INSERT INTO backup_run (id, name, kind, status, started_date, state) VALUES ('w', 'w', 'night', 'running', 1, '{}')",
  ],
  drill: [
    backupDrill,
    "INSERT INTO backup_drill (id, name, status, started_date, state) VALUES ('w', 'w', 'running', 1, '{}')",
  ],
} as const;

const MINUTE_MS = 60_000;

function openWork(work: keyof typeof WORKS) {
  const table = WORKS[work][0] as typeof backupDrill;
  let now = Date.now();
  const ctx = { db: connectDatabase(env.DB), now: () => new Date(now) };
  return {
    ctx,
    table,
    insert: () => runSql(WORKS[work][1]),
    wait: (ms: number) => (now += ms),
    claim: () => claimWork(ctx, table, eq(table.id, "w")),
    read: async () => requirePresent((await ctx.db.select().from(table))[0]),
  };
}

const refuse = async () => expect.unreachable();

test.for(Object.keys(WORKS) as (keyof typeof WORKS)[])("two steps of a %s never work at once", async (work) => {
  const { ctx, table, insert, wait, claim, read } = openWork(work);
  await insert();
  const first = requirePresent(await claim());
  expect(await claim()).toBeNull();
  wait(4 * MINUTE_MS);
  expect(await claim()).toBeNull();
  wait(2 * MINUTE_MS);
  const second = requirePresent(await claim());
  expect([first.interruptions, second.interruptions]).toEqual([0, 1]);
  const before = await read();
  const late = new WorkStep(ctx, table, first);
  const writes = env.DB.prepare(`UPDATE ${getTableName(table)} SET error = 'late'`);
  await late.run(() => late.commit([writes], { status: "failed" }), refuse);
  await late.run(async () => {}, refuse);
  const failing = late.run(
    () => Promise.reject(new Error("late")),
    () => late.commit([writes], { status: "failed" }),
  );
  await expect(failing).rejects.toThrow("late");
  expect(await read()).toEqual(before);
  const step = new WorkStep(ctx, table, second);
  await step.run(() => step.commit(), refuse);
  expect(await read()).toMatchObject({ leaseId: "", leaseDate: null, error: "" });
  expect(requirePresent(await claim()).interruptions).toBe(0);
});

test.for(Object.keys(WORKS) as (keyof typeof WORKS)[])("a commit renews the lease of a %s", async (work) => {
  const { ctx, table, insert, wait, claim } = openWork(work);
  await insert();
  const step = new WorkStep(ctx, table, requirePresent(await claim()));
  for (let minutes = 0; minutes < 12; minutes += 4) {
    wait(4 * MINUTE_MS);
    await step.commit();
  }
  expect(await claim()).toBeNull();
  await ctx.db.update(table).set({ leaseDate: new Date(ctx.now().getTime() + 60 * MINUTE_MS) });
  expect(await claim()).toMatchObject({ interruptions: 1 });
});

test.for(["statements", "bytes", "ms"] as const)("a step ends when its %s are spent", async (limit) => {
  const { ctx, table, insert, wait, claim } = openWork("drill");
  await insert();
  const budget = { statements: 10, bytes: 10, ms: 10 };
  const step = new WorkStep(ctx, table, requirePresent(await claim()), budget);
  const spend = { statements: (n: number) => step.spend(n), bytes: (n: number) => step.spend(0, n), ms: wait }[limit];
  spend(8);
  expect(step.isSpent()).toBe(false);
  spend(3);
  expect(step.isSpent()).toBe(true);
});
