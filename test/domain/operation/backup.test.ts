import { requirePresent } from "../../support/require-present.ts";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { connectDatabase } from "#db/client.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { sha256Hex } from "#worker/adapters/backup-cipher.server.ts";
import { openBackup, readBackupPart, sealManifest } from "#worker/domain/operation/backup-manifest.server.ts";
import { advanceBackup, backUpNow, backUpInSteps, STEP_BUDGET } from "#worker/domain/operation/backup-run.server.ts";
import { bindingTarget, INVARIANTS, restoreDatabase } from "#worker/domain/operation/restore.server.ts";
import { scheduledJobs } from "#worker/domain/operation/job-schedule.server.ts";
import { runAllJobs } from "../../support/scheduled-jobs.ts";
import {
  backupContext,
  emptyScratch,
  databaseRows,
  lastRun,
  makeBackup,
  openStoredBackup,
  readBackupObject,
  restoreToScratch,
  SMALL_STEPS,
} from "../../support/backup.ts";
import { expectLog } from "../../support/expected-log.ts";
import { callApiWith } from "../../support/faulty-database.ts";
import { advanceToMorning, createSignupSettings, createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, createUser, TEST_PASSWORD } from "../../support/people.ts";
import { createItemWithFile } from "../../samples/board-files.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { fileCopyCipher } from "#worker/domain/operation/backup-files.server.ts";
import { Invocation, meterBindings, resetMeter } from "../../support/platform-meter.ts";
import { takeRealDatabase } from "../../support/empty-storage.ts";

takeRealDatabase();

test("a backup of one step fits the statements reserved for it", async () => {
  const invocation = new Invocation();
  const { DB } = meterBindings(env, () => invocation);
  await backUpNow({ ...backupContext(), db: connectDatabase(DB) });
  expect((await lastRun()).status).toBe("ok");
  const backup = scheduledJobs({} as AppContext).find(({ name }) => name === "backup");
  expect(invocation.statements + STEP_BUDGET.statements).toBeLessThan(requirePresent(backup).statements);
});

test("a backup restores every row", async () => {
  const admin = await createAdministratorSession();
  await createSignupSettings();
  await createUser({ userName: "남궁'민" });
  const content = `<p>${"가나'다\\라\n마😀".repeat(20_000)}</p>`;
  await createTestItem(admin, "free", { title: "아주 긴 글", content });
  await createTestItem(admin, "notice", { title: "심포지엄 안내" });
  const name = await makeBackup();
  const { manifest } = await openStoredBackup(name);
  const tables = manifest.tables.map((table) => table.name);
  expect(tables.length).toBeGreaterThan(30);
  const before = await databaseRows(env.DB, tables);

  const restored = await restoreToScratch(name);
  // Pending notices are dropped, so that no one is notified twice.
  expect(before.notice_pending).toHaveLength(2);
  expect(await databaseRows(restored, tables)).toEqual({ ...before, notice_pending: [] });
  const site = { DB: restored };
  const list = await callApiWith(site, "GET", "/api/board-item?boardCode=notice");
  expect(list.data).toMatchObject({ content: [{ title: "심포지엄 안내" }] });
  expect((await callApiWith(site, "GET", `/api/user/${admin.user.id}`, { token: admin.accessToken })).status).toBe(401);
  const again = await callApiWith(site, "POST", "/api/user/signin", {
    body: { userKeyType: "Email", userKeyCode: admin.user.email, password: TEST_PASSWORD },
  });
  expect(again.code).toBe("SUCCESS");
});

const WRITES = {
  changed: "UPDATE board_item SET title = '나중에 고친 제목' WHERE item_no = 1",
  deleted: "DELETE FROM user_key WHERE rowid = (SELECT max(rowid) FROM user_key)",
};

test("a backup in steps contains no change made during it", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  for (let count = 0; count < 5; count += 1) await createUser();
  await createTestItem(admin, "notice", { title: "처음 제목" });
  const { manifest } = await openStoredBackup(await makeBackup());
  const tables = manifest.tables.map((table) => table.name).filter((table) => table !== "audit_log");
  const before = await databaseRows(env.DB, tables);

  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2000 });
  let rounds = 0;
  const name = await makeBackup(SMALL_STEPS, async () => {
    rounds += 1;
    const writer = await createMemberSession();
    await createTestItem(writer, "free", { title: `동안 쓴 글 ${rounds}` });
    if (rounds === 1) await env.DB.batch(Object.values(WRITES).map((sql) => env.DB.prepare(sql)));
  });
  expect(rounds).toBeGreaterThan(5);
  const restored = await restoreToScratch(name);
  expect(await databaseRows(restored, tables)).toEqual({ ...before, notice_pending: [] });
  for (const query of Object.values(INVARIANTS)) expect(await restored.prepare(query).first("n"), `${query}`).toBe(0);
  expect(await readValue("SELECT count(*) AS n FROM backup_before")).toBe(0);
  expect(await readValue("SELECT count(*) AS n FROM sqlite_master WHERE name GLOB 'backup_before_*'")).toBe(0);
});

