import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import { parseOldAddress } from "#worker/contract/moving/old-address.ts";
import { findOldAddress } from "#worker/domain/moving/old-address.server.ts";
import { cleanUpMovings } from "#worker/domain/moving/clean-up.server.ts";
import { callJson } from "../../support/api-client.ts";
import { advanceClock } from "../../support/factories.ts";
import { checkMove, MOVING, readMove, sendArchives, siteDigest, undoMove } from "../../support/move.ts";
import { rdxArchive } from "../../samples/moving-archive.ts";
import { moveSite, SITE } from "../../support/moving-site.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { contextFor, scopeFor } from "../../support/request-scope.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRows } from "../../support/test-database.ts";

const HOUR_MS = 3_600_000;
const DAYS_MS = MOVING_LIMITS.undoDays * DAY_MS;
const cleanUp = async () => cleanUpMovings(await contextFor(null));
const issueCount = async () => Number((await readRows("SELECT count(*) AS n FROM moving_issue"))[0]?.n);
const archivesKept = async () => (await env.FILES.list({ prefix: "moving/" })).objects.length;

test.each([29 * DAY_MS, DAYS_MS - HOUR_MS])(
  "a move can be undone completely until its last day: %d ms",
  async (passed) => {
    const before = await siteDigest();
    const first = await createAdministratorSession();
    const people = await siteDigest();
    const { id } = await moveSite(first.accessToken);
    advanceClock(passed);
    await cleanUp();
    const { accessToken: token } = await createAdministratorSession();
    const view = await readMove(token, id);
    expect(view.undoUntilDate).toBe(new Date(Date.parse(view.committedDate ?? "") + DAYS_MS).toISOString());
    expect(view.issues.some(({ subjects }) => subjects.length > 0)).toBe(true);
    expect((await undoMove(token, id)).status).toBe("undone");
    const after = await siteDigest();
    expect(after).not.toEqual(before);
    for (const table of ["board", "board_item", "board_item_comment", "file", "old_note", "profile_field", "role"])
      expect([table, after[table]]).toEqual([table, people[table]]);
  },
);

test("after its undo period a move keeps a summary and its redirects, and drops names of skipped records", async () => {
  const first = await createAdministratorSession();
  const { id } = await moveSite(first.accessToken);
  expect(await issueCount()).toBeGreaterThan(5);
  advanceClock(DAYS_MS + HOUR_MS);
  const { accessToken: token } = await createAdministratorSession();
  const view = await readMove(token, id);
  expect(view.undoUntilDate).toBeNull();
  const answer = await callJson("POST", `${MOVING}/${id}/undo`, {
    token,
    body: { reason: "늦은 되돌리기", version: view.version },
  });
  expect([answer.status, answer.message]).toEqual([409, "옮긴 지 30일 안에만 되돌릴 수 있습니다."]);
  const things = await readRows("SELECT * FROM moved_thing ORDER BY kind, old_key");
  await cleanUp();
  expect(await issueCount()).toBe(0);
  expect(await readRows("SELECT * FROM moved_thing ORDER BY kind, old_key")).toEqual(things);
  const kept = await readMove(token, id);
  expect(kept.issues.map(({ code, count }) => [code, count])).toEqual(
    view.issues.map(({ code, count }) => [code, count]),
  );
  const old = parseOldAddress(new URL("https://new.example.kr/bbs/board.php?bo_table=free_talk&wr_id=3"));
  expect((await findOldAddress(scopeFor(null), old ?? { kind: "path", path: "" }))?.path).toBe(
    "/board/old-free-talk/View/3",
  );
});

test("archives of an unreadable move are deleted by the next job, of an abandoned one after some days", async () => {
  const first = await createAdministratorSession();
  const broken = await sendArchives(first.accessToken, [
    { kind: "rdx", bytes: new TextEncoder().encode("no zip ".repeat(99)) as Uint8Array<ArrayBuffer> },
  ]);
  expect((await checkMove(first.accessToken, broken)).status).toBe("failed");
  expect(await archivesKept()).toBe(1);
  await runScheduledJobs(env);
  expect(await archivesKept()).toBe(0);
  expect(await readRows("SELECT id FROM moving_archive")).toEqual([]);

  const left = await sendArchives(first.accessToken, [{ kind: "rdx", bytes: rdxArchive(SITE) }]);
  await checkMove(first.accessToken, left);
  advanceClock(MOVING_LIMITS.abandonedDays * DAY_MS - HOUR_MS);
  await cleanUp();
  expect(await archivesKept()).toBe(1);
  advanceClock(2 * HOUR_MS);
  await cleanUp();
  expect(await archivesKept()).toBe(0);
  const { accessToken: token } = await createAdministratorSession();
  expect((await readMove(token, left)).status).toBe("cancelled");
  expect(await readRows("SELECT archive_id FROM moving_entry UNION ALL SELECT moving_id FROM moving_seen")).toEqual([]);
  expect((await callJson("PUT", MOVING, { token, body: { site: "다시" } })).code).toBe("SUCCESS");
});
