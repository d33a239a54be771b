import { expect, test } from "vitest";
import { CONSOLE_RIGHTS } from "#worker/contract/kernel/console/console-page.ts";
import { SITE_PERMISSIONS } from "#worker/contract/kernel/permissions.ts";
import { SETTING_SECTIONS } from "#worker/contract/kernel/setting/setting-sections.ts";
import { callAs } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createSessionWith,
  createTestRole,
  type TestSession,
} from "../../support/people.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { BOARD, isRefused, type Leaf, LEAVES, makeRows, sendChange, titleOf } from "./setting-calls.ts";

const ALL = [...SITE_PERMISSIONS, BOARD];
const WITHOUT = [...CONSOLE_RIGHTS, "ADMIN_Access", BOARD] as const;
const ASKED_ROWS: Partial<Record<string, string>> = { boards: "free", mailTemplates: "code" };

const simulate = async (admin: TestSession, who: string) =>
  callAs(admin, "GET", `/api/admin/setting/right?${new URLSearchParams({ who })}`);

const keyOf = ({ lacked, leaf }: { lacked: string; leaf: Leaf }) => `${lacked} ${titleOf(leaf)}`;
const PAIRS = ["", ...WITHOUT].flatMap((lacked) => LEAVES.map((leaf) => ({ lacked, leaf })));

test(`the simulator answers as the call for each setting (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const admin = await createAdministratorSession();
  await makeRows(admin);
  const sessions = new Map([["", admin]]);
  for (const lacked of WITHOUT) sessions.set(lacked, await createSessionWith(ALL.filter((code) => code !== lacked)));
  const seen = { allowed: 0, asked: 0, refused: 0 };
  const pairs = sample(PAIRS, keyOf, ({ lacked, leaf: { section, field, path } }) =>
    field.right === lacked || field.asks ? `${field.right === lacked} ${section} ${path.join(".")}` : section,
  );
  for (const { lacked, leaf } of pairs) {
    const by = sessions.get(lacked) as TestSession;
    const { data } = await simulate(admin, by.user.email);
    const code = ASKED_ROWS[leaf.section];
    const row = data.settings.find(
      ({ section, rows }: { section: string; rows: { code: string }[] }) =>
        section === leaf.section && (code === undefined || rows.some((each) => each.code === code)),
    );
    const field = row.fields.find(({ path }: { path: string }) => path === leaf.path.join("."));
    const { answer } = await sendChange(by, admin, leaf, "");
    // A value of another kind than the form sends is refused before any right.
    if (answer.code === "INVALID_INPUT" && !("reason" in answer.fields)) continue;
    expect([lacked, titleOf(leaf), isRefused(answer), "reason" in answer.fields]).toEqual([
      lacked,
      titleOf(leaf),
      !field.allowed,
      field.allowed && field.asksProof,
    ]);
    seen[field.allowed ? (field.asksProof ? "asked" : "allowed") : "refused"] += 1;
  }
  expect(Math.min(seen.allowed, seen.asked, seen.refused)).toBeGreaterThan(5);
});

test("the simulator answers for a role as for its member", async () => {
  const admin = await createAdministratorSession();
  const member = await createSessionWith(["ADMIN_Access", "Dues_Manage"]);
  const roleCode = await createTestRole(["ADMIN_Access", "Dues_Manage"]);
  const { settings } = (await simulate(admin, member.user.email)).data;
  expect((await simulate(admin, roleCode)).data.settings).toEqual(settings);
  const allowed = (given: { section: string; allowed: boolean }[]) =>
    given.filter((each) => each.allowed).map(({ section }) => section);
  expect(allowed(settings)).toContain("dueKinds");
  expect(allowed(settings)).not.toContain("alumniFields");
  expect(new Set(settings.map(({ section }: { section: string }) => section))).toEqual(
    new Set(Object.keys(SETTING_SECTIONS)),
  );
  expect(allowed((await simulate(admin, "방문자")).data.settings)).toEqual([]);
  expect(Object.keys((await simulate(admin, "아무도 아님")).fields)).toEqual(["who"]);
});

test("the simulator names the smallest number that a person may set", async () => {
  const admin = await createAdministratorSession();
  const officer = await createSessionWith(["ADMIN_Access", "CaseReport_Access"]);
  const floorFor = async ({ user }: TestSession) =>
    (await simulate(admin, user.email)).data.settings.find(
      ({ section }: { section: string }) => section === "caseReport",
    ).fields[0].floor;
  expect([await floorFor(officer), await floorFor(admin)]).toEqual([5, null]);
});
