import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import { getGuestRegistration } from "#worker/domain/event/guest.server.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { timesAt } from "../../calls/event-acts.ts";
import { FEES, openTestEvent, QUESTIONS, registerAt } from "../../calls/event-world.ts";
import { createVerifiedToken, sentMessages } from "../../support/factories.ts";
import { ENGLISH_SITE } from "../../support/identity.ts";
import { createMemberSession, createSessionWith } from "../../support/people.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readRows, readValue, runSql } from "../../support/test-database.ts";

const EMAIL = "visitor@example.com";
const OFFICE = ["ADMIN_Access", "Event_Manage", "Dues_Manage", "Board_free_View", "Board_free_List"];

async function createWorld(event: Parameters<typeof openTestEvent>[1] = {}) {
  const author = await createMemberSession();
  const opened = await openTestEvent(author, event);
  await runSql("UPDATE event SET takes_guests = 1");
  await runSql("UPDATE role SET permissions = ? WHERE role_code = 'guest'", JSON.stringify(OFFICE.slice(-2)));
  return {
    author,
    officer: await createSessionWith(OFFICE),
    guests: opened.own.replace("/event/", "/event-guest/"),
    ...opened,
  };
}

interface Visitor {
  email?: string;
  more?: object;
}

async function visit(guests: string, { email = EMAIL, more = {} }: Visitor = {}) {
  const userKeyToken = await createVerifiedToken(email);
  const body = { userName: "김손님", userKeyToken, questionsVersion: 1, joinsQueue: true, ...more };
  return callJson("POST", guests, { body });
}

const tokenOf = (path: string) => path.replace("/mail/event/", "");
const ofLink = (path: string) => `/api/event-guest/registration/${tokenOf(path)}`;
const cancel = (path: string, version = 1) => callJson("POST", `${ofLink(path)}/cancel`, { body: { version } });
const statusOf = (email = EMAIL) => readValue("SELECT status FROM event_registration WHERE guest_email = ?", email);

test("a guest registers with a confirmed address", async () => {
  const { guests } = await createWorld();
  const { data } = await visit(guests);
  expect(data).toMatchObject({ status: "confirmed", isNew: true });
  const letters = await sentMessages(EMAIL);
  expect(letters.find(({ subject }) => subject.includes("확정되었습니다"))?.body).toContain(data.path);
  expect(await readValue("SELECT count(*) FROM user WHERE user_name = '김손님'"), "no account").toBe(0);
});

test("an address registers once", async () => {
  const { guests } = await createWorld();
  const first = (await visit(guests)).data;
  await runSql("DELETE FROM rate_limit");
  expect((await visit(guests)).data).toEqual({ ...first, isNew: false });
  expect(await readValue("SELECT count(*) FROM event_registration")).toBe(1);
});

test("a guest changes answers by the link", async () => {
  const { guests } = await createWorld({ questions: QUESTIONS });
  const { path } = (await visit(guests, { more: { answers: { q1: "한식" } } })).data;
  const body = { questionsVersion: 1, version: 1, answers: { q1: "채식" } };
  expect((await callJson("PATCH", ofLink(path), { body })).data).toEqual({ version: 2 });
  expect(await readValue("SELECT answers FROM event_registration")).toContain("채식");
  expect((await callJson("PATCH", ofLink(path), { body })).code, "a second time").toBe("CONFLICT");
});

test("a guest's place goes to the queue", async () => {
  const { guests, own, author } = await createWorld({ places: 1 });
  const { path } = (await visit(guests)).data;
  expect((await registerAt(author, own)).data.status).toBe("waiting");
  expect((await cancel(path)).code).toBe("SUCCESS");
  expect(await statusOf()).toBe("cancelled");
  expect((await callAs(author, "GET", own)).data.mine.status).toBe("confirmed");
  expect((await cancel(path, 2)).code, "cancelled already").toBe("CONFLICT");
});

test("a waiting guest moves up with a letter", async () => {
  const { guests, own, author } = await createWorld({ places: 1 });
  const { id } = (await registerAt(author, own)).data;
  const { path, status } = (await visit(guests)).data;
  expect(status).toBe("waiting");
  await callAs(author, "POST", `/api/event/registration/${id}/cancel`, { version: 1 });
  expect(await statusOf()).toBe("confirmed");
  for (let times = 0; times < 2; times += 1) await runScheduledJobs(env);
  const letters = (await sentMessages(EMAIL)).filter(({ subject }) => subject.includes("자리가 나서"));
  expect(letters.map(({ body }) => body.includes(path))).toEqual([true]);
});

