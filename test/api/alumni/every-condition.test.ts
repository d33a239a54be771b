import { expect, test } from "vitest";
import { ALUMNI_FIELDS, PRIVATE_FIELDS, isOfficeField } from "#worker/contract/alumni/columns.ts";
import { CONDITION_KEYS, type ConditionKey, conditionOf } from "#worker/contract/alumni/conditions.ts";
import { fieldFilterKey } from "#worker/contract/alumni/list.ts";
import { OWN_FIELD_CODES } from "#worker/contract/alumni/own-fields.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { countAllRows, readRows, runSql } from "../../support/test-database.ts";
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
  const { texts } = await makeConditionedBook(await createAdministratorSession());
  expect([...texts.keys()].toSorted()).toEqual(CONDITION_KEYS.filter((key) => texts.has(key)).toSorted());
  const made = new Set<string>(CONDITION_KEYS.filter((key) => !OWN_FIELD_CODES.some((code) => key === `f_${code}`)));
  expect([...made].filter((key) => !texts.has(key as ConditionKey))).toEqual([]);
});

const act = (session: TestSession, { call, body }: SegmentAct, segment: object, kinds: ActKinds, more: object = {}) => {
  const [method = "", path = ""] = call.split(" ");
  return callAs(session, method, path, { ...body(segment, kinds), ...more });
};

interface Cell {
  key: ConditionKey;
  text: string;
  acted: SegmentAct;
}

const cellsOf = (texts: ReadonlyMap<ConditionKey, string>): Cell[] =>
  [...texts].flatMap(([key, text]) => SEGMENT_ACTS.map((acted) => ({ key, text, acted })));
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
  for (const { key, text, acted } of sampled(cellsOf(texts))) {
    await forgetLimits();
    const { code, data, fields } = await act(admin, acted, { filter: { [key]: text } }, kinds);
    const cell = `${acted.name} by ${key}`;
    expect.soft([cell, code, fields, data && acted.reached(data as never)]).toEqual([cell, "SUCCESS", {}, 1]);
  }
});

const settingOff = (fields: readonly string[]) =>
  runSql(
    "INSERT INTO site_setting (key, value, version, modified_date) VALUES ('alumni', json_object('off', json(?)), 1, 1)",
    JSON.stringify(fields),
  );

const BOOK_FIELDS = ALUMNI_FIELDS.filter((field) => field !== "name");
const isOwn = (key: ConditionKey) => key.startsWith("f_own");

interface Way {
  name: string;
  /** Conditions that nobody can use afterwards. */
  unusable: (book: ConditionedBook) => ConditionKey[];
  make: (book: ConditionedBook, admin: TestSession) => Promise<TestSession>;
}

const FULL_RIGHTS = ["ADMIN_Access", "Alumni_Read", "Alumni_Write", "Alumni_Export", "Dues_Manage"];
const without = (right: string) => createSessionWith(FULL_RIGHTS.filter((each) => each !== right));

const WAYS: Way[] = [
  {
    name: "the right to read the whole book is taken",
    unusable: ({ texts }) => [
      "registered",
      ...[...PRIVATE_FIELDS, ...ALUMNI_FIELDS.filter(isOfficeField)].map(fieldFilterKey),
      ...[...texts.keys()].filter(isOwn),
    ],
    make: () => without("Alumni_Write"),
  },
  {
    name: "the right to read dues is taken",
    unusable: () => ["dues"],
    make: () => without("Dues_Manage"),
  },
  {
    name: "the field is closed",
    unusable: ({ texts }) => [
      "cohort",
      "graduationYear",
      "affiliation",
      ...BOOK_FIELDS.map(fieldFilterKey),
      ...[...texts.keys()].filter(isOwn),
    ],
    make: async (_book, admin) => {
      await runSql("UPDATE alumni_field SET is_closed = 1");
      await settingOff(BOOK_FIELDS);
      return admin;
    },
  },
  {
    name: "the field is deleted",
    unusable: () => OWN_FIELD_CODES.map(fieldFilterKey),
    make: async (_book, admin) => {
      await runSql("DELETE FROM alumni_field");
      return admin;
    },
  },
  {
    name: "the choice is renamed",
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
      return admin;
    },
  },
];

const outcomeOf = async () => [await countAllRows(), await readRows("SELECT id, major FROM alumni ORDER BY id")];

test.each(WAYS)(
  `an act refuses a condition by its name after $name (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async ({ unusable, make }) => {
    const admin = await createAdministratorSession();
    const book = await makeConditionedBook(admin);
    const names = await readRows<{ code: never; name: string }>("SELECT code, name FROM alumni_field");
    const caller = await make(book, admin);
    const isNamed = caller === admin && (await readRows("SELECT 1 FROM alumni_field")).length > 0;
    const keys = new Map(unusable(book).map((key) => [key, book.texts.get(key) ?? "filled"]));
    const before = await outcomeOf();
    const refusals = new Set<string>();
    for (const { key, text, acted } of sampled(cellsOf(keys))) {
      const more = commits(acted) ? { count: 1 } : {};
      const { code, data, fields } = await act(caller, acted, { filter: { [key]: text } }, book.kinds, more);
      const cell = `${acted.name} by ${key}`;
      refusals.add(code);
      expect.soft([cell, data]).toEqual([cell, undefined]);
      if (code === "FORBIDDEN" && caller !== admin) continue;
      const label = conditionOf(key).label(isNamed ? names : []);
      const told = Object.entries(fields).find(([path]) => path.split(".").at(-1) === key)?.[1];
      expect.soft([cell, code, told]).toEqual([cell, "INVALID_INPUT", expect.stringContaining(`‘${label}’ 조건`)]);
    }
    for (const [key, text] of keys) {
      const query = new URLSearchParams({ [key]: text });
      const { data } = await callAs(caller, "GET", `/api/alumni?${query}`);
      expect.soft([key, data.totalElements, data.content]).toEqual([key, 0, []]);
    }
    expect(refusals).toContain("INVALID_INPUT");
    expect(await outcomeOf()).toEqual(before);
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
