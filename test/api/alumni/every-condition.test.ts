import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { ALUMNI_FIELDS, PRIVATE_FIELDS, isOfficeField } from "#worker/contract/alumni/columns.ts";
import { CONDITION_KEYS, type ConditionKey, conditionOf } from "#worker/contract/alumni/conditions.ts";
import { fieldFilterKey } from "#worker/contract/alumni/list.ts";
import { OWN_FIELD_CODES } from "#worker/contract/alumni/own-fields.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { createTestMailing } from "../../support/factories.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { countAllRows, readRows, runSql } from "../../support/test-database.ts";
import { mailingCall } from "../mailing/people.ts";
import { startTestRound } from "../mailing/rounds.ts";
import { type ConditionedBook, makeConditionedBook } from "./conditioned-people.ts";
import { PATH } from "./own-fields.ts";
import {
  type ActKinds,
  callsWithConditions,
  commits,
  DRAFT_ACTS,
  LISTING_CALLS,
  SEGMENT_ACTS,
  type SegmentAct,
} from "./segment-acts.ts";

test("each call that takes conditions has its acts here", () => {
  const listed = [...SEGMENT_ACTS, ...DRAFT_ACTS].map(({ call }) => call);
  expect([...new Set([...listed, ...LISTING_CALLS])].toSorted()).toEqual(callsWithConditions());
});

test("each condition has a text here that finds one of two people", async () => {
  const { texts, own } = await makeConditionedBook(await createAdministratorSession());
  const unmade = OWN_FIELD_CODES.filter((code) => !Object.values(own).includes(code)).map(fieldFilterKey);
  expect([...texts.keys(), ...unmade].toSorted()).toEqual(CONDITION_KEYS.toSorted());
});

type Act = Pick<SegmentAct, "name" | "call" | "body" | "kind">;

const act = (session: TestSession, { call, body }: Act, segment: object, kinds: ActKinds, more: object = {}) => {
  const [method = "", path = ""] = call.split(" ");
  return callAs(session, method, path, { ...body(segment, kinds), ...more });
};

interface Cell {
  key: ConditionKey;
  text: string;
  acted: Act;
}

const cellsOf = (texts: ReadonlyMap<ConditionKey, string>, acts: readonly Act[] = SEGMENT_ACTS): Cell[] =>
  [...texts].flatMap(([key, text]) => acts.map((acted) => ({ key, text, acted })));
const sampled = (cells: readonly Cell[]) =>
  sample(
    cells,
    ({ key, acted }) => `${key} ${acted.name}`,
    ({ acted }) => acted.name,
  );

/** Files and prints a day are limited. */
const forgetLimits = () => runSql("DELETE FROM rate_limit");

