import { env } from "cloudflare:workers";
import { read, utils } from "@e965/xlsx";
import { expect, test } from "vitest";
import { downloadFile, importAlumniFile, importCounts, exportListed } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { readValue } from "../../support/test-database.ts";
import { ALUMNI_FIELDS } from "#worker/contract/alumni/columns.ts";
import { PATH, make, add, list, indexed, makeAll } from "./own-fields.ts";

test("a reimported file changes only the edited cells", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const code = await makeAll(admin);
  const full = {
    [code.date]: "1970-02-05",
    [code.fee]: 1_234_000,
    [code.group]: "정회원",
    [code.topics]: ["면역", "유전"],
    [code.fax]: "02-740-1234",
    [code.other]: "a@pid.example.kr",
    [code.home]: "서울특별시 종로구 한빛로 1",
    [code.paid]: "예",
    [code.hanja]: "金\n두 줄",
  };
  await add(admin, "가", full);
  await add(admin, "나", { [code.fee]: 5 });
  for (const format of ["xlsx", "csv"] as const) {
    const { data } = await exportListed(admin, { format, reason: "확인" });
    const bytes = await downloadFile(admin, data.url);
    const answer = await importAlumniFile(admin, `동문.${format}`, bytes, { dryRun: true });
    expect([
      format,
      answer.data.notes?.filter((note: string) => note.includes("쓰지 않는")),
      ...importCounts(answer),
    ]).toEqual([format, [], 0, 0, 2, 0]);
    if (format !== "xlsx") continue;
    const book = read(bytes);
    const rows = utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0] ?? ""] ?? {}, { header: 1 });
    expect(rows[0]?.slice(ALUMNI_FIELDS.length)).toEqual([
      "생년월일",
      "회비",
      "구분",
      "관심 분야",
      "팩스",
      "보조 이메일",
      "본가",
      "납부",
      "한자명",
      "ID",
    ]);
  }
  const { data } = await exportListed(admin, { format: "csv", reason: "확인" });
  const text = new TextDecoder().decode(await downloadFile(admin, data.url));
  const edited = text.replace("1970-02-05", "1970.3.5").replace("1234000", "").replace("정회원", "준회원");
  const before = await indexed();
  const committed = await importAlumniFile(admin, "고침.csv", edited, { emptied: "clear" });
  expect(importCounts(committed)).toEqual([0, 1, 1, 0]);
  expect(committed.data.preview[0].changes).toEqual([
    { field: code.date, before: "1970-02-05", after: "1970-03-05" },
    { field: code.fee, before: "1234000", after: "" },
    { field: code.group, before: "정회원", after: "준회원" },
  ]);
  expect(committed.data.rules.map(({ rule, field }: { rule: string; field: string }) => [field, rule])).toEqual([
    [code.date, "date"],
  ]);
  const { [code.fee]: _, ...left } = full;
  expect((await list(admin))[0]?.own).toEqual({ ...left, [code.date]: "1970-03-05", [code.group]: "준회원" });
  expect((await callAs(admin, "POST", `/api/alumni/import/${committed.data.importId}/undo`, {})).data.restored).toBe(1);
  expect((await list(admin))[0]?.own).toEqual(full);
  expect(await indexed()).toEqual(before);
});

test("an invalid value is one kind of fault for all rows", async () => {
  const admin = await createAdministratorSession();
  const code = await make(admin, { name: "입회일", kind: "date" });
  const send = (method: string, path: string, body: unknown) =>
    callAs(admin, method, `/api/alumni/import/${path}`, body);
  const heads = ["이름", "휴대전화", "입회 일"];
  const mapping = { 이름: "name", 휴대전화: "mobile", "입회 일": code };
  const { importId } = (await send("POST", "open", { fileName: "동문.xlsx", headRow: 1, heads, mapping, parts: 1 }))
    .data;
  const rows = [
    [2, ["가", "010-0000-0001", "02/03/2004"]],
    [3, ["나", "010-0000-0002", "작년 봄"]],
    [4, ["다", "010-0000-0003", "2004년 2월 5일"]],
  ];
  await send("PUT", `${importId}/part/1`, { rows });
  const look = async (decisions: object) =>
    (await send("POST", `${importId}/plan`, { mode: "upsert", decisions })).data;
  const { faults } = await look({});
  expect(faults.map(({ kind, choices }: { kind: string; choices: string[] }) => [kind, choices])).toEqual([
    [`${code}.twoWays`, ["memo", "blank"]],
    [`${code}.format`, ["memo", "blank"]],
  ]);
  await look({ [`${code}.twoWays`]: "memo", [`${code}.format`]: "memo" });
  expect(importCounts(await send("POST", `${importId}/commit`, { skipInvalid: false }))).toEqual([3, 0, 0, 0]);
  expect(await env.DB.prepare("SELECT memo, own FROM alumni ORDER BY name").raw()).toEqual([
    ["입회일: 02/03/2004", "{}"],
    ["입회일: 작년 봄", "{}"],
    ["", `{"${code}":"2004-02-05"}`],
  ]);
});

