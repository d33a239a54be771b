import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import {
  addApplicant,
  addEntry,
  addReview,
  createTestProposal,
  openTestCall,
  turnOnProposals,
} from "../../calls/proposal-world.ts";
import { ADMIN_CALLS, CALLS } from "../../calls/calls.ts";
import { REQUIRED_QUERIES, samplePlace } from "../../calls/sample-paths.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  type TestSession,
} from "../../support/people.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";

const CANARY = "노란부엉이";
const PLACE = "하늘대학교";

async function createClosedProposal() {
  const lead = await createSession({ userName: `김${CANARY}` });
  const callId = await openTestCall({ papers: [{ code: "p1", name: "연구계획서", required: false }] });
  const { id, office, own } = await createTestProposal({ lead, callId, status: "submitted", canary: CANARY });
  await runSql("UPDATE proposal SET number = '2999-777' WHERE id = ?", id);
  await addApplicant(id, "co@pid.example.kr", "바다대학교");
  await env.FILES.put("f/none", CANARY);
  const fileId = crypto.randomUUID();
  await runSql(
    `INSERT INTO file (id, purpose, owner_user_id, file_name, size, content_type, status, storage_key, created_date)
     VALUES (?, 'proposal', ?, ?, 1, 'application/pdf', 'attached', 'f/none', 1)`,
    fileId,
    lead.user.id,
    `${CANARY}.pdf`,
  );
  await runSql(
    "INSERT INTO proposal_file (file_id, proposal_id, paper, sort_order) VALUES (?, ?, 'p1', 0)",
    fileId,
    id,
  );
  const reviewer = await createMemberSession();
  await addReview(id, reviewer, "submitted", { canary: CANARY });
  const clerk = await createAdministratorSession();
  // The history, the log and the letters of a clerk without a conflict.
  await callAs(clerk, "POST", `${office}/reviewer`, { who: (await createMemberSession()).user.email });
  await callAs(clerk, "POST", `${office}/return`, { reason: `사유 ${CANARY}`, version: 2 });
  await callAs(lead, "PATCH", own, {
    title: `뇌졸중 연구${CANARY}`,
    englishTitle: "",
    affiliation: PLACE,
    answers: { q1: CANARY },
    applicants: [{ name: CANARY, email: "co@pid.example.kr", affiliation: "바다대학교" }],
    files: [{ paper: "p1", fileId }],
    version: 3,
  });
  await callAs(clerk, "GET", "/api/admin/proposal");
  return { id, own, fileId, lead, clerk };
}

type Closed = Awaited<ReturnType<typeof createClosedProposal>>;

async function moveBefore(email: string, affiliation: string, days: number) {
  const entry = await addEntry(email, "새 직장");
  const importId = crypto.randomUUID();
  await runSql(
    "INSERT INTO alumni_import (id, file_id, file_name, user_id, mode, inserted, updated, created_date, is_current) VALUES (?, '', '', '', 'upsert', 0, 1, ?, 1)",
    importId,
    Date.now() - days * DAY_MS,
  );
  await runSql(
    `INSERT INTO alumni_before (import_id, alumni_id, "values", version_after) VALUES (?, ?, json_object('affiliation', ?), 2)`,
    importId,
    entry,
    affiliation,
  );
}

/** Each kind of conflict, of a system administrator. */
const CONFLICTS: Record<string, (closed: Closed, person: TestSession) => Promise<unknown>> = {
  "declared by the reviewer": ({ id }, person) => addReview(id, person, "recused"),
  "the affiliation of the lead in the address book": ({ lead }, { user }) =>
    Promise.all([addEntry(lead.user.email, "들꽃의원"), addEntry(user.email, "들꽃 의원")]),
  "the affiliation that the proposal names": (_, { user }) => addEntry(user.email, PLACE),
  "the affiliation of a co-applicant": (_, { user }) => addEntry(user.email, "바다대학교"),
  "an affiliation of two years ago": (_, { user }) => moveBefore(user.email, PLACE, 2 * 365),
  "the earlier affiliation of the lead": async ({ lead }, { user }) => {
    await moveBefore(lead.user.email, "옛날병원", 365);
    await addEntry(user.email, "옛날병원");
  },
};

/** The own account, and another service. */
const OTHERS = /^GET \/api\/(?:user|case-report|admin\/member)/;
const EVERY_READ = Object.keys({ ...ADMIN_CALLS, ...CALLS }).filter(
  (name) => name.startsWith("GET ") && !OTHERS.test(name),
);