test("a guest owes a fee under the own name", async () => {
  const { guests, officer } = await createWorld({ fees: FEES });
  await visit(guests, { more: { feeCode: "f1" } });
  const id = await readValue<string>("SELECT id FROM event_registration");
  expect(await readRow("SELECT id, alumni_id, amount, name FROM due")).toEqual({
    id,
    alumni_id: id,
    amount: 50_000,
    name: "김손님",
  });
  const deposit = { alumniId: id, amount: 50_000, day: koreanDay(new Date()) };
  expect((await callAs(officer, "PUT", "/api/admin/due/deposit", deposit)).code).toBe("SUCCESS");
  expect(await readValue("SELECT paid FROM due")).toBe(50_000);
});

test("a fee of a role is no guest's", async () => {
  const { guests } = await createWorld({ fees: [{ code: "f3", name: "임원", amount: 1000, roleCodes: ["editor"] }] });
  const { code, fields } = await visit(guests, { more: { feeCode: "f3" } });
  expect([code, Object.keys(fields)]).toEqual(["INVALID_INPUT", ["feeCode"]]);
});

test("the office sees guests in list, door or export", async () => {
  const { guests, officer, office } = await createWorld();
  await visit(guests);
  const [row] = (await callAs(officer, "GET", `${office}/registration?keyword=visitor`)).data.content;
  expect(row).toMatchObject({ userName: "김손님", contact: EMAIL, isGuest: true });
  const mark = await callAs(officer, "POST", `/api/admin/event/registration/${row.id}/attendance`, { mark: "present" });
  expect(mark.data).toMatchObject({ status: "present", already: false });
});

test("a guest with a place has a name tag", async () => {
  const { guests, officer, office } = await createWorld();
  await visit(guests);
  const printed = await callAs(officer, "POST", `${office}/print-data`, { reason: "이름표", filter: {} });
  expect(printed.data).toMatchObject([{ name: "김손님", affiliation: "" }]);
});

test("a cancelled event writes to its guests", async () => {
  const { guests, officer, office } = await createWorld();
  await visit(guests);
  await callAs(officer, "POST", `${office}/call-off`, { reason: "대관 사정", version: 1 });
  await runScheduledJobs(env);
  expect((await sentMessages(EMAIL)).map(({ subject }) => subject)).toContainEqual(
    expect.stringContaining("행사가 취소되었습니다"),
  );
});

test("the office cancels a guest with a letter", async () => {
  const { guests, officer } = await createWorld();
  await visit(guests);
  const id = await readValue<string>("SELECT id FROM event_registration");
  await callAs(officer, "POST", `/api/admin/event/registration/${id}/cancel`, { reason: "중복", version: 1 });
  expect((await sentMessages(EMAIL))[0]?.body).toContain("사유: 중복");
});

test("no proof of the address is refused by its field", async () => {
  const { guests } = await createWorld();
  const forged = await callJson("POST", guests, {
    body: { userName: "김손님", userKeyToken: "x".repeat(43), questionsVersion: 1 },
  });
  expect([forged.code, Object.keys(forged.fields)]).toEqual(["INVALID_INPUT", ["userKeyToken"]]);
  const { guests: other } = await createWorld();
  const userKeyToken = await createVerifiedToken(EMAIL);
  const body = { userName: "김손님", userKeyToken, questionsVersion: 1 };
  expect((await callJson("POST", guests, { body })).code).toBe("SUCCESS");
  expect((await callJson("POST", other, { body })).fields, "a spent proof").toHaveProperty("userKeyToken");
});

test("an event for members alone refuses guests", async () => {
  const { guests, own } = await createWorld();
  await runSql("UPDATE event SET takes_guests = 0");
  expect((await callJson("GET", own)).data).toMatchObject({ can: { register: false } });
  expect((await visit(guests)).code).toBe("FORBIDDEN");
  expect(await readValue("SELECT count(*) FROM event_registration")).toBe(0);
});

test("a guest sees the own form", async () => {
  const { own } = await createWorld();
  expect((await callJson("GET", own)).data).toMatchObject({ can: { register: true }, isGuest: true, refusal: "" });
});

test("a forged link opens nothing", async () => {
  const { guests } = await createWorld();
  const { path } = (await visit(guests)).data;
  for (const forged of [`${path.slice(0, -2)}xx`, "/mail/event/abc"]) {
    const { code, message } = await cancel(forged);
    expect([code, message]).toEqual(["NOT_FOUND", expect.stringContaining("확인되지 않거나")]);
  }
  expect(await statusOf()).toBe("confirmed");
});

test("the own page hides an item that guests no longer read", async () => {
  const { guests, id } = await createWorld();
  const { path } = (await visit(guests)).data;
  const shown = () => getGuestRegistration(scopeFor(null), tokenOf(path));
  expect(await shown()).toMatchObject({
    userName: "김손님",
    item: { title: "동계 심포지엄" },
    mine: { status: "confirmed" },
  });
  await runSql("UPDATE board_item SET is_secret = 1 WHERE id = ?", id);
  expect((await shown()).item).toMatchObject({ title: "", event: null });
});

