import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { callAs } from "../../support/api-client.ts";
import { openTestEvent, registerAt } from "../../calls/event-world.ts";
import { sentMessages } from "../../support/factories.ts";
import { createMemberSession, type TestSession } from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";

async function createWorld({
  places = null,
  reminderDays = 3,
}: { places?: number | null; reminderDays?: number } = {}) {
  const author = await createMemberSession();
  const opened = await openTestEvent(author, { places });
  await runSql("UPDATE event SET reminder_days = ?", reminderDays);
  const member = await createMemberSession();
  const { id: registration } = (await registerAt(member, opened.own)).data;
  return { author, member, registration, ...opened };
}

const reminders = async ({ user }: TestSession) =>
  (await sentMessages(user.email)).filter(({ subject }) => subject.includes("곧 열리는"));

test("those with a place are reminded once", async () => {
  const { author, member, id, own } = await createWorld({ places: 1 });
  await registerAt(author, own);
  for (let times = 0; times < 3; times += 1) await runScheduledJobs(env);
  const [letter, ...more] = await reminders(member);
  expect(more).toEqual([]);
  expect(letter?.body).toContain("/Ticket/");
  expect(await reminders(author), "who waits").toEqual([]);
  await runSql(
    "UPDATE board_item SET event_start = event_start + ?1, event_end = event_end + ?1 WHERE id = ?2",
    DAY_MS,
    id,
  );
  await runScheduledJobs(env);
  expect(await reminders(member), "after the event moved").toHaveLength(1);
});

test("a reminder is recorded with its people", async () => {
  const { member } = await createWorld();
  for (let times = 0; times < 2; times += 1) await runScheduledJobs(env);
  expect(await readRows("SELECT target_id, subject_count FROM audit_log WHERE action = 'event.letter'")).toMatchObject([
    { subject_count: 1 },
  ]);
  expect(await readValue("SELECT ids FROM audit_subject ORDER BY audit_id DESC")).toContain(member.user.id);
});

test("nobody is reminded before the day", async () => {
  const { member } = await createWorld({ reminderDays: 1 });
  await runScheduledJobs(env);
  expect(await reminders(member)).toEqual([]);
});

test("a cancelled event reminds nobody", async () => {
  const { member, id } = await createWorld();
  await runSql("UPDATE board_item SET is_event_cancelled = 1 WHERE id = ?", id);
  await runScheduledJobs(env);
  expect(await reminders(member)).toEqual([]);
});

test("a cancelled registration gets no reminder", async () => {
  const { member, registration } = await createWorld();
  await callAs(member, "POST", `/api/event/registration/${registration}/cancel`, { version: 1 });
  await runScheduledJobs(env);
  expect(await reminders(member)).toEqual([]);
});

test("a closed account gets no reminder", async () => {
  const { member } = await createWorld();
  await runSql("UPDATE user SET status = 'blocked' WHERE id = ?", member.user.id);
  await runScheduledJobs(env);
  expect(await reminders(member)).toEqual([]);
});

test("the dead get no reminder", async () => {
  const { member } = await createWorld();
  await runSql(
    "INSERT INTO alumni (id, name, email, search_all, state, created_date, modified_date) VALUES ('a1', '강다석', ?, '', '작고', 1, 1)",
    member.user.email,
  );
  await runScheduledJobs(env);
  expect(await reminders(member)).toEqual([]);
});
