import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { bindingTarget, findBrokenInvariants } from "#worker/domain/operation/restore.server.ts";
import { callJson } from "../../support/api-client.ts";
import { databaseRows, makeBackup, restoreToScratch } from "../../support/backup.ts";
import { createTestItem, openSignup } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { SITE_INVARIANTS } from "../../support/site-invariants.ts";
import { rowsOf, runSql } from "../../support/test-database.ts";
import { takeRealDatabase } from "../../support/empty-storage.ts";

takeRealDatabase();

const NOW = 1_790_000_000_000;

async function fillNewerTables(): Promise<void> {
  const [admin, member] = [await createAdministratorSession(), await createMemberSession()];
  await openSignup();
  const itemNo = await createTestItem(admin, "free", { title: "총회" });
  await runSql(
    "UPDATE board_item SET event_start = ?1, event_end = ?1 + 3600000, event_place = '대강당', event_deadline = ?1 - 1 WHERE item_no = ?2",
    NOW,
    itemNo,
  );
  const made = await callJson("PUT", `/api/board-item-comment/free/${itemNo}`, {
    token: member.accessToken,
    body: { content: "참석합니다" },
    headers: { "Idempotency-Key": crypto.randomUUID() },
  });
  expect(made.code).toBe("SUCCESS");
  for (const [id, own, email] of [
    ["a1", { license: "12-345", tags: ["내과", "면역"], since: 2004 }, "p3@pid.example.kr"],
    ["a2", { license: "12-346", tags: [] }, "p3@pid.example.kr"],
    ["a3", {}, "p1@pid.example.kr"],
  ] as const)
    await runSql(
      "INSERT INTO alumni (id, name, own, email, cohort, affiliation, address, search_all, initials, created_date, modified_date) VALUES (?1, '홍길동' || ?1, ?2, ?4, 3, '한빛병원', '서울특별시', '홍길동' || ?1, 'ㅎㄱㄷ', ?3, ?3)",
      id,
      JSON.stringify(own),
      NOW,
      email,
    );
  await runSql(
    "INSERT INTO alumni (id, name, deleted_date, created_date, modified_date) VALUES ('gone', '지운사람', ?1, ?1, ?1)",
    NOW,
  );
  await runSql(
    "INSERT INTO alumni_field (code, name, kind, choices, access) VALUES ('license', '면허번호', 'text', '[]', 'office')",
  );
  await runSql(
    "INSERT INTO mailing (id, source, target, kind, subject, status, created_user_id, created_date, modified_date) VALUES ('m1', 'alumni', '{}', 'informational', '총회', 'sending', ?1, ?2, ?2), ('m2', 'alumni', '{}', 'informational', '지난 총회', 'done', ?1, ?2, ?2)",
    admin.user.id,
    NOW,
  );
  const states = ["waiting", "queued", "delivered", "bounced"];
  await runSql(
    "INSERT INTO mailing_recipient (mailing_id, person_id, address, state, state_date) SELECT 'm1', 'p' || key, 'p' || key || '@pid.example.kr', value, ?2 FROM json_each(?1)",
    JSON.stringify(states),
    NOW,
  );
  await runSql("INSERT INTO mail_address (address, bounced_date) VALUES ('p3@pid.example.kr', ?)", NOW);
  await runSql(
    "INSERT INTO activity (user_id, kind, item_id, detail, created_date) SELECT ?1, 'comment', id, '{}', ?2 FROM board_item",
    admin.user.id,
    NOW,
  );
  await runSql("INSERT INTO mail_report (id, created_date) VALUES ('msg_1', ?)", NOW);
  const asked = await callJson("POST", "/api/inquiry", {
    token: member.accessToken,
    body: { category: "event", subject: "연수 이수증", content: "어디에서 받습니까?" },
  });
  expect(asked.code).toBe("SUCCESS");
  await runSql("INSERT INTO inquiry_file (file_id, inquiry_id, message_id) VALUES ('f1', ?, 'm')", asked.data.id);
  await runSql(
    "INSERT INTO alumni_view (id, user_id, name, content, created_date) VALUES ('v1', ?1, '3기', '{}', ?2)",
    admin.user.id,
    NOW,
  );
  await runSql(
    "INSERT INTO alumni_certificate (id, number, user_id, alumni_id, created_user_id, created_date, expires_date) VALUES ('c1', '2026-1', ?1, NULL, ?1, ?2, ?2), ('c2', '2026-2', NULL, 'a1', ?1, ?2, ?2)",
    admin.user.id,
    NOW,
  );
  await runSql(
    "INSERT INTO confirmation_round (id, target, status, reminder_days, repeat_date, created_user_id, created_date, modified_date) VALUES ('r1', '{}', 'open', 14, ?2, ?1, ?2, ?2), ('r2', '{}', 'closed', 14, NULL, ?1, ?2, ?2)",
    admin.user.id,
    NOW,
  );
  await runSql(
    "INSERT INTO mailing_answer (mailing_id, person_id, answer, created_date, modified_date) VALUES ('m1', 'p0', 1, ?1, ?1)",
    NOW,
  );
  await runSql(
    "INSERT INTO confirmation_answer (round_id, person_id, kind, created_date) VALUES ('r1', 'a1', 'same', ?1)",
    NOW,
  );
  await runSql(
    "INSERT INTO alumni_confirmation (alumni_id, kind, confirmed_date, hashes) VALUES ('a1', 'same', ?1, '{}')",
    NOW,
  );
  const dues = [
    "due_kind (id, name, amount, grades) VALUES ('k1', '연회비', 50000, '[\"정회원 50000\"]')",
    "due (id, alumni_id, kind_id, period, amount, paid, work_id, created_date, modified_date) VALUES ('d1', 'a1', 'k1', '2026', 50000, 50000, 'w1', ?1, ?1)",
    "deposit (id, source, paid_date, payer, amount, hash, allocated, work_id, created_date) VALUES ('p1', 'bank', ?1, '홍길동', 50000, 'h1', 50000, 'w2', ?1)",
    "due_allocation (id, deposit_id, due_id, amount, cause, user_id, created_date) VALUES ('l1', 'p1', 'd1', 50000, 'name', 'u', ?1)",
    "due_payer (payer, alumni_id, used_date) VALUES ('h2', 'a1', ?1)",
    "due_list_person (work_id, alumni_id, state) VALUES ('w1', 'a1', 'paid')",
    "due_work (id, kind, name, user_id, added, created_date) VALUES ('w1', 'charge', '2026 연회비', 'u', 1, ?1)",
  ];
  for (const rows of dues) await runSql(`INSERT INTO ${rows}`, ...(rows.includes("?1") ? [NOW] : []));
}

