import { KEPT_BACKUPS } from "#worker/contract/audit/ages.ts";
import { env } from "cloudflare:workers";
import { unzipSync } from "fflate";
import { beforeEach, expect, test } from "vitest";
import { openBackup, readBackupPart } from "#worker/domain/operation/backup-manifest.server.ts";
import { bindingTarget, restoreDatabase } from "#worker/domain/operation/restore.server.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { emptyScratch, makeBackup } from "../../support/backup.ts";
import { expectLog } from "../../support/expected-log.ts";
import { importAlumniFile } from "../../samples/alumni-files.ts";
import { advanceClock, advanceToMorning, createTestItem } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createSession,
  createSessionWith,
  retireUser,
  type TestSession,
} from "../../support/people.ts";
import { runAllJobs } from "../../support/scheduled-jobs.ts";
import { countRows, readRows, runSql } from "../../support/test-database.ts";
import { takeRealDatabase } from "../../support/empty-storage.ts";

takeRealDatabase();

let admin: TestSession;
let name: string;
beforeEach(async () => {
  admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "되살릴 글" });
  name = await makeBackup();
});

const pathOf = (backup: string) => `/api/admin/job/backup/${backup}/export`;
const download = async (backup = name) => {
  const response = await fetchApi("POST", pathOf(backup), { token: admin.accessToken, body: { reason: "복구 연습" } });
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
};
const entries = () =>
  readRows(
    "SELECT json_extract(detail, '$.backup') AS name, reason, subject_count FROM audit_log WHERE action = 'backup.export'",
  );

test("a site can be restored from a downloaded backup", async () => {
  const { response, bytes } = await download();
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/zip"]);
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  const files = unzipSync(bytes);
  const { objects } = await env.BACKUPS.list({ prefix: `dump/${name}/` });
  expect(Object.keys(files).toSorted()).toEqual(objects.map(({ key }) => key).toSorted());
  expect(new TextDecoder().decode(bytes), "the backup is encrypted").not.toContain("되살릴 글");
  const read = async (key: string) => files[key] ?? null;
  await expect(openBackup(read, name, "another key of another site 0123456789")).rejects.toThrow(/BACKUP_KEY/);
  await emptyScratch();
  const backup = await openBackup(read, name, env.BACKUP_KEY);
  expect((await readBackupPart(backup, 0)).length).toBeGreaterThan(0);
  await restoreDatabase(backup, bindingTarget(env.SCRATCH));
  expect(
    await env.SCRATCH.prepare("SELECT title FROM board_item")
      .all()
      .then(({ results }) => results),
  ).toEqual([{ title: "되살릴 글" }]);
  expect(await entries()).toEqual([{ name, reason: "복구 연습", subject_count: await countRows("user") }]);
});

test("an administrator by role cannot download a backup", async () => {
  expectLog(/UPSTREAM_UNAVAILABLE.*no object dump/);
  const byRole = await createSessionWith(["ADMIN_Access"]);
  const body = { reason: "복구 연습" };
  expect((await callAs(byRole, "POST", pathOf(name), body)).status).toBe(403);
  expect((await callAs(admin, "POST", pathOf(name), { reason: " " })).fields).toHaveProperty("reason");
  expect((await callAs(admin, "POST", pathOf("2020-01-01"), body)).code).toBe("NOT_FOUND");
  expect((await callAs(admin, "POST", pathOf("..%2Ffiles"), body)).code).toBe("NOT_FOUND");
  const { objects } = await env.BACKUPS.list({ prefix: `dump/${name}/` });
  await env.BACKUPS.delete(objects.filter(({ key }) => !key.endsWith("/manifest")).map(({ key }) => key));
  expect((await callAs(admin, "POST", pathOf(name), body)).code).toBe("UPSTREAM_UNAVAILABLE");
  await runSql("UPDATE backup_run SET status = 'running'");
  expect((await callAs(admin, "POST", pathOf(name), body)).code).toBe("NOT_FOUND");
  expect(await entries()).toEqual([]);
  expect(await countRows("backup_run")).toBe(1);
});

