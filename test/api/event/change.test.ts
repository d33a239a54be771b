import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { koreanDay, koreanDayStamp, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { timesAt } from "../../calls/event-acts.ts";
import { FEES, openTestEvent, registerAt } from "../../calls/event-world.ts";
import { sentMessages } from "../../support/factories.ts";
import { createMemberSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readRows, readValue, runSql } from "../../support/test-database.ts";

const BOARD = ["Board_free_View", "Board_free_List"];

async function createWorld({ places = 1, fees = [] as typeof FEES } = {}) {
  const author = await createMemberSession();
  const opened = await openTestEvent(author, { places, fees });
  const [member, waiting] = [await createMemberSession(), await createMemberSession()];
  const more = fees.length > 0 ? { feeCode: "f1" } : {};
  const { id } = (await registerAt(member, opened.own, more)).data;
  await registerAt(waiting, opened.own, more);
  const officer = await createSessionWith(["ADMIN_Access", "Event_Manage", "Dues_Manage", ...BOARD]);
  return { author, member, waiting, officer, registration: id as string, ...opened };
}

const move = (session: TestSession, office: string, more: object = {}) =>
  callAs(session, "POST", `${office}/move`, { ...timesAt(96), reason: "대관 사정", version: 1, ...more });
const callOff = (session: TestSession, office: string, version = 1) =>
  callAs(session, "POST", `${office}/call-off`, { reason: "대관 사정", version });
const lettersTo = async ({ user }: TestSession, subject: string) =>
  (await sentMessages(user.email)).filter((letter) => letter.subject.includes(subject));

test("a moved event tells all who registered, once", async () => {
  const { author, member, waiting, officer, office } = await createWorld();
  expect((await move(officer, office)).data).toEqual({ version: 2 });
  for (let times = 0; times < 2; times += 1) await runScheduledJobs(env);
  for (const person of [member, waiting]) {
    const letters = await lettersTo(person, "일정이 바뀌었습니다");
    expect(letters).toHaveLength(1);
    expect(letters[0]?.body).toMatch(/소강당\n\n바뀌기 전: .+\n사유: 대관 사정/);
  }
  expect(await lettersTo(author, "일정이 바뀌었습니다"), "who did not register").toEqual([]);
});

test("a moved event keeps its registrations", async () => {
  const { member, officer, own, office } = await createWorld();
  await move(officer, office);
  const page = (await callAs(member, "GET", own)).data;
  expect(page.mine.status).toBe("confirmed");
  expect(page.item.event.place).toBe("소강당");
});

test("the calendar feed shows the new day", async () => {
  const { officer, office, itemNo } = await createWorld();
  const feed = async () =>
    (await fetchApi("GET", `/api/board-item/free/${itemNo}/calendar`, { token: officer.accessToken })).text();
  const before = await feed();
  await move(officer, office);
  const after = await feed();
  expect(after).toContain(`DTSTART;TZID=Asia/Seoul:${koreanDayStamp(new Date(timesAt(96).startDate))}T`);
  expect(after).toContain("SEQUENCE:2");
  await callOff(officer, office, 2);
  expect(before).not.toContain("STATUS:CANCELLED");
  expect(await feed()).toContain("STATUS:CANCELLED");
});

test("an event that lasts all day moves by days", async () => {
  const { officer, office, id } = await createWorld();
  const first = startOfKoreanDay(koreanDay(new Date(Date.now() + 5 * DAY_MS)));
  const days = { isAllDay: true, startDate: first.toISOString(), endDate: new Date(+first + DAY_MS).toISOString() };
  expect((await move(officer, office, days)).code).toBe("SUCCESS");
  expect(await readRow("SELECT event_start, is_event_all_day FROM board_item WHERE id = ?", id)).toEqual({
    event_start: +first,
    is_event_all_day: 1,
  });
});

test("an end before the start is refused by its field", async () => {
  const { officer, office } = await createWorld();
  const { startDate } = timesAt(90);
  const refused = await move(officer, office, { endDate: startDate });
  expect([refused.code, Object.keys(refused.fields)]).toEqual(["INVALID_INPUT", ["endDate"]]);
});

test("the same day is no move", async () => {
  const { officer, office } = await createWorld();
  const times = { ...timesAt(96), version: 1 };
  await move(officer, office, times);
  expect((await move(officer, office, { ...times, version: 2 })).fields.startDate).toContain("그대로입니다");
});

test("a second move waits for the letters of the first", async () => {
  const { officer, office } = await createWorld();
  await move(officer, office);
  expect((await move(officer, office, { ...timesAt(120), version: 2 })).message).toContain("아직 알리고");
  await runScheduledJobs(env);
  expect((await move(officer, office, { ...timesAt(120), version: 2 })).code).toBe("SUCCESS");
});

test("a cancelled event cancels its registrations with a letter", async () => {
  const { member, waiting, officer, own, office } = await createWorld();
  expect((await callOff(officer, office)).code).toBe("SUCCESS");
  await runScheduledJobs(env);
  for (const person of [member, waiting]) {
    expect(
      (await lettersTo(person, "행사가 취소되었습니다")).map(({ body }) => body.includes("사유: 대관 사정")),
    ).toEqual([true]);
    expect((await callAs(person, "GET", own)).data.mine).toMatchObject({ status: "cancelled", reason: "대관 사정" });
  }
  expect((await callOff(officer, office, 2)).message).toBe("이미 취소된 행사입니다.");
});

test("paid fees of a cancelled event wait to be given back", async () => {
  const { member, waiting, officer, office, registration } = await createWorld({ places: 9, fees: FEES });
  const deposit = { alumniId: registration, amount: 50_000, day: koreanDay(new Date()) };
  await callAs(officer, "PUT", "/api/admin/due/deposit", deposit);
  await callOff(officer, office);
  const listed = (await callAs(officer, "GET", `${office}/registration?fee=refund`)).data.content;
  expect(listed).toMatchObject([{ id: registration, fee: { paid: 50_000 } }]);
  expect(await readValue("SELECT count(*) FROM due"), "nothing is owed").toBe(1);
  await runScheduledJobs(env);
  expect((await lettersTo(member, "취소되었습니다"))[0]?.body).toContain("참가비는 사무국이 돌려");
  expect((await lettersTo(waiting, "취소되었습니다"))[0]?.body).not.toContain("돌려");
  const refund = { reason: "행사 취소", paid: 50_000 };
  await callAs(officer, "POST", `/api/admin/event/registration/${registration}/refund`, refund);
  expect((await callAs(officer, "GET", `${office}/registration?fee=refund`)).data.content).toEqual([]);
});

test("text messages reach people without an e-mail address", async () => {
  const { member, officer, office } = await createWorld();
  await runSql(
    "UPDATE user_key SET user_key_type = 'Mobile', user_key_code = '01000000001' WHERE user_id = ? AND user_key_type = 'Email'",
    member.user.id,
  );
  await callOff(officer, office);
  await runScheduledJobs(env);
  expect(await readRows("SELECT channel, body FROM message WHERE recipient = '01000000001'")).toMatchObject([
    { channel: "sms", body: expect.stringMatching(/동계 심포지엄: 취소$/) },
  ]);
});

test("a closed account is not told", async () => {
  const { member, officer, office } = await createWorld();
  await callOff(officer, office);
  await runSql("UPDATE user SET status = 'blocked' WHERE id = ?", member.user.id);
  await runScheduledJobs(env);
  expect(await lettersTo(member, "취소되었습니다")).toEqual([]);
});

test("a change is recorded with its reason", async () => {
  const { member, waiting, officer, office } = await createWorld();
  await move(officer, office);
  await callOff(officer, office, 2);
  expect(
    await readRows(
      "SELECT action, reason, subject_count FROM audit_log WHERE action IN ('event.move', 'event.callOff') ORDER BY id",
    ),
  ).toEqual([
    { action: "event.move", reason: "대관 사정", subject_count: 2 },
    { action: "event.callOff", reason: "대관 사정", subject_count: 2 },
  ]);
  const ids = await readValue<string>("SELECT ids FROM audit_subject ORDER BY audit_id DESC");
  expect(JSON.parse(ids ?? "[]").toSorted()).toEqual([member.user.id, waiting.user.id].toSorted());
});

test("nobody without the right moves or cancels an event", async () => {
  const { author, member, office, id } = await createWorld();
  const console = await createSessionWith(["ADMIN_Access", "Dues_Manage", ...BOARD]);
  for (const act of [move, callOff] as ((session: TestSession, path: string) => Promise<{ code: string }>)[])
    for (const session of [author, member, console]) expect((await act(session, office)).code).toBe("FORBIDDEN");
  const body = { ...timesAt(96), reason: "대관 사정", version: 1 };
  expect((await callJson("POST", `${office}/move`, { body })).code).toBe("UNAUTHORIZED");
  expect((await callJson("POST", `${office}/call-off`, { body })).code).toBe("UNAUTHORIZED");
  expect(await readValue("SELECT version FROM event WHERE item_id = ?", id)).toBe(1);
});

test("an officer who may not read the item changes nothing", async () => {
  const { office, id } = await createWorld();
  const officer = await createSessionWith(["ADMIN_Access", "Event_Manage"]);
  expect((await callOff(officer, office)).code).not.toBe("SUCCESS");
  expect(await readValue("SELECT version FROM event WHERE item_id = ?", id)).toBe(1);
});

test("a stale version is refused", async () => {
  const { officer, office } = await createWorld();
  expect((await callOff(officer, office, 7)).code).toBe("CONFLICT");
});

test("a cancelled event does not move", async () => {
  const { officer, office } = await createWorld();
  await callOff(officer, office);
  expect((await move(officer, office, { version: 2 })).message).toBe("이미 취소된 행사입니다.");
});

test("an edited item tells those who registered the new time", async () => {
  const { author, member, waiting, itemNo, id } = await createWorld();
  await runScheduledJobs(env);
  const edit = async () => {
    const path = `/api/board-item/free/${itemNo}`;
    const { version } = (await callAs(author, "GET", path)).data;
    expect((await callAs(author, "PATCH", path, { event: timesAt(96), version })).code).toBe("SUCCESS");
    await runScheduledJobs(env);
  };
  await edit();
  expect(await lettersTo(member, "일정이 바뀌었습니다"), "while it may be corrected").toEqual([]);
  await runSql("UPDATE board_item SET modified_date = 1 WHERE id = ?", id);
  for (let times = 0; times < 2; times += 1) await runScheduledJobs(env);
  for (const person of [member, waiting]) {
    const letters = await lettersTo(person, "일정이 바뀌었습니다");
    expect(letters).toHaveLength(1);
    expect(letters[0]?.body).toMatch(/소강당\n\n바뀌기 전: .+\n\n신청은/);
  }
  expect(await readValue("SELECT count(*) FROM audit_log WHERE action = 'event.move'")).toBe(1);
});

test("an edit of the text alone tells nobody", async () => {
  const { author, member, itemNo, id } = await createWorld();
  await runScheduledJobs(env);
  const path = `/api/board-item/free/${itemNo}`;
  const { version } = (await callAs(author, "GET", path)).data;
  await callAs(author, "PATCH", path, { content: "<p>다른 안내</p>", version });
  await runSql("UPDATE board_item SET modified_date = 1 WHERE id = ?", id);
  await runScheduledJobs(env);
  expect(await lettersTo(member, "일정이 바뀌었습니다")).toEqual([]);
});

test("a move by the office gives one letter", async () => {
  const { member, officer, office, id } = await createWorld();
  await runScheduledJobs(env);
  await move(officer, office);
  await runScheduledJobs(env);
  await runSql("UPDATE board_item SET modified_date = 1 WHERE id = ?", id);
  await runScheduledJobs(env);
  expect(await lettersTo(member, "일정이 바뀌었습니다")).toHaveLength(1);
});
