import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { fieldChanges } from "#worker/contract/kernel/setting/field-changes.ts";
import { type ConsoleRight, CONSOLE_RIGHTS } from "#worker/contract/kernel/console/console-page.ts";
import { SITE_PERMISSIONS } from "#worker/contract/kernel/permissions.ts";
import { SETTING_FIELDS } from "#worker/contract/site/setting-fields.ts";
import { addPasskey } from "../../calls/second-factor-acts.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { otherValue } from "../../support/field-samples.ts";
import { advanceClock, sentMessages } from "../../support/factories.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { EMPTY_SETTING_FILE, SETTING_IMPORT } from "../../support/setting-file.ts";
import { readRows } from "../../support/test-database.ts";
import {
  BOARD,
  CALLS,
  DECLARED_SECTIONS,
  isRefused,
  LEAVES,
  makeRows,
  readSection,
  sendChange,
  sendFile,
  titleOf,
  valueAt,
  withValue,
} from "./setting-calls.ts";

const storedSettings = async () =>
  JSON.stringify([
    await readRows("SELECT key, value FROM site_setting ORDER BY key"),
    await readRows("SELECT * FROM certificate_kind"),
    await readRows("SELECT * FROM mail_template"),
  ]);

const PAIRS = CONSOLE_RIGHTS.flatMap((lacked) => LEAVES.map((leaf) => ({ lacked, leaf })));
const keyOf = ({ lacked, leaf }: (typeof PAIRS)[number]) => `${lacked} ${titleOf(leaf)}`;
/** Each field with the lack of its own right is a kind. */
const kindOf = (pair: (typeof PAIRS)[number]) =>
  pair.leaf.field.right === pair.lacked ? keyOf(pair) : pair.leaf.section;

