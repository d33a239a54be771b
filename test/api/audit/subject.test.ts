import { createTestProposal } from "../../calls/proposal-world.ts";
import { openTestEvent, registerAt } from "../../calls/event-world.ts";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { AUDIT_READ_ACTIONS } from "#worker/contract/kernel/audit-actions.ts";
import { getMergePage } from "#worker/domain/alumni/merge.server.ts";
import { importAlumniFile } from "../../samples/alumni-files.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { openRequestScope } from "../../support/open-scope.ts";
import { explainStatements, findFullScans } from "../../support/query-plans.ts";
import { callApiWith } from "../../support/faulty-database.ts";
import { advanceClock, createTestMailing } from "../../support/factories.ts";
import { createAdministratorSession, createSession, type TestSession } from "../../support/people.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";
import { createEntry, createRepresentative, propose } from "../alumni/cohorts.ts";
import { mailingCall, sendTestMailing } from "../mailing/people.ts";
import { startTestRound } from "../mailing/rounds.ts";

const LIST = "/api/admin/audit";
const PERSON = { name: "남궁찾음", cohort: 7, mobile: "010-2345-6789" };
const OTHER = "제갈남음";

interface World {
  office: TestSession;
  member: TestSession;
  /** The member's entry in the address book, of the verified address. */
  id: string;
  entry: typeof PERSON & { email: string };
  /** Names of another member, who is in no act. */
  others: string[];
}

let world: World;
beforeEach(async () => {
  const office = await createAdministratorSession();
  const member = await createSession({ userName: PERSON.name });
  const other = await createSession({ userName: OTHER });
  const { email } = member.user;
  const id = await createEntry(office, { ...PERSON, email });
  const otherId = await createEntry(office, { name: OTHER, cohort: 8, email: other.user.email });
  world = {
    office,
    member,
    id,
    entry: { ...PERSON, email },
    others: [OTHER, other.user.email, other.user.userId, otherId],
  };
});

const ask = async (session: TestSession, method: string, path: string, body?: object) => {
  const answer = await callAs(session, method, path, body);
  if (answer.code !== "SUCCESS") throw new Error(`${method} ${path}: ${answer.code} ${JSON.stringify(answer.fields)}`);
  return answer.data;
};
const remove = ({ office, id }: World) => ask(office, "POST", "/api/alumni/delete-data", { ids: [id] });
const chosen = ({ id }: World) => ({ source: "alumni" as const, target: { ids: [id] } });
const inCohort = { filter: { cohort: PERSON.cohort } };
async function merge(to: World) {
  const twin = await createEntry(to.office, { ...to.entry, mobile: "" });
  const people = [to.id, twin].map((id) => ({ id, version: 1 }));
  return ask(to.office, "POST", "/api/alumni/merge", { keepId: to.id, people });
}
const importPerson = async ({ office, entry: { name, email } }: World) =>
  (await importAlumniFile(office, "명단.csv", `이름,기수,이메일,부서\n${name},7,${email},총무부\n`)).data
    .importId as string;
const request = async ({ member }: World) =>
  (await ask(member, "POST", "/api/user/privacy-request", { kind: "access", content: "보여 주십시오." })).id as string;
const inquire = async ({ member }: World) =>
  (await ask(member, "POST", "/api/inquiry", { category: "other", subject: "문의", content: "여쭙니다." }))
    .id as string;

