/** @module-tag full */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { advanceClock } from "../../support/factories.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { expectLog } from "../../support/expected-log.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { finishSteps, MOVING, newBoards, sendArchives, siteDigest } from "../../support/move.ts";
import { folderArchive, rdxArchive } from "../../samples/moving-archive.ts";
import { FOLDER, SITE } from "../../support/moving-site.ts";

const all = async <T = Record<string, unknown>>(sql: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<T>()
  ).results;

const CHECK_KILLS = [/INSERT OR IGNORE INTO moving_entry/, /INSERT OR IGNORE INTO moving_seen/];
const COMMIT_KILLS = [
  /INSERT INTO user \(/,
  /INSERT INTO board_item \(/,
  /INSERT OR IGNORE INTO old_note/,
  /INSERT OR IGNORE INTO file/,
  /DELETE FROM moving_entry/,
];
const UNDO_KILLS = [
  /DELETE FROM board_item WHERE/,
  /DELETE FROM old_note WHERE/,
  /DELETE FROM user WHERE/,
  /DELETE FROM board WHERE/,
];

async function leaveLease(id: string): Promise<void> {
  await env.DB.prepare("UPDATE moving SET lease_id = 'killed', lease_date = 1 WHERE id = ?").bind(id).run();
  advanceClock(60_000);
}

async function killSteps(
  token: string,
  id: string,
  call: string,
  body: unknown,
  kills: readonly RegExp[],
): Promise<number> {
  let broken = 0;
  for (const [index, sql] of kills.entries()) {
    for (const when of ["before", "after"] as const) {
      const { DB, broke } = faultyDatabase({ sql, when, times: 1 });
      if (index === 0 && when === "before") {
        const begun = await callApiWith({ DB }, "POST", `${MOVING}/${id}/${call}`, { token, body });
        expect(begun.code).toBe("SUCCESS");
      }
      for (let step = 0; step < 5 && broke() === 0; step++)
        await callApiWith({ DB }, "POST", `${MOVING}/${id}/step`, { token, body: {} });
      broken += broke();
      await leaveLease(id);
    }
  }
  return broken;
}

test("an interrupted move resumes at any step without duplicates", async () => {
  expectLog(/Network connection lost/);
  const { accessToken: token } = await createAdministratorSession();
  const before = await siteDigest();
  const id = await sendArchives(token, [
    { kind: "rdx", bytes: rdxArchive({ ...SITE, perList: 2 }) },
    { kind: "files", bytes: folderArchive(FOLDER) },
  ]);
  expect(await killSteps(token, id, "check", {}, CHECK_KILLS)).toBe(4);
  const checked = await finishSteps(token, id);
  expect(checked).toMatchObject({ status: "checked", counts: { members: 4, items: 4, comments: 6, notes: 3 } });
  const mapping = { boards: newBoards(checked), groups: {}, fields: {}, version: checked.version };
  expect(await killSteps(token, id, "start", mapping, COMMIT_KILLS)).toBe(10);
  const committed = await finishSteps(token, id);
  expect(committed).toMatchObject({
    status: "committed",
    committed: { members: 3, boards: 1, items: 4, comments: 5, files: 3, notes: 2 },
  });
  const things = await all("SELECT kind, count(*) AS n FROM moved_thing GROUP BY kind ORDER BY kind");
  expect(things).toEqual([
    { kind: "board", n: 1 },
    { kind: "comment", n: 5 },
    { kind: "file", n: 3 },
    { kind: "item", n: 4 },
    { kind: "member", n: 3 },
    { kind: "note", n: 2 },
  ]);
  expect(await all("SELECT count(*) AS n FROM board_item WHERE board_code = 'old-free-talk'")).toEqual([{ n: 4 }]);

  const undo = { reason: "시험", version: committed.version };
  expect(await killSteps(token, id, "undo", undo, UNDO_KILLS)).toBe(8);
  expect((await finishSteps(token, id)).status).toBe("undone");
  expect(await siteDigest()).toEqual(before);
});