test("a link never opens a member's registration", async () => {
  const { guests, own, author } = await createWorld();
  const { path } = (await visit(guests)).data;
  await registerAt(author, own);
  await runSql("UPDATE event_registration SET guest_email = '' WHERE guest_email <> ''");
  expect((await cancel(path)).code).toBe("NOT_FOUND");
});

test("a guest's registration ends ninety days after the event", async () => {
  const { guests, id } = await createWorld();
  const { path } = (await visit(guests)).data;
  const over = (days: number) =>
    runSql("UPDATE board_item SET event_start = ?1, event_end = ?1 WHERE id = ?2", Date.now() - days * 86_400_000, id);
  await over(89);
  await runScheduledJobs(env);
  expect(await statusOf()).toBe("confirmed");
  await over(91);
  await runScheduledJobs(env);
  expect(await readRows("SELECT id FROM event_registration")).toEqual([]);
  expect(await readValue("SELECT count(*) FROM message WHERE user_id LIKE 'guest-%'")).toBe(0);
  expect((await cancel(path)).message, "an expired link").toContain("기한이 지난");
});

/** Registers a guest, to whom a mailing goes out. */
async function mailGuest() {
  const world = await createWorld();
  const { guests, officer, office } = world;
  await visit(guests);
  await runSql("DELETE FROM message");
  const { id } = (await callAs(officer, "POST", `${office}/mailing`, { to: "confirmed" })).data;
  const text = { kind: "informational", subject: "{{이름}}님께", text: "본관 2층입니다.", version: 1 };
  await callAs(officer, "PATCH", `/api/admin/mailing/${id}`, text);
  expect((await callAs(officer, "POST", `/api/admin/mailing/${id}/preview`)).data.count).toBe(1);
  await callAs(officer, "POST", `/api/admin/mailing/${id}/send`, { version: 2, count: 1, reason: "안내" });
  await runScheduledJobs(env);
  return { ...world, mailingId: id };
}

test("a mailing to those who registered reaches a guest", async () => {
  const { officer, mailingId } = await mailGuest();
  expect((await sentMessages(EMAIL)).map(({ subject }) => subject)).toEqual(["김손님님께"]);
  const { content } = (await callAs(officer, "GET", `/api/admin/mailing/${mailingId}/recipient`)).data;
  expect(content).toMatchObject([{ name: "김손님", state: "sent" }]);
});

test("a guest whose registration ended is in no mailing", async () => {
  const { id } = await mailGuest();
  const ended = Date.now() - 91 * 86_400_000;
  await runSql("UPDATE board_item SET event_start = ?1, event_end = ?1 WHERE id = ?2", ended, id);
  await runScheduledJobs(env);
  expect(await readValue("SELECT count(*) FROM mailing_recipient")).toBe(0);
  expect(await readValue("SELECT count(*) FROM message WHERE recipient = ?", EMAIL)).toBe(0);
});

test("a guest who was asked answers by the link", async () => {
  const { guests, officer, office } = await createWorld();
  const { id } = (await callAs(officer, "POST", `${office}/mailing`, { to: "all" })).data;
  const question = { text: "오십니까?", answers: ["예", "아니요"], endDay: "" };
  const text = { kind: "informational", subject: "참석", text: "답해 주십시오.", version: 1, question };
  await visit(guests, { email: "first@example.com" });
  await callAs(officer, "PATCH", `/api/admin/mailing/${id}`, text);
  await callAs(officer, "POST", `/api/admin/mailing/${id}/send`, { version: 2, count: 1, reason: "안내" });
  await runScheduledJobs(env);
  await visit(guests, { email: "later@example.com" });
  const { version } = (await callAs(officer, "GET", `/api/admin/mailing/${id}`)).data;
  const draft = (await callAs(officer, "PUT", `/api/admin/mailing/${id}/question/reminder`, { version })).data;
  expect((await callAs(officer, "POST", `/api/admin/mailing/${draft.id}/preview`)).data.count).toBe(1);
  const token = "g".repeat(43);
  await runSql("UPDATE mailing_recipient SET link_hash = ? WHERE mailing_id = ?", sha256Base64Url(token), id);
  expect((await callJson("POST", `/api/mailing-answer/${token}/1`)).code).toBe("SUCCESS");
  const { content } = (await callAs(officer, "GET", `/api/admin/mailing/${id}/question/person`)).data;
  expect(content).toMatchObject([{ name: "김손님", answer: 1 }]);
});

