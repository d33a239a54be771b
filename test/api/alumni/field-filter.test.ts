import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { downloadFile } from "../../samples/alumni-files.ts";
import { callJson } from "../../support/api-client.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";

const PEOPLE = [
  { name: "가나다", cohort: 3, position: "과장", mobile: "010-0000-0001", memo: "회비 납부" },
  { name: "나나다", cohort: 4, position: "원장", mobile: "", memo: "" },
  { name: "다나다", cohort: 7, position: "", mobile: "010-0000-0003", memo: "" },
  { name: "라나다", position: "교수", mobile: "", memo: "회비 미납" },
];

async function withPeople(): Promise<TestSession> {
  const admin = await createAdministratorSession();
  for (const body of PEOPLE)
    expect((await callJson("PUT", "/api/alumni", { token: admin.accessToken, body })).code).toBe("SUCCESS");
  return admin;
}
const names = async (session: TestSession, query: string) => {
  const { data } = await callJson("GET", `/api/alumni?${query}`, { token: session.accessToken });
  expect(data.totalElements).toBe(data.content.length);
  return data.content.map(({ name }: { name: string }) => name[0]).join("");
};

test("every field can be filtered by every condition", async () => {
  const admin = await withPeople();
  const asked: [query: string, found: string][] = [
    ["f_mobile=empty", "나라"],
    ["f_mobile=filled", "가다"],
    ["f_cohort=empty", "라"],
    ["f_cohort=between:3,4", "가나"],
    ["f_cohort=between:4,", "나다"],
    ["f_cohort=between:,3", "가"],
    ["f_cohort=in:3,7", "가다"],
    ["f_position=in:과장,교수", "가라"],
    ["f_position=empty", "다"],
    ["f_memo=has:회비", "가라"],
    ["f_memo=has:회비&f_mobile=filled", "가"],
    ["f_name=between:나,다다", "나다"],
    ["f_position=filled&keyword=나나다", "나"],
  ];
  for (const [query, found] of asked) expect([query, await names(admin, query)]).toEqual([query, found]);
});

test.each(["f_cohort=between:a,b", "f_cohort=in:", "f_mobile=like:010", "f_cohort=between:3", "f_cohort=in:열"])(
  "%s is refused",
  async (query) => {
    const admin = await createAdministratorSession();
    const answer = await callJson("GET", `/api/alumni?${query}`, { token: admin.accessToken });
    expect([answer.code, Object.keys(answer.fields)]).toEqual(["INVALID_INPUT", [query.split("=")[0]]]);
  },
);

test("a member cannot learn closed fields or the memo by filtering", async () => {
  await withPeople();
  const member = await createMemberSession();
  for (const query of ["f_mobile=empty", "f_mobile=has:0001", "f_memo=has:회비", "f_email=filled", "f_address=filled"])
    expect([query, await names(member, query)]).toEqual([query, ""]);
  expect(await names(member, "f_position=empty")).toBe("다");
});

test("an export contains the people matching the conditions", async () => {
  const admin = await withPeople();
  const body = { filter: { f_mobile: "empty" }, columns: ["이름"], format: "csv", count: 2, reason: "확인" };
  const { data } = await callJson("POST", "/api/alumni/export-data", { token: admin.accessToken, body });
  const csv = new TextDecoder().decode(await downloadFile(admin, data.url));
  expect(csv.trim().split("\r\n").slice(1)).toEqual(["나나다", "라나다"]);
  const detail = await env.DB.prepare("SELECT detail FROM audit_log WHERE action = 'alumni.export'").first<string>(
    "detail",
  );
  expect(JSON.parse(detail ?? "{}").conditions).toEqual(["mobile empty"]);
});