test("a restore of newer tables does not repeat their triggers", async () => {
  await fillNewerTables();
  const kept = [
    "alumni",
    "alumni_field",
    "activity",
    "mail_address",
    "mail_report",
    "inquiry",
    "inquiry_message",
    "inquiry_file",
    "board_item",
    "board_item_comment",
    "alumni_view",
    "alumni_certificate",
    "alumni_confirmation",
    "confirmation_answer",
    "mailing_answer",
    "due_kind",
    "due",
    "deposit",
    "due_allocation",
    "due_payer",
    "due_list_person",
    "due_work",
    "site_setting",
    "content",
    "content_version",
  ];
  const derived = [
    "alumni_value",
    "board_item_count",
    "alumni_count",
    "alumni_alike",
    "alumni_figure",
    "alumni_term",
    "due_sum",
    "due_standing",
    "due_people",
  ];
  for (const table of [...kept, ...derived, "kept_answer"])
    expect([table, await rowsOf(table)]).not.toEqual([table, []]);
  const rowsById = async (d1: D1Database, table: string) =>
    (await d1.prepare(`SELECT * FROM ${table}`).all()).results.map((row) => JSON.stringify(row)).toSorted();
  const before = await databaseRows(env.DB, kept);
  const restored = await restoreToScratch(await makeBackup());
  expect(await databaseRows(restored, kept)).toEqual(before);
  for (const table of derived)
    expect([table, await rowsById(restored, table)]).toEqual([table, await rowsById(env.DB, table)]);
  const states = await restored.prepare("SELECT state FROM mailing_recipient ORDER BY person_id").raw<[string]>();
  expect(states.flat()).toEqual(["failed", "failed", "delivered", "bounced"]);
  const mailings = await restored.prepare("SELECT status FROM mailing ORDER BY id").raw<[string]>();
  expect(mailings.flat()).toEqual(["cancelled", "done"]);
  const rounds = await restored.prepare("SELECT status, repeat_date FROM confirmation_round ORDER BY id").raw();
  expect(rounds).toEqual([
    ["closed", null],
    ["closed", null],
  ]);
  expect(await restored.prepare("SELECT count(*) AS n FROM kept_answer").first("n")).toBe(0);
  expect(await findBrokenInvariants(bindingTarget(restored))).toEqual([]);
  for (const [name, sql] of Object.entries(SITE_INVARIANTS))
    expect([name, await restored.prepare(sql).first("n")]).toEqual([name, 0]);
});

const BREAKS: Record<string, string> = {
  "찾아보기가 다른 주소록 항목": "DELETE FROM alumni_value WHERE field = 'license' AND alumni_id = 'a1'",
  "recipients of a missing mailing": "DELETE FROM mailing WHERE id = 'm1'",
  "answers to a missing mailing": "UPDATE mailing_answer SET mailing_id = 'gone'",
  "세지 않은 주소록 항목": "UPDATE alumni_count SET people = people + 1",
  "검색 색인이 다른 주소록 항목": "DELETE FROM alumni_gram WHERE rowid = (SELECT min(rowid) FROM alumni)",
  "합계가 다른 회비": "UPDATE due_sum SET dues = dues + 1",
  "통계가 다른 주소록 항목": "UPDATE alumni_figure SET count = count + 1 WHERE kind = 'region'",
  "answers to a missing round": "DELETE FROM confirmation_round WHERE id = 'r1'",
  "possible duplicates with fewer than two people":
    "INSERT INTO alumni_alike (reason, first, second) VALUES ('email', 'p1@pid.example.kr', '')",
  "notifications of a missing account": "UPDATE activity SET user_id = 'nobody'",
  "messages of a missing inquiry": "DELETE FROM inquiry",
  "events that end before they begin": "UPDATE board_item SET event_end = event_start - 1",
};

test("each invariant of the newer tables detects a violation", async () => {
  await fillNewerTables();
  for (const name of Object.keys(BREAKS))
    expect([name, await env.DB.prepare(SITE_INVARIANTS[name] ?? "").first("n")]).toEqual([name, 0]);
  for (const [name, sql] of Object.entries(BREAKS)) {
    await runSql(sql);
    expect([name, await env.DB.prepare(SITE_INVARIANTS[name] ?? "").first<number>("n")]).not.toEqual([name, 0]);
  }
});
