import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { acceptMails, RESEND_VARS, runJobsWith, stubMailHost } from "../../hosts/mail-host.ts";
import { expectLog } from "../../support/expected-log.ts";
import { createTestMailing } from "../../support/factories.ts";
import { createAdministratorSession, createSessionWith } from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readRows, runSql } from "../../support/test-database.ts";
import { messageCount } from "./mailings.ts";
import { alumnusId, everybody, laterBy, mailingCall, manyAlumni, outcomesOf } from "./people.ts";
import { startTestRound } from "./rounds.ts";
import { SAMPLE_NOTE, sample } from "../../support/sample.ts";

const OFFICE = ["ADMIN_Access", "Alumni_Read", "Alumni_Write"];
const named = { source: "alumni", target: { ids: [alumnusId(1)] } } as const;

const ENDS: [what: string, sql: string][] = [
  [
    "may not write in the book",
    `UPDATE role SET permissions = '["ADMIN_Access","Alumni_Read"]' WHERE role_code LIKE 'role%'`,
  ],
  [
    "may not use the console",
    `UPDATE role SET permissions = '["Alumni_Read","Alumni_Write"]' WHERE role_code LIKE 'role%'`,
  ],
  ["is blocked", "UPDATE user SET status = 'blocked' WHERE role_code LIKE 'role%'"],
];

test.each(sample(ENDS, String))(
  `a mailing or round stops once its officer %s (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async (_what, sql) => {
    const admin = await createAdministratorSession();
    const officer = await createSessionWith(OFFICE);
    await manyAlumni(3).run();
    const ids: string[] = [];
    for (const whom of [everybody, named]) {
      // Another officer sends it, and answers for it.
      const id = await createTestMailing(admin, whom);
      const { data } = await mailingCall(officer, id, "preview");
      await mailingCall(officer, id, "send", { version: 2, count: data.count, reason: "총회" });
      ids.push(id);
    }
    await startTestRound(officer, { repeats: true });
    await runSql("UPDATE confirmation_round SET repeat_date = 1, next_date = NULL");
    await runSql(sql);
    for (const _run of [1, 2, 3]) await runScheduledJobs(env);
    expect(await messageCount()).toBe(0);
    expect(await outcomesOf(ids[0] ?? "")).toEqual({ cancelled: 3 });
    expect(await readRows("SELECT DISTINCT status FROM mailing")).toEqual([{ status: "cancelled" }]);
    expect(await readRow("SELECT status, repeat_date FROM confirmation_round")).toEqual({
      status: "closed",
      repeat_date: null,
    });
    const told = await readRows<{ body: string }>("SELECT body FROM message WHERE recipient = ?", admin.user.email);
    // Two mailings, the round and its first mail.
    expect(told.map(({ body }) => body.includes("담당자"))).toEqual([true, true, true, true]);
  },
);

test("queued messages are dropped once the sender loses the right", async () => {
  await createAdministratorSession();
  const officer = await createSessionWith(OFFICE);
  await manyAlumni(3).run();
  const id = await createTestMailing(officer, everybody);
  await mailingCall(officer, id, "send", { version: 2, count: 3, reason: "총회" });
  stubMailHost(() => new Response(null, { status: 500 }));
  expectLog(/messages.failed/);
  await runJobsWith(RESEND_VARS);
  expect(await outcomesOf(id)).toEqual({ queued: 3 });
  await runSql(ENDS[0]?.[1] ?? "");
  const asked = stubMailHost(acceptMails);
  laterBy(31);
  await runJobsWith(RESEND_VARS);
  expect([await messageCount(), await outcomesOf(id)]).toEqual([0, { cancelled: 3 }]);
  expect(asked.flatMap(({ mails }) => mails.map(({ to }) => to[0])).filter((to) => to?.startsWith("alumnus"))).toEqual(
    [],
  );
});
