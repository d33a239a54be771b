/** @module-tag full */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { connectDatabase } from "#db/client.ts";
import { reindexStaleItems } from "#worker/domain/board/search-index.server.ts";
import * as jobs from "#worker/jobs.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { runInvocation, estimateMs, Invocation, meterBindings } from "../../support/platform-meter.ts";
import { readRow, readValue, runSql, testDatabase } from "../../support/test-database.ts";
import { takeRealDatabase } from "../../support/empty-storage.ts";

takeRealDatabase();

/** For all: `ITEMS=100000 npx vitest run --project worker test/domain/operation/reindex.test.ts`. */
const ITEMS = Number(process.env.ITEMS || 4000);
/** Proportional to one hour for 100,000 items. */
const MINUTES = Math.ceil((ITEMS / 100_000) * 60);
const CHUNK = 5000;
const MINUTE_MS = 60_000;
/** The nightly backup and the first drill begin during the reindexing. */
const THREE_IN_KOREA = Date.parse("2026-11-21T18:00:00Z");
const WORDS =
  "연구 등록 환자 면역 결핍 센터 자료 결과 회의 일정 안내 참여 기관 교육 과정 신청 변경 보고 지침 유전자".split(" ");

async function putItems(): Promise<void> {
  for (let from = 0; from < ITEMS; from += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, ITEMS - from) }, (_, n) => {
      const at = from + n + 1;
      const words = Array.from({ length: 30 }, (__, m) => WORDS[(at * 7919 + m * (1 + (at % 13))) % WORDS.length]);
      return [at, `${words.slice(0, 3).join(" ")} ${at}`, `<p>${words.join(" ")}</p>`];
    });
    await runSql(
      `INSERT INTO board_item (board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date)
       SELECT 'notice', value ->> 0, value ->> 1, value ->> 2, 'x', '편집부', ?1 - (value ->> 0) * 1000, ?1 FROM json_each(?2)`,
      THREE_IN_KOREA - MINUTE_MS,
      JSON.stringify(rows),
    );
  }
  await runSql("UPDATE board SET last_item_no = ?1 WHERE board_code = 'notice'", ITEMS);
}

function estimatedDatabase(): { DB: D1Database; ms: () => number } {
  let ms = 0;
  const DB = new Proxy(env.DB, {
    get(target, key) {
      const member = target[key as keyof D1Database] as unknown;
      if (typeof member !== "function") return member;
      if (key !== "batch") return (member as (...given: unknown[]) => unknown).bind(target);
      return async (statements: D1PreparedStatement[]) => {
        const results = await target.batch(statements);
        ms += estimateMs(results.map(({ meta }) => meta));
        return results;
      };
    },
  });
  return { DB, ms: () => ms };
}

/** D1 round trip, milliseconds. */
const TRIP_MS = 10;

async function runMinute(minute: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: THREE_IN_KOREA + minute * MINUTE_MS });
  const invocation = new Invocation();
  const { DB, ms } = estimatedDatabase();
  const ran = await runInvocation(() => jobs.runDueJobs({ ...env, DB }), invocation);
  return { ran, statements: invocation.statements, ms: ms() + invocation.subrequests * TRIP_MS };
}

