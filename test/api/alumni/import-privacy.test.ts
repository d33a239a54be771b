import { expect, test } from "vitest";
import { importAlumniFile, importCounts } from "../../alumni-files.ts";
import { callAs, type ApiAnswer } from "../../api-client.ts";
import { createAdministratorSession, createSession, createTestRole, type TestSession } from "../../people.ts";

// Whoever imports names people and fields at will: what they may not see in the list, no file may get out.

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
const importerWith = async (...more: string[]) =>
  createSession({ roleCode: await createTestRole(["Alumni_Import", ...more]) });
const CLOSED = [SECRET, "010-7401-2345", "sealed@pid", "02-740-1234"];
const told = ({ data }: ApiAnswer) => {
  const text = JSON.stringify(data);
  return CLOSED.filter((each) => text.includes(each));
};

test("a preview tells what is in the book to those alone who see it in the list as well", async () => {
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

test("a line that goes behind the memo does not bring the memo with it", async () => {
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

test("what everybody sees stands in the preview of a reader; of a closed value it says that there is one", async () => {
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
  expect(await changesFor()).toEqual(["(비공개) > 다른병원", "(비공개) > 010-0000-0000", "(비공개) > 준회원"]);
  expect(await changesFor("Alumni_Read", "Alumni_Write")).toEqual([
    "한빛병원 > 다른병원",
    "010-7401-2345 > 010-0000-0000",
    "정회원 > 준회원",
  ]);

  // What is written is the file's all the same.
  const landed = await importAlumniFile(await importerWith(), "명단.csv", file, { emptied: "keep" });
  expect(importCounts(landed)).toEqual([0, 1, 0, 0]);
  const [person] = (await callAs(admin, "GET", "/api/alumni")).data.content;
  expect([person.affiliation, person.mobile, person.memo]).toEqual(["다른병원", "010-0000-0000", `${SECRET} 메모`]);
});
