import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { importAlumniFile } from "../../samples/alumni-files.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { readRow } from "../../support/test-database.ts";

const FIELDS = "/api/admin/setting/alumni/field";
const ACCESSES = ["members", "openable", "office"] as const;

async function withFields() {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  const codes: Record<string, string> = {};
  for (const access of ACCESSES) {
    const field = { name: `항목 ${access}`, kind: "text", access };
    codes[access] = (await callAs(admin, "PUT", FIELDS, field)).data.code;
  }
  const own = (who: string) =>
    Object.fromEntries(ACCESSES.map((access) => [codes[access] ?? "", `${who}의 ${access} 값`]));
  const add = (name: string, email: string) =>
    callAs(admin, "PUT", "/api/alumni", { name, email, memo: "사무국 메모", own: own(name) });
  const mine = (await add("본인", member.user.email)).data.id as string;
  const other = (await add("남", "other@pid.example.kr")).data.id as string;
  return { admin, member, codes, mine, other };
}
const valuesIn = (text: string) =>
  ["본인", "남"].flatMap((who) =>
    ACCESSES.filter((access) => text.includes(`${who}의 ${access} 값`)).map((a) => `${who} ${a}`),
  );

test("the personal data export contains the alumni entry without the office-only fields", async () => {
  const { admin, member } = await withFields();
  const entryOf = async (session: TestSession) =>
    (await callAs(session, "GET", `/api/user/${session.user.id}/export`)).data.alumniEntry as Record<
      string,
      unknown
    > | null;
  const entry = await entryOf(member);
  expect(entry).toMatchObject({
    이름: "본인",
    이메일: member.user.email,
    "항목 members": "본인의 members 값",
    "항목 openable": "본인의 openable 값",
  });
  expect(Object.keys(entry ?? {})).not.toContain("항목 office");
  expect(JSON.stringify(entry)).not.toContain("사무국 메모");
  expect(await entryOf(admin)).toBeNull();
});

test("no request reveals a field closed to members", async () => {
  const { admin, member, codes, mine, other } = await withFields();
  const ids = [mine, other];
  const ways: Record<string, (session: TestSession | null) => Promise<unknown>> = {
    list: (session) => callJson("GET", "/api/alumni", { token: session?.accessToken }),
    selected: (session) => callJson("POST", "/api/alumni/selected", { token: session?.accessToken, body: { ids } }),
    "all that match": (session) =>
      callJson("POST", "/api/alumni/selected", { token: session?.accessToken, body: { filter: {}, count: 2 } }),
    bin: (session) => callJson("GET", "/api/alumni/bin", { token: session?.accessToken }),
    duplicates: (session) => callJson("GET", "/api/alumni/duplicate", { token: session?.accessToken }),
    "open import": (session) => callJson("GET", "/api/alumni/import/open", { token: session?.accessToken }),
    fields: (session) => callJson("GET", FIELDS, { token: session?.accessToken }),
    search: (session) => callJson("GET", "/api/search?keyword=값", { token: session?.accessToken }),
  };
  const open = ["본인 members", "본인 openable", "남 members"];
  for (const [way, ask] of Object.entries(ways)) {
    const seen = async (session: TestSession | null) => valuesIn(JSON.stringify(await ask(session)));
    expect([way, await seen(null)]).toEqual([way, []]);
    const isOpenWay = way === "list" || way === "selected" || way === "all that match";
    expect([way, await seen(member)]).toEqual([way, isOpenWay ? open : []]);
    expect([way, (await seen(admin)).length]).toEqual([way, isOpenWay ? 6 : 0]);
  }
  // Conditions on hidden fields find nobody, so that they reveal nothing.
  const named = async (query: string) =>
    (await callAs(member, "GET", `/api/alumni?${query}`)).data.content.map(({ name }: { name: string }) => name).join();
  const all = await named("");
  for (const access of ["openable", "office"] as const) {
    for (const question of ["empty", "filled", "has:남", `in:남의 ${access} 값`, "between:남,낭"])
      expect([access, question, await named(`f_${codes[access]}=${encodeURIComponent(question)}`)]).toEqual([
        access,
        question,
        "",
      ]);
    expect(await named(`sort=${codes[access]},DESC`)).toBe(all);
    expect(await named(`keyword=${encodeURIComponent(`남의 ${access}`)}`)).toBe("");
  }
  const asked = { filter: { [`f_${codes.office}`]: "has:남" } };
  expect((await callAs(member, "POST", "/api/alumni/selected", asked)).code).toBe("INVALID_INPUT");
});

