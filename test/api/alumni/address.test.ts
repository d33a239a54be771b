import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";

const PATH = "/api/alumni/address";

test("only importers who may also edit get all addresses", async () => {
  const admin = await createAdministratorSession();
  const ids = Array.from({ length: 2500 }, (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`);
  await runSql(
    `INSERT INTO alumni (id, name, zip_code, address, created_date, modified_date, deleted_date)
      SELECT value, '가', iif(key % 5 = 1, '110-744', ''), iif(key % 5 > 1, '서울특별시 종로구 가상로 1', ''), 1, 1, iif(key % 5 = 4, 1, NULL)
      FROM json_each(?)`,
    JSON.stringify(ids),
  );
  const first = (await callAs(admin, "GET", PATH)).data;
  expect([first.people.length, first.next]).toEqual([1500, null]);
  expect(first.people.slice(0, 2)).toEqual([
    { id: ids[1], name: "가", zipCode: "110-744", address: "" },
    { id: ids[2], name: "가", zipCode: "", address: "서울특별시 종로구 가상로 1" },
  ]);
  await runSql("UPDATE alumni SET deleted_date = NULL, address = '가'");
  const pages = [(await callAs(admin, "GET", PATH)).data];
  pages.push((await callAs(admin, "GET", `${PATH}?after=${pages[0].next}`)).data);
  expect(pages.map(({ people, next }) => [people.length, next])).toEqual([
    [2000, ids[1999]],
    [500, null],
  ]);
  expect(pages.flatMap(({ people }) => people.map(({ id }: { id: string }) => id))).toEqual(ids);
  expect(await readValue("SELECT sum(subject_count) FROM audit_log WHERE action = 'alumni.list'")).toBe(4000);
  expect((await callAs(admin, "GET", `${PATH}?after=x`)).code).toBe("INVALID_INPUT");

  expect((await callJson("GET", PATH)).code).toBe("UNAUTHORIZED");
  for (const codes of [["Alumni_Read"], ["Alumni_Read", "Alumni_Import"], ["Alumni_Read", "Alumni_Write"]])
    expect((await callAs(await createSessionWith(codes), "GET", PATH)).code).toBe("FORBIDDEN");
  expect((await callAs(await createMemberSession(), "GET", PATH)).code).toBe("FORBIDDEN");
});