/** Looks of the office at the person, by audit action. */
const LOOKS: Record<string, (to: World) => Promise<unknown>> = {
  "alumni.list": ({ office }) => ask(office, "GET", "/api/alumni?cohort=7"),
  "alumni.preview": ({ office, id }) =>
    ask(office, "POST", "/api/alumni/bulk", { segment: { ids: [id] }, set: { position: "과장" } }),
  "alumni.held": async ({ office, id }) => [
    await runSql("UPDATE alumni SET email_hold = '' WHERE id = ?", id),
    await ask(office, "GET", "/api/admin/correction/held"),
  ],
  "alumni.bin": async (to) => [await remove(to), await ask(to.office, "GET", "/api/alumni/bin")],
  "alumni.duplicates": async (to) => [
    await createEntry(to.office, { ...to.entry, mobile: "" }),
    await ask(to.office, "GET", "/api/alumni/duplicate"),
  ],
  "alumni.compare": async (to) => {
    const twin = await createEntry(to.office, to.entry);
    const deferred: Promise<unknown>[] = [];
    const scope = openRequestScope({
      request: new Request("http://localhost/"),
      env,
      credential: { token: to.office.accessToken },
      requestId: "test",
      defer: (work) => deferred.push(work),
    });
    await getMergePage(await scope.context(), [to.id, twin]);
    return Promise.all(deferred);
  },
  "alumni.cohort": async ({ office }) =>
    ask(await createRepresentative(office, 7), "GET", "/api/cohort?cohort=7&shown=all"),
  "alumni.proposals": async ({ office, id }) => [
    await propose(await createRepresentative(office, 7), id, { affiliation: "가람의원" }),
    await ask(office, "GET", "/api/admin/correction"),
  ],
  "certificate.list": async ({ office, member }) => [
    await ask(member, "PUT", "/api/certificate", { purpose: "제출" }),
    await ask(office, "GET", "/api/certificate/issued"),
  ],
  "due.list": async ({ office, id }) => [
    await runSql(
      "INSERT INTO due (id, alumni_id, kind_id, period, amount, work_id, created_date, modified_date) VALUES ('d', ?, 'k', '2026', 50000, '', 1, 1)",
      id,
    ),
    await ask(office, "GET", "/api/admin/due"),
  ],
  "deposit.list": ({ office }) =>
    ask(office, "GET", `/api/admin/due/deposit/people?name=${encodeURIComponent(PERSON.name)}`),
  "mailing.preview": async (to) =>
    mailingCall(to.office, await createTestMailing(to.office, chosen(to), {}), "preview"),
  "mailing.view": async (to) =>
    ask(to.office, "GET", `/api/admin/mailing/${await sendTestMailing(to.office, chosen(to))}/recipient`),
  "round.view": async ({ office }) =>
    ask(office, "GET", `/api/admin/round/${await startTestRound(office, { target: inCohort })}/person`),
  "member.list": ({ office }) => ask(office, "GET", `/api/admin/member?keyword=${encodeURIComponent(PERSON.name)}`),
  "member.view": ({ office, member }) => ask(office, "GET", `/api/admin/member/${member.user.id}`),
  "user.view": ({ office, member }) => ask(office, "GET", `/api/user/${member.user.id}`),
  "user.sessions": ({ office, member }) => ask(office, "GET", `/api/user/${member.user.id}/sessions`),
  "privacy.list": async (to) => [await request(to), await ask(to.office, "GET", "/api/admin/privacy/request")],
  "privacy.view": async (to) => ask(to.office, "GET", `/api/admin/privacy/request/${await request(to)}`),
  "event.list": async ({ office, member }) => {
    const event = await openTestEvent(member);
    await registerAt(member, event.own);
    return ask(office, "GET", `${event.office}/registration`);
  },
  "proposal.list": async ({ office, member }) => {
    await createTestProposal({ lead: member, status: "submitted" });
    return ask(office, "GET", "/api/admin/proposal");
  },
  "proposal.view": async ({ office, member }) =>
    ask(office, "GET", (await createTestProposal({ lead: member, status: "submitted" })).office),
  "inquiry.list": async (to) => [await inquire(to), await ask(to.office, "GET", "/api/admin/inquiry")],
  "inquiry.view": async (to) => ask(to.office, "GET", `/api/admin/inquiry/${await inquire(to)}`),
  "retention.list": async (to) => {
    await remove(to);
    advanceClock(400 * 86_400_000);
    return ask(await createAdministratorSession(), "GET", "/api/admin/privacy/retention/alumni-bin");
  },
};

/** Looks at the reader, at nobody or at administrators. */
const LOOKS_AT_NOBODY = [
  "signin",
  "signout",
  "second-factor.verify",
  "second-factor.list",
  "setting.import-preview",
  "alumni.figures",
  "audit.list",
  "audit.subjects",
];