test(`changing a field of a setting needs its right (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const admin = await createAdministratorSession();
  await makeRows(admin);
  const without = new Map<ConsoleRight, TestSession>();
  for (const lacked of CONSOLE_RIGHTS)
    without.set(lacked, await createSessionWith([...SITE_PERMISSIONS.filter((code) => code !== lacked), BOARD]));
  expect(DECLARED_SECTIONS.filter((section) => !CALLS[section])).toEqual([]);
  for (const pair of sample(PAIRS, keyOf, kindOf)) {
    const { lacked, leaf } = pair;
    const by = without.get(lacked) as TestSession;
    const before = await storedSettings();
    const { answer: preview } = await sendFile(by, admin, leaf, false);
    if (leaf.field.right === lacked) {
      const applied = isRefused((await sendFile(by, admin, leaf, true)).answer);
      const called = isRefused((await sendChange(by, admin, leaf)).answer);
      expect([keyOf(pair), isRefused(preview), applied, called]).toEqual([keyOf(pair), true, true, true]);
      expect([keyOf(pair), await storedSettings()]).toEqual([keyOf(pair), before]);
    } else {
      // The area's right is asked by both or by neither.
      const { answer: called } = await sendChange(by, admin, leaf);
      const accepted = [preview, called].map(({ code }) => code === "SUCCESS");
      if ([preview, called].some(isRefused)) expect([keyOf(pair), accepted]).toEqual([keyOf(pair), [false, false]]);
    }
  }
});

const GUARDED = LEAVES.filter(({ field }) => field.right ?? field.asks ?? field.tells);

test("a destination of money or mail is declared with its guards", () => {
  expect(
    GUARDED.filter(({ field }) => field.asks && field.tells)
      .map(titleOf)
      .toSorted(),
  ).toEqual(
    [
      "site contact.email",
      "site contact.organization",
      "site chair",
      "site replyTo",
      "site duesAccount",
      "site duesHolder",
      "site duesGuide",
      "site duesLink",
      "certificateKinds organization",
      "certificateKinds chair",
      "mailTemplates subject",
      "mailTemplates text",
    ].toSorted(),
  );
  expect(GUARDED.filter(({ field }) => field.asks && !field.right)).toEqual([]);
});

test.each(
  GUARDED.filter(({ field }) => field.tells).flatMap((leaf) => [
    [titleOf(leaf), "call", leaf] as const,
    [titleOf(leaf), "file", leaf] as const,
  ]),
)("a change of %s by %s is mailed to system administrators", async (_title, by, leaf) => {
  const admin = await createAdministratorSession();
  const other = await createAdministratorSession();
  const partial = await createSessionWith([...SITE_PERMISSIONS]);
  await makeRows(admin);
  const { value } = await readSection(admin, leaf.section);
  const was = valueAt(value, leaf.path) || "(없음)";
  const { answer, after } = await (by === "call"
    ? sendChange(partial, admin, leaf, "계좌 이전")
    : sendFile(partial, admin, leaf, true, "계좌 이전"));
  expect([answer.code, answer.fields]).toEqual(["SUCCESS", {}]);
  for (const { user } of [admin, other]) {
    const mails = await sentMessages(user.email);
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining("중요한 설정이 변경되었습니다")]);
    expect(mails[0]?.body).toContain(`- 전: ${String(was)}\n- 후: ${String(after)}`);
    expect(mails[0]?.body).toContain("사유: 계좌 이전");
  }
  expect(await sentMessages(partial.user.email)).toEqual([]);
});

test.each(GUARDED.filter(({ field }) => field.asks).map((leaf) => [titleOf(leaf), leaf] as const))(
  "a change of %s needs a fresh second factor",
  async (_title, leaf) => {
    const admin = await createAdministratorSession();
    await makeRows(admin);
    const before = await storedSettings();
    for (const { answer } of [await sendChange(admin, admin, leaf, ""), await sendFile(admin, admin, leaf, true, "")])
      expect([answer.code, Object.keys(answer.fields)]).toEqual(["INVALID_INPUT", ["reason"]]);
    expect(await storedSettings()).toBe(before);
    const { path, value, version } = await readSection(admin, leaf.section);
    await addPasskey(admin);
    advanceClock(5 * 60_000 + 1000);
    const vars = { ...env, SECOND_FACTOR: "required" as const };
    const body = {
      ...withValue(value, leaf.path, otherValue(leaf.field, valueAt(value, leaf.path))),
      version,
      reason: "시험",
    };
    const stale = await callJson("PATCH", path, { token: admin.accessToken, body, vars });
    expect([stale.code, stale.data]).toEqual(["FORBIDDEN", { reason: "SECOND_FACTOR_REQUIRED" }]);
    expect(await storedSettings()).toBe(before);
  },
);

test("a form that sends stored values back needs neither right nor reason", async () => {
  const admin = await createAdministratorSession();
  const { path, value, version } = await readSection(admin, "site");
  const partial = await createSessionWith(["ADMIN_Access"]);
  const body = { ...value, description: "다른 소개", version };
  expect((await callAs(partial, "PATCH", path, body)).code).toBe("SUCCESS");
  expect(await sentMessages(admin.user.email)).toEqual([]);
});

test("a stale form is a conflict before any right is asked", async () => {
  const admin = await createAdministratorSession();
  const { path, value } = await readSection(admin, "site");
  const partial = await createSessionWith(["ADMIN_Access"]);
  expect((await callAs(partial, "PATCH", path, { ...value, duesAccount: "다른은행 1", version: 99 })).code).toBe(
    "CONFLICT",
  );
});

test("a masking limit below five is set by a system administrator alone", async () => {
  const admin = await createAdministratorSession();
  const officer = await createSessionWith(["ADMIN_Access", "CaseReport_Access"]);
  const path = CALLS.caseReport ?? "";
  const set = async (by: TestSession, maskBelow: number) => {
    const { version } = (await callAs(admin, "GET", path)).data;
    return (await callAs(by, "PATCH", path, { maskBelow, version })).code;
  };
  const bring = async (by: TestSession, maskBelow: number) =>
    (await callAs(by, "POST", SETTING_IMPORT, { document: { ...EMPTY_SETTING_FILE, caseReport: { maskBelow } } })).code;
  expect([await set(officer, 5), await set(officer, 4), await set(officer, 0)]).toEqual([
    "SUCCESS",
    "FORBIDDEN",
    "FORBIDDEN",
  ]);
  expect([await bring(officer, 6), await bring(officer, 4)]).toEqual(["SUCCESS", "FORBIDDEN"]);
  expect([await set(admin, 4), await set(officer, 4), await set(officer, 3)]).toEqual([
    "SUCCESS",
    "SUCCESS",
    "FORBIDDEN",
  ]);
});

test("a field that is left out is no change", () => {
  const { site } = SETTING_FIELDS;
  expect(fieldChanges(site ?? {}, { chair: "갑" }, { chair: undefined })).toEqual([]);
  expect(fieldChanges(site ?? {}, { chair: "갑" }, { chair: "" }).map(({ path }) => path)).toEqual(["chair"]);
});
