import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { api } from "#worker/api/app.ts";
import { createUser, TEST_PASSWORD, type TestUser } from "../../support/people.ts";
import { MESSAGE_HOSTS, messageTaken, stubMessageHosts } from "../../hosts/message-hosts.ts";
import { runInvocation } from "../../support/platform-meter.ts";
import { createSignupSettings } from "../../support/factories.ts";
import { tripsDatabase } from "../../support/faulty-database.ts";

// No account call reveals membership by text, size, headers or database round trips, apart from noted exceptions.

/** Observable parts of an answer; random values are reduced to their length. */
interface Seen {
  status: number;
  headers: [name: string, length: number][];
  body: string;
  trips: string[];
}

const shapeOf = (text: string) =>
  text.replaceAll(/"[\w-]{16,}"|\d{4}-\d\d-\d\dT[\d:.]+Z/g, (found) => "·".repeat(found.length));

async function see(address: string, path: string, body: object): Promise<Seen> {
  const { DB, trips } = tripsDatabase();
  const execution = createExecutionContext();
  const headers = { "Content-Type": "application/json", "CF-Connecting-IP": address };
  const request = new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const response = await runInvocation(() => api.fetch(request, { ...env, ...MESSAGE_HOSTS, DB }, execution));
  // Background work is not observable.
  const waited = trips();
  const text = await response.text();
  await waitOnExecutionContext(execution);
  return {
    status: response.status,
    headers: [...response.headers].map(([name, value]) => [name, value.length]),
    body: shapeOf(text),
    trips: waited,
  };
}

const CALLS: [what: string, path: string, body: (email: string, person: TestUser) => object][] = [
  ["the code of a sign-up", "/api/user-key/check", (userKeyCode) => ({ userKeyType: "Email", userKeyCode })],
  ["the way to a new password", "/api/user/reset-password-token", (email) => ({ email })],
  [
    "the ID, without the name that belongs to the address",
    "/api/user/find-id",
    (email) => ({ userName: "가나다", email }),
  ],
];

test.each(CALLS)("%s: a member's address is the same to strangers as nobody's", async (_what, path, body) => {
  await createSignupSettings();
  stubMessageHosts(messageTaken);
  const person = await createUser({ userName: "홍길동" });
  const nobody = `nobod${person.email.slice(5)}`;
  expect(nobody).toHaveLength(person.email.length);
  const first = await see("203.0.113.1", path, body("warmup@pid.example.kr", person));
  const known = await see("203.0.113.2", path, body(person.email, person));
  const unknown = await see("203.0.113.3", path, body(nobody, person));
  expect(known).toEqual(unknown);
  expect(first.trips.length).toBeGreaterThan(0);
});

test("sign-in does not show whether an account is blocked", async () => {
  const person = await createUser({ userName: "홍길동" });
  const signin = (userKeyCode: string, address: string) =>
    see(address, "/api/user/signin", { userKeyType: "Id", userKeyCode, password: `${TEST_PASSWORD}x` });
  const known = await signin(person.userId, "203.0.113.2");
  const unknown = await signin("nobody", "203.0.113.3");
  expect(unknown.trips.length).toBe(known.trips.length);
  const withdrawn = await createUser({ status: "blocked" });
  const blocked = await signin(withdrawn.userId, "203.0.113.4");
  expect(blocked).toEqual(known);
});
