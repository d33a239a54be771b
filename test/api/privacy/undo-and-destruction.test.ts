import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { RETENTION_RULE_CODES, type RetentionRule } from "#worker/contract/audit/retention-rules.ts";
import { bindingTarget, restoreDatabase } from "#worker/domain/operation/restore.server.ts";
import { CALLS } from "../../calls/calls.ts";
import { importAlumniFile } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { makeBackup, openStoredBackup } from "../../support/backup.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createSession, TEST_PASSWORD, type TestSession } from "../../support/people.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";

// Runs every undo with every destruction, in both orders: destroyed data must not return.

const NAME = "카나리";
const PERSON = { name: NAME, email: "canary@pid.example.kr", mobile: "010-7777-4321", memo: "카나리의 메모" };
const TRACE = /카나리|canary@pid|7777-?4321/;
type Subject = "person" | "member" | "item";

interface Prepared {
  path?: string;
  undo?: () => Promise<{ status: number }>;
  body?: object | undefined;
  ids?: string[];
  /** Subset to destroy; the other rows belong to the same person. */
  chosen?: string[];
  member?: TestSession;
  itemNo?: number;
}
interface Undo {
  subject: Subject;
  prepare: (admin: TestSession) => Promise<Prepared>;
}

const add = async (admin: TestSession, fields: object = {}): Promise<string> =>
  (await callAs(admin, "PUT", "/api/alumni", { ...PERSON, ...fields })).data.id;
const toAlumniBin = (admin: TestSession, ids: string[]) => callAs(admin, "POST", "/api/alumni/delete-data", { ids });

async function mergeOf(admin: TestSession, keeps: "first" | "chain"): Promise<Prepared> {
  const ids = [await add(admin), await add(admin, { memo: `${PERSON.memo} 둘` }), await add(admin)];
  const merge = async (keepId: string, others: string[], version: number) => {
    const people = [{ id: keepId, version }, ...others.map((id) => ({ id, version: 1 }))];
    const answer = await callAs(admin, "POST", "/api/alumni/merge", { keepId, people });
    expect(answer.code).toBe("SUCCESS");
    return answer.data.mergeId as string;
  };
  const [a = "", b = "", c = ""] = ids;
  if (keeps === "first") return { path: `/api/alumni/merge/${await merge(a, [b, c], 1)}/undo`, ids, chosen: [a] };
  const first = await merge(b, [c], 1);
  const people = [
    { id: a, version: 1 },
    { id: b, version: 2 },
  ];
  expect((await callAs(admin, "POST", "/api/alumni/merge", { keepId: a, people })).code).toBe("SUCCESS");
  return { path: `/api/alumni/merge/${first}/undo`, ids, chosen: [a] };
}

async function itemOf(): Promise<{ member: TestSession; itemNo: number }> {
  const member = await createSession({ userName: NAME });
  const words = { title: "카나리의 글", content: "<p>카나리의 글</p>" };
  const itemNo = await createTestItem(member, "free", words);
  await callAs(member, "PUT", `/api/board-item-comment/free/${itemNo}`, { content: "카나리의 댓글" });
  await callAs(member, "PATCH", `/api/board-item/free/${itemNo}`, { title: "카나리의 새 글", version: 1 });
  return { member, itemNo };
}
const toItemBin = (admin: TestSession, itemNo?: number) => callAs(admin, "DELETE", `/api/board-item/free/${itemNo}`);

async function pageOf(what: "content/about" | "center/seoul"): Promise<Prepared> {
  const member = await createSession({ userType: "Admin", userName: NAME });
  for (const [at, title] of ["하나", "둘"].entries()) {
    const draft = { title, content: `<p>${title}</p>`, version: at * 2 };
    await callAs(member, "PUT", `/api/admin/${what}/draft`, draft);
    await callAs(member, "POST", `/api/admin/${what}/publish`, { version: at * 2 + 1 });
  }
  return { path: `/api/admin/${what}/restore`, body: { version: 4, versionNo: 1 }, member };
}

