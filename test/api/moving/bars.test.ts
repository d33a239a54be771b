/** @module-tag full */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { oldAddressOf, oldAddressResponse } from "#worker/edge/old-address.ts";
import {
  checkMove,
  finishSteps,
  issueCounts,
  readMove,
  sendArchives,
  startMove,
  undoMove,
} from "../../support/move.ts";
import { rdxArchive } from "../../samples/moving-archive.ts";
import { barAddresses, barMapping, barOutcome, digestTables, makeBarSite } from "../../support/moving-bars.ts";
import { createAdministratorSession } from "../../support/people.ts";

/** Full run over HTTP with timings: `node test/bench/moving.ts` after a build. */
const SIZES = {
  items: Number(process.env.ITEMS || 160),
  members: Number(process.env.MEMBERS || 30),
  files: Number(process.env.FILES || 40),
};
const ADDRESSES = Math.min(2000, SIZES.files * 8);
const STEPS_MAX = 100_000;

async function commitBarSite(token: string) {
  const id = await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive(makeBarSite(SIZES)) }]);
  const answer = await startMove(token, await checkMove(token, id), barMapping);
  expect(answer.code).toBe("SUCCESS");
  return finishSteps(token, id, STEPS_MAX);
}

test(`${SIZES.items} items, ${SIZES.members} members, ${SIZES.files} files are each imported once`, async () => {
  const { accessToken: token } = await createAdministratorSession();
  const before = await digestTables(env.DB);
  const { committed, lost, issues } = barOutcome(SIZES);
  const view = await commitBarSite(token);
  expect(view.status).toBe("committed");
  expect(view.committed).toEqual(committed);
  for (const [kind, count] of Object.entries(lost))
    expect([kind, view.counts[kind as keyof typeof lost]]).toEqual([
      kind,
      committed[kind as keyof typeof lost] + count,
    ]);
  expect(issueCounts(view)).toEqual(issues);

  const once = await digestTables(env.DB);
  expect(Object.keys(once).filter((table) => once[table] !== before[table])).toEqual(
    expect.arrayContaining(["board", "board_item", "board_item_comment", "file", "old_note", "user", "user_key"]),
  );
  const again = await commitBarSite(token);
  expect(again.committed).toEqual({ members: 0, boards: 0, items: 0, comments: 0, files: 0, notes: 0 });
  expect(await digestTables(env.DB)).toEqual(once);
});

test("each old address leads to its new place", async () => {
  await commitBarSite((await createAdministratorSession()).accessToken);
  const addresses = await barAddresses(env.DB, SIZES, ADDRESSES);
  expect(addresses).toHaveLength(ADDRESSES);
  const wrong: unknown[] = [];
  for (const { address, path } of addresses) {
    const request = new Request(new URL(address, "https://new.example.kr"));
    const old = oldAddressOf(request, new URL(request.url));
    const answer = old && (await oldAddressResponse(request, env, old, "test", () => {}));
    const found = [answer?.status, answer?.headers.get("Location")];
    if (found[0] !== 301 || found[1] !== path) wrong.push([address, path, found]);
  }
  expect(wrong).toEqual([]);
});

test("an undo of the first import leaves nothing", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const before = await digestTables(env.DB);
  const view = await commitBarSite(token);
  const again = await commitBarSite(token);
  await undoMove(token, view.id);
  const undone = await finishSteps(token, view.id, STEPS_MAX);
  expect([undone.status, undone.issues]).toEqual(["undone", []]);
  expect(undone.removed).toEqual({ ...barOutcome(SIZES).committed, comments: 0 });
  expect((await readMove(token, again.id)).undoUntilDate).not.toBeNull();
  expect(await digestTables(env.DB)).toEqual(before);
});