test("a guest gets a name tag", async () => {
  const { guests, officer, office } = await createWorld();
  await visit(guests);
  const { data } = await callAs(officer, "POST", `${office}/print-data`, { reason: "이름표" });
  expect(data).toMatchObject([{ name: "김손님", affiliation: "" }]);
});

test("figures of an event count guests by themselves", async () => {
  const { guests, author, own, officer, office } = await createWorld();
  await visit(guests);
  await registerAt(author, own);
  const { roles } = (await callAs(officer, "GET", `${office}/figures`)).data;
  expect(roles.map(({ people }: { people: number }) => people)).toEqual([1, 1]);
  expect(roles[0].label).toBe("회원이 아닌 사람");
});

/** A member with the visitor's address. */
async function signUp() {
  const session = await createMemberSession();
  await runSql(
    "UPDATE user_key SET user_key_code = ? WHERE user_id = ? AND user_key_type = 'Email'",
    EMAIL,
    session.user.id,
  );
  return session;
}

test("a guest who signed up later sees the earlier registration", async () => {
  const { guests, own } = await createWorld();
  const { path } = (await visit(guests)).data;
  const member = await signUp();
  expect((await callAs(member, "GET", own)).data).toMatchObject({
    can: { register: false },
    guestPath: path,
    refusal: expect.stringContaining("로그인하지 않고 이미 신청"),
  });
  expect((await registerAt(member, own)).code).toBe("ALREADY_EXISTS");
  await cancel(path);
  expect((await registerAt(member, own)).code).toBe("SUCCESS");
});

test("a registered member cannot come as a guest", async () => {
  const { guests, own } = await createWorld();
  const userKeyToken = await createVerifiedToken(EMAIL);
  await registerAt(await signUp(), own);
  const body = { userName: "김손님", userKeyToken, questionsVersion: 1 };
  const { code, message } = await callJson("POST", guests, { body });
  expect([code, message]).toEqual(["ALREADY_EXISTS", expect.stringContaining("회원으로 이미 신청")]);
});

test("the office adds nobody who registered as a guest", async () => {
  const { guests, officer, office } = await createWorld();
  await visit(guests);
  await signUp();
  const added = await callAs(officer, "POST", `${office}/registration`, { who: EMAIL, reason: "전화" });
  expect(added.code).toBe("ALREADY_EXISTS");
});

test("too many changes of a guest name the address", async () => {
  const { guests } = await createWorld({ questions: QUESTIONS });
  const { path } = (await visit(guests, { more: { answers: { q1: "한식" } } })).data;
  await runSql("UPDATE rate_limit SET count = 60");
  const body = { questionsVersion: 1, version: 1, answers: { q1: "채식" } };
  const { code, message } = await callJson("PATCH", ofLink(path), { body });
  expect([code, message]).toEqual(["TOO_MANY_REQUESTS", expect.stringContaining(EMAIL)]);
});

test("a guest who moves up also hears of a moved event", async () => {
  const { guests, own, office, author, officer } = await createWorld({ places: 1 });
  const { id } = (await registerAt(author, own)).data;
  await visit(guests);
  await callAs(officer, "POST", `${office}/move`, { ...timesAt(96), reason: "대관 사정", version: 1 });
  await callAs(author, "POST", `/api/event/registration/${id}/cancel`, { version: 1 });
  for (let times = 0; times < 2; times += 1) await runScheduledJobs(env);
  const subjects = (await sentMessages(EMAIL)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.includes("일정이 바뀌었습니다"))).toHaveLength(1);
  expect(subjects.filter((subject) => subject.includes("자리가 나서"))).toHaveLength(1);
});

test("a guest of the English page gets English letters", async () => {
  const english = JSON.stringify({ english: ENGLISH_SITE });
  await runSql("INSERT INTO site_setting (key, value, modified_date, version) VALUES ('identity', ?, 1, 1)", english);
  const { guests, office, officer } = await createWorld({ fees: FEES, item: { title: "Winter symposium" } });
  await visit(guests, { more: { feeCode: "f1", language: "en" } });
  await callAs(officer, "POST", `${office}/move`, { ...timesAt(96), place: "Hall B", reason: "No room", version: 1 });
  await runScheduledJobs(env);
  const letters = (await sentMessages(EMAIL)).filter(({ subject }) => subject.includes("Winter"));
  expect(letters.map(({ subject }) => subject).toSorted()).toEqual([
    "[The Network] The date of 'Winter symposium' has changed",
    "[The Network] Your registration for 'Winter symposium' is confirmed",
  ]);
  for (const { body } of letters) expect(body).toContain("/en/mail/event/");
  const all = letters.map(({ body }) => body).join();
  expect(all).toContain("Fee: 정회원, 50,000 won");
  expect(all).toContain("KST, Hall B\n\nBefore the change: ");
});
