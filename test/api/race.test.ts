import { expect, test } from "vitest";
import { CREATING_CALLS } from "../calls/creating-calls.ts";
import { CONSOLE_INPUTS, changingConsoleCalls, consoleCallOf, createConsoleWorld } from "../calls/console-acts.ts";
import { callApiWith, faultyDatabase } from "../support/faulty-database.ts";
import { sample, SAMPLE_NOTE } from "../support/sample.ts";
import { requirePresent } from "../support/require-present.ts";
import { createAdministratorSession, type TestSession } from "../support/people.ts";

/** Matches a write to any table but counters, sessions and cached answers. */
const WRITE = /(?:insert into|update|delete from)\s+"?(?!rate_limit|kept_answer|session|page_stamp)[a-z_]+/i;

async function raced(
  { accessToken: token }: TestSession,
  other: TestSession,
  method: string,
  path: string,
  body: unknown,
  otherBody = body,
) {
  let first: Awaited<ReturnType<typeof callApiWith>> | undefined;
  const { DB } = faultyDatabase({
    sql: WRITE,
    times: 1,
    when: async () => void (first = await callApiWith({}, method, path, { token: other.accessToken, body: otherBody })),
  });
  const second = await callApiWith({ DB }, method, path, { token, body });
  return { first, second };
}

/** Their rows have a key that the user chooses. */
const CONFLICTING = [
  "PUT /api/admin/setting/agreement",
  "PUT /api/admin/setting/profile-field",
  "PUT /api/admin/role",
  "PUT /api/admin/board",
  "POST /api/admin/board/:boardCode/copy",
  "PUT /api/admin/moving",
];
const kindOf = ([call]: [string, unknown]) => (CONFLICTING.includes(call) ? call : "");

const isAnswered = ({ status }: { status: number }) => status < 500;

test(`two simultaneous creations never give an internal error (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const conflicts: string[] = [];
  for (const [name, sampleOf] of sample(Object.entries(CREATING_CALLS), ([call]) => call, kindOf)) {
    const admin = await createAdministratorSession();
    const other = await createAdministratorSession();
    const { path, body } = await sampleOf(admin);
    const { first, second } = await raced(admin, other, name.slice(0, name.indexOf(" ")), path, body);
    expect.soft(first && isAnswered(first), `${name}: ${first?.code}`).toBe(true);
    expect.soft(isAnswered(second), `${name}: ${second.code}`).toBe(true);
    if (second.status === 409) conflicts.push(name);
  }
  expect(conflicts).toEqual(expect.arrayContaining(CONFLICTING));
});

test("a call that loses a race is a conflict", async () => {
  for (const [name, sampleOf] of Object.entries(CREATING_CALLS)) {
    const admin = await createAdministratorSession();
    const { path, body } = await sampleOf(admin);
    const message = "D1_ERROR: UNIQUE constraint failed: index 'somebody_first': SQLITE_CONSTRAINT";
    const { DB, broke } = faultyDatabase({ sql: WRITE, when: "before", times: 1, message });
    const answer = await callApiWith({ DB }, name.slice(0, name.indexOf(" ")), path, {
      token: admin.accessToken,
      body,
    });
    expect.soft([broke(), isAnswered(answer)], `${name}: ${answer.code}`).toEqual([1, true]);
  }
});

test("the second of two publishing administrators gets a conflict", async () => {
  const admin = await createAdministratorSession();
  const other = await createAdministratorSession();
  const sampleOf = CREATING_CALLS["PUT /api/admin/setting/agreement"];
  const { path, body } = await requirePresent(sampleOf)(admin);
  const { first, second } = await raced(admin, other, "PUT", path, body, { ...body, version: "2" });
  expect([first?.code, second.code]).toEqual(["SUCCESS", "CONFLICT"]);
});

test(`two simultaneous changes of a setting never fail internally (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const world = await createConsoleWorld();
  const other = await createAdministratorSession();
  let races = 0;
  const changing = changingConsoleCalls.filter((call) => call in CONSOLE_INPUTS && !call.endsWith("/export"));
  const asked = sample(changing, (call) => call);
  for (const name of asked) {
    const [method, path, { body }] = consoleCallOf(name, undefined, world) as [string, string, { body?: unknown }];
    const { first, second } = await raced(world.admin, other, method, path, body);
    races += first ? 1 : 0;
    expect.soft(!first || isAnswered(first), `${name}: ${first?.code}`).toBe(true);
    expect.soft(isAnswered(second), `${name}: ${second.code}`).toBe(true);
  }
  expect(races).toBeGreaterThan(asked.length / 2);
});