test(`a usable condition reaches the person whom it finds (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const admin = await createAdministratorSession();
  const { texts, kinds } = await makeConditionedBook(admin);
  const reachedBy = new Map(SEGMENT_ACTS.map(({ name, reached }) => [name, reached]));
  for (const { key, text, acted } of sampled(cellsOf(texts))) {
    await forgetLimits();
    const { code, data, fields } = await act(admin, acted, { filter: { [key]: text } }, kinds);
    const cell = `${acted.name} by ${key}`;
    const count = data && reachedBy.get(acted.name)?.(data as never);
    expect.soft([cell, code, fields, count]).toEqual([cell, "SUCCESS", {}, 1]);
  }
});

const settingOff = (fields: readonly string[]) =>
  runSql(
    "INSERT INTO site_setting (key, value, version, modified_date) VALUES ('alumni', json_object('off', json(?)), 1, 1)",
    JSON.stringify(fields),
  );

const BOOK_FIELDS = ALUMNI_FIELDS.filter((field) => field !== "name");
const isOwn = (key: ConditionKey) => key.startsWith("f_own");

const RIGHTS = ["ADMIN_Access", "Alumni_Read", "Alumni_Write", "Alumni_Export", "Dues_Manage"];
const takeRight = (right: string) =>
  runSql(
    "UPDATE role SET permissions = ? WHERE role_code LIKE 'role%'",
    JSON.stringify(RIGHTS.filter((each) => each !== right)),
  );

interface Way {
  way: string;
  /** Conditions that nobody can use afterwards. */
  unusable: (book: ConditionedBook) => ConditionKey[];
  make: (book: ConditionedBook, admin: TestSession) => unknown;
  /** The officer keeps every right. */
  isOfBook?: true;
  /** Stored conditions follow. */
  isFollowed?: true;
}

const WAYS: Way[] = [
  {
    way: "the right to the book is taken",
    unusable: ({ texts }) => [
      "registered",
      ...[...PRIVATE_FIELDS, ...ALUMNI_FIELDS.filter(isOfficeField)].map(fieldFilterKey),
      ...[...texts.keys()].filter(isOwn),
    ],
    make: () => takeRight("Alumni_Write"),
  },
  { way: "the right to dues is taken", unusable: () => ["dues"], make: () => takeRight("Dues_Manage") },
  {
    way: "the field is closed",
    unusable: ({ texts }) => [
      "cohort",
      "graduationYear",
      "affiliation",
      ...BOOK_FIELDS.map(fieldFilterKey),
      ...[...texts.keys()].filter(isOwn),
    ],
    make: async () => {
      await runSql("UPDATE alumni_field SET is_closed = 1");
      await settingOff(BOOK_FIELDS);
    },
    isOfBook: true,
  },
  {
    way: "the field is deleted",
    unusable: () => OWN_FIELD_CODES.map(fieldFilterKey),
    make: () => runSql("DELETE FROM alumni_field"),
    isOfBook: true,
  },
  {
    way: "the choice is renamed",
    unusable: ({ own }) => [own.choice, own.choices].map(fieldFilterKey),
    make: async ({ own }, admin) => {
      for (const [kind, choices, from] of [
        ["choice", ["일반회원", "준회원"], "정회원"],
        ["choices", ["면역학", "감염", "유전"], "면역"],
      ] as const) {
        const renames = [{ from, to: choices[0] }];
        const body = { name: `새 ${kind}`, access: "office", choices, renames, version: 1 };
        expect((await callAs(admin, "PATCH", `${PATH}/${own[kind]}`, body)).code).toBe("SUCCESS");
      }
    },
    isOfBook: true,
    isFollowed: true,
  },
];

async function withOfficer() {
  const admin = await createAdministratorSession();
  return { admin, officer: await createSessionWith(RIGHTS), book: await makeConditionedBook(admin) };
}

const namedLabel = (key: ConditionKey, names: Parameters<ReturnType<typeof conditionOf>["label"]>[0]) =>
  `‘${conditionOf(key).label(names)}’ 조건`;
const fieldNames = () => readRows<{ code: never; name: string }>("SELECT code, name FROM alumni_field");

const outcomeOf = async () => [await countAllRows(), await readRows("SELECT id, major FROM alumni ORDER BY id")];

test.each(WAYS)(
  `an act refuses a condition by its name once $way (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async ({ unusable, make, isOfBook }) => {
    const { admin, officer, book } = await withOfficer();
    await make(book, admin);
    const names = isOfBook ? await fieldNames() : [];
    const keys = new Map(unusable(book).map((key) => [key, book.texts.get(key) ?? "filled"]));
    const before = await outcomeOf();
    const refusals = new Set<string>();
    for (const { key, text, acted } of sampled(cellsOf(keys, [...SEGMENT_ACTS, ...DRAFT_ACTS]))) {
      const more = commits(acted) ? { count: 1 } : {};
      const { code, data, fields } = await act(officer, acted, { filter: { [key]: text } }, book.kinds, more);
      const cell = `${acted.name} by ${key}`;
      refusals.add(code);
      expect.soft([cell, data]).toEqual([cell, undefined]);
      if (code === "FORBIDDEN" && !isOfBook) continue;
      const told = Object.entries(fields).find(([path]) => path.split(".").at(-1) === key)?.[1];
      expect.soft([cell, code, told]).toEqual([cell, "INVALID_INPUT", expect.stringContaining(namedLabel(key, names))]);
    }
    for (const [key, text] of keys) {
      const { data } = await callAs(officer, "GET", `/api/alumni?${new URLSearchParams({ [key]: text })}`);
      expect.soft([key, data.totalElements, data.content]).toEqual([key, 0, []]);
    }
    expect(refusals).toContain("INVALID_INPUT");
    expect(await outcomeOf()).toEqual(before);
  },
);

const asked = { version: 1, count: 1, reminderDays: 14, reason: "확인" };
const sent = { version: 2, count: 1, reason: "확인" };

/** A draft and a scheduled mailing, a draft and a repeating round for each condition. */
async function storeActs(officer: TestSession, texts: ReadonlyMap<ConditionKey, string>) {
  const stored = new Map<ConditionKey, { mailing: string; round: string }>();
  for (const [key, text] of texts) {
    const target = { filter: { [key]: text } };
    const later = await createTestMailing(officer, { source: "alumni", target }, { subject: key });
    expect.soft([key, (await mailingCall(officer, later, "send", sent)).code]).toEqual([key, "SUCCESS"]);
    await startTestRound(officer, { target, repeats: true });
    const round = await callAs(officer, "PUT", "/api/admin/round", { target });
    stored.set(key, {
      mailing: await createTestMailing(officer, { source: "alumni", target }),
      round: round.data.id,
    });
  }
  await runSql("DELETE FROM mailing WHERE round_id IS NOT NULL");
  await runSql("UPDATE confirmation_round SET status = 'closed', repeat_date = 1 WHERE status = 'open'");
  return stored;
}

const textsTo = (address: string) =>
  readRows<{ subject: string; body: string }>("SELECT subject, body FROM message WHERE recipient = ?", address);

test.each(WAYS)(
  `nobody is reached by a condition once $way (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async ({ unusable, make, isOfBook, isFollowed }) => {
    const { admin, officer, book } = await withOfficer();
    const keys = sample(
      unusable(book).filter((key) => book.texts.has(key)),
      String,
    );
    const stored = await storeActs(officer, new Map(keys.map((key) => [key, book.texts.get(key) ?? ""])));
    await make(book, admin);
    const names = isOfBook ? await fieldNames() : [];
    for (const [key, { mailing, round }] of stored) {
      const answers = [
        await mailingCall(officer, mailing, "send", sent),
        await callAs(officer, "POST", `/api/admin/round/${round}/start`, asked),
      ];
      for (const { code, fields } of answers) {
        if (isFollowed) expect.soft([key, code]).toEqual([key, "SUCCESS"]);
        else if (!isOfBook) expect.soft([key, code]).toEqual([key, "FORBIDDEN"]);
        else
          expect
            .soft([key, code, Object.values(fields)[0]])
            .toEqual([key, "INVALID_INPUT", expect.stringContaining(namedLabel(key, names))]);
      }
    }
    for (const _run of keys) await runScheduledJobs(env);
    const reached = await textsTo("gaon@pid.example.kr");
    if (isFollowed) return expect(reached).toHaveLength(keys.length * 4);
    expect(reached).toEqual([]);
    expect(await readRows("SELECT 1 FROM mailing WHERE status NOT IN ('draft', 'cancelled')")).toEqual([]);
    expect(await readRows("SELECT 1 FROM confirmation_round WHERE repeat_date IS NOT NULL")).toEqual([]);
    const told = await textsTo(admin.user.email);
    expect(told).toHaveLength(keys.length * 2);
    for (const label of isOfBook ? new Set(keys.map((key) => namedLabel(key, names))) : []) {
      const named = keys.filter((key) => namedLabel(key, names) === label);
      expect.soft([label, told.filter(({ body }) => body.includes(label)).length]).toEqual([label, named.length * 2]);
    }
  },
);

test("an act with a closed kind reaches nobody by any condition", async () => {
  const admin = await createAdministratorSession();
  const { texts, kinds } = await makeConditionedBook(admin);
  await runSql("UPDATE due_kind SET is_closed = 1");
  await runSql("UPDATE certificate_kind SET is_closed = 1");
  const before = await outcomeOf();
  for (const { key, text, acted } of cellsOf(texts).filter((cell) => cell.acted.kind)) {
    const { code, data } = await act(admin, acted, { filter: { [key]: text } }, kinds, { count: 1 });
    expect.soft([acted.name, key, code, data]).toEqual([acted.name, key, "CONFLICT", undefined]);
  }
  expect(await outcomeOf()).toEqual(before);
});
