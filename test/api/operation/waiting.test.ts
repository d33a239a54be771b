import { expect, test } from "vitest";
import { getConsoleWaiting } from "#worker/domain/operation/waiting.server.ts";
import { createTestItem } from "../../support/factories.ts";
import { callJson } from "../../support/api-client.ts";
import { scopeFor } from "../../support/request-scope.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  createUser,
  type TestSession,
} from "../../support/people.ts";
import { addOwingPerson, payDue } from "../alumni/dues.ts";

const waitingFor = (session: TestSession | null) => getConsoleWaiting(scopeFor(session));

async function makeWork() {
  const author = await createMemberSession();
  await createUser({ status: "waiting" });
  await createUser({ status: "waiting" });
  await payDue(await addOwingPerson("p", "김하늘"), 50_000, { amount: 70_000 });
  const itemNo = await createTestItem(author, "free");
  const { accessToken: token } = await createMemberSession();
  await callJson("PUT", `/api/board-item-report/free/${itemNo}`, { token, body: { reason: "abuse" } });
}

test("the menu counts the work that waits", async () => {
  await makeWork();
  expect(await waitingFor(await createAdministratorSession())).toMatchObject({ Members: 2, Deposits: 1, Reports: 1 });
});

test("the menu counts no work without its right", async () => {
  await makeWork();
  const clerk = await createSessionWith(["ADMIN_Access"]);
  expect(await waitingFor(clerk)).toMatchObject({ Members: 2, Deposits: 0, Reports: 0, Inquiries: 0 });
});

test("a person without the console gets no counts", async () => {
  await makeWork();
  expect(await waitingFor(await createMemberSession())).toEqual({});
  expect(await waitingFor(await createSessionWith(["Dues_Manage", "Alumni_Write"]))).toEqual({});
  await expect(waitingFor(null)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});