async function withImporter() {
  const office = await createAdministratorSession();
  const officer = await createSessionWith(["Alumni_Read", "Alumni_Import", "ADMIN_Access"]);
  const victim = await createMemberSession();
  const entry = { name: "한비밀", cohort: 3, email: victim.user.email, mobile: "010-9876-5432" };
  const id = (await callAs(office, "PUT", "/api/alumni", entry)).data.id as string;
  const entryFor = async (session: TestSession) => {
    const { content } = (await callAs(session, "GET", "/api/alumni")).data;
    return content.find((row: { id: string }) => row.id === id) as { mobile: string; version: number };
  };
  const mobileFor = async (session: TestSession) => (await entryFor(session)).mobile;
  const bring = async (by: TestSession, email: string) => {
    const { data } = await importAlumniFile(by, "명부.csv", `ID,이름,이메일\n${id},한비밀,${email}\n`);
    expect([data.updated, data.inserted]).toEqual([1, 0]);
    return data.importId as string;
  };
  const version = async () =>
    (await readRow<{ version: number }>("SELECT version FROM alumni WHERE id = ?", id))?.version;
  return { office, officer, victim, id, entryFor, mobileFor, bring, version };
}
const CLOSED = "010-****-5432";
const OPEN = "010-9876-5432";

test("an unauthorised import cannot give an entry to another account", async () => {
  const { officer, victim, id, entryFor, mobileFor, bring } = await withImporter();
  expect([await mobileFor(officer), await mobileFor(victim)]).toEqual([CLOSED, OPEN]);
  const friend = await createMemberSession();
  const undo = async (importId: string) =>
    expect((await callAs(officer, "POST", `/api/alumni/import/${importId}/undo`, {})).code).toBe("SUCCESS");
  for (const person of [officer, friend]) {
    const importId = await bring(officer, person.user.email);
    expect(await readRow("SELECT email FROM alumni WHERE id = ?", id)).toEqual({ email: person.user.email });
    expect(await mobileFor(person)).toBe(CLOSED);
    const own = (await callAs(person, "GET", `/api/user/${person.user.id}/export`)).data.alumniEntry;
    expect(own).toBeNull();
    const { version } = await entryFor(person);
    expect((await callAs(person, "PATCH", `/api/alumni/${id}`, { openFields: ["mobile"], version })).code).toBe(
      "FORBIDDEN",
    );
    await undo(importId);
    expect([await mobileFor(person), await mobileFor(victim)]).toEqual([CLOSED, OPEN]);
  }
  await bring(officer, friend.user.email);
  await bring(officer, officer.user.email);
  expect([await mobileFor(officer), await mobileFor(friend)]).toEqual([CLOSED, CLOSED]);
  await bring(officer, victim.user.email);
  expect(await mobileFor(victim)).toBe(OPEN);
});

test("an address changed by the office is trusted at once", async () => {
  const { office, officer, victim, id, mobileFor, bring, version } = await withImporter();
  const friend = await createMemberSession();
  await bring(office, friend.user.email);
  expect([await mobileFor(friend), await mobileFor(victim)]).toEqual([OPEN, CLOSED]);
  await bring(officer, victim.user.email);
  expect(await mobileFor(victim)).toBe(CLOSED);
  await callAs(office, "PATCH", `/api/alumni/${id}`, { affiliation: "새봄병원", version: await version() });
  expect(await mobileFor(victim)).toBe(CLOSED);
  await callAs(office, "PATCH", `/api/alumni/${id}`, { email: friend.user.email, version: await version() });
  await callAs(office, "PATCH", `/api/alumni/${id}`, { email: victim.user.email, version: await version() });
  expect(await mobileFor(victim)).toBe(OPEN);
});

test("an undo by an importer alone trusts no other address", async () => {
  const { office, officer, victim, mobileFor, bring } = await withImporter();
  const friend = await createMemberSession();
  const importId = await bring(office, friend.user.email);
  expect(await mobileFor(friend)).toBe(OPEN);
  expect((await callAs(officer, "POST", `/api/alumni/import/${importId}/undo`, {})).data).toMatchObject({
    restored: 1,
  });
  expect([await mobileFor(friend), await mobileFor(victim)]).toEqual([CLOSED, CLOSED]);
});

test("a merge keeps an unconfirmed address unconfirmed", async () => {
  const { office, officer, id, mobileFor, bring } = await withImporter();
  await bring(officer, officer.user.email);
  const other = (await callAs(office, "PUT", "/api/alumni", { name: "한비밀", cohort: 3 })).data.id as string;
  const versionOf = async (each: string) =>
    (await readRow<{ version: number }>("SELECT version FROM alumni WHERE id = ?", each))?.version;
  const people = [
    { id, version: await versionOf(id) },
    { id: other, version: await versionOf(other) },
  ];
  const merged = await callAs(office, "POST", "/api/alumni/merge", { keepId: id, people, source: {} });
  expect([merged.code, merged.message, merged.fields]).toEqual(["SUCCESS", merged.message, merged.fields]);
  expect(await mobileFor(officer)).toBe(CLOSED);
  await callAs(office, "POST", `/api/alumni/merge/${merged.data.mergeId}/undo`, {});
  expect(await mobileFor(officer)).toBe(CLOSED);
});
