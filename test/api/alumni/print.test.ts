import { expect, test } from "vitest";
import { needsAddress, PRINT_PEOPLE_MAX, type PrintKind } from "#worker/contract/alumni/paper.ts";
import { callAs } from "../../support/api-client.ts";
import { leaveOfLimit } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { countRows, readRows, readValue, runSql } from "../../support/test-database.ts";

const PEOPLE = [
  { name: "나하나", cohort: 9, zipCode: "03080", address: "서울특별시 종로구 1", mobile: "010-0000-1111" },
  { name: "가두리", cohort: 10, zipCode: "01000", address: "서울특별시 강북구 2", affiliation: "한빛병원" },
  { name: "다세온", cohort: 9 },
];

async function withPeople(): Promise<{ admin: TestSession; ids: string[] }> {
  const admin = await createAdministratorSession();
  const ids: string[] = [];
  for (const body of PEOPLE) ids.push((await callAs(admin, "PUT", "/api/alumni", body)).data.id);
  return { admin, ids };
}

const ALL = { filter: {} };
const print = async (session: TestSession | null, fields: Record<string, unknown> = {}) => {
  const { segment = ALL, kind = "label" } = fields;
  const { data } = await callAs(session, "POST", "/api/alumni/print-count", { segment });
  const count = needsAddress(kind as PrintKind) ? data?.withAddress : data?.total;
  const body = { reason: "총회 안내문", ...fields, segment, kind, count };
  return callAs(session, "POST", "/api/alumni/print-data", body);
};
const names = ({ data }: { data: { people: { name: string }[] } }) => data.people.map(({ name }) => name[0]).join("");

test("labels report people without an address", async () => {
  const { admin } = await withPeople();
  for (const kind of ["label", "envelope"]) {
    const { data } = await print(admin, { kind });
    expect([kind, data.people.map(({ id, ...person }: { id: string }) => (expect(id).not.toBe(""), person))]).toEqual([
      kind,
      [
        { name: "가두리", cohort: "10", zipCode: "01000", address: "서울특별시 강북구 2" },
        { name: "나하나", cohort: "9", zipCode: "03080", address: "서울특별시 종로구 1" },
      ],
    ]);
    expect(data.leftOut).toEqual({ count: 1, names: ["다세온"] });
  }
  for (const kind of ["card", "directory"]) {
    const answer = await print(admin, { kind });
    expect([kind, names(answer), answer.data.leftOut]).toEqual([kind, "가나다", { count: 0, names: [] }]);
  }
  const count = (segment: object) => callAs(admin, "POST", "/api/alumni/print-count", { segment });
  expect((await count(ALL)).data).toMatchObject({ total: 3, withAddress: 2 });
  expect((await count({ filter: { cohort: "9" } })).data).toMatchObject({ total: 2, withAddress: 1 });
});

test("sorting by postcode reveals nothing of a hidden postcode", async () => {
  const { admin, ids } = await withPeople();
  const officer = await createSessionWith(["Alumni_Read", "Alumni_Export"]);
  for (const kind of ["card", "directory"]) {
    expect(names(await print(admin, { kind, order: "zipCode" })), kind).toBe("가나다");
    expect(names(await print(officer, { kind, order: "zipCode" })), kind).toBe("가나다");
  }
  await runSql("UPDATE alumni SET zip_code = '99999' WHERE id = ?", ids[1]);
  for (const kind of ["card", "directory"]) {
    expect(names(await print(admin, { kind, order: "zipCode" })), kind).toBe("나가다");
    expect(names(await print(officer, { kind, order: "zipCode" })), kind).toBe("가나다");
  }
  await runSql(`UPDATE alumni SET open_fields = '["zipCode","address"]' WHERE id = ?`, ids[0]);
  expect(names(await print(officer, { kind: "label", order: "zipCode" }))).toBe("나");
});

test("a printed view has the requested order", async () => {
  const { admin, ids } = await withPeople();
  expect(names(await print(admin, { order: "zipCode" }))).toBe("가나");
  expect(names(await print(admin, { kind: "directory", order: "cohort" }))).toBe("나다가");
  expect(names(await print(admin, { kind: "card", segment: { filter: { cohort: 9 } } }))).toBe("나다");
  const chosen = await print(admin, {
    kind: "card",
    segment: { ids: [ids[0], ids[1]] },
    columns: ["affiliation", "mobile"],
  });
  expect(chosen.data.people.map(({ affiliation, mobile }: Record<string, string>) => [affiliation, mobile])).toEqual([
    ["한빛병원", ""],
    ["", "010-0000-1111"],
  ]);
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids: [ids[0]] });
  expect(names(await print(admin, { kind: "card", segment: { ids } }))).toBe("가다");
});

