import { expect, test } from "vitest";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { callAs } from "../../support/api-client.ts";
import { FEES, openTestEvent, registerAt } from "../../calls/event-world.ts";
import { createMemberSession, createSessionWith } from "../../support/people.ts";
import { runSql } from "../../support/test-database.ts";

const RIGHTS = ["ADMIN_Access", "Event_Manage", "Dues_Manage", "Board_free_View", "Board_free_List"];

/** Three people with a place, of whom one paid and one is present; one waits and one cancelled. */
async function createWorld() {
  const officer = await createSessionWith(RIGHTS);
  const opened = await openTestEvent(await createMemberSession(), { fees: FEES, places: 3 });
  const ids: string[] = [];
  for (const feeCode of ["f1", "f1", "f2", "f1", "f1"]) {
    const member = await createMemberSession();
    ids.push((await registerAt(member, opened.own, { feeCode })).data.id);
  }
  const [paid, present, , , cancelled] = ids as [string, string, string, string, string];
  await runSql("UPDATE event_registration SET status = 'cancelled' WHERE id = ?", cancelled);
  await runSql("UPDATE event_registration SET status = 'present' WHERE id = ?", present);
  await callAs(officer, "PUT", "/api/admin/due/deposit", {
    alumniId: paid,
    amount: 50_000,
    day: koreanDay(new Date()),
  });
  return { officer, figuresOf: async () => (await callAs(officer, "GET", `${opened.office}/figures`)).data };
}

const sumOf = (figures: { people: number }[]) => figures.reduce((sum, { people }) => sum + people, 0);

test("the figures of an event count by fee with payments", async () => {
  const { figuresOf } = await createWorld();
  const { counts, fees } = await figuresOf();
  expect(counts).toMatchObject({ waiting: 1, confirmed: 2, present: 1, cancelled: 1 });
  expect(fees).toEqual([
    { label: "정회원", people: 3, placed: 2, present: 1, payers: 1, paid: 50_000 },
    { label: "무료", people: 1, placed: 1, present: 0, payers: 0, paid: 0 },
  ]);
});

test("each part of the figures counts everybody who did not cancel", async () => {
  const { figuresOf } = await createWorld();
  const { roles, affiliations, days } = await figuresOf();
  expect([roles, affiliations, days].map(sumOf)).toEqual([4, 4, 4]);
  expect(days[0].label).toBe(koreanDay(new Date()));
});

test("the figures name the most frequent affiliations", async () => {
  const { figuresOf } = await createWorld();
  const entry = "INSERT INTO alumni (id, name, email, affiliation, created_date, modified_date)";
  await runSql(`${entry} SELECT 'a' || user_id, '홍길동', user_key_code, '가온병원', 1, 1 FROM user_key
    WHERE user_key_type = 'Email' AND user_id IN (SELECT user_id FROM event_registration WHERE status = 'confirmed')`);
  const named = (await figuresOf()).affiliations.map(({ label, people }: { label: string; people: number }) => [
    label,
    people,
  ]);
  expect(named).toEqual([
    ["가온병원", 2],
    ["알 수 없음", 2],
  ]);
});
