import { CONSOLE_ROWS } from "#worker/contract/kernel/console/console-pages.ts";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import {
  adminCalls,
  changingConsoleCalls,
  CONSOLE_INPUTS,
  consoleCallOf,
  createConsoleWorld,
} from "../../calls/console-acts.ts";
import { callJson, fetchApi } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createTestRole,
} from "../../support/people.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { readRows, runSql } from "../../support/test-database.ts";

/** A kind for each area of the console. */
const areaOf = (call: string) => call.split("/")[3] ?? "";

async function snapshot(): Promise<string> {
  const tables = [
    "site_setting",
    "profile_field",
    "agreement",
    "role",
    "role_grant",
    "user",
    "user_key",
    "board",
    "message",
    "content",
    "content_version",
    "center",
    ...CONSOLE_ROWS.map(({ code }) => code.replaceAll("-", "_")),
    "mail_template",
    "user_consent",
    "audit_log",
    "privacy_request",
    "inquiry",
    "inquiry_message",
    "retention_notice",
    "suspension",
    "alumni",
    "destruction",
    "job",
  ];
  const rows = await Promise.all(tables.map((name) => env.DB.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`).all()));
  return JSON.stringify(rows.map(({ results }) => results));
}

test("every changing call of the console has a test input", () => {
  expect(Object.keys(CONSOLE_INPUTS).toSorted()).toEqual(changingConsoleCalls.toSorted());
});

test(`console calls change nothing without ADMIN_Access (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const given = await createConsoleWorld();
  const manager = await createTestRole([
    "Board_notice_Manage",
    "Alumni_Read",
    "Alumni_Write",
    "Alumni_Export",
    "Alumni_Import",
    "Center_daegu_Manage",
  ]);
  const people: [string | undefined, number][] = [
    [undefined, 401],
    [(await createMemberSession()).accessToken, 403],
    [(await createSession({ roleCode: manager })).accessToken, 403],
  ];
  const before = await snapshot();
  for (const name of sample(adminCalls, (call) => call, areaOf)) {
    for (const [token, status] of people) {
      const answer = await callJson(...consoleCallOf(name, token, given));
      expect([name, answer.status]).toEqual([name, status]);
      expect(answer.data, `${status}`).toBeUndefined();
      if (status === 403)
        expect(answer.message, `${status}`).toBe("접근 권한이 없습니다. 관리자에게 문의하여 주시기 바랍니다");
    }
  }
  expect(await snapshot()).toBe(before);
});

test("every change through the console is in the audit log", { tags: "full" }, async () => {
  const given = await createConsoleWorld();
  const rows = async () => await readRows("SELECT id, actor_user_id, action FROM audit_log ORDER BY id DESC");
  for (const name of changingConsoleCalls) {
    const before = (await rows()).length;
    const answer = await fetchApi(...consoleCallOf(name, given.admin.accessToken, given));
    // Exports answer with a file instead of JSON.
    if (name.endsWith("/export"))
      expect([name, answer.status, (await answer.blob()).size > 0]).toEqual([name, 200, true]);
    else expect([name, await answer.json()]).toMatchObject([name, { code: "SUCCESS" }]);
    const after = await rows();
    expect([name, after.length]).not.toEqual([name, before]);
    expect(after[0]?.actor_user_id, name).toBe(given.admin.user.id);
  }
});

test("the audit log cannot be changed or emptied, even by direct SQL", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await callJson("PUT", "/api/admin/role", {
    token,
    body: { roleCode: "editor", roleName: "편집자", permissions: [] },
  });
  await expect(runSql("UPDATE audit_log SET reason = 'x'")).rejects.toThrow(/append-only/);
  await expect(runSql("DELETE FROM audit_log")).rejects.toThrow(/append-only/);
});