test("own fields of the office are printed only for their readers", async () => {
  const { admin } = await withPeople();
  await runSql(
    "INSERT INTO alumni_field (code, name, kind, choices, access) VALUES ('own1', '회비', 'text', '[]', 'office'), ('own2', '동호회', 'text', '[]', 'members')",
  );
  await runSql(`UPDATE alumni SET own = '{"own1":"미납","own2":"산악회"}'`);
  const columns = ["own1", "own2"];
  const office = (await print(admin, { kind: "card", columns })).data.people[0];
  expect([office.own1, office.own2]).toEqual(["미납", "산악회"]);
  const exporter = await createSessionWith(["Alumni_Read", "Alumni_Export"]);
  const seen = (await print(exporter, { kind: "card", columns })).data.people[0];
  expect([seen.own1, seen.own2]).toEqual([undefined, "산악회"]);
});

test("a closed address is printed only for its readers", async () => {
  const { ids } = await withPeople();
  await runSql(`UPDATE alumni SET open_fields = '["address","zipCode"]' WHERE id = ?`, ids[0]);
  const exporter = await createSessionWith(["Alumni_Read", "Alumni_Export"]);
  const counted = await callAs(exporter, "POST", "/api/alumni/print-count", { segment: ALL });
  expect(counted.data).toMatchObject({ total: 3, withAddress: 1 });
  const answer = await print(exporter, { columns: ["mobile", "memo"] });
  expect([names(answer), answer.data.leftOut.count, answer.data.people[0].mobile]).toEqual(["나", 2, "010-****-1111"]);
});

test("printing is audited with a reason", async () => {
  const { admin, ids } = await withPeople();
  await leaveOfLimit(1, "exportDay", admin.user.id);
  expect((await print(admin, { segment: { filter: { f_cohort: "filled", keyword: "나하나" } } })).code).toBe("SUCCESS");
  const [row] = await readRows<{ id: number; subject_count: number; reason: string; detail: string }>(
    "SELECT id, subject_count, reason, detail FROM audit_log WHERE action = 'alumni.print'",
  );
  expect([row?.subject_count, row?.reason, JSON.parse(row?.detail ?? "{}")]).toEqual([
    1,
    "총회 안내문",
    {
      kind: "label",
      columns: ["name", "cohort", "zipCode", "address"],
      leftOut: 0,
      withKeyword: true,
      conditions: ["cohort filled"],
    },
  ]);
  expect(await readValue("SELECT ids FROM audit_subject WHERE audit_id = ?", row?.id)).toBe(JSON.stringify([ids[0]]));
  expect((await print(admin)).code).toBe("TOO_MANY_REQUESTS");
  const file = { filter: {}, format: "csv", reason: "확인" };
  expect((await callAs(admin, "POST", "/api/alumni/export-data", file)).code).toBe("TOO_MANY_REQUESTS");
  expect(await countRows("audit_log WHERE action = 'alumni.print'")).toBe(1);
});

test("printing needs export rights with a reason", async () => {
  const { admin } = await withPeople();
  const role = (permissions: string[]) => createSessionWith(permissions);
  const count = (session: TestSession | null) =>
    callAs(session, "POST", "/api/alumni/print-count", { segment: ALL }).then(({ code }) => code);
  for (const [session, code] of [
    [null, "UNAUTHORIZED"],
    [await createMemberSession(), "FORBIDDEN"],
    [await role(["Alumni_Read", "Alumni_Write"]), "FORBIDDEN"],
  ] as const)
    expect([(await print(session)).code, await count(session)]).toEqual([code, code]);
  for (const fields of [{ reason: " " }, { kind: "poster" }, { segment: { ids: [] } }, { order: "mobile" }])
    expect((await print(admin, fields)).code).toBe("INVALID_INPUT");
  await runSql(
    `INSERT INTO alumni (id, name, created_date, modified_date)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${PRINT_PEOPLE_MAX}) SELECT 'p' || i, '김', 1, 1 FROM n`,
  );
  await leaveOfLimit(1, "exportDay", admin.user.id);
  expect((await print(admin)).code).toBe("PAYLOAD_TOO_LARGE");
  expect(await countRows("audit_log WHERE action = 'alumni.print'")).toBe(0);
  expect((await print(admin, { segment: { filter: { cohort: 9 } } })).code).toBe("SUCCESS");
});
