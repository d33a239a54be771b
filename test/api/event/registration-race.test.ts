import { expect, test } from "vitest";
import { FEES, openTestEvent, registerAt } from "../../calls/event-world.ts";
import { callAs } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createUser,
  signInUser,
  type TestSession,
} from "../../support/people.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";
import { FIRST_SEED, isFull } from "../../support/sample.ts";

const createMembers = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => signInUser(await createUser())));

interface Row {
  user_id: string;
  status: string;
  turn: number;
}
const rowsOf = (id: number) =>
  readRows<Row>("SELECT user_id, status, turn FROM event_registration WHERE item_id = ? ORDER BY turn", id);

const MEMBERS = 12;
const PLACES = MEMBERS / 3;

test("many registrations at once take each place once", async () => {
  const admin = await createAdministratorSession();
  const { id, own } = await openTestEvent(admin, { places: PLACES });
  const members = await createMembers(MEMBERS);
  const answers = await Promise.all(members.map((member) => registerAt(member, own)));
  expect(answers.map(({ code }) => code)).toEqual(members.map(() => "SUCCESS"));
  const rows = await rowsOf(id);
  expect(rows.map(({ status }) => status)).toEqual(rows.map((_, at) => (at < PLACES ? "confirmed" : "waiting")));
  expect(new Set(rows.map(({ user_id: userId }) => userId)).size).toBe(MEMBERS);
});

test("cancellations at once move up as many, in order of arrival", async () => {
  const admin = await createAdministratorSession();
  const { id, own } = await openTestEvent(admin, { places: PLACES });
  const members = await createMembers(MEMBERS);
  const made: { id: string; member: TestSession }[] = [];
  for (const member of members) made.push({ id: (await registerAt(member, own)).data.id, member });
  const late = await createMemberSession();
  await Promise.all([
    ...made
      .slice(0, PLACES)
      .map((each) => callAs(each.member, "POST", `/api/event/registration/${each.id}/cancel`, { version: 1 })),
    registerAt(late, own),
  ]);
  const rows = await rowsOf(id);
  const placed = rows.filter(({ status }) => status === "confirmed").map(({ user_id: userId }) => userId);
  expect(placed).toEqual(made.slice(PLACES, 2 * PLACES).map(({ member }) => member.user.id));
  expect(rows.find(({ user_id: userId }) => userId === late.user.id)?.status).toBe("waiting");
});

test("a person registers once, however often at once", async () => {
  const admin = await createAdministratorSession();
  const { own } = await openTestEvent(admin);
  const member = await createMemberSession();
  const answers = await Promise.all([1, 2, 3].map(() => registerAt(member, own)));
  expect(answers.map(({ code }) => code).toSorted()).toEqual(["ALREADY_EXISTS", "ALREADY_EXISTS", "SUCCESS"]);
  expect(await readValue("SELECT count(*) FROM event_registration")).toBe(1);
});

/** The rules of the desk in a few lines. */
class Model {
  readonly places: number;
  placed: number[] = [];
  queue: number[] = [];
  readonly fees = new Map<number, number>();
  constructor(places: number) {
    this.places = places;
  }
  register(who: number, fee: number): void {
    if (this.placed.includes(who) || this.queue.includes(who)) return;
    this.fees.set(who, fee);
    if (this.placed.length < this.places && this.queue.length === 0) this.placed.push(who);
    else this.queue.push(who);
  }
  /** Only who has a place owes. */
  owed(): number {
    return this.placed.reduce((sum, who) => sum + (this.fees.get(who) ?? 0), 0);
  }
  cancel(who: number): void {
    this.queue = this.queue.filter((each) => each !== who);
    this.placed = this.placed.filter((each) => each !== who);
    while (this.placed.length < this.places && this.queue.length > 0) this.placed.push(this.queue.shift() as number);
  }
}

const SEED = FIRST_SEED;
const SEQUENCES = isFull ? 2000 : 5;

test(`random sequences match a model (seed ${SEED})`, { tags: "sampled", timeout: 900_000 }, async () => {
  const admin = await createAdministratorSession();
  const members = await createMembers(5);
  let state = SEED;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const { id, own } = await openTestEvent(admin, { places: 2, fees: FEES });
  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    await runSql("DELETE FROM event_registration");
    await runSql("DELETE FROM rate_limit");
    const model = new Model(2);
    for (let step = 0; step < 8; step += 1) {
      const who = random(members.length);
      const member = members[who] as TestSession;
      const [open] = await readRows<{ id: string; version: number }>(
        "SELECT id, version FROM event_registration WHERE user_id = ? AND status <> 'cancelled'",
        member.user.id,
      );
      if (random(3) > 0 || !open) {
        const { code, amount } = FEES[random(FEES.length)] as (typeof FEES)[number];
        await registerAt(member, own, { feeCode: code });
        model.register(who, amount);
      } else {
        await callAs(member, "POST", `/api/event/registration/${open.id}/cancel`, { version: open.version });
        model.cancel(who);
      }
    }
    const numberOf = (userId: string) => members.findIndex(({ user }) => user.id === userId);
    const rows = await rowsOf(id);
    const inState = (wanted: string) =>
      rows.filter(({ status }) => status === wanted).map(({ user_id: userId }) => numberOf(userId));
    expect(inState("waiting"), `sequence ${sequence}`).toEqual(model.queue);
    expect(inState("confirmed").toSorted(), `sequence ${sequence}`).toEqual(model.placed.toSorted());
    expect(await readValue("SELECT coalesce(sum(amount), 0) FROM due"), `sequence ${sequence}`).toBe(model.owed());
  }
});
