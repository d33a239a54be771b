/** @module-tag full */
import { expect, test } from "vitest";
import { importAlumniFile, importCounts, importUploadedFile, uploadAlumniFile } from "../../samples/alumni-files.ts";
import { callAs, type ApiAnswer } from "../../support/api-client.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { runSql } from "../../support/test-database.ts";

// Imports name people and fields freely, so answers must not reveal values hidden in the list.

const SECRET = "밀봉표식";
const HEADER = "이름,소속,휴대전화번호,이메일,메모,납부,팩스,구분,ID";

async function makeBook(admin: TestSession) {
  const field = async (name: string, access: string, kind = "text") =>
    (await callAs(admin, "PUT", "/api/admin/setting/alumni/field", { name, kind, access })).data.code as string;
  const own = {
    [await field("납부", "office")]: `${SECRET} 미납`,
    [await field("팩스", "openable", "phone")]: "02-740-1234",
    [await field("구분", "members")]: "정회원",
  };
  const values = {
    name: "가나다",
    affiliation: "한빛병원",
    mobile: "010-7401-2345",
    email: "sealed@pid.example.kr",
    memo: `${SECRET} 메모`,
    own,
  };
  const answer = await callAs(admin, "PUT", "/api/alumni", values);
  expect(answer.code).toBe("SUCCESS");
  return answer.data.id as string;
}
const importerWith = async (...more: string[]) => createSessionWith(["Alumni_Import", ...more]);
const CLOSED = [SECRET, "010-7401-2345", "sealed@pid", "02-740-1234"];
const told = ({ data }: ApiAnswer) => {
  const text = JSON.stringify(data);
  return CLOSED.filter((each) => text.includes(each));
};

test("a preview shows stored values only to their readers", async () => {
  const admin = await createAdministratorSession();
  const id = await makeBook(admin);
  const files = {
    "empty cells": `${HEADER}\n가나다,,,,,,,,${id}`,
    "other values": `${HEADER}\n가나다,다른병원,010-0000-0000,other@pid.example.kr,다른 메모,완납,02-111-2222,준회원,${id}`,
  };
  const [alone, reader, office] = [
    await importerWith(),
    await importerWith("Alumni_Read"),
    await importerWith("Alumni_Read", "Alumni_Write"),
  ];
  for (const [name, file] of Object.entries(files)) {
    const preview = (person: TestSession) =>
      importAlumniFile(person, "명단.csv", file, { dryRun: true, emptied: "clear" });
    for (const person of [alone, reader]) {
      const answer = await preview(person);
      expect([name, answer.code, told(answer)]).toEqual([name, "SUCCESS", []]);
    }
    expect([name, told(await preview(office)).length > 0]).toEqual([name, true]);
  }
});

test("appending a line to the memo does not reveal it", async () => {
  const admin = await createAdministratorSession();
  const id = await makeBook(admin);
  const preview = async (person: TestSession) => {
    const send = (method: string, path: string, body: object) =>
      callAs(person, method, `/api/alumni/import/${path}`, body);
    const heads = ["이름", "휴대전화", "ID"];
    const mapping = { 이름: "name", 휴대전화: "mobile", ID: "id" };
    const file = { fileName: "명단.csv", headRow: 1, heads, mapping, parts: 1 };
    const { importId } = (await send("POST", "open", file)).data;
    await send("PUT", `${importId}/part/1`, { rows: [[2, ["가나다", "모름", id]]] });
    return send("POST", `${importId}/plan`, { mode: "upsert", decisions: { "mobile.format": "memo" } });
  };
  const answer = await preview(await importerWith("Alumni_Read"));
  expect([answer.data.updated, told(answer)]).toEqual([1, []]);
  expect(told(await preview(await importerWith("Alumni_Read", "Alumni_Write")))).toContain(SECRET);
});