/** Database and bucket stop answering after this many calls, like a terminated invocation. */
function dyingContext(calls: number, now: () => Date) {
  let left = calls;
  const wall = <T extends object>(target: T, names: string[]): T =>
    new Proxy(target, {
      get(real, key) {
        const member = real[key as keyof T] as unknown;
        if (typeof member !== "function") return member;
        return (...values: unknown[]) => {
          if (names.includes(String(key)) && (left -= 1) < 0) throw new Error("D1_ERROR: Network connection lost.");
          return (member as (...given: unknown[]) => unknown).apply(real, values);
        };
      },
    });
  const context = backupContext(now);
  return {
    ...context,
    db: connectDatabase(wall(env.DB, ["prepare"])),
    backups: wall(env.BACKUPS, ["put"]),
    died: () => left < 0,
  };
}

const POINTS = Number(process.env.KILLS || 6);

test("a backup killed at any point is completed later", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await createItemWithFile(admin, "notice");
  const { manifest } = await openStoredBackup(await makeBackup());
  const tables = manifest.tables.map((table) => table.name);
  const before = await databaseRows(env.DB, tables);
  let minutes = 0;
  const now = () => new Date(Date.now() + minutes * 60_000);
  let killed = 0;
  for (let point = 0; point < POINTS; point += 1) {
    minutes += 10;
    // Lets the run write its first row, which distinguishes a begun run from a lost one.
    const calls = 5 + Math.floor((point * 330) / POINTS);
    const dying = dyingContext(calls, now);
    const name = await backUpNow(dying, SMALL_STEPS)
      .then(lastRun, lastRun)
      .then((run) => run.name);
    for (let run = await lastRun(); run.status === "running" && !dying.died(); run = await lastRun())
      await advanceBackup(dying, SMALL_STEPS).catch(() => undefined);
    if (dying.died()) killed += 1;
    if ((await lastRun()).status === "running") {
      // Only the very last write makes the backup readable.
      const opened = await openStoredBackup(name).catch((error: Error) => error.message);
      if (typeof opened === "string") expect(opened, `${point}`).toContain("끝까지 만들지 못했거나");
      else await restoreToScratch(name);
      // Two steps never work on a backup at once: the lease of the dead one must expire.
      if ((await lastRun()).lease_id) {
        await advanceBackup(backupContext(now), SMALL_STEPS);
        expect((await lastRun()).interruptions, `${point}`).toBe(0);
      }
      minutes += 6;
    }
    for (let run = await lastRun(); run.status === "running"; run = await lastRun())
      await advanceBackup(backupContext(now), SMALL_STEPS).catch(() => undefined);
    const run = await lastRun();
    if (run.status === "failed") {
      expect(run.error, `${point}`).toContain("시작하다가 멈추었습니다");
      continue;
    }
    const restored = await restoreToScratch(run.name);
    expect(await databaseRows(restored, tables), `${point}`).toEqual({ ...before, notice_pending: [] });
  }
  expect(killed).toBeGreaterThan(POINTS / 2);
});