/** The undo restores the backup over the database, with a later backup at hand; sessions stay. */
async function backUp(made: Omit<Prepared, "undo">): Promise<Prepared> {
  const name = await makeBackup();
  const undo = async () => {
    const newer = await openStoredBackup(await makeBackup());
    const sessions = await readRows("SELECT * FROM session");
    await runSql("DELETE FROM refresh_token");
    await runSql("DELETE FROM session");
    await restoreDatabase(await openStoredBackup(name), bindingTarget(env.DB), { newer });
    for (const row of sessions)
      await runSql(
        `INSERT INTO session (${Object.keys(row).join()}) VALUES (${Object.keys(row)
          .map(() => "?")
          .join()})`,
        ...(Object.values(row) as string[]),
      );
    const admin = await createAdministratorSession();
    expect((await callAs(admin, "POST", "/api/admin/job/retention/run", {})).code).toBe("SUCCESS");
    return { status: 200 };
  };
  return { ...made, undo };
}

const SETTINGS = "/api/admin/setting";
/** The undo imports a settings file whose page a member wrote and changed later. */
async function exportedPage(admin: TestSession): Promise<Prepared> {
  const made = await pageOf("content/about");
  const { data: document } = await callAs(admin, "GET", `${SETTINGS}/export`);
  const draft = { title: "셋", content: "<p>셋</p>", version: 4 };
  await callAs(made.member, "PUT", "/api/admin/content/about/draft", draft);
  await callAs(made.member, "POST", "/api/admin/content/about/publish", { version: 5 });
  const undo = async () => {
    const preview = await callAs(admin, "POST", `${SETTINGS}/import`, { document });
    const { fingerprint } = preview.data;
    const body = { document, fingerprint, reason: "되돌리기", password: TEST_PASSWORD };
    const answer = await callAs(admin, "POST", `${SETTINGS}/import`, body);
    expect([answer.code, answer.data.changes.length > 0]).toEqual(["SUCCESS", true]);
    return answer;
  };
  return { ...made, undo };
}

const UNDOS: Record<string, Undo | Undo[] | string> = {
  "POST /api/alumni/merge/:mergeId/undo": [
    { subject: "person", prepare: (admin) => mergeOf(admin, "first") },
    { subject: "person", prepare: (admin) => mergeOf(admin, "chain") },
  ],
  "POST /api/alumni/bulk": "changes people in the list alone; its own undo is the import's",
  "POST /api/alumni/import/:importId/undo": [
    {
      subject: "person",
      prepare: async (admin) => {
        const ids = [await add(admin)];
        const body = { segment: { ids }, set: { state: "휴면" }, count: 1 };
        const { data } = await callAs(admin, "POST", "/api/alumni/bulk", body);
        return { path: `/api/alumni/import/${data.importId}/undo`, ids };
      },
    },
    {
      subject: "person",
      prepare: async (admin) => {
        const ids = [await add(admin)];
        const file = `이름,소속,이메일\n${NAME},새봄병원,${PERSON.email}\n카나리아,새봄병원,canary@pid.example.kr.kr\n`;
        const { data } = await importAlumniFile(admin, "명단.csv", file);
        expect([data.inserted, data.updated]).toEqual([1, 1]);
        return { path: `/api/alumni/import/${data.importId}/undo`, ids: [...ids, ...(await idsIn("카나리아"))] };
      },
    },
  ],
  "POST /api/alumni/:id/restore": {
    subject: "person",
    prepare: async (admin) => {
      const ids = [await add(admin)];
      await toAlumniBin(admin, ids);
      return { path: `/api/alumni/${ids[0]}/restore`, ids };
    },
  },
  "POST /api/alumni/restore-data": {
    subject: "person",
    prepare: async (admin) => {
      const ids = [await add(admin)];
      await toAlumniBin(admin, ids);
      return { path: "/api/alumni/restore-data", body: { ids }, ids };
    },
  },
  "POST /api/board-item/:boardCode/:itemNo/restore": [
    {
      subject: "member",
      prepare: async (admin) => {
        const { member, itemNo } = await itemOf();
        await toItemBin(admin, itemNo);
        return { path: `/api/board-item/free/${itemNo}/restore`, member, itemNo };
      },
    },
    {
      subject: "item",
      prepare: async (admin) => {
        const { itemNo } = await itemOf();
        await toItemBin(admin, itemNo);
        return { path: `/api/board-item/free/${itemNo}/restore`, itemNo };
      },
    },
  ],
  "POST /api/board-item/:boardCode/:itemNo/revision/:revision/restore": (["member", "item"] as const).map(
    (subject) => ({
      subject,
      prepare: async () => {
        const { member, itemNo } = await itemOf();
        const path = `/api/board-item/free/${itemNo}/revision/1/restore`;
        return { path, body: { version: 2 }, member, itemNo };
      },
    }),
  ),
  "POST /api/board-item/:boardCode/bulk": {
    subject: "member",
    prepare: async (admin) => {
      const { member, itemNo } = await itemOf();
      await toItemBin(admin, itemNo);
      return { path: "/api/board-item/free/bulk", body: { action: "restore", itemNos: [itemNo] }, member, itemNo };
    },
  },
  "POST /api/admin/content/:code/restore": { subject: "member", prepare: () => pageOf("content/about") },
  "POST /api/admin/center/:regionCode/restore": { subject: "member", prepare: () => pageOf("center/seoul") },
  "POST /api/admin/setting/import": { subject: "member", prepare: exportedPage },
  "npm run restore": [
    {
      subject: "person",
      prepare: async (admin) => backUp({ ids: [await add(admin), await add(admin)] }),
    },
    { subject: "member", prepare: async () => backUp(await itemOf()) },
    { subject: "item", prepare: async () => backUp({ itemNo: (await itemOf()).itemNo }) },
  ],
  "POST /api/alumni/view/:id/restore": "a list's columns and filters, which go with their owner",
  "POST /api/admin/due/work/:id/undo": "takes dues and deposits away alone",
  "POST /api/admin/moving/:id/undo": "takes moved rows away and puts back settings of boards alone",
};

