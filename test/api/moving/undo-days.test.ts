/** @module-tag full */
import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import { parseOldAddress } from "#worker/contract/moving/old-address.ts";
import { findOldAddress } from "#worker/domain/moving/old-address.server.ts";
import { cleanUpMovings } from "#worker/domain/moving/clean-up.server.ts";
import { callJson } from "../../support/api-client.ts";
import { advanceClock } from "../../support/factories.ts";
import {
  checkMove,
  finishSteps,
  issueCounts,
  MOVING,
  newBoards,
  readMove,
  sendArchives,
  siteDigest,
  startMove,
  undoMove,
} from "../../support/move.ts";
import {
  folderArchive,
  oldComment,
  oldDocument,
  oldFile,
  oldMember,
  oldNote,
  rdxArchive,
} from "../../samples/moving-archive.ts";
import { FOLDER, moveSite, SITE } from "../../support/moving-site.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";
import { contextFor, scopeFor } from "../../support/request-scope.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRows, runSql } from "../../support/test-database.ts";

const HOUR_MS = 3_600_000;
const DAYS_MS = MOVING_LIMITS.undoDays * DAY_MS;
async function cleanUp(): Promise<void> {
  await runSql("DELETE FROM age_clock");
  await cleanUpMovings(await contextFor(null));
}
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
    expect(view.undoUntilDate).toBe(
      daysLater(new Date(view.committedDate ?? ""), MOVING_LIMITS.undoDays).toISOString(),
    );
    expect(view.issues.some(({ subjects }) => subjects.length > 0)).toBe(true);
    expect((await undoMove(token, id)).status).toBe("undone");
    const after = await siteDigest();
    expect(after).not.toEqual(before);
    for (const table of ["board", "board_item", "board_item_comment", "file", "old_note", "profile_field", "role"])
      expect([table, after[table]]).toEqual([table, people[table]]);
  },
);

