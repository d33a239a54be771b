import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { runScheduledJobs } from "#worker/jobs.ts";
import { openTestEvent, registerAt } from "../../calls/event-world.ts";
import { callAs } from "../../support/api-client.ts";
import { sentMessages } from "../../support/factories.ts";
import { createMemberSession, retireUser } from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";

/** One place, taken by the first of three members. */
async function createQueue() {
  const event = await openTestEvent(await createMemberSession(), { places: 1 });
  const members = [await createMemberSession(), await createMemberSession(), await createMemberSession()] as const;
  for (const member of members) await registerAt(member, event.own);
  const stateOf = (member: (typeof members)[number]) =>
    readValue<string>("SELECT status FROM event_registration WHERE user_id = ?", member.user.id);
  return { ...event, members, stateOf };
}
const closeAccount = (id: string) => runSql("UPDATE user SET status = 'blocked' WHERE id = ?", id);

test("the place of a member who left goes to the queue", async () => {
  const { members, stateOf } = await createQueue();
  const [first, second, third] = members;
  await retireUser(first);
  await runScheduledJobs(env);
  expect(await stateOf(second)).toBe("confirmed");
  expect(await stateOf(third)).toBe("waiting");
  const letters = await sentMessages(second.user.email);
  expect(letters.map(({ subject }) => subject).join()).toContain("자리가 나서 확정되었습니다");
});

test("a closed account gives up its place", async () => {
  const { members, stateOf, own } = await createQueue();
  const [first, second, third] = members;
  await closeAccount(first.user.id);
  await closeAccount(second.user.id);
  await runScheduledJobs(env);
  expect(await stateOf(first)).toBe("cancelled");
  expect(await stateOf(second)).toBe("cancelled");
  expect(await stateOf(third)).toBe("confirmed");
  expect(await readValue("SELECT count(*) FROM audit_log WHERE action = 'event.cancelByOffice'")).toBe(1);
  await runScheduledJobs(env);
  expect((await callAs(third, "GET", own)).data).toMatchObject({ free: 0, waiting: 0 });
});

test("a cancellation passes over closed accounts", async () => {
  const { members, stateOf, id: itemId } = await createQueue();
  const [first, second, third] = members;
  await closeAccount(second.user.id);
  const id = await readValue<string>("SELECT id FROM event_registration WHERE item_id = ? AND turn = 1", itemId);
  await callAs(first, "POST", `/api/event/registration/${id}/cancel`, { version: 1 });
  expect([await stateOf(second), await stateOf(third)]).toEqual(["waiting", "confirmed"]);
});

test("waiting people of closed accounts block no free place", async () => {
  const { members, own } = await createQueue();
  const [first, second, third] = members;
  for (const each of [first, second, third]) await closeAccount(each.user.id);
  await runScheduledJobs(env);
  const other = await createMemberSession();
  expect((await registerAt(other, own, { joinsQueue: false })).data.status).toBe("confirmed");
});

test("a place at an event that is over stays", async () => {
  const { id, members, stateOf } = await createQueue();
  await runSql("UPDATE board_item SET event_start = 1, event_end = ? WHERE id = ?", Date.now() - 1000, id);
  await closeAccount(members[0].user.id);
  await runScheduledJobs(env);
  expect(await stateOf(members[0])).toBe("confirmed");
  expect(await stateOf(members[1])).toBe("waiting");
});
