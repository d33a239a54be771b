import { expect, test } from "vitest";
import { backUpNow } from "#worker/domain/operation/backup-run.server.ts";
import { backupContext } from "../../support/backup.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock, createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";

const HOUR_MS = 3_600_000;
const dashboard = async (token: string) => (await callJson("GET", "/api/admin/dashboard", { token })).data;

test("the dashboard shows the database size before D1 is full", async () => {
  const { accessToken } = await createAdministratorSession();
  const { databaseBytes } = await dashboard(accessToken);
  expect(databaseBytes).toBeGreaterThan(100_000);
  expect(databaseBytes).toBeLessThan(100_000_000);
});

test("an open report counts once for a manager of its board", { tags: "full" }, async () => {
  const author = await createMemberSession();
  const boss = await createAdministratorSession();
  const [first, second] = [await createTestItem(author, "free"), await createTestItem(author, "free")];
  const report = (token: string, itemNo: number) =>
    callJson("PUT", `/api/board-item-report/free/${itemNo}`, { token, body: { reason: "abuse" } });
  for (const { accessToken } of [await createMemberSession(), await createMemberSession()])
    await report(accessToken, first);
  await report((await createMemberSession()).accessToken, second);
  const clerk = await createSessionWith(["ADMIN_Access", "Board_notice_Manage"]);
  const manager = await createSessionWith(["ADMIN_Access", "Board_free_Manage"]);
  expect((await dashboard(boss.accessToken)).openReports).toBe(2);
  expect((await dashboard(manager.accessToken)).openReports).toBe(2);
  expect((await dashboard(clerk.accessToken)).openReports).toBe(0);
  const decided = await callAs(boss, "POST", `/api/admin/report/free/${first}`, { decision: "dismiss" });
  expect(decided.code).toBe("SUCCESS");
  expect((await dashboard(boss.accessToken)).openReports).toBe(1);
});

test("the dashboard shows the next due date of open privacy requests", async () => {
  const { accessToken } = await createAdministratorSession();
  expect((await dashboard(accessToken)).privacy).toEqual({ open: 0, overdue: 0, nextDueDate: null });
  const ask = async (receivedDay: string) =>
    (
      await callJson("PUT", "/api/admin/privacy/request", {
        token: accessToken,
        body: { kind: "access", requesterName: "김동문", content: "보여 주십시오.", receivedDay },
      })
    ).data.dueDate as string;
  const [earlier] = [await ask("2020-01-02"), await ask("2020-01-03")];
  expect((await dashboard(accessToken)).privacy).toEqual({ open: 2, overdue: 2, nextDueDate: earlier });
});

test("a missing backup is shown from the first day", async () => {
  const { accessToken } = await createAdministratorSession();
  expect(await dashboard(accessToken)).toMatchObject({ backup: "first", lastBackupDate: null });
  advanceClock(27 * HOUR_MS);
  const tomorrow = await createAdministratorSession();
  expect((await dashboard(tomorrow.accessToken)).backup).toBe("late");
  await backUpNow(backupContext());
  const { lastBackupDate } = await dashboard(tomorrow.accessToken);
  advanceClock(Date.parse(lastBackupDate) - Date.now() + HOUR_MS);
  expect((await dashboard((await createAdministratorSession()).accessToken)).backup).toBe("ok");
});