const idsIn = async (name: string) =>
  (await readRows<{ id: string }>("SELECT id FROM alumni WHERE name = ?", name)).map(({ id }) => id);

const RETENTION = "/api/admin/privacy/retention";
const LONG_AGO = 0;

async function runRule(admin: TestSession, rule: RetentionRule): Promise<void> {
  const { rules, requestDays, version } = (await callAs(admin, "GET", RETENTION)).data;
  const now = Object.fromEntries(
    rules.map((row: { rule: string; days: number }) => [row.rule, { on: row.rule === rule, days: row.days }]),
  );
  await callAs(admin, "PATCH", RETENTION, { requestDays, rules: now, version });
  const { fingerprint } = (await callAs(admin, "GET", `${RETENTION}/${rule}`)).data;
  const answer = await callAs(admin, "POST", `${RETENTION}/${rule}/run`, { fingerprint, reason: "정기 파기" });
  expect(answer.code, `${rule}: ${answer.message}`).toBe("SUCCESS");
}

const retire = (member?: TestSession) => callAs(member, "POST", "/api/user/retire", { password: TEST_PASSWORD });

type Destroy = (admin: TestSession, made: Prepared) => Promise<void>;
const DESTRUCTIONS: Record<string, { subject: Subject; destroy: Destroy } | string> = {
  "POST /api/alumni/destroy-data": {
    subject: "person",
    destroy: async (admin, { chosen, ids = [] }) => {
      await toAlumniBin(admin, chosen ?? ids);
      await callAs(admin, "POST", "/api/alumni/destroy-data", { ids: chosen ?? ids });
    },
  },
  "rule alumni-bin": {
    subject: "person",
    destroy: async (admin, { chosen, ids = [] }) => {
      await toAlumniBin(admin, chosen ?? ids);
      const old = JSON.stringify(chosen ?? ids);
      // Back-dates merged rows, which are younger here than a merge can leave them.
      await runSql("UPDATE alumni SET deleted_date = ? WHERE id IN (SELECT value FROM json_each(?))", LONG_AGO, old);
      await runRule(admin, "alumni-bin");
    },
  },
  "POST /api/user/retire": {
    subject: "member",
    destroy: async (_admin, { member }) => expect((await retire(member)).code).toBe("SUCCESS"),
  },
  "rule leftover": {
    subject: "member",
    destroy: async (admin, { member }) => {
      await retire(member);
      await runSql("UPDATE user SET modified_date = ? WHERE id = ?", LONG_AGO, member?.user.id);
      await runSql("UPDATE message SET user_id = ? WHERE id = (SELECT id FROM message LIMIT 1)", member?.user.id);
      if ((await callAs(admin, "GET", `${RETENTION}/leftover`)).data.rows.length > 0) await runRule(admin, "leftover");
    },
  },
  "rule board-bin": {
    subject: "item",
    destroy: async (admin, { itemNo }) => {
      await toItemBin(admin, itemNo);
      await runSql("UPDATE board_item SET deleted_date = ? WHERE deleted_date IS NOT NULL", LONG_AGO);
      await runRule(admin, "board-bin");
    },
  },
  "DELETE /api/board-item/bin/:boardCode": {
    subject: "item",
    destroy: async (admin, { itemNo }) => {
      await toItemBin(admin, itemNo);
      await callAs(admin, "DELETE", "/api/board-item/bin/free");
    },
  },
  "POST /api/admin/privacy/retention/:rule/run": "each of its rules has a row",
  "POST /api/admin/privacy/request/:id/erase": "destroyPeople, as retirement",
  "rule inactive": "destroyPeople, as retirement",
  "rule refused": "destroyPeople, as retirement",
  "rule consents": "no undo holds a consent",
  "rule requests": "no undo holds a request",
  "rule inquiries": "no undo holds an inquiry",
  "rule registrations": "no undo holds a registration",
  "rule guest-registrations": "no undo holds a registration",
  "rule comments": "no undo holds a comment of its own",
  "rule drafts": "no undo holds a draft",
  "rule dues": "a due names no person",
  "rule messages": "no undo holds a message",
  "rule access-log": "no undo holds an access record",
};

