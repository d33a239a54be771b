import { expect, test } from "vitest";
import {
  DEFAULT_LIMIT_SETTINGS,
  EDITABLE_LIMITS,
  type EditableLimitName,
  LIMIT_RULES,
  limitOfSetting,
} from "#worker/contract/kernel/limit-rules.ts";
import { RATE_LIMITS, type RateLimitName } from "#worker/contract/kernel/limits.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Documented defaults of each limit: count and seconds. */
const PROMISED: Record<string, [name: EditableLimitName, max: number, seconds: number][]> = {
  "failed sign-ins": [
    ["signinFailureKeyAddress", 5, 15 * MINUTE],
    ["signinFailureKey", 50, DAY],
    ["signinFailureAddress", 60, HOUR],
  ],
  "looking for keys: check-exists, find-id, sign-ins that nobody has": [
    ["lookupAddress", 120, HOUR],
    ["findIdAddress", 20, HOUR],
  ],
  "sending a code": [
    ["codeKeyWait", 1, MINUTE],
    ["codeKeyHour", 5, HOUR],
    ["codeKeyDay", 10, DAY],
    ["codeAddressDay", 300, DAY],
    ["codeSignupSiteDay", 2000, DAY],
    ["codeResetSiteDay", 2000, DAY],
  ],
  "trying a code": [
    ["codeTries", 5, 10 * MINUTE],
    ["confirmAddress", 120, HOUR],
  ],
  joining: [["signupAddress", 200, HOUR]],
  "renewing a session": [["refreshSession", 30, HOUR]],
  writing: [
    ["itemHour", 20, HOUR],
    ["commentHour", 60, HOUR],
    ["commentMailHour", 3, HOUR],
    ["inquiryDay", 10, DAY],
  ],
  uploading: [
    ["uploadUrl", 30, MINUTE],
    ["uploadBytesDay", 200 * 1024 * 1024, DAY],
  ],
  "searching and reading the address book": [
    ["searchAddress", 30, MINUTE],
    ["searchAccount", 30, MINUTE],
    ["alumniRows", 300, HOUR],
  ],
  // The limit counts rows, not imports, because one address book may come in many files.
  "export and import": [
    ["exportDay", 10, DAY],
    ["importRowsDay", 500_000, DAY],
  ],
};

const NO_SETTING: Partial<Record<RateLimitName, string>> = {
  signinStrike: "counts how often a wait was reached; it refuses nothing by itself",
  lookupKeyAddress: "remembers what was asked for already; it refuses nothing",
  signinUnknownSite: "says when a line is due in the log; it refuses nothing",
  alumniNameRows: "what stays open once the office's own limit of rows is used up",
  alumniSameRows: "remembers what was shown already; it refuses nothing",
  secondFactorFailure: "six digits of an app: with more tries they could be guessed, and nobody needs more",
  secondFactorFailureDay: "the same over a day",
  report: "ten reports an hour are as many as anybody writes by hand",
  archiveBytesHour: "a gigabyte an hour is more than a reader of one item after the other takes",
  fileTextHour: "the browser sends texts by itself; no person meets it",
  privacyRequestDay: "a right under the law: the office must not be able to narrow it",
  ownDataDay: "a right under the law: the office must not be able to narrow it",
  confirmLinkAddress: "links that lead to no entry: whoever was sent one has the right one",
  certificateDay: "ten certificates a day are as many as anybody shows",
  certificateAddress: "numbers with names: with more tries they could be guessed",
  testMailHour: "the office's own mail to itself",
};

test.each(Object.entries(PROMISED))("each limit of %s is a setting with the promised default", (_, limits) => {
  for (const [name, max, windowSeconds] of limits) {
    expect(EDITABLE_LIMITS, `${name}`).toContain(name);
    expect(limitOfSetting(name, DEFAULT_LIMIT_SETTINGS[name]), `${name}`).toEqual({ max, windowSeconds });
  }
});

test("every limit is either a setting or has a documented reason", () => {
  const settings: string[] = EDITABLE_LIMITS;
  const names = Object.keys(RATE_LIMITS);
  expect(names.filter((name) => settings.includes(name) === name in NO_SETTING)).toEqual([]);
  expect(Object.keys(NO_SETTING).filter((name) => !names.includes(name))).toEqual([]);
  const promised = Object.values(PROMISED).flatMap((limits) => limits.map(([name]) => name));
  expect(EDITABLE_LIMITS.filter((name) => !promised.includes(name))).toEqual(["importLookRowsDay"]);
});

test("each setting has a description, and its default is within its bounds", () => {
  const labels = EDITABLE_LIMITS.map((name) => LIMIT_RULES[name].label);
  expect(new Set(labels).size).toBe(labels.length);
  for (const name of EDITABLE_LIMITS) {
    const { min, max, meaning, unit } = LIMIT_RULES[name];
    expect([name, meaning], name).toEqual([name, expect.stringMatching(/[가-힣].*[다오]\.$/)]);
    expect(unit, name).toMatch(/^(번|건|개|명|행|통|초|MB)$/);
    expect(min <= DEFAULT_LIMIT_SETTINGS[name] && DEFAULT_LIMIT_SETTINGS[name] <= max, name).toBe(true);
  }
});

test("a setting changes the count, the megabytes or the seconds", () => {
  expect(limitOfSetting("exportDay", 3)).toEqual({ max: 3, windowSeconds: DAY });
  expect(limitOfSetting("uploadBytesDay", 20)).toEqual({ max: 20 * 1024 * 1024, windowSeconds: DAY });
  expect(limitOfSetting("codeKeyWait", 90)).toEqual({ max: 1, windowSeconds: 90 });
});
