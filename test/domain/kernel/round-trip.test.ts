import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listItemsQuery, searchPageQuery } from "#worker/contract/board/input.ts";
import type { Credential } from "#worker/credential.ts";
import { openRequestScope } from "../../support/open-scope.ts";
import { getDashboard } from "#worker/domain/operation/dashboard.server.ts";
import { getHomePage } from "#worker/domain/site/home.server.ts";
import { getBoardListPage } from "#worker/domain/board/list.server.ts";
import { getBoardViewPage } from "#worker/domain/board/view.server.ts";
import { listAuditQuery } from "#worker/contract/audit/input.ts";
import { listMembersQuery } from "#worker/contract/member/list-input.ts";
import { listAuditLog } from "#worker/domain/audit/audit-log.server.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { listMailTemplates } from "#worker/domain/mail/template.server.ts";
import { listMembers } from "#worker/domain/member/list.server.ts";
import { getSearchPage } from "#worker/domain/site/search-page.server.ts";
import { listAlumniQuery } from "#worker/contract/alumni/input.ts";
import { getAlumniListPage } from "#worker/domain/alumni/list.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { callJson } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";

/** A scope that counts database trips: one for a batch, one for a single statement. */
function countingScope(credential: Credential | null) {
  const trips: string[] = [];
  let asked = 0;
  const real = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const watch = (statement: D1PreparedStatement): D1PreparedStatement => {
    const watched = new Proxy(statement, {
      get(target, key) {
        if (key === "bind") return (...values: unknown[]) => watch(target.bind(...values));
        return (...values: unknown[]) => {
          trips.push(String(key));
          asked += 1;
          return (Reflect.get(target, key) as (...args: unknown[]) => unknown).apply(target, values);
        };
      },
    });
    real.set(watched, statement);
    return watched;
  };
  const DB = new Proxy(env.DB, {
    get(target, key) {
      if (key === "prepare") return (query: string) => watch(target.prepare(query));
      return (statements: D1PreparedStatement[]) => {
        trips.push(String(key));
        asked += statements.length;
        return target.batch(statements.map((each) => real.get(each) ?? each));
      };
    },
  });
  const request = new Request("http://localhost/");
  const deferred: Promise<unknown>[] = [];
  const defer = (work: Promise<unknown>) => void deferred.push(work);
  return {
    scope: openRequestScope({ request, env: { ...env, DB }, credential, requestId: "test", defer }),
    trips,
    count: () => asked,
    settle: () => Promise.all(deferred),
  };
}

test("the home page with its frame takes one database trip", async () => {
  const { accessToken } = await createMemberSession();
  for (const credential of [null, { token: accessToken }]) {
    const { scope, trips } = countingScope(credential);
    const [frame, home] = await Promise.all([getSiteFrame(scope), getHomePage(scope)]);
    expect(frame.user === null, JSON.stringify(credential)).toBe(credential === null);
    expect(
      home.boards.map((each) => each.boardCode),
      JSON.stringify(credential),
    ).toEqual(["notice", "reference"]);
    expect(trips, JSON.stringify(credential)).toEqual(["batch"]);
  }
});

test("a list with its frame takes one database trip, follow state included", async () => {
  const { accessToken } = await createMemberSession();
  await callJson("PUT", "/api/board/notice/follow", { token: accessToken });
  for (const credential of [null, { token: accessToken }]) {
    const { scope, trips } = countingScope(credential);
    const list = getBoardListPage(scope, listItemsQuery.parse({ boardCode: "notice" }));
    const [, { following }] = await Promise.all([getSiteFrame(scope), list]);
    expect(following, JSON.stringify(credential)).toBe(credential && true);
    expect(trips, JSON.stringify(credential)).toEqual(["batch"]);
  }
});

test("a view with its frame takes one database trip before the answer", async () => {
  const itemNo = await createTestItem(await createAdministratorSession(), "notice");
  const { scope, trips } = countingScope(null);
  await Promise.all([getSiteFrame(scope), getBoardViewPage(scope, { boardCode: "notice", itemNo })]);
  expect(trips).toEqual(["batch"]);
});

test("every search takes two trips", async () => {
  const admin = await createAdministratorSession();
  const { accessToken } = admin;
  await createTestItem(admin, "notice", { title: "연구 소식" });
  for (const within of [undefined, "notice"]) {
    const { scope, trips } = countingScope({ token: accessToken });
    const asked = getSearchPage(scope, searchPageQuery.parse({ keyword: "연구" }), within);
    const [, found] = await Promise.all([getSiteFrame(scope), asked]);
    expect(found.result?.content).toHaveLength(1);
    expect(trips, JSON.stringify(within)).toEqual(["batch", "batch"]);
  }
});

test("a deep board page takes one database trip", async () => {
  const { accessToken } = await createAdministratorSession();
  const deep = countingScope({ token: accessToken });
  await Promise.all([
    getSiteFrame(deep.scope),
    getBoardListPage(deep.scope, listItemsQuery.parse({ boardCode: "notice", page: "5000" })),
  ]);
  expect(deep.trips).toEqual(["batch"]);
  for (const keyword of ["", "길동", "홍길동 교수"]) {
    const { scope, trips } = countingScope({ token: accessToken });
    await Promise.all([getSiteFrame(scope), getAlumniListPage(scope, listAlumniQuery.parse({ keyword }))]);
    expect(trips, keyword).toEqual(["batch", "batch"]);
  }
});

test("the dashboard with its frame takes one trip", async () => {
  const { accessToken } = await createAdministratorSession();
  const { scope, trips } = countingScope({ token: accessToken });
  const [, { databaseBytes }] = await Promise.all([getSiteFrame(scope), getDashboard(scope)]);
  expect(databaseBytes).toBeGreaterThan(0);
  expect(trips).toEqual(["batch"]);
});

/** A second batch records whom a list of people showed. */
const REFUSED: [name: string, read: (scope: RequestScope) => Promise<unknown>, batches?: number][] = [
  ["the dashboard", getDashboard],
  ["the members", (scope) => listMembers(scope, listMembersQuery.parse({})), 2],
  ["the audit log", (scope) => listAuditLog(scope, listAuditQuery.parse({}))],
  ["the mail templates", listMailTemplates],
];

test.each(REFUSED)("%s refuses a caller right after the session's own statements", async (_, read, batches = 1) => {
  for (const credential of [null, { token: "a.b.c" }]) {
    const { scope, trips, count } = countingScope(credential);
    await expect(read(scope)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect([trips, count()], JSON.stringify(credential)).toEqual([["batch"], 3]);
  }
  const office = countingScope({ token: (await createAdministratorSession()).accessToken });
  await read(office.scope);
  await office.settle();
  expect([office.trips.filter((trip) => trip === "batch"), office.count() > 3]).toEqual([
    Array.from({ length: batches }, () => "batch"),
    true,
  ]);
});
