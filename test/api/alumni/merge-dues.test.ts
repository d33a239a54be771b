import { beforeEach, expect, test } from "vitest";
import { getMergePage } from "#worker/domain/alumni/merge.server.ts";
import { callAs } from "../../support/api-client.ts";
import { measureRead } from "../../support/measured-read.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { readRows, readValue } from "../../support/test-database.ts";
import { addDuePerson, chargeAll, makeDueKind, payDue } from "./dues.ts";

const EDITOR = ["Alumni_Read", "Alumni_Write", "Alumni_Delete"];

let admin: TestSession;
beforeEach(async () => {
  admin = await createAdministratorSession();
});

/** Two people who owe 50,000 each, the second also of another year. */
async function twoWhoOwe() {
  const kindId = await makeDueKind(admin, { amount: 50_000 });
  const [a, b] = [await addDuePerson(admin), await addDuePerson(admin)];
  await chargeAll(admin, kindId, [a, b]);
  await chargeAll(admin, kindId, [b], "2025");
  return { a, b };
}

const preview = async ({ accessToken }: TestSession, ids: string[]) =>
  (await measureRead(accessToken, async (scope) => getMergePage(await scope.context(), ids))).answer;

const merge = (keepId: string, lost: string) => {
  const people = [keepId, lost].map((id) => ({ id, version: 1 }));
  return callAs(admin, "POST", "/api/alumni/merge", { keepId, people, source: {} });
};

const exempt = async (alumniId: string) => {
  const id = await readValue<string>("SELECT id FROM due WHERE alumni_id = ? AND period = '2026'", alumniId);
  const body = { version: 1, isExempt: true, reason: "원로", amount: 50_000 };
  expect((await callAs(admin, "PATCH", `/api/admin/due/${id}`, body)).code).toBe("SUCCESS");
};

const CASES = [
  ["nothing paid", [0, 0], false],
  ["one paid", [0, 50_000], false],
  ["two halves", [20_000, 30_000], false],
  ["more than is owed", [50_000, 30_000], false],
  ["an exemption", [20_000, 0], true],
] as const;

test.for(CASES)("the preview of a merge shows what its dues become: %s", async ([, paid, isExempt]) => {
  const { a, b } = await twoWhoOwe();
  if (paid[0] > 0) await payDue(a, paid[0], { period: "2026" });
  if (paid[1] > 0) await payDue(b, paid[1], { period: "2026" });
  if (isExempt) await exempt(b);
  const { joinedDues, dueCounts } = await preview(admin, [a, b]);
  expect(dueCounts).toEqual({ [a]: 1, [b]: 2 });
  expect(joinedDues?.map(({ count }) => count)).toEqual([2, 1]);
  expect((await merge(a, b)).code).toBe("SUCCESS");
  const dues = await readRows("SELECT period, amount, paid, is_exempt FROM due WHERE alumni_id = ? ORDER BY 1 DESC", a);
  expect(
    joinedDues?.map((due) => ({
      period: due.period,
      amount: due.amount,
      paid: due.paid,
      is_exempt: Number(due.isExempt),
    })),
  ).toEqual(dues);
  const rest = await readValue("SELECT coalesce(sum(amount - allocated), 0) FROM deposit");
  expect(joinedDues?.reduce((sum, { open }) => sum + open, 0)).toBe(rest);
});

test.for(["Alumni_Export", "ADMIN_Access", "Dues_Manage"])(
  "an editor with %s alone sees no amounts of dues",
  async (right) => {
    const { a, b } = await twoWhoOwe();
    const page = await preview(await createSessionWith([...EDITOR, right]), [a, b]);
    expect(page).toMatchObject({ dueCounts: { [a]: 1, [b]: 2 }, joinedDues: null });
    expect(JSON.stringify(page)).not.toContain("50000");
  },
);

test("the log names the dues that a merge moved, without amounts", async () => {
  const { a, b } = await twoWhoOwe();
  await merge(a, b);
  const detail = await readValue<string>("SELECT detail FROM audit_log WHERE action = 'alumni.merge'");
  expect(JSON.parse(detail ?? "")).toMatchObject({ dues: ["2026 연회비", "2025 연회비"] });
  expect(detail).not.toContain("50000");
});
