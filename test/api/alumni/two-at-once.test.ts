import { expect, test } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { readRow, readValue } from "../../support/test-database.ts";

test("the second of two saves is refused whole", async () => {
  const office = await createAdministratorSession();
  const person = await createMemberSession();
  const field = async (name: string) =>
    (
      await callAs(office, "PUT", "/api/admin/setting/alumni/field", {
        name,
        kind: "text",
        access: "openable",
        personEdits: true,
      })
    ).data.code as string;
  const [alias, motto] = [await field("별칭"), await field("좌우명")];
  const before = { name: "홍길동", email: person.user.email, affiliation: "앞 병원", position: "앞 직위" };
  const { id } = (await callAs(office, "PUT", "/api/alumni", before)).data;
  const edit = (who: typeof office, body: object) => callAs(who, "PATCH", `/api/alumni/${id}`, body);
  const stored = async () => {
    const row = await readRow("SELECT affiliation, position, memo, own, open_fields FROM alumni WHERE id = ?", id);
    return [row?.affiliation, row?.position, row?.memo, JSON.parse(String(row?.own)), row?.open_fields];
  };

  const first = { position: "사무국의 직위", memo: "사무국의 메모", own: { [alias]: "사무국의 별칭" }, version: 1 };
  expect((await edit(office, first)).data).toEqual({ id, version: 2 });
  const after = ["앞 병원", "사무국의 직위", "사무국의 메모", { [alias]: "사무국의 별칭" }, "[]"];
  expect(await stored()).toEqual(after);

  const mine = {
    affiliation: "본인의 병원",
    position: "본인의 직위",
    own: { [alias]: "본인의 별칭", [motto]: "근면" },
  };
  const refused = await edit(person, { ...mine, openFields: ["email"], version: 1 });
  expect([refused.status, refused.code]).toEqual([409, "CONFLICT"]);
  expect(await stored()).toEqual(after);
  expect(await readValue("SELECT count(*) FROM alumni_confirmation")).toBe(0);

  // Takes the stored position and keeps the remaining own changes.
  const kept = { affiliation: mine.affiliation, own: mine.own, openFields: ["email"], version: 2 };
  expect((await edit(person, kept)).data).toEqual({ id, version: 3 });
  expect(await stored()).toEqual([
    "본인의 병원",
    "사무국의 직위",
    "사무국의 메모",
    { [alias]: "본인의 별칭", [motto]: "근면" },
    '["email"]',
  ]);
});
