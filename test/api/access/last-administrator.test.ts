import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { AUTH_TYPES } from "#worker/contract/account/rules.ts";
import { callJson } from "../../support/api-client.ts";
import { ADMIN_CALLS, CALLS } from "../../calls/calls.ts";
import { board } from "../../calls/console-inputs.ts";
import { createUser, signInUser, TEST_PASSWORD, type TestSession, type TestUser } from "../../support/people.ts";
import { isFull, sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { samplePlace } from "../../calls/sample-paths.ts";
import { readRow, runSql } from "../../support/test-database.ts";

const REQUEST_ID = "00000000-0000-4000-8000-0000000000aa";
const GRANT_ID = "00000000-0000-4000-8000-0000000000bb";

/** Every harmful field in one body: calls ignore unknown fields. */
const hostileBody = ({ id, email }: TestUser, importedRole: string) => ({
  ...board,
  ids: [id],
  reason: "시험",
  roleCode: "member",
  roleName: "이름",
  permissions: [],
  from: "2026-01-01",
  password: TEST_PASSWORD,
  newPassword: "Another!234",
  currentPassword: TEST_PASSWORD,
  email: `other-${email}`,
  result: "done",
  answer: "시험",
  isClosed: true,
  pages: [],
  entries: [{ kind: "link", target: "about", label: "소개", isHidden: false }],
  codes: ["reference"],
  grant: { guest: [], member: [], administrator: [] },
  authType: "MobileAndPassword",
  roleCodeForGuest: "nothing",
  signupApproval: true,
  document: {
    kind: "hoewon-settings",
    format: 1,
    roles: [{ roleCode: importedRole, roleName: "이름", permissions: [] }],
    boards: [{ ...board, boardCode: "notice", isClosed: true }],
  },
  action: "close",
});

const changingCalls = Object.keys(CALLS).filter(
  (name) => !name.startsWith("GET ") && (name in ADMIN_CALLS || /^\w+ \/api\/(?:user|second-factor)\b/.test(name)),
);

interface Attempt {
  name: string;
  method: string;
  path: string;
  body: Record<string, unknown> | undefined;
}

/** Targets the administrator, each role and the notice board, in every plausible row version. */
function attemptsOn(person: TestUser): Attempt[] {
  return changingCalls.flatMap((name) => {
    const [method = "", route = ""] = name.split(" ");
    const roles = route.includes(":roleCode") ? ["administrator", "guest", "member"] : [""];
    const kinds = name.endsWith("/setting/authentication") ? AUTH_TYPES : [undefined];
    return roles.flatMap((roleCode) =>
      kinds.flatMap((authType) =>
        [0, 1, 2].map((version) => {
          const places: Record<string, string> = {
            id: route.includes("/privacy/request/") ? REQUEST_ID : person.id,
            roleCode,
            grantId: GRANT_ID,
          };
          const path = route.replace(/:(\w+)/g, (_, place: string) => places[place] ?? samplePlace(place));
          const body = {
            ...hostileBody(person, version === 0 ? "administrator" : "guest"),
            ...(authType ? { authType } : {}),
            version,
          };
          return method === "DELETE" && !/\/(?:user|second-factor|content|center)\b/.test(route)
            ? { name, method, path: `${path}?version=${version}`, body: undefined }
            : { name, method, path, body };
        }),
      ),
    );
  });
}

/** The only administrator, by role or as system administrator, with whatever an act may remove. */
async function onlyAdministrator(userType: "Admin" | "Member"): Promise<TestSession> {
  const person = await createUser({ userType, roleCode: "administrator" });
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO privacy_request (id, kind, status, user_id, requester_name, content, received_date, due_date, modified_date) VALUES (?, 'erasure', 'received', ?, '홍길동', '내용', 1, 1, 1)",
    ).bind(REQUEST_ID, person.id),
    env.DB.prepare(
      "INSERT INTO role_grant (id, user_id, role_code, start_date, created_date) VALUES (?, ?, 'administrator', 1, 1)",
    ).bind(GRANT_ID, person.id),
    env.DB.prepare("INSERT INTO role (role_code, role_name, permissions) VALUES ('nothing', '권한 없음', '[]')"),
  ]);
  return signInUser(person);
}

