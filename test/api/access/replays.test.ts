/** @module-tag full */
import { afterEach, expect, test, vi } from "vitest";
import { administratorTakeover, stuffedSignin, tamperedRecovery } from "../../replays/account.ts";
import { lostExport, oldBoardScript, residentNumbers } from "../../replays/data.ts";
import { openStage, type Replay, type ReplayAct } from "../../replays/replay.ts";

// Replays incidents of other sites against this one; the published page is generated from the results.

afterEach(() => void vi.useRealTimers());

const REPLAYS: Replay[] = [
  tamperedRecovery,
  administratorTakeover,
  residentNumbers,
  oldBoardScript,
  stuffedSignin,
  lostExport,
];
const played = new Map<string, ReplayAct[]>();

test.each(REPLAYS)("$name", async ({ name, play }) => {
  const acts: ReplayAct[] = [];
  await play(openStage(acts));
  expect(acts.length).toBeGreaterThan(4);
  played.set(name, acts);
});

function published(): string {
  const parts = REPLAYS.flatMap(({ name, happened, stopped }) => [
    `## ${name[0]?.toUpperCase()}${name.slice(1)}`,
    "",
    happened,
    "",
    `**Defence here.** ${stopped}`,
    "",
    "| act | answer |",
    "| --- | --- |",
    ...(played.get(name) ?? []).map(({ act, answer }) => `| ${act} | ${answer} |`),
    "",
  ]);
  return [...HEADER, ...parts].join("\n");
}
const HEADER = [
  "# Known attacks, replayed against this site",
  "",
  "Written by `test/api/access/replays.test.ts` from its results; it fails when this page differs",
  "(`npx vitest run -u --project worker test/api/access/replays.test.ts` writes it again).",
  "",
];

test("the published table matches the results", async () => {
  expect(played.size).toBe(REPLAYS.length);
  await expect(published()).toMatchFileSnapshot("../../replays.md");
});