test("people in a downloaded backup are found by name", async () => {
  const person = async (personName: string) =>
    (await callAs(admin, "PUT", "/api/alumni", { name: personName })).data.id as string;
  const inIt = await person("남궁민");
  const leaver = await person("선우진");
  const member = await createSession({ userName: "제갈량" });
  name = await makeBackup();
  advanceClock(60_000);
  const late = await person("독고준");
  await download();
  for (const act of ["delete-data", "destroy-data"])
    expect((await callAs(admin, "POST", `/api/alumni/${act}`, { ids: [leaver] })).code).toBe("SUCCESS");
  const trace = async (subject: string) =>
    (await callAs(admin, "GET", `/api/admin/audit?action=backup.export&subject=${encodeURIComponent(subject)}`)).data
      .totalElements as number;
  for (const known of ["남궁민", inIt, "선우진", leaver, "제갈량", member.user.email])
    expect([known, await trace(known)]).toEqual([known, 1]);
  for (const unknown of ["독고준", late]) expect([unknown, await trace(unknown)]).toEqual([unknown, 0]);
  const [row] = await readRows<{ id: number }>("SELECT id FROM audit_log WHERE action = 'backup.export'");
  const shown = await callAs(admin, "GET", `/api/admin/audit/${row?.id}`);
  expect(shown.data.people.content.map((each: { name: string }) => each.name)).toEqual(
    expect.arrayContaining(["남궁민", "제갈량"]),
  );
});

test("a person destroyed after a backup is found by its download", { tags: "full" }, async () => {
  const gone = (await callAs(admin, "PUT", "/api/alumni", { name: "남궁민", email: "gone@pid.example.kr" })).data.id;
  const leaver = await createSession({ userName: "선우진" });
  const taken = await importAlumniFile(admin, "명단.csv", "이름,이메일\n제갈량,jegal@pid.example.kr\n");
  name = await makeBackup();
  advanceClock(60_000);
  const late = (await callAs(admin, "PUT", "/api/alumni", { name: "독고준" })).data.id;
  for (const act of ["delete-data", "destroy-data"])
    expect((await callAs(admin, "POST", `/api/alumni/${act}`, { ids: [gone, late] })).code).toBe("SUCCESS");
  await callAs(admin, "POST", `/api/alumni/import/${taken.data.importId}/undo`, {});
  await retireUser(leaver);
  const trace = async (subject: string) =>
    (await callAs(admin, "GET", `/api/admin/audit?action=backup.export&subject=${encodeURIComponent(subject)}`)).data
      .totalElements as number;
  const known = ["남궁민", "GONE@pid.example.kr", gone, "선우진", leaver.user.email, "제갈량"];
  for (const each of known) expect([each, await trace(each)], "no backup was downloaded yet").toEqual([each, 0]);
  expect(await countRows("destroyed_trace")).toBe(0);
  expect(JSON.stringify(await readRows("SELECT * FROM backup_trace"))).not.toMatch(/남궁|선우|gone@|제갈/);
  const held = await countRows("user");
  await download();
  for (const each of known) expect([each, await trace(each)]).toEqual([each, 1]);
  expect([await trace("독고준"), await trace(late)], "people added after the backup").toEqual([0, 0]);
  expect((await entries())[0]).toMatchObject({ subject_count: held + 2 });

  // Later backups, made after the kept ones expired, remove their traces.
  advanceToMorning(40);
  for (let night = 0; night < KEPT_BACKUPS; night += 1) {
    await runAllJobs(env);
    advanceToMorning(1);
  }
  await runAllJobs(env);
  expect(await countRows("backup_trace")).toBe(0);
  expect(await countRows("destroyed_trace"), "downloads stay on record").toBeGreaterThan(0);
});
