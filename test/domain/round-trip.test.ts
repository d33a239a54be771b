import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listItemsQuery } from "#worker/contract/board.ts";
import { type Credential, openDoor } from "#worker/context.server.ts";
import { dashboard } from "#worker/domain/admin/dashboard.server.ts";
import { homePage } from "#worker/domain/board/home.server.ts";
import { boardListPage } from "#worker/domain/board/list.server.ts";
import { boardViewPage } from "#worker/domain/board/view.server.ts";
import { siteFrame } from "#worker/domain/site.server.ts";
import { call } from "../client.ts";
import { administrator, createItem, member } from "../factories.ts";

/** A door whose database tells how often it is asked: a batch is one trip, a statement by itself another. */
function countingDoor(credential: Credential | null) {
  const trips: string[] = [];
  const real = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const watch = (statement: D1PreparedStatement): D1PreparedStatement => {
    const watched = new Proxy(statement, {
      get(target, key) {
        if (key === "bind") return (...values: unknown[]) => watch(target.bind(...values));
        return (...values: unknown[]) => {
          trips.push(String(key));
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
        return target.batch(statements.map((each) => real.get(each) ?? each));
      };
    },
  });
  const request = new Request("http://localhost/");
  const defer = () => {};
  return { door: openDoor({ request, env: { ...env, DB }, credential, requestId: "test", defer }), trips };
}

test("the home page with its shell asks the database once, for a guest and for a member", async () => {
  const { accessToken } = await member();
  for (const credential of [null, { token: accessToken, from: "cookie" as const }]) {
    const { door, trips } = countingDoor(credential);
    const [frame, home] = await Promise.all([siteFrame(door), homePage(door)]);
    expect(frame.user === null, JSON.stringify(credential)).toBe(credential === null);
    expect(
      home.boards.map((each) => each.boardCode),
      JSON.stringify(credential),
    ).toEqual(["notice", "reference"]);
    expect(trips, JSON.stringify(credential)).toEqual(["batch"]);
  }
});

test("a list with its shell asks the database once, whether the person who looks follows it included", async () => {
  const { accessToken } = await member();
  await call("PUT", "/api/board/notice/follow", { token: accessToken });
  for (const credential of [null, { token: accessToken, from: "cookie" as const }]) {
    const { door, trips } = countingDoor(credential);
    const list = boardListPage(door, listItemsQuery.parse({ boardCode: "notice" }));
    const [, { following }] = await Promise.all([siteFrame(door), list]);
    expect(following, JSON.stringify(credential)).toBe(credential && true);
    expect(trips, JSON.stringify(credential)).toEqual(["batch"]);
  }
});

test("a view with its shell asks the database once before it answers", async () => {
  const itemNo = await createItem(await administrator(), "notice");
  const { door, trips } = countingDoor(null);
  await Promise.all([siteFrame(door), boardViewPage(door, { boardCode: "notice", itemNo })]);
  expect(trips).toEqual(["batch"]);
});

test("the dashboard of the console with its shell asks the database once, its size included", async () => {
  const { accessToken } = await administrator();
  const { door, trips } = countingDoor({ token: accessToken, from: "cookie" });
  const [, { databaseBytes }] = await Promise.all([siteFrame(door), dashboard(door)]);
  expect(databaseBytes).toBeGreaterThan(0);
  expect(trips).toEqual(["batch"]);
});
