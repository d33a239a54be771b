import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { guessRenames } from "#worker/contract/kernel/choice-rename.ts";
import { importAlumniFile } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { readValue } from "../../support/test-database.ts";

const PATH = "/api/admin/setting/alumni/field";
const CHOICES = ["정회원", "준회원", "명예회원"];

const make = async (admin: TestSession, kind: string, name: string): Promise<string> =>
  (await callAs(admin, "PUT", PATH, { name, kind, choices: CHOICES, access: "office" })).data.code;
const save = (admin: TestSession, code: string, name: string, version: number, body: object) =>
  callAs(admin, "PATCH", `${PATH}/${code}`, { name, access: "office", version, ...body });
const own = async (admin: TestSession) =>
  (await callAs(admin, "GET", "/api/alumni")).data.content.map((row: { own: object }) => row.own);
const indexed = async () =>
  (await env.DB.prepare("SELECT value FROM alumni_value ORDER BY field, value, name").raw()).map((row) =>
    row.join(" "),
  );

test("renaming a choice updates every stored value", async () => {
  const admin = await createAdministratorSession();
  const one = await make(admin, "choice", "구분");
  const several = await make(admin, "choices", "모임");
  for (const [name, values] of [
    ["가", { [one]: "정회원", [several]: ["정회원", "준회원"] }],
    ["나", { [one]: "준회원" }],
    ["다", {}],
  ] as const)
    expect((await callAs(admin, "PUT", "/api/alumni", { name, email: `${name.length}@x.kr`, own: values })).code).toBe(
      "SUCCESS",
    );
  const [first] = (await callAs(admin, "GET", "/api/alumni")).data.content;
  const { importId } = (await importAlumniFile(admin, "고침.csv", `ID,이름,구분\n${first.id},가,명예회원\n`)).data;
  const choices = ["일반회원", "준회원", "명예회원"];
  const renames = [{ from: "정회원", to: "일반회원" }];
  expect((await save(admin, several, "모임", 1, { choices, renames })).data).toEqual({ version: 2 });
  expect((await save(admin, one, "구분", 1, { choices, renames })).code).toBe("SUCCESS");
  expect(await own(admin)).toEqual([{ [one]: "명예회원", [several]: ["일반회원", "준회원"] }, { [one]: "준회원" }, {}]);
  expect(await indexed()).toEqual(["명예회원", "준회원", "일반회원", "준회원"]);
  expect((await callAs(admin, "POST", `/api/alumni/import/${importId}/undo`, {})).data).toMatchObject({ restored: 1 });
  expect((await own(admin))[0]).toEqual({ [one]: "일반회원", [several]: ["일반회원", "준회원"] });
  const back = [{ from: "일반회원", to: "정회원" }];
  expect((await save(admin, one, "구분", 2, { choices: CHOICES, renames: back })).code).toBe("SUCCESS");
  expect((await own(admin))[0]).toMatchObject({ [one]: "정회원" });
  expect((await save(admin, one, "구분", 3, { choices })).code).toBe("SUCCESS");
  expect((await own(admin))[0]).toMatchObject({ [one]: "정회원" });
  expect(await readValue("SELECT max(version) FROM alumni WHERE name = '나'")).toBe(1);
});

test("renaming a choice also renames the pending rows of an import", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const code = await make(admin, "choice", "구분");
  const send = async (method: string, path: string, body: object) =>
    (await callAs(admin, method, `/api/alumni/import/${path}`, body)).data;
  const preview = async (memo: string, choice: string) => {
    const mapping = { 이름: "name", 휴대전화: "mobile", 메모: "memo", 구분: code };
    const file = { fileName: "긴 명부.xlsx", headRow: 1, heads: Object.keys(mapping), mapping, parts: 2 };
    const { importId } = await send("POST", "open", file);
    for (const part of [1, 2]) {
      const rows = Array.from({ length: 300 }, (_, at) => {
        const row = part * 300 + at;
        return [row, [`사람${row}`, `010-0000-${String(row).padStart(4, "0")}`, memo.repeat(990), choice]];
      });
      await send("PUT", `${importId}/part/${part}`, { rows });
    }
    await send("POST", `${importId}/plan`, { mode: "upsert" });
    return importId as string;
  };
  const finish = async (path: string) => {
    let answer = await send("POST", path, {});
    while (answer.left > 0) answer = await send("POST", path, {});
    return answer;
  };
  const chosen = async () => [...new Set(await indexed())];
  const renameHalfway = async (importId: string, version: number, choices: string[], from: string, to: string) => {
    expect((await send("POST", `${importId}/commit`, {})).left).toBe(1);
    const renames = [{ from, to }];
    expect((await save(admin, code, "구분", version, { choices, renames })).code).toBe("SUCCESS");
    return finish(`${importId}/commit`);
  };
  const added = await preview("가", "정회원");
  await renameHalfway(added, 1, ["일반회원", "준회원", "명예회원"], "정회원", "일반회원");
  expect([(await indexed()).length, await chosen()]).toEqual([600, ["일반회원"]]);

  const changed = await preview("나", "준회원");
  const done = await renameHalfway(changed, 2, ["일반회원", "협력회원", "명예회원"], "준회원", "협력회원");
  expect([done.updated, done.kept, (await indexed()).length, await chosen()]).toEqual([600, 0, 600, ["협력회원"]]);
  expect(await readValue("SELECT count(*) FROM alumni WHERE memo LIKE '나나%'")).toBe(600);
  await finish(`${changed}/undo`);
  expect([(await indexed()).length, await chosen()]).toEqual([600, ["일반회원"]]);
});

test("a rename of two choices into one is refused", async () => {
  const admin = await createAdministratorSession();
  const code = await make(admin, "choice", "구분");
  for (const [choices, renames] of [
    [["준회원", "명예회원"], [{ from: "정회원", to: "준회원" }]],
    [["정회원", "일반회원"], [{ from: "정회원", to: "일반회원" }]],
    [
      ["일반회원", "명예회원"],
      [
        { from: "정회원", to: "일반회원" },
        { from: "준회원", to: "일반회원" },
      ],
    ],
    [["일반회원"], [{ from: "없던 말", to: "일반회원" }]],
  ]) {
    const answer = await save(admin, code, "구분", 1, { choices, renames });
    expect([answer.code, Object.keys(answer.fields)]).toEqual(["INVALID_INPUT", ["choices"]]);
  }
});

test.each([
  [["가", "나"], ["다", "나"], [{ from: "가", to: "다" }]],
  [["가", "나"], ["나", "가"], []],
  [["가", "나"], ["나"], []],
  [["가", "나"], ["가", "나", "다"], []],
  [["가", "나"], ["나", "다"], []],
])("changing choices %j to %j suggests the renames %j", (before, after, renames) => {
  expect(guessRenames(before, after)).toEqual(renames);
});
