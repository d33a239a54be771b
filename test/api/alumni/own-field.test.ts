import { expect, test } from "vitest";
import { importAlumniFile, importCounts } from "../../samples/alumni-files.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";
import { readRow, readValue } from "../../support/test-database.ts";
import { PATH, FIELD, make, add, list, names, edit, makeAll } from "./own-fields.ts";

test("each kind of value is stored in one normalised form", async () => {
  const admin = await createAdministratorSession();
  const code = await makeAll(admin);
  const good: [key: keyof typeof code, sent: unknown, stored: unknown][] = [
    ["date", "1970. 2. 5.", "1970-02-05"],
    ["date", "19700205", "1970-02-05"],
    ["date", "25/02/1970", "1970-02-25"],
    ["fee", "1,234,000", 1_234_000],
    ["fee", 12.5, 12.5],
    ["fee", "-3", -3],
    ["group", " 정 회원", "정회원"],
    ["topics", ["유전", "면역"], ["면역", "유전"]],
    ["topics", "감염/유전", ["감염", "유전"]],
    ["fax", "02)740-1234", "02-740-1234"],
    ["other", "A@PID.example.kr", "a@pid.example.kr"],
    ["paid", "O", "예"],
    ["paid", "미납", undefined],
    ["hanja", "洪吉童", "洪吉童"],
  ];
  for (const [key, sent, stored] of good) {
    const answer = await callAs(admin, "PUT", "/api/alumni", { name: "홍길동", own: { [code[key]]: sent } });
    if (stored === undefined) expect(Object.keys(answer.fields)).toEqual([`own.${code[key]}`]);
    else
      expect(JSON.parse(String((await readRow("SELECT own FROM alumni WHERE id = ?", answer.data.id))?.own))).toEqual({
        [code[key]]: stored,
      });
  }
  const bad: [keyof typeof code, unknown][] = [
    ["date", "02/03/1970"],
    ["date", "70.2.5"],
    ["date", "2023-02-30"],
    ["fee", "3만 원"],
    ["fee", "00123"],
    ["fee", "1,23"],
    ["group", "명예회원"],
    ["topics", ["면역", "없는 것"]],
    ["other", "주소 없음"],
    ["hanja", "900101-1234567"],
  ];
  for (const [key, sent] of bad) {
    const answer = await callAs(admin, "PUT", "/api/alumni", { name: "홍길동", own: { [code[key]]: sent } });
    expect([key, sent, answer.code, Object.keys(answer.fields ?? {})]).toEqual([
      key,
      sent,
      "INVALID_INPUT",
      [`own.${code[key]}`],
    ]);
  }
  expect((await callAs(admin, "PUT", "/api/alumni", { name: "홍길동", own: { own39: "없음" } })).fields).toEqual({
    "own.own39": "지금 쓰지 않는 항목입니다.",
  });
});

test("a list filters or sorts by own fields", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const { date, fee, group, topics, fax } = await makeAll(admin);
  await add(admin, "가", { [date]: "1970-02-05", [fee]: 90, [group]: "정회원", [topics]: ["면역", "감염"] });
  await add(admin, "나", { [date]: "1980-02-05", [fee]: 1000, [group]: "준회원", [fax]: "02-740-9999" });
  await add(admin, "다", { [fee]: 500, [topics]: ["유전"] });
  await add(admin, "라");
  const asked: [query: string, found: string][] = [
    [`f_${date}=empty`, "다라"],
    [`f_${date}=filled`, "가나"],
    [`f_${date}=between:1975-01-01,`, "나"],
    [`f_${date}=between:,1975.1.1`, "가"],
    [`f_${fee}=between:100,999`, "다"],
    [`f_${fee}=in:90,1000`, "가나"],
    [`f_${fee}=between:열,`, ""],
    [`f_${group}=in:정회원`, "가"],
    [`f_${topics}=in:감염,유전`, "가다"],
    [`f_${topics}=has:면`, "가"],
    [`f_${date}=filled&f_${fee}=between:,90`, "가"],
    ["keyword=준회원", "나"],
    ["keyword=740-9999", "나"],
    [`sort=${fee},ASC`, "가다나라"],
    [`sort=${fee},DESC`, "나다가라"],
    [`sort=${fee},ASC&size=2&page=2`, "나라"],
    [`sort=${topics},ASC`, "가나다라"],
  ];
  for (const [query, found] of asked) expect([query, await names(admin, `?${query}`)]).toEqual([query, found]);
});