test("a damaged or foreign backup is refused with the reason", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice");
  const name = await makeBackup(SMALL_STEPS);
  const other = await makeBackup(SMALL_STEPS);
  const whole = await openStoredBackup(name);
  const { parts } = whole.manifest;
  expect(parts.length).toBeGreaterThan(3);
  const lastKey = requirePresent(parts.at(-1)).key;
  const bytes = requirePresent(await readBackupObject(lastKey));
  const flipped = bytes.slice();
  flipped[flipped.byteLength - 1] = requirePresent(flipped.at(-1)) ^ 1;
  const manifest = requirePresent(await readBackupObject(`dump/${name}/manifest`));
  const changedManifest = manifest.slice();
  changedManifest[manifest.byteLength - 20] = requirePresent(manifest.at(-20)) ^ 1;
  const otherKey = "another-key-0123456789abcdef0123456789abcdef";
  const resigned = await sealManifest(otherKey, { ...whole.manifest, tables: [] });
  const otherManifest = requirePresent(await readBackupObject(`dump/${other}/manifest`));
  const refusals: [change: Record<string, Uint8Array | null>, reason: string, key?: string][] = [
    [{ [lastKey]: bytes.slice(0, -40) }, "잘렸거나"],
    [{ [lastKey]: flipped }, "손상되었거나 누가 바꾸었습니다"],
    [{ [lastKey]: null }, "조각이 없습니다"],
    [{ [lastKey]: await readBackupObject(requirePresent(parts[0]).key) }, "조각이"],
    [{ [`dump/${name}/manifest`]: null }, "목록(manifest)이 없습니다"],
    [{ [`dump/${name}/manifest`]: changedManifest }, "손상되었거나 누가 바꾸었습니다"],
    [{ [`dump/${name}/manifest`]: resigned }, "다른 BACKUP_KEY"],
    [{ [`dump/${name}/manifest`]: otherManifest }, "다른 백업"],
    [{ [`dump/${name}/manifest`]: new TextEncoder().encode("abc") }, "목록(manifest)이 아닙니다"],
    [{}, "다른 BACKUP_KEY", otherKey],
  ];
  for (const [change, reason, key] of refusals) {
    const read = (wanted: string) =>
      wanted in change ? Promise.resolve(change[wanted] ?? null) : readBackupObject(wanted);
    await emptyScratch();
    const restoring = openBackup(read, name, key ?? env.BACKUP_KEY).then((backup) =>
      restoreDatabase(backup, bindingTarget(env.SCRATCH)),
    );
    await expect(restoring, reason).rejects.toThrow(reason);
  }
  const texts = await Promise.all(
    parts.map(async ({ key }) => new TextDecoder("latin1").decode(requirePresent(await readBackupObject(key)))),
  );
  expect(texts.join("")).not.toContain(admin.user.email);
  expect(await restoreToScratch(name)).toBeTruthy();
});

test("a part with fewer rows than its manifest is refused", async () => {
  await createAdministratorSession();
  const name = await makeBackup();
  const backup = await openStoredBackup(name);
  const lines = await readBackupPart(backup, 0);
  const fewer = lines.filter((line, index) => index !== lines.findIndex((each) => each.startsWith("[")));
  const sealed = await backup.cipher.seal("part 0", new TextEncoder().encode(`${fewer.join("\n")}\n`));
  const parts = backup.manifest.parts.map((part, index) => ({
    ...part,
    ...(index === 0 && { bytes: sealed.byteLength }),
  }));
  requirePresent(parts[0]).sha256 = await sha256Hex(sealed);
  const forged = { ...backup, manifest: { ...backup.manifest, parts }, read: async () => sealed };
  await emptyScratch();
  await expect(restoreDatabase(forged, bindingTarget(env.SCRATCH))).rejects.toThrow("있어야 하는데");
});

test("waiting mail is held after a restore until released", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "면역결핍 심포지엄" });
  await runSql(
    "INSERT INTO message (id, channel, recipient, subject, body, status, created_date, next_attempt_date) VALUES ('m', 'email', 'a@b.kr', '제목', '내용', 'queued', ?1, 1)",
    Date.now(),
  );
  const restored = await restoreToScratch(await makeBackup());
  expect(await restored.prepare("SELECT status FROM message WHERE id = 'm'").first("status")).toBe("held");
  expect(await restored.prepare("SELECT count(*) AS n FROM board_item_search WHERE is_stale = 1").first("n")).toBe(1);
  // Uses the site's own database as scratch database.
  expectLog(/job:drill.*다른 자료가 있습니다/);
  advanceToMorning(1);
  await runAllJobs({ ...env, DB: restored, SCRATCH: env.DB });
  vi.useRealTimers();
  expect(await restored.prepare("SELECT status FROM message WHERE id = 'm'").first("status")).toBe("held");
  const found = await callApiWith({ DB: restored }, "POST", "/api/board-item/search", {
    body: { keyword: "심포지엄", target: "title" },
  });
  expect(found.data).toMatchObject({ totalElements: 1 });
});

test("the job makes one backup a night", async () => {
  const at = (now: string) => backupContext(() => new Date(now));
  const count = () => readValue("SELECT count(*) AS n FROM backup_run");
  await backUpInSteps(at("2026-11-21T17:59:00Z"));
  expect(await count()).toBe(0);
  await backUpInSteps(at("2026-11-21T18:01:00Z"));
  await backUpInSteps(at("2026-11-21T18:11:00Z"));
  expect(await count()).toBe(1);
  expect(await lastRun()).toMatchObject({ name: "2026-11-22", status: "ok" });
  const keyless = { ...at("2026-11-22T18:01:00Z"), config: { BACKUP_KEY: undefined, PASSWORD_PEPPER: "x" } };
  await expect(backUpInSteps(keyless)).rejects.toThrow("BACKUP_KEY가 없어");
});