async function enters(session: TestSession): Promise<boolean> {
  const read = () => callJson("GET", "/api/admin/dashboard", { token: session.accessToken });
  if ((await read()).code === "SUCCESS") return true;
  const body = { userKeyType: "Id", userKeyCode: session.user.userId, password: TEST_PASSWORD };
  const again = await callJson("POST", "/api/user/signin", { body });
  if (again.code !== "SUCCESS") return false;
  session.accessToken = again.data.accessToken;
  return (await read()).code === "SUCCESS";
}

const boardsOfGuest = async (): Promise<string[]> =>
  (await callJson("GET", "/api/site-setting/info")).data.boards.map(
    ({ boardCode }: { boardCode: string }) => boardCode,
  );

async function storedRights() {
  const rows = await env.DB.batch<Record<string, unknown>>([
    env.DB.prepare("SELECT role_code, permissions FROM role"),
    env.DB.prepare("SELECT board_code, is_closed FROM board"),
    env.DB.prepare("SELECT value FROM site_setting WHERE key = 'authentication'"),
  ]);
  return async () => {
    await env.DB.batch([
      ...(rows[0]?.results ?? []).map((row) =>
        env.DB.prepare("UPDATE role SET permissions = ?, version = 1 WHERE role_code = ?").bind(
          row.permissions,
          row.role_code,
        ),
      ),
      ...(rows[1]?.results ?? []).map((row) =>
        env.DB.prepare("UPDATE board SET is_closed = ?, version = 1 WHERE board_code = ?").bind(
          row.is_closed,
          row.board_code,
        ),
      ),
      env.DB.prepare("UPDATE site_setting SET value = ?, version = 1 WHERE key = 'authentication'").bind(
        rows[2]?.results[0]?.value,
      ),
    ]);
  };
}

/** Calls that the console confirms first. */
const ASKED_BEFORE_HIDING = [
  "DELETE /api/admin/board/:boardCode",
  "PATCH /api/admin/board/:boardCode",
  "PATCH /api/admin/role/:roleCode",
  "PATCH /api/admin/setting/authentication",
  "POST /api/admin/board/:boardCode/state",
  "POST /api/admin/setting/import",
];

test.each(["Admin", "Member"] as const)(
  `no act locks out the last administrator (%s) (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async (userType) => {
    const session = await onlyAdministrator(userType);
    // A board that ever had an item is closed instead of deleted.
    await runSql("UPDATE board SET last_item_no = 1 WHERE board_code = 'notice'");
    const restore = await storedRights();
    const before = await boardsOfGuest();
    const done = new Set<string>();
    const hiding = new Set<string>();
    const attempts = sample(attemptsOn(session.user), ({ path, body }) => path + JSON.stringify(body));
    for (const { name, method, path, body } of attempts) {
      await runSql("DELETE FROM rate_limit");
      let sent: Record<string, unknown> | undefined = body;
      if (name.endsWith("/setting/import")) {
        const preview = await callJson(method, path, { token: session.accessToken, ...(body ? { body } : {}) });
        sent = { ...body, fingerprint: preview.data?.fingerprint };
      }
      const answer = await callJson(method, path, {
        token: session.accessToken,
        ...(sent ? { body: sent } : {}),
      }).catch(() => null);
      if (answer !== null && answer.code !== "SUCCESS") continue;
      done.add(name);
      expect(await enters(session), `${name} ${JSON.stringify(sent)}`).toBe(true);
      const after = await boardsOfGuest();
      if (before.some((code) => !after.includes(code))) {
        hiding.add(name);
        await restore();
      }
    }
    const kept = await readRow<{ status: string }>("SELECT status FROM user WHERE id = ?", session.user.id);
    expect(kept?.status).toBe("active");
    expect([...hiding].toSorted()).toEqual(ASKED_BEFORE_HIDING.filter((name) => isFull || hiding.has(name)));
    expect([...done].filter((name) => /role|member|board|setting/.test(name)).length).toBeGreaterThan(isFull ? 12 : 0);
  },
);