test(
  `${ITEMS} items are indexed again in ${MINUTES} minutes under load`,
  async ({ annotate }) => {
    vi.useFakeTimers({ toFake: ["Date"], now: THREE_IN_KOREA - 4 * MINUTE_MS });
    await callAs(await createAdministratorSession(), "PUT", "/api/board/free/follow");
    // Finishes the first run of every job.
    for (const minute of [-3, -2, -1]) await runMinute(minute);
    await putItems();
    expect(await readValue("SELECT count(*) AS n FROM board_item_search WHERE is_stale = 1")).toBe(ITEMS);
    const all = new Set<string>();
    let [runs, most, busiest] = [0, 0, 0];
    let minute = 0;
    for (; (await readValue("SELECT 1 FROM board_item_search WHERE is_stale = 1 LIMIT 1")) !== null; minute += 1) {
      expect(minute, "minutes until everything is indexed").toBeLessThan(MINUTES);
      const { ran, statements, ms } = await runMinute(minute);
      for (const name of ran) all.add(name);
      runs += ran.includes("search") ? 1 : 0;
      most = Math.max(most, statements);
      busiest = Math.max(busiest, ms);
      const member = await createMemberSession();
      const itemNo = await createTestItem(member, "free", { title: `그동안 쓴 글 ${minute}` });
      const comment = { content: `그동안 쓴 댓글 ${minute}` };
      expect((await callAs(member, "PUT", `/api/board-item-comment/free/${itemNo}`, comment)).code).toBe("SUCCESS");
      const found = await callJson("POST", "/api/board-item/search", { body: { keyword: "연구" } });
      expect(found.code).toBe("SUCCESS");
    }
    expect(most).toBeLessThanOrEqual(900);
    expect(busiest).toBeLessThan(25_000);
    expect([...all]).toEqual(expect.arrayContaining(["search", "backup", "messages", "mailings"]));
    const found = await callJson("POST", "/api/board-item/search", { body: { keyword: `${ITEMS}`, target: "title" } });
    expect(found.data.totalElements).toBeGreaterThan(0);
    const backup = await readRow<{ status: string }>("SELECT status FROM backup_run");
    await annotate(
      `${ITEMS} items in ${minute} minutes and ${runs} runs, ${Math.round(ITEMS / runs)} a run; at most ${most} statements and ${Math.round(busiest / 100) / 10} s an invocation; backup meanwhile: ${backup?.status}`,
    );
    vi.useRealTimers();
  },
  900_000 + ITEMS * 60,
);

test("the longest texts with the most words are indexed", async () => {
  // Almost no syllable pair repeats.
  const odd = (letters: number) =>
    Array.from({ length: letters }, (_, at) => 0xac00 + ((at * (1 + Math.floor(at / 11_171))) % 11_171))
      .map((code) => String.fromCodePoint(code))
      .join("");
  const text = odd(200_000);
  await runSql(
    `INSERT INTO board_item (board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date)
     SELECT 'notice', value, '긴 글 ' || value, iif(value = 1, ?2, '<p>' || ?3 || '</p>'), 'x', '편집부', ?1 - 1000, ?1 FROM json_each('[1,2]')`,
    Date.now(),
    // Normalization expands each to eighteen letters.
    "\ufdfa".repeat(340_000),
    `첫머리 ${odd(340_000)}`,
  );
  await runSql(
    `INSERT INTO file (id, purpose, owner_user_id, file_name, size, content_type, status, storage_key, created_date, item_id, board_code)
     SELECT 'f' || value, 'board', 'x', '자료' || value || '.pdf', 1, 'application/pdf', 'attached', 'f/' || value, 1, (value + 1) / 2, 'notice'
     FROM json_each('[1,2,3,4]')`,
  );
  await runSql("INSERT INTO file_text (file_id, text, created_date) SELECT id, ?1, 1 FROM file", text);
  expect(await reindexStaleItems({ db: testDatabase() })).toBe(2);
  expect(await readValue("SELECT count(*) AS n FROM board_item_search WHERE is_stale = 1")).toBe(0);
  const search = async (keyword: string) =>
    (await callJson("POST", "/api/board-item/search", { body: { keyword } })).data.totalElements;
  expect(await search("첫머리")).toBe(1);
  expect(await search("긴 글 1")).toBe(1);
});

test("long files are read in batches that fit the memory", async () => {
  await runSql(
    `INSERT INTO board_item (board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date)
     SELECT 'notice', value, '자료 ' || value, '<p>글</p>', 'x', '편집부', ?1 - 1000, ?1 FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]')`,
    Date.now(),
  );
  await runSql(
    `INSERT INTO file (id, purpose, owner_user_id, file_name, size, content_type, status, storage_key, created_date, item_id, board_code)
     SELECT 'f' || item_no, 'board', 'x', '자료.pdf', 1, 'application/pdf', 'attached', 'f/' || item_no, 1, id, 'notice' FROM board_item`,
  );
  await runSql(
    "INSERT INTO file_text (file_id, text, created_date) SELECT id, ?1, 1 FROM file",
    "연구".repeat(100_000),
  );
  const invocation = new Invocation();
  const { DB } = meterBindings(env, () => invocation);
  expect(await reindexStaleItems({ db: connectDatabase(DB) })).toBe(20);
  // Twelve megabytes in two rounds of three trips, and a last check.
  expect(invocation.subrequests).toBe(7);
});