/** Uses of the person's data, by audit action. */
const USES: Record<string, (to: World) => Promise<unknown>> = {
  "alumni.print": ({ office, id }) =>
    ask(office, "POST", "/api/alumni/print-data", {
      segment: { ids: [id] },
      kind: "card",
      columns: ["name"],
      order: "name",
      reason: "총회",
    }),
  "alumni.export": ({ office }) =>
    ask(office, "POST", "/api/alumni/export-data", { filter: { cohort: 7 }, count: 1, reason: "총회" }),
  "member.export": ({ office }) =>
    fetchApi("POST", "/api/admin/member/export", {
      token: office.accessToken,
      body: { format: "csv", reason: "보고", filter: { keyword: PERSON.name } },
    }),
  "alumni.import": importPerson,
  "alumni.undoImport": async (to) => ask(to.office, "POST", `/api/alumni/import/${await importPerson(to)}/undo`, {}),
  "alumni.merge": merge,
  "alumni.undoMerge": async (to) => ask(to.office, "POST", `/api/alumni/merge/${(await merge(to)).mergeId}/undo`, {}),
  "alumni.delete": remove,
  "alumni.restore": async (to) => [
    await remove(to),
    await ask(to.office, "POST", "/api/alumni/restore-data", { ids: [to.id] }),
  ],
  "alumni.destroy": async (to) => [
    await remove(to),
    await ask(to.office, "POST", "/api/alumni/destroy-data", { ids: [to.id] }),
  ],
  "alumni.not-duplicate": async ({ office, id, entry }) =>
    ask(office, "POST", "/api/alumni/distinct", { ids: [id, await createEntry(office, entry)], distinct: true }),
  "mailing.send": (to) => sendTestMailing(to.office, chosen(to)),
  "round.start": ({ office }) => startTestRound(office, { target: inCohort }),
  "round.remind": async ({ office }) => {
    await startTestRound(office, { target: inCohort });
    advanceClock(15 * 86_400_000);
    return runScheduledJobs(env);
  },
  "certificate.issue": ({ office, id }) =>
    ask(office, "PUT", "/api/certificate/issued", { alumniId: id, reason: "전화로 청함" }),
  "privacy.request": request,
  "inquiry.submit": inquire,
};

/** Names of a person in the search. The ID leads to the account, and from there to the entry of the same address. */
const knownAs = ({ id, entry, member }: World) => [entry.name, entry.email, entry.mobile, id, member.user.userId];

async function foundActions(subject: string): Promise<string[]> {
  const reader = await createAdministratorSession();
  const found = await ask(reader, "GET", `${LIST}?reads=shown&size=100&subject=${encodeURIComponent(subject)}`);
  return (found.content as { action: string }[]).map(({ action }) => action);
}

test("each kind of look at people is acted here", () => {
  const people = AUDIT_READ_ACTIONS.filter((action) => !LOOKS_AT_NOBODY.includes(action));
  expect([...new Set(people)].toSorted()).toEqual(Object.keys(LOOKS).toSorted());
});

const ACTS = sample(
  Object.entries({ ...LOOKS, ...USES }),
  ([action]) => action,
  ([action]) => action.split(".")[0] ?? "",
);
for (const [action, act] of ACTS)
  test(
    `${action} is found by any identifier of the person (${SAMPLE_NOTE})`,
    {
      tags: "sampled",
    },
    async () => {
      await act(world);
      const known = action === "alumni.destroy" ? [world.id] : knownAs(world);
      for (const subject of known)
        expect([subject, await foundActions(subject)]).toEqual([subject, expect.arrayContaining([action])]);
      if (!["privacy.list", "inquiry.list", "certificate.list"].includes(action))
        for (const subject of world.others)
          expect([subject, await foundActions(subject)]).not.toEqual([subject, expect.arrayContaining([action])]);
    },
  );

test("the search by a person reads indexes alone", async () => {
  const plans = await explainStatements(async (DB) => {
    const answer = await callApiWith(
      { ...env, DB } as never,
      "GET",
      `${LIST}?subject=${encodeURIComponent(PERSON.name)}`,
      {
        token: world.office.accessToken,
      },
    );
    expect(answer.code).toBe("SUCCESS");
  });
  expect(plans.filter((plan) => /SEARCH a USING PRIMARY KEY \(subject_id=\?\)/.test(plan))).toHaveLength(2);
  expect(plans.filter((plan) => /audit_log_target \(target_type=\? AND target_id=\?\)/.test(plan))).toHaveLength(2);
  // Small: people found by the search, the proposals of the site, the addresses of one account.
  const small = ["named", "person", "p", "own_address", "own_place"];
  expect(findFullScans(plans).filter((table) => !small.includes(table))).toEqual([]);
});

test("the people of an act are stored once each", async () => {
  await runSql(
    `INSERT INTO alumni (id, name, created_date, modified_date)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) SELECT printf('p%05d', i), '김', 1, 1 FROM n`,
  );
  await ask(world.office, "POST", "/api/alumni/export-data", { count: 6002, reason: "총회" });
  const [{ n, parts } = { n: 0, parts: 0 }] = await readRows<{ n: number; parts: number }>(
    "SELECT sum(json_array_length(ids)) AS n, count(*) AS parts FROM audit_subject",
  );
  expect([n, parts, await readValue("SELECT count(*) FROM audit_person")]).toEqual([6002, 2, 6002]);
});
