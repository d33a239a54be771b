import { expect, test } from "vitest";
import { getAlumniListPage } from "#worker/domain/alumni/list.server.ts";
import { listAlumniQuery } from "#worker/contract/alumni/input.ts";
import { koreanDay, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { CALLS, SAMPLE_CALLS } from "../../calls/calls.ts";
import { sentMessages } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { countRows, readRow, runSql } from "../../support/test-database.ts";
import { requirePresent } from "../../support/require-present.ts";
import { createEntry, createRepresentative, propose } from "./cohorts.ts";

const OTHER = {
  name: "박다른",
  cohort: 4,
  affiliation: "가람의원",
  mobile: "010-9999-1234",
  email: "other@pid.example.kr",
};

test("a representative sees only their own cohort", async () => {
  const admin = await createAdministratorSession();
  await createEntry(admin, { name: "김메일", cohort: 3, email: "kimmail@pid.example.kr", mobile: "010-0000-1111" });
  await createEntry(admin, { name: "나전화", cohort: 3, mobile: "010-0000-2222", memo: "사무국만" });
  await createEntry(admin, { name: "다반송", cohort: 3, email: "b@pid.example.kr" });
  await createEntry(admin, {
    name: "라공개",
    cohort: 3,
    affiliation: "한빛병원",
    phone: "02-000-3333",
    openFields: ["phone"],
  });
  await runSql("INSERT INTO mail_address (address, bounced_date) VALUES ('b@pid.example.kr', 1)");
  const otherId = await createEntry(admin, OTHER);
  const deletedId = await createEntry(admin, { name: "마휴지", cohort: 3 });
  await callAs(admin, "DELETE", `/api/alumni/${deletedId}`);
  const representative = await createRepresentative(admin, 3);
  const { data } = await callAs(representative, "GET", "/api/cohort");
  expect([data.cohort, data.cohorts, data.totalElements]).toEqual([3, [3], 3]);
  expect(data.content.map((each: Record<string, string>) => [each.name, each.reach, each.mobile, each.phone])).toEqual([
    ["나전화", "phone", "010-****-2222", ""],
    ["다반송", "bounced", "", ""],
    ["라공개", "phone", "", "02-000-3333"],
  ]);
  const all = await fetchApi("GET", "/api/cohort?shown=all", { token: representative.accessToken });
  const text = await all.text();
  expect(text).toContain("ki***@pid.example.kr");
  for (const hidden of ["0000-1111", "0000-2222", "kimmail", "b@pid", "사무국만", "마휴지", "박다른"])
    expect([hidden, text.includes(hidden)]).toEqual([hidden, false]);

  // Every address book and console call, and the loaders of their pages.
  const closed = SAMPLE_CALLS.filter(
    ({ name }) => CALLS[name] === "administrator" || (name.includes("/api/alumni") && !name.includes(":ticket")),
  );
  expect(closed.length).toBeGreaterThan(150);
  for (const { name, method, path } of closed) {
    const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
    const answer = await fetchApi(
      method,
      path.replace(/[0-9a-f-]{36}/, () => otherId),
      {
        token: representative.accessToken,
        ...body,
      },
    );
    expect([name, [400, 403, 404].includes(answer.status)]).toEqual([name, true]);
    expect([name, (await answer.text()).includes(OTHER.name)]).toEqual([name, false]);
  }
  const listed = await getAlumniListPage(scopeFor(representative), parseInput(listAlumniQuery, {})).catch(
    ({ code }: { code: string }) => code,
  );
  expect(listed).toBe("FORBIDDEN");
  for (const [path, code] of [
    ["/api/cohort?cohort=4", "FORBIDDEN"],
    ["/api/cohort?cohort=30", "FORBIDDEN"],
    ["/api/cohort?cohort=03", "INVALID_INPUT"],
    ["/api/cohort?cohort=0", "INVALID_INPUT"],
  ])
    expect([path, (await callAs(representative, "GET", path ?? "")).code]).toEqual([path, code]);
  for (const id of [otherId, deletedId, crypto.randomUUID()]) {
    const answer = await propose(representative, id, { mobile: "010-1111-2222" });
    expect([answer.code, answer.message]).toEqual(["NOT_FOUND", "맡으신 기수에 없는 사람입니다."]);
  }
  expect(await countRows("alumni_correction")).toBe(0);
});

test("only representatives have a cohort page", async () => {
  const admin = await createAdministratorSession();
  for (const cohort of [3, 4]) await createEntry(admin, { name: `동문${cohort}`, cohort });
  const writer = await createSessionWith(["Alumni_Read", "Alumni_Write"]);
  const codes = async (session: Parameters<typeof callAs>[0]) =>
    (await callAs(session, "GET", "/api/cohort?cohort=3")).code;
  expect([await codes(null), await codes(await createMemberSession()), await codes(writer)]).toEqual([
    "UNAUTHORIZED",
    "FORBIDDEN",
    "FORBIDDEN",
  ]);
  const both = await createSessionWith(["Alumni_Cohort_4", "Alumni_Cohort_3"]);
  const seen = async (query: string) => {
    const { data } = await callAs(both, "GET", `/api/cohort${query}`);
    return [data.cohort, data.cohorts, data.content.map(({ name }: { name: string }) => name)];
  };
  expect(await seen("")).toEqual([3, [3, 4], ["동문3"]]);
  expect(await seen("?cohort=4")).toEqual([4, [3, 4], ["동문4"]]);
  expect((await callAs(admin, "GET", "/api/cohort")).data).toMatchObject({ cohort: null, content: [] });
});

test("granting a cohort needs permanent edit rights", async () => {
  const admin = await createAdministratorSession();
  await createEntry(admin, { name: "김동문", cohort: 3 });
  const target = await createMemberSession();
  const body = { who: target.user.email, cohort: 3, to: "2099-12-31", reason: "총회" };
  const appoint = async (permissions: string[], sent: object = body) => {
    const session = await createSessionWith(permissions);
    return (await callAs(session, "PUT", "/api/admin/representative", sent)).code;
  };
  expect([
    await appoint(["ADMIN_Access"]),
    await appoint(["Alumni_Read", "Alumni_Write"]),
    await appoint(["ADMIN_Access", "Alumni_Read"]),
    await appoint(["ADMIN_Access", "Alumni_Cohort_3"]),
  ]).toEqual(["FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]);
  for (const [wrong, field] of [
    [{ who: "nobody" }, "who"],
    [{ cohort: 0 }, "cohort"],
    [{ cohort: 1000 }, "cohort"],
    [{ to: "2020-01-01" }, "to"],
  ] as const) {
    const answer = await callAs(admin, "PUT", "/api/admin/representative", { ...body, ...wrong });
    expect([wrong, Object.keys(answer.fields)]).toEqual([wrong, [field]]);
  }
  expect(await countRows("role_grant")).toBe(0);
  expect(await appoint(["ADMIN_Access", "Alumni_Write"])).toBe("SUCCESS");
  expect((await sentMessages(target.user.email))[0]?.body).toMatch(/2099년 12월 31일까지[^]*\/Cohort/);
  const rows = (await callAs(admin, "GET", "/api/admin/representative")).data as { userId: string; grantId: string }[];
  const row = requirePresent(rows.find(({ userId }) => userId === target.user.id));
  expect(row).toMatchObject({ userId: target.user.id, cohort: 3, roleName: "3기 대표", unreached: 1 });
  // An administrator without address book rights can no longer manage the account or the role.
  const clerk = await createSessionWith(["ADMIN_Access"]);
  const reset = await callAs(clerk, "POST", `/api/admin/member/${target.user.id}/reset-link`, {});
  const grant = { roleCode: "cohort-3", from: "2026-01-01", reason: "x" };
  const given = await callAs(clerk, "PUT", `/api/admin/member/${clerk.user.id}/role-grant`, grant);
  const widened = await callAs(clerk, "PUT", "/api/admin/role", {
    roleCode: "twelve",
    roleName: "12",
    permissions: ["Alumni_Cohort_12"],
  });
  expect([reset.code, given.code, widened.code]).toEqual(["FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]);
  const looks = async () => (await callAs(target, "GET", "/api/cohort")).code;
  expect(await looks()).toBe("SUCCESS");
  await callAs(admin, "DELETE", `/api/admin/member/${target.user.id}/role-grant/${row.grantId}`);
  expect(await looks()).toBe("FORBIDDEN");
  const brief = await createRepresentative(admin, 3, 1);
  const brieflyCode = async () => (await callAs(brief, "GET", "/api/cohort")).code;
  expect(await brieflyCode()).toBe("SUCCESS");
  const end = await readRow<{ end: number }>("SELECT end_date AS end FROM role_grant WHERE user_id = ?", brief.user.id);
  // Midnight in Korea at the end of tomorrow.
  expect(end?.end).toBe(startOfKoreanDay(koreanDay(new Date(Date.now() + 2 * DAY_MS))).getTime());
  await runSql("UPDATE role_grant SET end_date = ? WHERE user_id = ?", Date.now() - 1, brief.user.id);
  expect(await brieflyCode()).toBe("FORBIDDEN");
});

test("the limit of views is the same for a representative", async () => {
  const admin = await createAdministratorSession();
  const representative = await createRepresentative(admin, 3);
  await runSql(
    `INSERT INTO alumni (id, name, cohort, created_date, modified_date)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
     SELECT 'p' || i, '김동문' || i, 3, 1, 1 FROM n`,
  );
  const codes: string[] = [];
  for (let page = 1; page <= 7; page += 1)
    codes.push((await callAs(representative, "GET", `/api/cohort?size=50&page=${page}`)).code);
  expect(codes).toEqual([...Array.from({ length: 6 }, () => "SUCCESS"), "TOO_MANY_REQUESTS"]);
});