/** Each reading call with the proposal in its path, and the exports of the logs. */
async function canariesFor(session: TestSession, { id, fileId, lead }: Closed): Promise<string[]> {
  const leaks: string[] = [];
  const look = async (name: string, answer: Response) => {
    const text = await answer.text();
    if (text.includes(CANARY) || text.includes("2999-777")) leaks.push(name);
  };
  for (const name of EVERY_READ) {
    const path = name.slice(4);
    const places: Record<string, string> = { id: path.startsWith("/api/file") ? fileId : id };
    const address = path.replace(/:(\w+)/g, (_, key: string) => places[key] ?? samplePlace(key));
    const token = session.accessToken;
    await look(name, await fetchApi("GET", address + (REQUIRED_QUERIES[name] ?? ""), { token }));
    if (path === "/api/admin/audit")
      await look(
        `${name} of the lead`,
        await fetchApi("GET", `${address}?subject=${encodeURIComponent(lead.user.email)}&reads=shown`, { token }),
      );
    if (path === "/api/admin/proposal")
      await look(
        `${name} by keyword`,
        await fetchApi("GET", `${address}?keyword=${encodeURIComponent(CANARY)}`, { token }),
      );
  }
  const exported = { filter: { action: "proposal" }, reason: "확인" };
  await look(
    "audit export",
    await fetchApi("POST", "/api/admin/audit/export", { token: session.accessToken, body: exported }),
  );
  return leaks;
}

test("a person without a conflict finds the canaries", async () => {
  const closed = await createClosedProposal();
  const found = await canariesFor(await createAdministratorSession(), closed);
  expect(found).toEqual(
    expect.arrayContaining([
      "GET /api/admin/proposal",
      "GET /api/admin/proposal by keyword",
      "GET /api/admin/proposal/:id",
      "GET /api/admin/message",
      "GET /api/file/:id",
      "GET /api/admin/audit",
      "audit export",
    ]),
  );
});

test.for(Object.entries(CONFLICTS))("%s closes a proposal on every reading call", async ([, makeConflict]) => {
  const closed = await createClosedProposal();
  const person = await createAdministratorSession();
  await makeConflict(closed, person);
  expect(await canariesFor(person, closed)).toEqual([]);
  expect((await callAs(person, "GET", `/api/file/${closed.fileId}`)).code).toBe("NOT_FOUND");
  const { data } = await callAs(person, "GET", "/api/admin/proposal");
  expect([data.totalElements, data.content]).toEqual([0, []]);
});

test.for(Object.entries(CONFLICTS))("%s refuses the person as a reviewer", async ([, makeConflict]) => {
  const closed = await createClosedProposal();
  await runSql("UPDATE proposal SET status = 'submitted' WHERE id = ?", closed.id);
  const person = await createAdministratorSession();
  await makeConflict(closed, person);
  const answer = await callAs(closed.clerk, "POST", `/api/admin/proposal/${closed.id}/reviewer`, {
    who: person.user.email,
  });
  expect([answer.code, Object.keys(answer.fields)]).toEqual(["INVALID_INPUT", ["who"]]);
  expect(
    await readValue("SELECT count(*) FROM proposal_review WHERE user_id = ? AND status = 'asked'", person.user.id),
  ).toBe(0);
});

test("an affiliation of four years ago is no conflict", async () => {
  const closed = await createClosedProposal();
  const person = await createAdministratorSession();
  await moveBefore(person.user.email, PLACE, 4 * 366);
  expect((await callAs(person, "GET", `/api/admin/proposal/${closed.id}`)).code).toBe("SUCCESS");
});

test("a co-applicant of the console sees the applicants' view alone", async () => {
  const closed = await createClosedProposal();
  const person = await createAdministratorSession();
  await addApplicant(closed.id, person.user.email);
  const found = await canariesFor(person, closed);
  expect(found.toSorted()).toEqual(["GET /api/file/:id", "GET /api/proposal", "GET /api/proposal/:id"].toSorted());
  const { data } = await callAs(person, "GET", closed.own);
  expect(data.history.map(({ who }: { who: string }) => who)).toEqual(["", ""].slice(0, data.history.length));
});

test("the log of proposals keeps their content to itself", async () => {
  const { id } = await createClosedProposal();
  const rows = await readRows<{ text: string }>(
    "SELECT reason || coalesce(detail, '') || target_id AS text FROM audit_log WHERE target_type = 'proposal'",
  );
  expect(rows.length).toBeGreaterThan(2);
  expect(rows.filter(({ text }) => text.includes(CANARY))).toEqual([]);
  expect(rows.filter(({ text }) => text.includes(id)).length).toBeGreaterThan(1);
});

test("a site without the desk has none of its calls", async () => {
  const { own, id } = await createClosedProposal();
  await runSql("DELETE FROM site_setting WHERE key = 'identity'");
  const admin = await createAdministratorSession();
  const paths = ["/api/project", "/api/proposal", own, `/api/admin/proposal/${id}`, "/api/admin/proposal-call"];
  const codes = [];
  for (const path of paths) codes.push((await callAs(admin, "GET", path)).code);
  expect(codes).toEqual(paths.map(() => "NOT_FOUND"));
  await turnOnProposals();
  expect((await callAs(admin, "GET", "/api/project")).code).toBe("SUCCESS");
});
