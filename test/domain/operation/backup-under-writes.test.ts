/** @module-tag full */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { STEP_BUDGET } from "#worker/domain/operation/backup-run.server.ts";
import { bindingTarget, findBrokenInvariants } from "#worker/domain/operation/restore.server.ts";
import { backupContext, makeBackup, restoreToScratch } from "../../support/backup.ts";
import { createTestItem } from "../../support/factories.ts";
import { callApiWith } from "../../support/faulty-database.ts";
import { startPacedWriters, WRITES_PER_SECOND } from "../../support/paced-writers.ts";
import { createAdministratorSession, TEST_PASSWORD } from "../../support/people.ts";
import { SITE_INVARIANTS } from "../../support/site-invariants.ts";
import { takeRealDatabase } from "../../support/empty-storage.ts";

takeRealDatabase();

/** For 200: `DUMPS=200 npx vitest run --project worker test/domain/operation/backup-under-writes.test.ts`. */
const DUMPS = Number(process.env.DUMPS || 2);
const MADE = {
  signUps: ["user", 1],
  items: ["board_item", 1],
  comments: ["board_item_comment", 1],
  imports: ["alumni", 2],
} as const;

test(
  `${DUMPS} backups under ${WRITES_PER_SECOND} writes a second are restored whole`,
  async ({ annotate }) => {
    const admin = await createAdministratorSession();
    await createTestItem(admin, "notice", { title: "처음" });
    const writers = await startPacedWriters();
    writers.pass(1000);
    await writers.settled();
    const { results: boards } = await env.DB.prepare("SELECT board_code AS code FROM board").all<{ code: string }>();
    const target = bindingTarget(env.SCRATCH);
    const names = new Set<string>();
    let items = 0;
    for (let n = 0; n < DUMPS; n += 1) {
      const before = { ...writers.written };
      const budget = { ...STEP_BUDGET, statements: 4 + (n % 5) * 8 };
      const name = await makeBackup(budget, undefined, () => writers.underWrites(backupContext()));
      names.add(name);
      await restoreToScratch(name);
      expect([name, await findBrokenInvariants(target)]).toEqual([name, []]);
      for (const [kind, [table, each]] of Object.entries(MADE)) {
        const count = await env.SCRATCH.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n");
        expect(count, `${name} ${table}`).toBeGreaterThanOrEqual(before[kind as keyof typeof MADE] * each);
      }
      const signin = await callApiWith({ DB: env.SCRATCH }, "POST", "/api/user/signin", {
        body: { userKeyType: "Id", userKeyCode: admin.user.userId, password: TEST_PASSWORD },
      });
      const token = String(signin.data?.accessToken);
      for (const { code } of boards) {
        const body = { title: "되살린 뒤의 글", content: "<p>본문</p>", fileIds: [] };
        const answer = await callApiWith({ DB: env.SCRATCH }, "PUT", `/api/board-item/${code}`, { token, body });
        expect([name, code, answer.code]).toEqual([name, code, "SUCCESS"]);
        items += 1;
      }
      expect(await findBrokenInvariants(target)).toEqual([]);
    }
    await writers.settled();
    expect(writers.failed).toEqual([]);
    expect(names.size).toBe(DUMPS);
    for (const [name, sql] of Object.entries(SITE_INVARIANTS))
      expect([name, await env.DB.prepare(sql).first("n")]).toEqual([name, 0]);
    await annotate(
      `${DUMPS} backups: ${JSON.stringify(writers.written)} written, ${Math.round(writers.rate())} a second; ${DUMPS} restores, 0 errors, 0 orphans, ${items} new items`,
    );
    vi.useRealTimers();
  },
  900_000 + DUMPS * 60_000,
);