async function traces(pattern = TRACE): Promise<string[]> {
  const tables = await readRows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  );
  const results = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`)));
  return results.flatMap(({ results: rows }, at) =>
    rows.map((row) => `${tables[at]?.name}: ${JSON.stringify(row)}`).filter((row) => pattern.test(row)),
  );
}

const listOf = (undo: Undo | Undo[] | string) => (typeof undo === "string" ? [] : [undo].flat());
const PAIRS = Object.entries(UNDOS).flatMap(([undo, value]) =>
  listOf(value).flatMap((one, at) =>
    Object.entries(DESTRUCTIONS).flatMap(([name, destruction]) =>
      typeof destruction !== "string" && destruction.subject === one.subject
        ? (["destroyed first", "undone first"] as const).map((order) => ({ undo, at, one, name, destruction, order }))
        : [],
    ),
  ),
);

const keyOf = ({ undo, at, name, order }: (typeof PAIRS)[number]) => `${undo} ${at} ${name} ${order}`;
test.for(sample(PAIRS, keyOf, ({ undo }) => undo))(
  `$undo ($at), then $name leave nothing, $order (${SAMPLE_NOTE})`,
  {
    tags: "sampled",
  },
  async ({ one, destruction, order }) => {
    const admin = await createAdministratorSession();
    const made = await one.prepare(admin);
    expect(await traces(), "the canary is there").not.toEqual([]);
    const undo = made.undo ?? (() => callAs(admin, "POST", made.path ?? "", made.body ?? {}));
    const isWhole = { ...made, ...(order === "undone first" && { chosen: undefined }) } as Prepared;
    if (order === "undone first") expect((await undo()).status).toBeLessThan(500);
    await destruction.destroy(admin, isWhole);
    if (order === "destroyed first") expect((await undo()).status).toBeLessThan(500);
    // Member: text stays, name goes. Item: text goes, author stays.
    const pattern = one.subject === "member" ? /"카나리"|canary@pid/ : one.subject === "item" ? /카나리의/ : TRACE;
    expect(await traces(pattern)).toEqual([]);
    if (one.subject === "person") expect(await readValue("SELECT count(*) FROM destruction")).toBeGreaterThan(0);
  },
);

test("a row covers every call that undoes or destroys", () => {
  const calls = Object.keys(CALLS);
  const undoing = calls.filter((call) => /\/(?:undo|restore|restore-data|bulk)$|setting\/import$/.test(call));
  expect(Object.keys(UNDOS).toSorted()).toEqual([...undoing, "npm run restore"].toSorted());
  const destroying = calls.filter((call) =>
    /destroy|\/retire$|\/erase$|retention\/:rule\/run$|DELETE .*\/bin\//.test(call),
  );
  const rules = RETENTION_RULE_CODES.map((rule) => `rule ${rule}`);
  expect(Object.keys(DESTRUCTIONS).toSorted()).toEqual([...destroying, ...rules].toSorted());
});