async function createFieldsOfEachAccess() {
  const admin = await createAdministratorSession();
  const secret = await make(admin, { name: "납부", kind: "text", access: "office" });
  const closed = await make(admin, { name: "팩스", kind: "phone", access: "openable", personEdits: true });
  const open = await make(admin, { name: "구분", kind: "text", access: "members" });
  const member = await createMemberSession();
  const own = { [secret]: "미납", [closed]: "02-740-1234", [open]: "정회원" };
  const mine = await add(admin, "가", own, { email: member.user.email });
  const other = await add(admin, "나", own);
  return { admin, member, secret, closed, open, own, mine, other };
}

test("a field is shown as its setting says", async () => {
  const { admin, member, secret, closed, open, own, other } = await createFieldsOfEachAccess();
  expect((await list(admin)).map((row) => row.own)).toEqual([own, own]);
  const seen = async () => (await list(member)).map((row) => row.own);
  expect(await seen()).toEqual([{ [closed]: "02-740-1234", [open]: "정회원" }, { [open]: "정회원" }]);
  expect((await edit(admin, other, { openFields: [closed] })).code).toBe("SUCCESS");
  expect((await seen())[1]).toEqual({ [closed]: "02-740-1234", [open]: "정회원" });
  // A condition on a hidden field finds nobody, so that it reveals nothing.
  for (const query of [`f_${secret}=filled`, `f_${secret}=empty`, `f_${closed}=has:740`])
    expect([query, await names(member, `?${query}`)]).toEqual([query, ""]);
  expect(await names(member, `?sort=${secret},DESC`)).toBe("가나");
  for (const keyword of ["미납", "740-1234"]) expect(await names(member, `?keyword=${keyword}`)).toBe("");
  expect(await names(member, `?keyword=정회원&f_${open}=filled`)).toBe("가나");
});

test("a person changes the fields that their setting allows", async () => {
  const { admin, member, secret, closed, open, own, mine, other } = await createFieldsOfEachAccess();
  expect((await edit(member, mine, { own: { [closed]: "02-740-5678" }, openFields: [closed] })).code).toBe("SUCCESS");
  for (const code of [secret, open]) {
    const answer = await edit(member, mine, { version: 2, own: { [code]: "바꿈" } });
    expect([answer.code, Object.keys(answer.fields)]).toEqual(["INVALID_INPUT", [`own.${code}`]]);
  }
  expect((await edit(member, other, { own: { [closed]: "" } })).code).toBe("FORBIDDEN");
  expect((await list(admin))[0]?.own).toEqual({ ...own, [closed]: "02-740-5678" });
  const detail = await readValue(
    "SELECT detail FROM audit_log WHERE action = 'alumni.update' ORDER BY id DESC LIMIT 1",
  );
  expect(JSON.parse(String(detail))).toEqual({ fields: ["팩스"], own: true });
});

