import { expect, test } from "vitest";
import { openTestEvent, registerAt } from "../../calls/event-world.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { leaveOfLimit } from "../../support/factories.ts";
import { createMemberSession, createSessionWith } from "../../support/people.ts";
import { readRow, runSql } from "../../support/test-database.ts";

const BOARD = ["ADMIN_Access", "Board_free_View", "Board_free_List"];
const reason = "이름표 인쇄";

async function createWorld() {
  const opened = await openTestEvent(await createMemberSession(), { places: 1 });
  const [placed, waiting] = [await createMemberSession(), await createMemberSession()];
  for (const each of [placed, waiting]) await registerAt(each, opened.own);
  await runSql(
    "INSERT INTO alumni (id, name, email, affiliation, created_date, modified_date) VALUES ('a', '홍길동', ?, '가온병원', 1, 1)",
    placed.user.email,
  );
  return { placed, path: `${opened.office}/print-data` };
}

test("name tags name the affiliation of people with a place", async () => {
  const { path } = await createWorld();
  const officer = await createSessionWith([...BOARD, "Event_Manage"]);
  const { data } = await callAs(officer, "POST", path, { reason });
  expect(data).toEqual([{ id: expect.any(String), name: "홍길동", affiliation: "가온병원" }]);
});

test("a print of name tags has its reason in the log", async () => {
  const { path, placed } = await createWorld();
  const officer = await createSessionWith([...BOARD, "Event_Manage"]);
  expect((await callAs(officer, "POST", path, {})).fields).toHaveProperty("reason");
  await callAs(officer, "POST", path, { reason });
  expect(await readRow("SELECT reason, subject_count AS people FROM audit_log WHERE action = 'event.print'")).toEqual({
    reason,
    people: 1,
  });
  expect(await readRow("SELECT json_extract(ids, '$[0]') AS id FROM audit_subject")).toEqual({ id: placed.user.id });
});

test("name tags need the right to manage events", async () => {
  const { path, placed } = await createWorld();
  for (const session of [placed, await createSessionWith(BOARD)])
    expect((await callAs(session, "POST", path, { reason })).code).toBe("FORBIDDEN");
});

test.each([
  ["print-data", { reason }],
  ["export", { format: "csv", reason }],
])("%s of registrations counts as an export of the day", async (call, body) => {
  const { path } = await createWorld();
  const officer = await createSessionWith([...BOARD, "Event_Manage"]);
  await leaveOfLimit(1, "exportDay", officer.user.id);
  const ask = async () => {
    const to = path.replace("print-data", () => call);
    const response = await fetchApi("POST", to, { token: officer.accessToken, body });
    await response.text();
    return response.status;
  };
  expect([await ask(), await ask()]).toEqual([200, 429]);
});
