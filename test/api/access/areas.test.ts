import { expect, test } from "vitest";
import { RETENTION_RULE_CODES } from "#worker/contract/audit/retention-rules.ts";
import { SITE_PERMISSIONS } from "#worker/contract/kernel/permissions.ts";
import { AREA_ACTS, IDLE_ACTS } from "../../calls/area-acts.ts";
import type { ActWorld } from "../../calls/area-targets.ts";
import { changingConsoleCalls, consoleCallOf, createConsoleWorld } from "../../calls/console-acts.ts";
import { type Area, areaOf, changedAreas, readAreas, tablesWithoutArea } from "../../support/areas.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { isFull, sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { createTestItem, createTestMailing } from "../../support/factories.ts";
import { createPartialSession } from "../../support/partial-session.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { runSql } from "../../support/test-database.ts";

/** Areas each right may change, apart from the console's own. */
const RIGHTS: Record<string, readonly Area[]> = {
  ADMIN_Access: [],
  Alumni_Read: ["alumni"],
  Alumni_Write: ["alumni"],
  Alumni_Delete: ["alumni"],
  Alumni_Export: [],
  Alumni_Import: ["alumni"],
  Dues_Manage: ["dues"],
  Event_Manage: ["event"],
  Research_Manage: ["research"],
  Research_Decide: ["research"],
  Alumni_Cohort_7: ["alumni"],
  CaseReport_Access: [],
  Inquiry_Answer: ["inquiry"],
  Mail_Template: ["template"],
  Center_seoul_Manage: [],
  Board_free_Write: ["board:free"],
  Board_free_Comment: ["board:free"],
  Board_free_Manage: ["board:free"],
};

async function createWorld(): Promise<ActWorld> {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  await runSql("INSERT INTO role (role_code, role_name, permissions) VALUES ('officer', '간사', '[\"Alumni_Write\"]')");
  return { admin, member };
}

test("every table of the schema belongs to an area", () => {
  expect(tablesWithoutArea()).toEqual([]);
});

test("every right of the site is covered by this test", () => {
  expect(SITE_PERMISSIONS.filter((code) => !(code in RIGHTS))).toEqual([]);
});

/** A kind of call for each area of the API. */
const apiAreaOf = (name: string) => /^\w+ \/api\/(?:admin\/)?([\w-]+)/.exec(name)?.[1] ?? "";

test(
  `changing data of an area needs its right (${SAMPLE_NOTE})`,
  {
    tags: "sampled",
  },
  async () => {
    const world = await createWorld();
    const actors = Object.entries(RIGHTS).map(async ([right, areas]) => ({
      right,
      areas,
      session: await createPartialSession(...(right === "ADMIN_Access" ? [] : [right])),
    }));
    const acts = sample(
      Object.entries(AREA_ACTS),
      ([call]) => call,
      ([call]) => apiAreaOf(call),
    );
    for (const [name, prepare] of acts) {
      const method = name.split(" ")[0] ?? "";
      await runSql("DELETE FROM rate_limit");
      let act = await prepare(world);
      let before = await readAreas();
      let refused: string[] = [];
      const expectChange = async (areas: readonly Area[], rights: string[]) => {
        const changed = changedAreas(before, await readAreas());
        const others = changed.filter((each) => areaOf(each) !== "console" && !areas.includes(areaOf(each)));
        expect.soft([rights, name, others]).toEqual([rights, name, []]);
      };
      for (const { right, areas, session } of await Promise.all(actors)) {
        const { code } = await callAs(session, method, act.path, act.body);
        const isRefused = code === "FORBIDDEN" || code === "NOT_FOUND";
        // Without a right of the area the call must be refused for exactly that reason.
        const allowed =
          areas.length === 0 && !IDLE_ACTS.has(name) ? [true, code] : [isRefused, isRefused ? code : "SUCCESS"];
        expect.soft([right, name, isRefused, code]).toEqual([right, name, ...allowed]);
        if (isRefused) {
          refused.push(right);
          continue;
        }
        await expectChange(areas, [...refused, right]);
        refused = [];
        await runSql("DELETE FROM rate_limit");
        act = await prepare(world);
        before = await readAreas();
      }
      await expectChange([], refused);
      const { code } = await callAs(world.admin, method, act.path, act.body);
      const changed = changedAreas(before, await readAreas()).length > 0;
      expect.soft(["system", name, code, changed || IDLE_ACTS.has(name)]).toEqual(["system", name, "SUCCESS", true]);
    }
  },
);

const CANARY = "카나리아";

