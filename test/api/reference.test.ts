import { expect, test } from "vitest";
import { api } from "#worker/api/app.ts";
import { type DescribedCall, describeCalls } from "#worker/api/kernel/describe.ts";
import { openApiOf } from "#worker/api/kernel/openapi.ts";
import { CALLS } from "../calls/calls.ts";
import { CREATING_CALLS } from "../calls/creating-calls.ts";
import { RECENT_SECOND_FACTOR_CALLS } from "../calls/second-factor-calls.ts";
import { callJson, fetchApi } from "../support/api-client.ts";
import { createAdministratorSession, createMemberSession } from "../support/people.ts";

const calls = describeCalls(api.routes);
const nameOf = ({ method, path }: DescribedCall) => `${method} ${path}`;

test("only an administrator can read the document of the calls", async () => {
  const path = "/api/admin/openapi.json";
  expect((await callJson("GET", path)).code).toBe("UNAUTHORIZED");
  const member = await createMemberSession();
  expect((await callJson("GET", path, { token: member.accessToken })).code).toBe("FORBIDDEN");
  const admin = await createAdministratorSession();
  const answer = await fetchApi("GET", path, { cookie: admin.accessToken });
  expect(answer.status).toBe(200);
  const document = (await answer.json()) as ReturnType<typeof openApiOf>;
  expect(document.openapi).toBe("3.1.0");
  const described = Object.entries(document.paths).flatMap(([at, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${at.replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
  expect(described.toSorted()).toEqual(Object.keys(CALLS).toSorted());
});

test("each operation has its own id", () => {
  const { paths } = openApiOf(api.routes);
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(JSON.stringify(paths).match(/"\$ref":"#(?!\/components\/responses\/Failure")[^"]*"|"\$defs"/g)).toBeNull();
});

test("the routes declare the checks that the table of calls requires", () => {
  for (const call of calls) {
    const access = CALLS[nameOf(call)];
    const named = nameOf(call);
    if (call.asks.includes("ADMIN_Access")) expect.soft([named, access]).toEqual([named, "administrator"]);
    if (call.asks.includes("signed in")) expect.soft([named, access === "everyone"]).toEqual([named, false]);
    expect.soft([named, call.isCreating ?? false]).toEqual([named, named in CREATING_CALLS]);
    expect
      .soft([named, call.asks.includes("second factor")])
      .toEqual([named, RECENT_SECOND_FACTOR_CALLS.includes(named)]);
  }
});
