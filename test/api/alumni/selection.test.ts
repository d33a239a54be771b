import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { downloadFile } from "../../samples/alumni-files.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { leaveOfLimit } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";

const PATH = "/api/alumni/selected";

async function withPeople() {
  const admin = await createAdministratorSession();
  const ids: string[] = [];
  for (const [at, name] of ["가", "나", "다", "라", "마"].entries()) {
    const body = { name, position: at % 2 ? "" : "과장", email: `${at}@pid.example.kr`, mobile: "010-0000-0001" };
    ids.push((await callAs(admin, "PUT", "/api/alumni", body)).data.id);
  }
  return { admin, ids };
}
const selected = async (session: TestSession, body: object) => {
  const { data } = await callAs(session, "POST", PATH, body);
  return [data.total, data.people.map(({ name }: { name: string }) => name).join("")];
};

test("a selection never includes deleted people", async () => {
  const { admin, ids } = await withPeople();
  const [first = "", second = "", third = ""] = ids;
  const filter = { f_position: "filled" };
  expect(await selected(admin, { ids: [second, first] })).toEqual([2, "가나"]);
  expect(await selected(admin, { filter: {}, count: 5 })).toEqual([5, "가나다라마"]);
  expect(await selected(admin, { filter, count: 3 })).toEqual([3, "가다마"]);
  expect(await selected(admin, { filter, except: [third, second], count: 2 })).toEqual([2, "가마"]);
  await callAs(admin, "DELETE", `/api/alumni/${first}`);
  expect(await selected(admin, { ids: [first, second] })).toEqual([1, "나"]);
  expect(await selected(admin, { filter, except: [third], count: 1 })).toEqual([1, "마"]);
});

test.each([
  ["nobody named", { ids: [] }],
  ["no selection", {}],
  ["a condition without meaning", { filter: { f_cohort: "in:열" } }],
  ["too many named", { ids: Array.from({ length: 1001 }, () => crypto.randomUUID()) }],
])("%s is refused", async (_what, body) => {
  const answer = await callAs(await createAdministratorSession(), "POST", PATH, body);
  expect(answer.code).toBe("INVALID_INPUT");
});

test("a member can select only listed people", async () => {
  const { ids } = await withPeople();
  const member = await createMemberSession();
  await leaveOfLimit(50, "alumniRows", member.user.id);
  expect((await callJson("POST", PATH, { body: { ids } })).code).toBe("UNAUTHORIZED");
  const { data } = await callAs(member, "POST", PATH, { ids });
  expect(data.people.map(({ mobile }: { mobile: string }) => mobile)).toEqual(ids.map(() => "010-****-0001"));
  expect((await callAs(member, "POST", PATH, { filter: { f_mobile: "empty" } })).code).toBe("INVALID_INPUT");
  for (let at = 0; at < 9; at += 1) expect((await callAs(member, "POST", PATH, { ids })).code).toBe("SUCCESS");
  expect((await callAs(member, "POST", PATH, { ids })).code).toBe("TOO_MANY_REQUESTS");
});

test("a sending omits the people unticked from all matches", async () => {
  const { admin, ids } = await withPeople();
  const except = [ids[0] ?? ""];
  const body = { filter: { f_position: "filled", except }, columns: ["이름"], format: "csv", count: 2, reason: "확인" };
  const { data } = await callAs(admin, "POST", "/api/alumni/export-data", body);
  const csv = new TextDecoder().decode(await downloadFile(admin, data.url));
  expect(csv.trim().split("\r\n").slice(1)).toEqual(["다", "마"]);
  const detail = await env.DB.prepare("SELECT detail FROM audit_log WHERE action = 'alumni.export'").first<string>(
    "detail",
  );
  expect(JSON.parse(detail ?? "{}")).toMatchObject({ conditions: ["position filled"], left: 1 });
  const target = { filter: { f_position: "filled" }, except };
  const mailing = await callAs(admin, "PUT", "/api/admin/mailing", { source: "alumni", target });
  const path = `/api/admin/mailing/${mailing.data.id}`;
  await callAs(admin, "PATCH", path, { kind: "informational", subject: "안내", text: "총회 안내입니다.", version: 1 });
  expect((await callAs(admin, "POST", `${path}/preview`)).data.count).toBe(2);
});