/** Hides one canary an area and returns the places where a reader might see it. */
async function hideCanaries(admin: TestSession) {
  const owner = await createMemberSession();
  await runSql(
    "INSERT INTO alumni_field (code, name, kind, choices, access) VALUES ('own9', '비고', 'text', '[]', 'office')",
  );
  const person = {
    name: "김동문",
    cohort: 7,
    memo: `${CANARY}메모`,
    address: `${CANARY}주소`,
    own: { own9: `${CANARY}항목` },
  };
  const { data: entry } = await callAs(admin, "PUT", "/api/alumni", person);
  const { data: gone } = await callAs(admin, "PUT", "/api/alumni", { name: `${CANARY}삭제` });
  await callAs(admin, "DELETE", `/api/alumni/${gone.id}?version=1`);
  await runSql("UPDATE alumni SET deleted_date = 1 WHERE id = ?", gone.id);
  await runSql("UPDATE board SET use_secret = 1 WHERE board_code = 'free'");
  const secretNo = await createTestItem(owner, "free", { content: `<p>${CANARY}비밀</p>`, isSecret: true });
  const goneNo = await createTestItem(owner, "free", { title: `${CANARY}휴지통` });
  await callAs(admin, "DELETE", `/api/board-item/free/${goneNo}`);
  await runSql("UPDATE board_item SET deleted_date = 1 WHERE deleted_date IS NOT NULL");
  await callAs(owner, "PUT", "/api/board-item-draft/free", { title: `${CANARY}초안`, content: "<p>글</p>" });
  await runSql("UPDATE item_draft SET modified_date = 1");
  await callAs(admin, "PUT", "/api/admin/board", { boardCode: "hidden", boardName: "닫힌 게시판" });
  const hiddenNo = await createTestItem(admin, "hidden", { title: `${CANARY}닫힘` });
  const question = { category: "other", subject: `${CANARY}문의`, content: "내용" };
  const { data: inquiry } = await callAs(owner, "POST", "/api/inquiry", question);
  await runSql("UPDATE inquiry SET status = 'closed', last_date = 1");
  const proposal = { affiliation: `${CANARY}요청`, note: "통화" };
  await callAs(admin, "PUT", `/api/cohort/person/${entry.id}/correction`, proposal);
  const mailing = await createTestMailing(
    admin,
    { source: "alumni", target: { ids: [entry.id] } },
    { subject: "알림", text: `${CANARY}메일` },
  );
  return [
    "/api/site-setting/info",
    "/api/alumni?size=100",
    "/api/alumni/bin",
    "/api/cohort?cohort=7&shown=all",
    `/api/board-item/free/${secretNo}`,
    "/api/board-item?boardCode=free",
    "/api/board-item/bin/free",
    "/api/board-item?boardCode=hidden",
    `/api/board-item/hidden/${hiddenNo}`,
    "/api/board/hidden",
    "/api/admin/inquiry",
    `/api/admin/inquiry/${inquiry.id}`,
    "/api/admin/correction",
    `/api/admin/mailing/${mailing}`,
    ...RETENTION_RULE_CODES.map((rule) => `/api/admin/privacy/retention/${rule}`),
  ];
}

async function seenBy(readers: Record<string, TestSession | null>, surfaces: readonly string[]): Promise<string[]> {
  await runSql("DELETE FROM rate_limit");
  const seen = new Set<string>();
  for (const [reader, session] of Object.entries(readers))
    for (const path of surfaces) {
      const text = await (await fetchApi("GET", path, { token: session?.accessToken })).text();
      for (const [canary] of text.matchAll(new RegExp(`${CANARY}[가-힣]+`, "g"))) seen.add(`${reader}: ${canary}`);
    }
  return [...seen].toSorted();
}

test(
  `console access alone makes no data visible (${SAMPLE_NOTE})`,
  {
    tags: "sampled",
  },
  async () => {
    const given = await createConsoleWorld();
    const surfaces = await hideCanaries(given.admin);
    const partial = await createPartialSession();
    const readers = { guest: null, member: await createMemberSession(), partial };
    expect(await seenBy({ admin: given.admin }, surfaces)).toHaveLength(11);
    expect(await seenBy(readers, surfaces)).toEqual([]);
    const reached: string[] = [];
    let before = await readAreas();
    for (const name of sample(changingConsoleCalls, (each) => each, apiAreaOf)) {
      const response = await fetchApi(...consoleCallOf(name, partial.accessToken, given));
      await response.arrayBuffer();
      const after = await readAreas();
      const changed = changedAreas(before, after);
      before = after;
      expect.soft([name, changed.filter((each) => areaOf(each) !== "console")]).toEqual([name, []]);
      if (response.ok) reached.push(name);
      if (changed.length > 0) expect.soft([name, await seenBy(readers, surfaces)]).toEqual([name, []]);
    }
    expect(reached.length).toBeGreaterThan(isFull ? 50 : 0);
  },
);

test("a board stays closed until someone who manages it opens it", async () => {
  const partial = await createPartialSession();
  const manager = await createSessionWith(["ADMIN_Access", "Board_free_Manage"]);
  const admin = await createAdministratorSession();
  const make = (session: TestSession, boardCode: string, from = "") =>
    callAs(session, from ? "POST" : "PUT", `/api/admin/board${from}`, { boardCode, boardName: "새 게시판" });
  expect((await make(partial, "press")).code).toBe("SUCCESS");
  expect((await make(partial, "again", "/free/copy")).code).toBe("FORBIDDEN");
  expect((await make(manager, "again", "/free/copy")).code).toBe("SUCCESS");
  const boards = async () =>
    (await callJson("GET", "/api/site-setting/info")).data.boards.map(
      ({ boardCode }: { boardCode: string }) => boardCode,
    );
  const before = await boards();
  expect(before).not.toEqual(expect.arrayContaining([expect.stringMatching(/press|again/)]));
  const open = (session: TestSession) =>
    callAs(session, "POST", "/api/admin/board/press/state", { isClosed: false, version: 1 });
  const refused = await open(partial);
  expect([refused.code, refused.message]).toEqual(["FORBIDDEN", expect.stringContaining("관리 권한이 없습니다")]);
  expect(await boards()).toEqual(before);
  expect((await open(admin)).code).toBe("SUCCESS");
  expect(await boards()).toContain("press");
});
