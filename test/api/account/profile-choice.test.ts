import { expect, test } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, createSession, type TestSession } from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";

const PATH = "/api/admin/setting/profile-field";
const FIELD = { code: "grade", name: "직종", inputType: "select", detail: ["의사", "간호사"], required: false };

const makeField = async (admin: TestSession, field: object = {}) =>
  expect((await callAs(admin, "PUT", PATH, { ...FIELD, ...field })).code).toBe("SUCCESS");
const change = ({ code: _code, ...field }: typeof FIELD, more: object, admin: TestSession, version = 1) =>
  callAs(admin, "PATCH", `${PATH}/grade`, { ...field, ...more, version });
const memberWith = async (profile: object) => {
  const member = await createSession();
  await runSql("UPDATE user SET profile = ? WHERE id = ?", JSON.stringify(profile), member.user.id);
  return member;
};
const readText = async (...query: Parameters<typeof readValue>) => (await readValue<string>(...query)) ?? "";
const save = async (member: TestSession, profile: object) => {
  const version = await readValue<number>("SELECT version FROM user WHERE id = ?", member.user.id);
  return callAs(member, "PATCH", `/api/user/${member.user.id}`, { profile, version });
};
const stored = async ({ user: { id } }: TestSession) =>
  JSON.parse(await readText("SELECT profile FROM user WHERE id = ?", id));

test("members keep a renamed choice of a sign-up field", async () => {
  const admin = await createAdministratorSession();
  await makeField(admin);
  await makeField(admin, { code: "topics", name: "관심", inputType: "checkbox" });
  const one = await memberWith({ grade: "의사", topics: ["의사", "간호사"] });
  const renames = [{ from: "의사", to: "의사(전문의)" }];
  expect((await change(FIELD, { detail: ["의사(전문의)", "간호사"], renames }, admin)).code).toBe("SUCCESS");
  expect(await stored(one)).toEqual({ grade: "의사(전문의)", topics: ["의사", "간호사"] });
});

test("a mailing to members follows a renamed choice of a sign-up field", async () => {
  const admin = await createAdministratorSession();
  await makeField(admin);
  const target = { filter: { profileCode: "grade", profileValue: "의사" } };
  const draft = { source: "member", target, kind: "notice", subject: "안내", body: "<p>안내</p>" };
  expect((await callAs(admin, "PUT", "/api/admin/mailing", draft)).code).toBe("SUCCESS");
  const renames = [{ from: "의사", to: "전문의" }];
  expect((await change(FIELD, { detail: ["전문의", "간호사"], renames }, admin)).code).toBe("SUCCESS");
  expect(await readValue("SELECT target ->> '$.filter.profileValue' FROM mailing")).toBe("전문의");
});

test("a rename of a sign-up choice to an existing one is refused", async () => {
  const admin = await createAdministratorSession();
  await makeField(admin);
  const renames = [{ from: "의사", to: "간호사" }];
  const answer = await change(FIELD, { detail: ["간호사"], renames }, admin);
  expect([answer.code, Object.keys(answer.fields)]).toEqual(["INVALID_INPUT", ["detail"]]);
});

test("a choice that no longer exists stops no other save", async () => {
  const admin = await createAdministratorSession();
  await makeField(admin);
  await makeField(admin, { code: "room", name: "방", inputType: "text", detail: [] });
  const member = await memberWith({ grade: "약사" });
  expect((await save(member, { grade: "약사", room: "12" })).code).toBe("SUCCESS");
  expect(await stored(member)).toEqual({ grade: "약사", room: "12" });
  expect((await save(member, { grade: "기사" })).fields).toHaveProperty(["profile.grade"]);
});

test("a field made required later stops no member from saving another field", async () => {
  const admin = await createAdministratorSession();
  await makeField(admin, { required: true });
  await makeField(admin, { code: "room", name: "방", inputType: "text", detail: [] });
  const member = await memberWith({});
  expect((await save(member, { grade: "", room: "12" })).code).toBe("SUCCESS");
  expect((await save(member, { grade: "의사" })).code).toBe("SUCCESS");
});

test("a required value cannot be emptied", async () => {
  const admin = await createAdministratorSession();
  await makeField(admin, { required: true });
  const member = await memberWith({ grade: "의사" });
  expect((await save(member, { grade: "" })).fields).toHaveProperty(["profile.grade"]);
});

test("a rename of choices that changed meanwhile is a conflict", async () => {
  const admin = await createAdministratorSession();
  await makeField(admin);
  expect((await change(FIELD, { detail: ["의사", "약사"] }, admin)).code).toBe("SUCCESS");
  const renames = [{ from: "간호사", to: "조산사" }];
  expect((await change(FIELD, { detail: ["의사", "조산사"], renames }, admin)).code).toBe("CONFLICT");
});
