import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callJson, fetchApi } from "../../support/api-client.ts";
import { CALLS, SAMPLE_CALLS } from "../../calls/calls.ts";
import { WITHOUT_SECOND_FACTOR_AGAIN, RECENT_SECOND_FACTOR_CALLS } from "../../calls/second-factor-calls.ts";
import { advanceClock } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  signInUser,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { REQUIRED_QUERIES, samplePlace } from "../../calls/sample-paths.ts";
import { addPasskey } from "../../calls/second-factor-acts.ts";
import { countAllRows } from "../../support/test-database.ts";

const vars = { ...env, SECOND_FACTOR: "required" as const };
const EXPORT_CALL = /\/(?:export|export-data|download-data|print-data)(?:\/|$)/;

/** With the required input, so that only access can be refused. */
const callsWhere = (keep: (name: string, access: string) => boolean) =>
  SAMPLE_CALLS.filter(({ name, access }) => keep(name, access)).map((call) => ({
    ...call,
    path: `${call.path}${REQUIRED_QUERIES[call.name] ?? ""}`,
  }));
const closed = callsWhere(
  (name, access) => access === "administrator" || EXPORT_CALL.test(name) || /\/alumni\/(?:import|print)/.test(name),
);

/** A kind for each area of the API. */
const areaOf = ({ name }: { name: string }) => name.split("/")[3] ?? "";
const asked = sample(closed, ({ name }) => name, areaOf);

const ask = async (method: string, path: string, token: string) => {
  const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
  const response = await fetchApi(method, path, { token, vars, ...body });
  if (!response.headers.get("Content-Type")?.includes("json")) return { status: response.status };
  const { data } = (await response.json()) as { data?: { reason?: string } };
  return { status: response.status, reason: data?.reason };
};

const TICKET_CALL = "GET /api/alumni/export-data/:ticket";
/** Path of an export created before a second factor was required. */
async function exportPath({ accessToken: token }: TestSession): Promise<string> {
  const body = { filter: { keyword: "없는 사람" }, format: "csv", count: 0, reason: "확인" };
  const url = (await callJson("POST", "/api/alumni/export-data", { token, body })).data.url as string;
  const response = await fetchApi("GET", url, { token });
  await response.arrayBuffer();
  expect(response.status).toBe(200);
  return url;
}

test("more than 120 calls require the second factor", () => {
  expect(closed.length).toBeGreaterThan(120);
  expect(closed.map(({ name }) => name)).toContain("POST /api/alumni/export-data");
});

test(`guarded calls refuse accounts without their required factor (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const admin = await createAdministratorSession();
  const permissions = [
    "Alumni_Delete",
    "Alumni_Export",
    "Alumni_Import",
    "Alumni_Read",
    "Alumni_Write",
    "ADMIN_Access",
    "Dues_Manage",
    "Inquiry_Answer",
  ];
  const officer = await createSessionWith(permissions);
  const ticketPaths = new Map([
    [admin, await exportPath(admin)],
    [officer, await exportPath(officer)],
  ]);
  const before = await countAllRows();
  for (const person of [admin, officer]) {
    for (const { name, method, path } of asked) {
      const address = name === TICKET_CALL ? (ticketPaths.get(person) ?? "") : path;
      const answer = await ask(method, address, person.accessToken);
      const refusal = name === TICKET_CALL ? { status: 404 } : { status: 403, reason: "SECOND_FACTOR_SETUP" };
      expect([name, answer]).toEqual([name, refusal]);
    }
  }
  expect(await countAllRows()).toEqual(before);
});

test(`every such call needs a verified second factor (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const admin = await createAdministratorSession();
  const ticketPath = await exportPath(admin);
  await addPasskey(admin);
  const pending = await signInUser(admin.user);
  const before = await countAllRows();
  for (const { name, method, path } of asked) {
    const answer = await ask(method, name === TICKET_CALL ? ticketPath : path, pending.accessToken);
    expect([name, answer]).toEqual([name, { status: 403, reason: "SECOND_FACTOR_REQUIRED" }]);
  }
  expect(await countAllRows()).toEqual(before);
});

test("every changing console call requires the second factor again", () => {
  const changing = Object.entries(CALLS).filter(
    ([name, access]) => access === "administrator" && !name.startsWith("GET "),
  );
  const reasons = Object.values(WITHOUT_SECOND_FACTOR_AGAIN).flat();
  expect(reasons.filter((name) => !(name in CALLS) || RECENT_SECOND_FACTOR_CALLS.includes(name))).toEqual([]);
  expect(
    changing
      .map(([name]) => name)
      .filter((name) => !RECENT_SECOND_FACTOR_CALLS.includes(name) && !reasons.includes(name)),
  ).toEqual([]);
});

test(`dangerous calls require the second factor again later (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const admin = await createAdministratorSession();
  await addPasskey(admin);
  expect(RECENT_SECOND_FACTOR_CALLS.filter((name) => !(name in CALLS))).toEqual([]);
  const exports = Object.keys(CALLS).filter((name) => EXPORT_CALL.test(name) && !name.includes(":ticket"));
  expect(exports.filter((name) => !RECENT_SECOND_FACTOR_CALLS.includes(name))).toEqual([]);
  const all = sample(
    callsWhere((name, access) => name in CALLS && access !== "signed path" && !name.includes("/second-factor/")),
    ({ name }) => name,
    ({ name }) => `${RECENT_SECOND_FACTOR_CALLS.includes(name)}`,
  );
  const readAsked = async () => {
    const names = [];
    for (const { name, method, path } of all) {
      // These end the calling session or account, or call an external host.
      if (/signout|retire$|case-report\/|end-sessions/.test(name)) continue;
      if ((await ask(method, path, admin.accessToken)).reason === "SECOND_FACTOR_REQUIRED") names.push(name);
    }
    return names;
  };
  expect(await readAsked()).toEqual([]);
  advanceClock(5 * 60_000 + 1000);
  expect(await readAsked()).toEqual(
    all.map(({ name }) => name).filter((name) => RECENT_SECOND_FACTOR_CALLS.includes(name)),
  );
  const recovery = await ask("POST", `/api/admin/second-factor/${samplePlace("id")}/recovery`, admin.accessToken);
  expect(recovery.reason).toBe("SECOND_FACTOR_REQUIRED");
});

test("a member who needs no second factor is never asked for one", async () => {
  const member = await createMemberSession();
  advanceClock(20 * 60_000);
  const token = member.accessToken;
  expect((await callJson("GET", `/api/user/${member.user.id}/export`, { token, vars })).code).toBe("SUCCESS");
});
