import { expect } from "vitest";
import routes from "#app/routes.ts";
import { CONSOLE_SAMPLE_ID, consoleAddress } from "../../calls/sample-paths.ts";
import { test } from "../fixtures.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";

async function adminPages(db: D1Database): Promise<string[]> {
  const member = await db.prepare("SELECT id FROM user WHERE user_type = 'Member' LIMIT 1").first<string>("id");
  const admin = routes.find(({ path }) => path === "admin");
  return (admin?.children ?? []).map(({ path = "" }) => consoleAddress(path, member));
}

test("only its representative opens the page of a cohort", async ({ db, get, signIn, member }) => {
  const person = (id: string, name: string, cohort: number) =>
    db
      .prepare("INSERT INTO alumni (id, name, cohort, created_date, modified_date) VALUES (?, ?, ?, 1, 1)")
      .bind(id, name, cohort);
  await db.batch([
    db.prepare(
      `INSERT INTO role (role_code, role_name, permissions) VALUES ('cohort-901', '901기 대표', '["Alumni_Cohort_901"]')`,
    ),
    db.prepare(
      "UPDATE user SET role_code = 'cohort-901' WHERE id = (SELECT user_id FROM user_key WHERE user_key_code = 'member03')",
    ),
    person("c901", "구백하나", 901),
    person("c902", "구백두리", 902),
  ]);
  const { cookie } = await signIn("member03", "Member!2345");
  const own = await get("/Cohort", cookie);
  expect([own.status, own.text.includes("구백하나"), own.text.includes("구백두리")]).toEqual([200, true, false]);
  const closed = [
    "/Cohort?cohort=902",
    "/Alumni",
    "/Alumni/Print",
    "/Alumni/Import",
    "/Alumni/Duplicates",
    "/Alumni/Undo",
    "/Alumni/Bin",
  ];
  for (const path of [...closed, "/Alumni/Addresses", "/Admin/AlumniFigures", "/Admin/Representatives"]) {
    const refused = await get(path, cookie);
    expect([path, refused.status, refused.text.includes("구백두리")]).toEqual([path, 403, false]);
  }
  expect([(await get("/Cohort")).status, (await get("/Cohort", member.cookie)).status]).toEqual([302, 403]);
});

test(
  `every console page opens only for administrators (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async ({ db, get, signIn, admin, member }) => {
    await db.batch([
      db
        .prepare(
          "INSERT INTO privacy_request (id, kind, status, requester_name, content, received_date, due_date, modified_date) VALUES (?, 'access', 'received', '김동문', '알려 주십시오.', 1, 1, 1)",
        )
        .bind(CONSOLE_SAMPLE_ID),
      db
        .prepare(
          "INSERT INTO inquiry (id, user_id, category, subject, status, created_date, last_date) SELECT ?, id, 'other', '문의', 'waiting', 1, 1 FROM user LIMIT 1",
        )
        .bind(CONSOLE_SAMPLE_ID),
      db
        .prepare(
          `INSERT INTO mailing (id, source, target, kind, status, created_user_id, created_date, modified_date) VALUES (?, 'member', '{"filter":{}}', 'informational', 'draft', 'x', 1, 1)`,
        )
        .bind(CONSOLE_SAMPLE_ID),
      db
        .prepare(
          `INSERT INTO confirmation_round (id, target, status, reminder_days, created_user_id, created_date, modified_date) VALUES (?, '{"filter":{}}', 'draft', 14, 'x', 1, 1)`,
        )
        .bind(CONSOLE_SAMPLE_ID),
      db.prepare(
        `INSERT INTO role (role_code, role_name, permissions) VALUES ('manager', '게시판 담당', '["Board_notice_Manage","Alumni_Read","Alumni_Write","Alumni_Delete","Alumni_Export","Alumni_Import"]')`,
      ),
      db.prepare(
        "UPDATE user SET role_code = 'manager' WHERE id = (SELECT user_id FROM user_key WHERE user_key_code = 'member02')",
      ),
    ]);
    const manager = await signIn("member02", "Member!2345");
    const pages = await adminPages(db);
    expect(pages.length).toBeGreaterThan(20);
    for (const path of sample(pages, String)) {
      const guest = await get(path);
      expect([path, guest.status, guest.location]).toEqual([
        path,
        302,
        `/account/signin?returnUrl=${encodeURIComponent(path)}`,
      ]);
      for (const { cookie } of [member, manager]) {
        const refused = await get(path, cookie);
        expect([path, refused.status]).toEqual([path, 403]);
        expect(refused.text, path).toContain("접근 권한이 없습니다. 관리자에게 문의하여 주시기 바랍니다");
      }
      expect([path, [200, 404].includes((await get(path, admin.cookie)).status)]).toEqual([path, true]);
    }
  },
);