test("only runs older than the bucket lock are deleted", async () => {
  const night = (day: number) => backupContext(() => new Date(Date.UTC(2026, 9, day, 18, 1)));
  for (let day = 1; day <= 8; day += 1) await backUpInSteps(night(day));
  await runSql("DELETE FROM age_clock");
  await backUpInSteps(night(41));
  const keys = (await env.BACKUPS.list({ prefix: "dump/" })).objects.map(({ key }) => key.split("/")[1]);
  expect([...new Set(keys)]).toEqual([...[4, 5, 6, 7, 8, 9].map((day) => `2026-10-0${day}`), "2026-11-11"]);
});

test("a clock three days off deletes no recent backup", async () => {
  const at = (now: string) => backupContext(() => new Date(now));
  await backUpInSteps(at("2026-10-09T18:01:00Z"));
  await backUpInSteps(at("2026-11-13T18:01:00Z"));
  await backUpInSteps(at("2026-11-07T18:01:00Z"));
  await backUpInSteps(at("2026-11-10T18:01:00Z"));
  expect(await readRows("SELECT name, status FROM backup_run ORDER BY name")).toEqual(
    ["2026-10-10", "2026-11-08", "2026-11-11", "2026-11-14"].map((name) => ({ name, status: "ok" })),
  );
});

test("a file is copied once, encrypted", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await createItemWithFile(admin, "notice");
  await createItemWithFile(admin, "notice");
  const stored = (await env.FILES.list({ prefix: "f/" })).objects.map(({ key }) => key).toSorted();
  const first = await openStoredBackup(await makeBackup());
  expect(first.manifest.files).toMatchObject({ count: 2, copied: 2, missing: 0 });
  const cipher = await fileCopyCipher(env.BACKUP_KEY);
  const copy = await cipher.open(
    requirePresent(stored[0]),
    requirePresent(await readBackupObject(`files/${stored[0]}`)),
  );
  expect(copy).toEqual(
    new Uint8Array(await requirePresent(await env.FILES.get(requirePresent(stored[0]))).arrayBuffer()),
  );
  await env.FILES.delete(requirePresent(stored[0]));
  const second = await openStoredBackup(await makeBackup());
  expect(second.manifest.files).toMatchObject({ count: 1, copied: 0, missing: 1 });
  expect(second.manifest.files.missingNames[0]).toContain(requirePresent(stored[0]));
});

test("a copy without a backup is deleted after the bucket lock", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await createItemWithFile(admin, "notice");
  await createItemWithFile(admin, "notice");
  const [kept = "", gone = ""] = (await env.FILES.list({ prefix: "f/" })).objects.map(({ key }) => key);
  const copies = async () => (await env.BACKUPS.list({ prefix: "files/" })).objects.map(({ key }) => key);
  const backUpAfter = async (days: number) => {
    await runSql("DELETE FROM age_clock");
    await backUpNow(backupContext(() => new Date(Date.now() + days * DAY_MS)));
  };
  const forget = (name: string) => env.DB.prepare("DELETE FROM backup_run WHERE name = ?").bind(name).run();
  await backUpAfter(0);
  const first = (await lastRun()).name;
  await env.DB.prepare("DELETE FROM file WHERE storage_key = ?").bind(gone).run();
  // Kept first by a backup that references it, then by its age alone.
  await backUpAfter(40);
  const second = (await lastRun()).name;
  expect((await copies()).length).toBe(2);
  await forget(first);
  await backUpAfter(35);
  expect((await copies()).length).toBe(2);
  await env.DB.prepare("DELETE FROM backup_run WHERE name NOT IN (?)").bind(second).run();
  // An unreadable list prevents deletion, and the backup is still made.
  const { manifest } = await openStoredBackup(second);
  const list = requirePresent(manifest.parts.find(({ rows }) => rows === 0));
  const bytes = requirePresent(await readBackupObject(list.key));
  await env.BACKUPS.delete(list.key);
  await backUpAfter(41);
  expect([(await lastRun()).status, (await copies()).length]).toEqual(["ok", 2]);
  resetMeter();
  await env.BACKUPS.put(list.key, bytes);
  await backUpAfter(42);
  expect(await copies()).toEqual([`files/${kept}`]);
});

test("a schema change during a backup ends it", { tags: "full" }, async () => {
  await createAdministratorSession();
  await backUpNow(backupContext(), SMALL_STEPS);
  await runSql("ALTER TABLE popup ADD COLUMN extra TEXT");
  await expect(advanceBackup(backupContext(), SMALL_STEPS)).rejects.toThrow("구조가 바뀌었습니다");
  expect((await lastRun()).status).toBe("failed");
  expect(await readValue("SELECT count(*) AS n FROM sqlite_master WHERE name GLOB 'backup_before_*'")).toBe(0);
});