test("a field can be reopened without losing values", async () => {
  const admin = await createAdministratorSession();
  const code = await make(admin, { name: "구분", kind: "choice", choices: ["정회원", "준회원"], inList: true });
  const id = await add(admin, "가", { [code]: "정회원" });
  const patch = (body: object, version: number) =>
    callAs(admin, "PATCH", `${PATH}/${code}`, {
      name: "회원 구분",
      choices: ["일반"],
      access: "office",
      ...body,
      version,
    });
  expect((await patch({}, 1)).data).toEqual({ version: 2 });
  expect((await patch({}, 1)).code).toBe("CONFLICT");
  // Values stored before the choices changed stay valid when a form resends them unchanged.
  expect((await edit(admin, id, { own: { [code]: "정회원" } })).code).toBe("SUCCESS");
  expect((await edit(admin, id, { version: 2, own: { [code]: "준회원" } })).code).toBe("INVALID_INPUT");
  expect((await callAs(admin, "DELETE", `${PATH}/${code}?version=2`)).data).toEqual({ closed: true, valueCount: 1 });
  expect((await list(admin))[0]?.own).toEqual({});
  expect(await names(admin, `?f_${code}=empty&keyword=정회원`)).toBe("");
  expect((await edit(admin, id, { version: 2, affiliation: "한빛병원", own: {} })).code).toBe("SUCCESS");
  expect((await patch({}, 3)).data).toEqual({ version: 4 });
  expect((await list(admin))[0]?.own).toEqual({ [code]: "정회원" });
  const unused = await make(admin, { name: "팩스", kind: "phone" });
  expect((await callAs(admin, "DELETE", `${PATH}/${unused}?version=1`)).data).toEqual({ closed: false, valueCount: 0 });
  expect((await callAs(admin, "GET", PATH)).data.map((field: object) => [Object.values(field)[1]])).toEqual([
    ["회원 구분"],
  ]);
});

test("a field with a duplicate name or no options is refused", async () => {
  const admin = await createAdministratorSession();
  await make(admin, { name: "회비 납부" });
  const wrong: [object, string][] = [
    [{ name: "휴대 전화" }, "name"],
    [{ name: "id" }, "name"],
    [{ name: "회비납부" }, "name"],
    [{ name: "!!" }, "name"],
    [{ name: "구분", kind: "choice" }, "choices"],
    [{ name: "구분", kind: "choice", choices: ["가,나"] }, "choices.0"],
    [{ name: "구분", kind: "choice", choices: ["가", "가"] }, "choices"],
    [{ name: "구분", kind: "picture" }, "kind"],
    [{ name: "구분", access: "everyone" }, "access"],
    [{ name: "구분", personEdits: true }, "personEdits"],
  ];
  for (const [field, place] of wrong) {
    const answer = await callAs(admin, "PUT", PATH, { ...FIELD, ...field });
    expect([field, answer.code, Object.keys(answer.fields ?? {})]).toEqual([field, "INVALID_INPUT", [place]]);
  }
});

test("own fields can be managed in the console only", async () => {
  const admin = await createAdministratorSession();
  const code = await make(admin, {});
  const office = await createSessionWith(["Alumni_Read", "Alumni_Write", "Alumni_Import", "Alumni_Export"]);
  for (const [method, path, body] of [
    ["GET", "", undefined],
    ["PUT", "", { ...FIELD, name: "팩스" }],
    ["POST", "/order", { codes: [code] }],
    ["PATCH", `/${code}`, { ...FIELD, version: 1 }],
    ["DELETE", `/${code}?version=1`, undefined],
  ] as const) {
    expect((await callJson(method, `${PATH}${path}`, { body })).code).toBe("UNAUTHORIZED");
    for (const session of [await createMemberSession(), office])
      expect([path, (await callAs(session, method, `${PATH}${path}`, body)).code]).toEqual([path, "FORBIDDEN"]);
  }
});

test("a required field cannot be emptied later", async () => {
  const admin = await createAdministratorSession();
  const code = await make(admin, { required: true });
  expect((await callAs(admin, "PUT", "/api/alumni", { name: "가" })).fields).toEqual({
    [`own.${code}`]: "‘생년월일’ 항목을 입력해 주십시오.",
  });
  const id = await add(admin, "가", { [code]: "1970-02-05" });
  expect((await edit(admin, id, { own: { [code]: "" } })).code).toBe("INVALID_INPUT");
  const csv = "이름,휴대전화,생년월일\n나,010-0000-0001,\n다,010-0000-0002,1971-02-05\n";
  const answer = await importAlumniFile(admin, "동문.csv", csv, { skipInvalid: true });
  expect(importCounts(answer)).toEqual([1, 0, 0, 1]);
  expect(answer.data.errors[0]).toMatchObject({ row: 2, column: "생년월일" });
});
