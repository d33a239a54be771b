import { expect } from "vitest";
import { CASE_REPORT_FIELDS } from "#worker/contract/case-report/fields.ts";
import { SITE_PERMISSIONS } from "#worker/contract/kernel/permissions.ts";
import { leavesOf } from "#worker/contract/kernel/row.ts";
import { SITE_FIELDS } from "#worker/contract/kernel/setting/site-fields.ts";
import { MEMBER_PASSWORD } from "../../calls/writing-act.ts";
import { test } from "../fixtures.ts";

const LEAVES = leavesOf({ ...SITE_FIELDS, ...CASE_REPORT_FIELDS }).map(
  ({ path, field }) => [path.join("."), field] as const,
);
const RIGHTS = [...new Set(LEAVES.flatMap(([, { right }]) => right ?? []))];

test("a field of the site's setting needs its own right", async ({ db, get, signIn }) => {
  expect(RIGHTS.length).toBeGreaterThan(3);
  for (const lacked of RIGHTS) {
    const permissions = JSON.stringify(SITE_PERMISSIONS.filter((code) => code !== lacked));
    await db.batch([
      db
        .prepare("INSERT OR REPLACE INTO role (role_code, role_name, permissions) VALUES ('partial', '부분 관리자', ?)")
        .bind(permissions),
      db.prepare(
        "UPDATE user SET role_code = 'partial' WHERE id = (SELECT user_id FROM user_key WHERE user_key_code = 'member01')",
      ),
    ]);
    const { cookie } = await signIn("member01", MEMBER_PASSWORD);
    const { text } = await get("/Admin/Site", cookie);
    const controls = [...text.matchAll(/<(?:input|textarea)\b[^>]*>/g)].map(([control]) => control);
    const closed = LEAVES.map(([name]) => {
      const control = controls.find((each) => each.includes(`name="${name}"`));
      return [name, control && /\breadonly\b/i.test(control)];
    });
    expect([lacked, closed]).toEqual([lacked, LEAVES.map(([name, { right }]) => [name, right === lacked])]);
  }
});