test("a move keeps only a summary after its undo period", async () => {
  const first = await createAdministratorSession();
  const { id } = await moveSite(first.accessToken);
  expect(await issueCount()).toBeGreaterThan(5);
  advanceClock(DAYS_MS + DAY_MS);
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

test("the next job deletes archives of an unreadable move", async () => {
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

const FREE = "free_talk";
const SECOND = {
  members: [oldMember("choi", { extra_vars: { mb_1: "둘째 항목" } })],
  notes: [oldNote(9, "choi", "kim_1")],
  boards: {
    [FREE]: {
      title: "자유게시판",
      documents: [
        ...SITE.boards.free_talk.documents.slice(0, 1),
        oldDocument(50, {
          user_id: "kim_1",
          category: "둘째 분류",
          status: "SECRET",
          comments: [oldComment(51, { user_id: "lee" })],
          files: [oldFile(50, "둘째.hwp", "data/file/free_talk/a.hwp")],
        }),
      ],
    },
  },
  files: { ...SITE.files, "data/file/free_talk/none.pdf": "%PDF-1.4 나중에 온 파일" },
};
const here = { to: "board", boardCode: "notice" };
const fields = { mb_1: { to: "new", name: "학교" } };

/** The second move needs nothing, the first move's board and people, or a board that was here before. */
const SECOND_MOVES: Record<string, { site: string; first: object; second: object }> = {
  "another site with its own board": { site: "다른 누리집", first: { fields }, second: { fields } },
  "another site in the first one's board": {
    site: "다른 누리집",
    first: { fields },
    second: {
      fields: { mb_1: { to: "field", code: "OF_FIRST" } },
      boards: { [FREE]: { to: "board", boardCode: "first" } },
    },
  },
  "the same site again": { site: "옛 누리집", first: { fields }, second: { fields } },
  "a board that was here": {
    site: "다른 누리집",
    first: { boards: { [FREE]: here } },
    second: { boards: { [FREE]: here } },
  },
};

async function moveTwo(token: string, { site, first, second }: (typeof SECOND_MOVES)[string]) {
  const move = async (archive: typeof SITE | typeof SECOND, name: string, mapping: object, boardCode: string) => {
    const sent = [
      { kind: "rdx" as const, bytes: rdxArchive(archive) },
      { kind: "files" as const, bytes: folderArchive(FOLDER) },
    ];
    const view = await checkMove(token, await sendArchives(token, sent, { site: name }));
    const boards = { [FREE]: { ...newBoards(view)[FREE], boardCode } };
    const [field] = await readRows<{ code: string }>("SELECT code FROM profile_field WHERE code LIKE 'old-%'");
    const used = JSON.parse(JSON.stringify(mapping).replace("OF_FIRST", () => field?.code ?? ""));
    const answer = await startMove(token, view, { boards, ...used });
    expect([answer.code, answer.fields]).toEqual(["SUCCESS", {}]);
    return (await finishSteps(token, view.id)).id;
  };
  return [await move(SITE, "옛 누리집", first, "first"), await move(SECOND, site, second, "second")] as const;
}

const OF_MOVE: Record<string, string> = {
  member: "SELECT * FROM user WHERE id IN",
  item: "SELECT * FROM board_item WHERE id IN",
  comment: "SELECT * FROM board_item_comment WHERE id IN",
  file: "SELECT * FROM file WHERE id IN",
  note: "SELECT * FROM old_note WHERE id IN",
  field: "SELECT * FROM profile_field WHERE code IN",
};

/** Reads the rows that a move brought, with the boards and people that they need. */
async function readerOf(id: string) {
  const moved = await readRows<{ kind: string; target: string }>(
    "SELECT kind, target_id AS target FROM moved_thing WHERE moving_id = ? AND was_here = 0",
    id,
  );
  const of = (kind: string) => JSON.stringify(moved.flatMap((row) => (row.kind === kind ? [row.target] : [])));
  const items = "FROM board_item WHERE id IN (SELECT value FROM json_each(?))";
  return async () => {
    const brought = Object.entries(OF_MOVE).map(async ([kind, select]) =>
      readRows(`${select} (SELECT value FROM json_each(?)) ORDER BY 1`, of(kind)),
    );
    const needed = [
      `SELECT board_code, board_name, categories, use_secret FROM board WHERE board_code IN (SELECT board_code ${items})`,
      `SELECT * FROM user WHERE id IN (SELECT created_user_id ${items})`,
    ].map(async (sql) => readRows(sql, of("item")));
    return Promise.all([...brought, ...needed]);
  };
}

describe.each(Object.entries(SECOND_MOVES))("of two moves, the second into %s,", (_name, moves) => {
  test("the older move's undo leaves no trace in the newer", async () => {
    const { accessToken: token } = await createAdministratorSession();
    const before = await siteDigest();
    const [first, second] = await moveTwo(token, moves);
    const rowsOfSecond = await readerOf(second);
    const brought = await rowsOfSecond();
    const undone = await undoMove(token, first);
    expect([undone.status, undone.kept]).toEqual(["undone", issueCounts(undone)["undo-kept"] ?? 0]);
    expect(await rowsOfSecond()).toEqual(brought);
    expect(undone.removed.items + undone.kept).toBeGreaterThan(0);
    expect(issueCounts(await undoMove(token, second))).toEqual({});
    expect(await siteDigest()).toEqual(before);
  });

  test("undos from the newest to the oldest restore the site", async () => {
    const { accessToken: token } = await createAdministratorSession();
    const before = await siteDigest();
    const [first, second] = await moveTwo(token, moves);
    await undoMove(token, second);
    expect(issueCounts(await undoMove(token, first))).toEqual({});
    expect(await siteDigest()).toEqual(before);
  });
});

test("a row changed after the first move stays at undos", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const [first, second] = await moveTwo(token, SECOND_MOVES["the same site again"] as never);
  await runSql("UPDATE board_item SET version = 2 WHERE title = '옛 글 4'");
  const undone = await undoMove(token, first);
  expect(undone.issues.find(({ code }) => code === "undo-kept")?.subjects).toContain("글 free_talk/4");
  expect(undone.kept).toBe(issueCounts(undone)["undo-kept"]);
  await undoMove(token, second);
  expect(await readRows("SELECT title FROM board_item WHERE board_code = 'first'")).toEqual([{ title: "옛 글 4" }]);
});

test("the page lists an undo for each recent move", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const [first, second] = await moveTwo(token, SECOND_MOVES["another site with its own board"] as never);
  const page = async () => (await callJson("GET", MOVING, { token })).data;
  const listed = (await page()).movings as {
    id: string;
    undoUntilDate: string | null;
    version: number;
    kept: number;
  }[];
  expect(listed.map(({ id, undoUntilDate }) => [id, undoUntilDate !== null])).toEqual([
    [second, true],
    [first, true],
  ]);
  await runSql("UPDATE moving SET status = 'undoing' WHERE id = ?", first);
  expect((await page()).open.id).toBe(first);
  await runSql("UPDATE moving SET status = 'committed' WHERE id = ?", first);
  await undoMove(token, first);
  expect((await page()).open.id).toBe(second);
  expect(
    (await page()).movings.map(({ undoUntilDate }: { undoUntilDate: string | null }) => undoUntilDate !== null),
  ).toEqual([true, false]);
});

test("undoing an older move needs its rights", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const [first] = await moveTwo(token, SECOND_MOVES["another site with its own board"] as never);
  const { version } = await readMove(token, first);
  const undo = async (by?: string) =>
    callJson("POST", `${MOVING}/${first}/undo`, { ...(by && { token: by }), body: { reason: "잘못 옮김", version } });
  expect((await undo()).status).toBe(401);
  expect((await undo((await createMemberSession()).accessToken)).status).toBe(403);
  const refused = await undo((await createSessionWith(["ADMIN_Access"])).accessToken);
  expect([refused.status, refused.message]).toEqual([
    403,
    "‘자유게시판’ 게시판의 ‘관리’ 권한이 있는 관리자만 되돌릴 수 있습니다.",
  ]);
  const open = await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive(SITE) }], { site: "셋째" });
  expect((await undo(token)).message).toBe(
    "끝나지 않은 이사가 있습니다. 그 이사를 마치거나 그만둔 뒤에 되돌려 주십시오.",
  );
  await callJson("POST", `${MOVING}/${open}/cancel`, { token, body: {} });
  advanceClock(31 * DAY_MS);
  const { accessToken: later } = await createAdministratorSession();
  expect((await undo(later)).message).toBe("옮긴 지 30일 안에만 되돌릴 수 있습니다.");
  expect((await readMove(later, first)).status).toBe("committed");
});
