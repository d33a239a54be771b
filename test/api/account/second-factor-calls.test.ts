import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callJson, fetchApi } from "../../api-client.ts";
import { CALLS, RECENT_SECOND_FACTOR_CALLS } from "../../calls.ts";
import { samplePath } from "../../sample-paths.ts";
import { advanceClock } from "../../factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createTestRole,
  signInUser,
} from "../../people.ts";
import { SoftwareAuthenticator } from "../../software-authenticator.ts";

const vars = { ...env, SECOND_FACTOR: "required" as const };
const ID = "00000000-0000-4000-8000-000000000000";
const EXPORT_CALL = /\/(?:export|export-data|download-data)(?:\/|$)/;

const callsWhere = (keep: (name: string, access: string) => boolean) =>
  Object.entries(CALLS)
    .filter(([name, access]) => keep(name, access))
    .map(([name]) => {
      const [method = "", path = ""] = name.split(" ");
      return { name, method, path: samplePath(path) };
    });
const closed = callsWhere(
  (name, access) => access === "administrator" || EXPORT_CALL.test(name) || name.includes("/alumni/import"),
);

/** Everything that is stored, but what is counted about who asked. */
async function storedState(): Promise<string> {
  const tables = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT IN ('rate_limit', 'session')",
  ).all<{ name: string }>();
  const names = tables.results.map(({ name }) => name).filter((name) => !/^(?:board|alumni)_search/.test(name));
  const rows = await env.DB.batch(names.map((name) => env.DB.prepare(`SELECT count(*) AS n FROM "${name}"`)));
  return JSON.stringify(rows.map(({ results }, at) => [names[at], results[0]]));
}

const ask = async (method: string, path: string, token: string) => {
  const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
  const response = await fetchApi(method, path, { token, vars, ...body });
  if (!response.headers.get("Content-Type")?.includes("json")) return { status: response.status };
  const { data } = (await response.json()) as { data?: { reason?: string } };
  return { status: response.status, reason: data?.reason };
};

/** A body or path that is none may be said to be that before anybody is looked at: nothing is given, and nothing done. */
const isRefused = (name: string, answer: { status: number; reason?: string }, reason: string) =>
  (answer.status === 403 && answer.reason === reason) ||
  ((answer.status === 400 || answer.status === 404) &&
    answer.reason === undefined &&
    !RECENT_SECOND_FACTOR_CALLS.includes(name));

test("there are console and export calls to try", () => {
  expect(closed.length).toBeGreaterThan(120);
  expect(closed.map(({ name }) => name)).toContain("POST /api/alumni/export-data");
});

test("every console, export and import call refuses whoever must have a second factor and has none", async () => {
  const admin = await createAdministratorSession();
  const permissions = [
    "ADMIN_Access",
    "Alumni_Read",
    "Alumni_Write",
    "Alumni_Delete",
    "Alumni_Export",
    "Alumni_Import",
  ];
  const officer = await createSession({ roleCode: await createTestRole(permissions) });
  const before = await storedState();
  for (const { accessToken } of [admin, officer]) {
    for (const { name, method, path } of closed) {
      const answer = await ask(method, path, accessToken);
      const own = name === "GET /api/user/:id/export";
      expect([name, answer, own || isRefused(name, answer, "SECOND_FACTOR_SETUP")]).toEqual([name, answer, true]);
    }
  }
  expect(await storedState()).toBe(before);
});

test("every one of them refuses a session that has not shown it", async () => {
  const admin = await createAdministratorSession();
  await registerPasskey(admin);
  const pending = await signInUser(admin.user);
  const before = await storedState();
  for (const { name, method, path } of closed) {
    const answer = await ask(method, path, pending.accessToken);
    expect([name, answer, isRefused(name, answer, "SECOND_FACTOR_REQUIRED")]).toEqual([name, answer, true]);
  }
  expect(await storedState()).toBe(before);
});

test("the dangerous calls ask for it again after five minutes, the others do not", async () => {
  const admin = await createAdministratorSession();
  await registerPasskey(admin);
  expect(RECENT_SECOND_FACTOR_CALLS.filter((name) => !(name in CALLS))).toEqual([]);
  // Every export is among them; the file of one is fetched by a ticket that was made a moment before.
  const exports = Object.keys(CALLS).filter((name) => EXPORT_CALL.test(name) && !name.includes(":ticket"));
  expect(exports.filter((name) => !RECENT_SECOND_FACTOR_CALLS.includes(name))).toEqual([]);
  const all = callsWhere(
    (name, access) => name in CALLS && access !== "signed path" && !name.includes("/second-factor/"),
  );
  const asked = async () => {
    const names = [];
    for (const { name, method, path } of all) {
      // These end the session or the account that asks.
      if (/signout|retire$|case-report\/|end-sessions|\/job\//.test(name)) continue;
      if ((await ask(method, path, admin.accessToken)).reason === "SECOND_FACTOR_REQUIRED") names.push(name);
    }
    return names;
  };
  expect(await asked()).toEqual([]);
  advanceClock(5 * 60_000 + 1000);
  expect(await asked()).toEqual(
    all.map(({ name }) => name).filter((name) => RECENT_SECOND_FACTOR_CALLS.includes(name)),
  );
  const recovery = await ask("POST", `/api/admin/second-factor/${ID}/recovery`, admin.accessToken);
  expect(recovery.reason).toBe("SECOND_FACTOR_REQUIRED");
});

test("a member who needs none is asked for none", async () => {
  const member = await createMemberSession();
  advanceClock(20 * 60_000);
  const token = member.accessToken;
  expect((await callJson("GET", `/api/user/${member.user.id}/export`, { token, vars })).code).toBe("SUCCESS");
});

async function registerPasskey({ accessToken: token, user }: Awaited<ReturnType<typeof createMemberSession>>) {
  const passkey = await SoftwareAuthenticator.create(user.id);
  const options = await callJson("POST", "/api/second-factor/passkey-options", { token, body: {} });
  const response = await passkey.attest(options.data.challenge);
  expect((await callJson("POST", "/api/second-factor/passkey", { token, body: { response } })).code).toBe("SUCCESS");
}
