import { requirePresent } from "../../support/require-present.ts";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { fileCopyCipher } from "#worker/domain/operation/backup-files.server.ts";
import { advanceBackup, backUpInSteps, backUpNow } from "#worker/domain/operation/backup-run.server.ts";
import { backupContext, lastRun, makeBackup, openStoredBackup, readBackupObject } from "../../support/backup.ts";
import { resetMeter } from "../../support/platform-meter.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { createItemWithFile } from "../../samples/board-files.ts";
import { readValue, runSql } from "../../support/test-database.ts";
import { DAY_MS, SMALL_STEPS } from "./backup-steps.ts";

test("the job makes one backup a night after three in Korea, and gives the reason without a key", async () => {
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

test("a run older than the bucket lock is deleted with its files; a younger one stays", async () => {
  const at = (now: string) => backupContext(() => new Date(now));
  await backUpInSteps(at("2026-10-01T18:01:00Z"));
  await backUpInSteps(at("2026-10-20T18:01:00Z"));
  await backUpInSteps(at("2026-11-10T18:01:00Z"));
  const keys = (await env.BACKUPS.list({ prefix: "dump/" })).objects.map(({ key }) => key.split("/")[1]);
  expect([...new Set(keys)]).toEqual(["2026-10-21", "2026-11-11"]);
});

test("files are copied once, encrypted, and missing ones are named", async () => {
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

test("a copy without a kept backup is deleted after the bucket lock expires; every other copy stays", async () => {
  const admin = await createAdministratorSession();
  await createItemWithFile(admin, "notice");
  await createItemWithFile(admin, "notice");
  const [kept = "", gone = ""] = (await env.FILES.list({ prefix: "f/" })).objects.map(({ key }) => key);
  const copies = async () => (await env.BACKUPS.list({ prefix: "files/" })).objects.map(({ key }) => key);
  const backUpAfter = (days: number) => backUpNow(backupContext(() => new Date(Date.now() + days * DAY_MS)));
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

test("a schema change during a backup ends it and leaves nothing behind", async () => {
  await createAdministratorSession();
  await backUpNow(backupContext(), SMALL_STEPS);
  await runSql("ALTER TABLE popup ADD COLUMN extra TEXT");
  await expect(advanceBackup(backupContext(), SMALL_STEPS)).rejects.toThrow("구조가 바뀌었습니다");
  expect((await lastRun()).status).toBe("failed");
  expect(await readValue("SELECT count(*) AS n FROM sqlite_master WHERE name GLOB 'backup_before_*'")).toBe(0);
});