test("a preview shows a reader only open values", async () => {
  const admin = await createAdministratorSession();
  const id = await makeBook(admin);
  const file = `${HEADER}\n가나다,다른병원,010-0000-0000,,,,,준회원,${id}`;
  const changesFor = async (...permissions: string[]) => {
    const options = { dryRun: true, emptied: "keep" };
    const answer = await importAlumniFile(await importerWith(...permissions), "명단.csv", file, options);
    const changes = answer.data.preview[0].changes as { field: string; before: string; after: string }[];
    return changes.map(({ before, after }) => `${before} > ${after}`);
  };
  expect(await changesFor("Alumni_Read")).toEqual([
    "한빛병원 > 다른병원",
    "(비공개) > 010-0000-0000",
    "정회원 > 준회원",
  ]);
  expect(await changesFor()).toEqual([
    "(비공개) > 가나다",
    "(비공개) > 다른병원",
    "(비공개) > 010-0000-0000",
    "(비공개) > 준회원",
  ]);
  expect(await changesFor("Alumni_Read", "Alumni_Write")).toEqual([
    "한빛병원 > 다른병원",
    "010-7401-2345 > 010-0000-0000",
    "정회원 > 준회원",
  ]);

  const committed = await importAlumniFile(await importerWith(), "명단.csv", file, { emptied: "keep" });
  expect(importCounts(committed)).toEqual([0, 1, 0, 0]);
  const [person] = (await callAs(admin, "GET", "/api/alumni")).data.content;
  expect([person.affiliation, person.mobile, person.memo]).toEqual(["다른병원", "010-0000-0000", `${SECRET} 메모`]);
});

// Hidden values must not affect an answer: each file runs against several stored values and none.

const LONG = "가".repeat(985);
interface Held {
  affiliation: string;
  mobile: string;
  phone: string;
  address: string;
  memo: string;
  fee: string;
}
const HELD: Record<string, Held> = {
  "what the file says": {
    affiliation: "한빛병원",
    mobile: "010-7401-2345",
    phone: "02-740-1234",
    address: "서울특별시 종로구 대학로 101",
    memo: "총무",
    fee: "미납",
  },
  "something else": {
    affiliation: "새봄의원",
    mobile: "010-1111-2222",
    phone: "031-111-2222",
    address: "부산광역시 서구 감천로 262",
    memo: "감사",
    fee: "완납",
  },
  nothing: { affiliation: "", mobile: "", phone: "", address: "", memo: "", fee: "" },
  "a memo that is nearly full": { affiliation: "", mobile: "", phone: "", address: "", memo: LONG, fee: "" },
  "the memo's line": { affiliation: "", mobile: "", phone: "", address: "", memo: "휴대전화: 모름", fee: "" },
  "a memo within the file's": { affiliation: "", mobile: "", phone: "", address: "", memo: "무", fee: "" },
};

/** One person with an e-mail address, and one with another name and no contact. */
async function makePeople(admin: TestSession) {
  const field = { name: "납부", kind: "text", access: "office", required: true };
  const code = (await callAs(admin, "PUT", "/api/admin/setting/alumni/field", field)).data.code as string;
  const { value, version } = (await callAs(admin, "GET", "/api/admin/setting/alumni")).data;
  const required = { ...value, required: ["phone"], version };
  expect((await callAs(admin, "PATCH", "/api/admin/setting/alumni", required)).code).toBe("SUCCESS");
  const make = async (name: string, email: string) => {
    const values = { name, email, phone: "02-740-1234", own: { [code]: "미납" } };
    return (await callAs(admin, "PUT", "/api/alumni", values)).data.id as string;
  };
  const ids = [await make("가나다", "sealed@pid.example.kr"), await make("라마바", "")];
  /** @param seen fields that the importer sees */
  const hold = async (held: Held, seen: Partial<Held>) => {
    const { fee, ...values } = { ...held, ...seen };
    const own = fee === "" ? {} : { [code]: fee };
    const set = Object.keys(values).map((name) => `${name} = ?`);
    await runSql(
      `UPDATE alumni SET ${set.join(", ")}, own = ? WHERE id = ?`,
      ...Object.values(values),
      JSON.stringify(own),
      ids[0],
    );
    const alone = { ...values, mobile: "" };
    await runSql(
      `UPDATE alumni SET ${set.join(", ")}, own = ? WHERE id = ?`,
      ...Object.values(alone),
      JSON.stringify(own),
      ids[1],
    );
  };
  return { ids, hold };
}