test("a merge keeps the chosen values of own fields", async () => {
  const admin = await createAdministratorSession();
  const fee = await make(admin, { name: "회비", kind: "number" });
  const old = await make(admin, { name: "옛 항목", kind: "text" });
  const ids = [await add(admin, "가", { [fee]: 1, [old]: "남김" }), await add(admin, "가", { [fee]: 2 })];
  await callAs(admin, "DELETE", `${PATH}/${old}?version=1`);
  const before = await indexed();
  const people = ids.map((id) => ({ id, version: 1 }));
  const merged = await callAs(admin, "POST", "/api/alumni/merge", {
    keepId: ids[1],
    people,
    source: { [fee]: ids[0] },
  });
  expect(merged.code).toBe("SUCCESS");
  expect(JSON.parse(String(await readValue("SELECT own FROM alumni WHERE deleted_date IS NULL")))).toEqual({
    [fee]: 1,
    [old]: "남김",
  });
  const { data } = await callAs(admin, "POST", `/api/alumni/merge/${merged.data.mergeId}/undo`, {});
  expect([data.restored, await indexed()]).toEqual([2, before]);
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids });
  await callAs(admin, "POST", "/api/alumni/destroy-data", { ids });
  expect([await indexed(), await readValue("SELECT count(*) FROM alumni_before")]).toEqual([[], 0]);
});

test("filtering by an own field uses its value index", async () => {
  const plan = async (sql: string) =>
    (await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).all<{ detail: string }>()).results.map(({ detail }) => detail);
  const from = "SELECT id FROM alumni INDEXED BY alumni_name WHERE deleted_date IS NULL AND";
  const values = "FROM alumni_value v WHERE v.field = 'own1'";
  const filter = await plan(`${from} alumni.id IN (SELECT v.alumni_id ${values} AND v.value >= 5)`);
  expect(filter).toContain("SEARCH v USING PRIMARY KEY (field=? AND value>?)");
  const removal = await plan(
    "DELETE FROM alumni_value WHERE (field, value, name, alumni_id) IN (SELECT f.key, f.value, 'n', 'i' FROM json_each('{}') f)",
  );
  expect(removal[0]).toBe("SEARCH alumni_value USING PRIMARY KEY (field=? AND value=? AND name=? AND alumni_id=?)");
  const order = await plan(
    `SELECT v.alumni_id ${values} ORDER BY v.value DESC, v.name DESC, v.alumni_id DESC LIMIT 20`,
  );
  expect(order).toEqual(["SEARCH v USING PRIMARY KEY (field=?)"]);
});

test("more own values than one batch holds are refused", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const fields = Array.from({ length: 40 }, (_, at) => `('own${at + 1}', '항목${at + 1}', 'text', '[]', 'office')`);
  await env.DB.exec(`INSERT INTO alumni_field (code, name, kind, choices, access) VALUES ${fields.join(", ")}`);
  const heads = ["이름", "휴대전화", ...Array.from({ length: 40 }, (_, at) => `항목${at + 1}`)];
  const row = (at: number) => [`김${at}`, `010-0000-${String(at).padStart(4, "0")}`, ...heads.slice(2).map(() => "값")];
  const csv = (count: number) => [heads, ...Array.from({ length: count }, (_, at) => row(at))].join("\n");
  expect((await importAlumniFile(admin, "동문.csv", csv(3751))).code).toBe("PAYLOAD_TOO_LARGE");
  expect(await readValue("SELECT count(*) FROM alumni")).toBe(0);
  expect(importCounts(await importAlumniFile(admin, "동문.csv", csv(3750), { dryRun: true }))).toEqual([3750, 0, 0, 0]);
});