const filesOf = ([id, alone]: string[]): Record<string, string> => ({
  "all by ID": `이름,소속,휴대전화번호,전화번호,주소,메모,납부,ID\n가나다,한빛병원,010-7401-2345,02-740-1234,서울특별시 종로구 대학로 101,총무,미납,${id}`,
  "one field by ID": `이름,메모,ID\n가나다,총무,${id}`,
  "an ID without a name": `메모,ID\n총무,${id}`,
  "empty cells by ID": `이름,휴대전화번호,전화번호,주소,메모,납부,ID\n가나다,,,,,,${id}`,
  "an empty phone, which has to be there": `이름,전화번호,ID\n가나다,,${id}`,
  "an empty fee, which has to be there": `이름,납부,ID\n라마바,,${alone}`,
  "by name and e-mail": `이름,이메일,휴대전화번호,전화번호,메모,납부\n가나다,sealed@pid.example.kr,010-7401-2345,02-740-1234,총무,미납`,
  "a name without a contact": `이름,소속\n라마바,한빛병원`,
  "a name and a memo": `이름,소속,전화번호,메모,납부\n라마바,한빛병원,02-740-1234,총무,미납`,
});
const CHOICES = ["keep", "clear"];

const toldBy = ({ code, message, fields, data }: ApiAnswer) => {
  const { importId: _id, errorFileUrl, ...given } = (data ?? {}) as Record<string, unknown>;
  return JSON.stringify([code, message, fields, given, typeof errorFileUrl]);
};

async function answersTo(person: TestSession, admin: TestSession, seen: Partial<Held>, states = Object.values(HELD)) {
  const { ids, hold } = await makePeople(admin);
  const fileIds: Record<string, string> = {};
  for (const [name, file] of Object.entries(filesOf(ids)))
    fileIds[name] = (await uploadAlumniFile(person, "명단.csv", file)).fileId;
  const answers: Record<string, Set<string>> = {};
  const note = (what: string, answer: ApiAnswer) => (answers[what] ??= new Set()).add(toldBy(answer));
  for (const held of states) {
    await hold(held, seen);
    for (const [name, fileId] of Object.entries(fileIds))
      for (const emptied of CHOICES)
        note(`${name}, ${emptied}`, await importUploadedFile(person, fileId, { dryRun: true, emptied }));
    note("a line for the memo", await planWithLine(person, ids[0] ?? ""));
    for (const name of ["all by ID", "one field by ID", "empty cells by ID", "by name and e-mail"]) {
      await hold(held, seen);
      note(`${name}, taken over`, await importUploadedFile(person, fileIds[name] ?? "", { emptied: "clear" }));
    }
  }
  return answers;
}

async function planWithLine(person: TestSession, id: string): Promise<ApiAnswer> {
  const send = (method: string, path: string, body: object) =>
    callAs(person, method, `/api/alumni/import/${path}`, body);
  const mapping = { 이름: "name", 휴대전화번호: "mobile", ID: "id" };
  const file = { fileName: "명단.csv", headRow: 1, heads: Object.keys(mapping), mapping, parts: 1 };
  const { importId } = (await send("POST", "open", file)).data;
  await send("PUT", `${importId}/part/1`, { rows: [[2, ["가나다", "모름", id]]] });
  return send("POST", `${importId}/plan`, { mode: "upsert", decisions: { "mobile.format": "memo" } });
}

const differing = (answers: Record<string, Set<string>>) =>
  Object.entries(answers).flatMap(([what, given]) => (given.size > 1 ? [what] : []));

test.each([
  ["may import alone", [], {}],
  ["reads as well", ["Alumni_Read"], { affiliation: "한빛병원" }],
])("no answer to an importer who %s depends on a hidden value", async (_who, permissions, seen) => {
  const answers = await answersTo(await importerWith(...permissions), await createAdministratorSession(), seen);
  expect(differing(answers)).toEqual([]);
  expect(Object.keys(answers).length).toBeGreaterThan(20);
});

test("the office, which may see the values, gets the difference", async () => {
  const office = await importerWith("Alumni_Read", "Alumni_Write");
  const states = Object.values(HELD).slice(0, 2);
  const given = differing(await answersTo(office, await createAdministratorSession(), {}, states));
  expect(given).toEqual(expect.arrayContaining(["a line for the memo", "one field by ID, taken over"]));
  expect(given.length).toBeGreaterThan(8);
});
