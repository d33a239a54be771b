import { expect, test, beforeEach } from "vitest";
import { auditTargetText, AUDIT_TARGET_NAMES } from "#worker/contract/audit/log.ts";
import { AUDIT_ACTION_LABELS, AUDIT_READ_ACTIONS } from "#worker/contract/kernel/audit-actions.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createUser,
  signInUser,
  createSession,
  retireUser,
  type TestSession,
} from "../../support/people.ts";
import { readRows, countRows } from "../../support/test-database.ts";
import { env } from "cloudflare:workers";
import { importAlumniFile, exportListed } from "../../samples/alumni-files.ts";
import { callApiWith } from "../../support/faulty-database.ts";

const LIST = "/api/admin/audit";

test("reads are folded in the list unless requested", async () => {
  const admin = await createAdministratorSession();
  const person = await signInUser(await createUser({ userName: "김회원" }));
  await callAs(admin, "GET", "/api/admin/member");
  await callAs(admin, "GET", `/api/admin/member/${person.user.id}`);
  await callAs(admin, "POST", "/api/admin/member/block", { ids: [person.user.id], reason: "시험" });
  const actions = async (query: string) => {
    const { content, foldedReads, totalElements } = (await callAs(admin, "GET", `${LIST}?${query}`)).data;
    return { actions: content.map(({ action }: { action: string }) => action), foldedReads, totalElements };
  };
  expect(await actions("reads=folded")).toEqual({ actions: ["member.block"], foldedReads: 3, totalElements: 1 });
  expect(await actions("reads=folded")).toMatchObject({ foldedReads: 4, totalElements: 1 });
  const all = await actions("reads=shown");
  expect(all).toMatchObject({ foldedReads: 0, totalElements: 6 });
  expect(all.actions).toEqual(expect.arrayContaining(["signin", "member.list", "member.view", "member.block"]));
  expect((await actions("")).totalElements).toBe(7);
});

test("a row names its subject in words without codes", async () => {
  const admin = await createAdministratorSession();
  const person = await createUser({ userName: "김회원" });
  await callAs(admin, "POST", "/api/admin/member/block", { ids: [person.id], reason: "시험" });
  await callAs(admin, "PUT", "/api/admin/board", { boardCode: "press", boardName: "보도자료" });
  await callAs(admin, "PUT", "/api/admin/role", { roleCode: "editor", roleName: "편집자", permissions: [] });
  const { content } = (await callAs(admin, "GET", `${LIST}?reads=folded`)).data;
  expect(content.map(auditTargetText)).toEqual(["역할 ‘편집자’", "게시판 ‘보도자료’", "회원 ‘김회원’"]);
  const file = await fetchApi("POST", `${LIST}/export`, {
    token: admin.accessToken,
    body: { reason: "점검", format: "csv" },
  });
  const text = await file.text();
  expect(text).toContain("게시판 추가,게시판 ‘보도자료’");
  expect(text).not.toContain("board.create");
  expect(text).not.toContain(person.id);
});

test("every audit target type has a label, as every action has", async () => {
  const admin = await createAdministratorSession();
  await callAs(admin, "PATCH", "/api/admin/setting/case-report", { maskBelow: 5, version: 0 });
  const [row] = (await callAs(admin, "GET", `${LIST}?reads=folded`)).data.content;
  expect(auditTargetText(row)).toBe("설정 ‘연계 서비스 집계’");
  const types = (await readRows<{ target_type: string }>("SELECT DISTINCT target_type FROM audit_log")).map(
    ({ target_type }) => target_type,
  );
  expect(types.filter((type) => !(type in AUDIT_TARGET_NAMES))).toEqual([]);
  expect(AUDIT_READ_ACTIONS.filter((action) => !(action in AUDIT_ACTION_LABELS))).toEqual([]);
});

const GONE = { name: "남궁 민", email: "gone@pid.example.kr", mobile: "010-1234-5678" };

let admin: TestSession;
beforeEach(async () => {
  admin = await createAdministratorSession();
});

const foundFor = async (subject: string, by = admin) =>
  (await callAs(by, "GET", `/api/admin/audit?action=alumni.export&subject=${encodeURIComponent(subject)}`)).data.content
    .length as number;
const addPerson = async (person: object): Promise<string> =>
  (await callAs(admin, "PUT", "/api/alumni", person)).data.id;
const exportAll = () => exportListed(admin, { reason: "총회 안내" });
async function destroy(id: string): Promise<void> {
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids: [id] });
  expect((await callAs(admin, "POST", "/api/alumni/destroy-data", { ids: [id] })).data).toEqual({ destroyed: 1 });
}

test("an export finds a destroyed person without storing the name", async () => {
  const id = await addPerson(GONE);
  await exportAll();
  const other = await addPerson({ name: "늦은이", email: "late@pid.example.kr" });
  await destroy(id);
  await destroy(other);
  for (const known of ["남궁 민", "남궁민", "GONE@pid.example.kr", "010-1234-5678", "01012345678", id])
    expect([known, await foundFor(known)]).toEqual([known, 1]);
  for (const unknown of ["남궁", "늦은이", "late@pid.example.kr", "010-1234-5679", crypto.randomUUID()])
    expect([unknown, await foundFor(unknown)]).toEqual([unknown, 0]);
  const sheet = await fetchApi("POST", "/api/admin/audit/export", {
    token: admin.accessToken,
    body: { format: "csv", reason: "유출 확인", filter: { action: "alumni.export", subject: "남궁민" } },
  });
  expect(await sheet.text()).toContain("총회 안내");
  const kept = JSON.stringify(await readRows("SELECT * FROM destroyed_trace"));
  expect(kept).not.toMatch(/남궁|gone|1234-?5678/);
  expect(await countRows("destroyed_trace"), "no trace of people who were in no export").toBe(3);
  expect(JSON.stringify(await readRows("SELECT * FROM audit_log"))).not.toMatch(/남궁|gone@|1234-?5678/);
});

test("a trace needs the key of the site", async () => {
  const id = await addPerson(GONE);
  await exportAll();
  await destroy(id);
  const elsewhere = { ...env, SIGNING_SECRET: "another-secret-of-another-site-0123456789" };
  const ask = (world: object) =>
    callApiWith(
      world as Record<string, unknown>,
      "GET",
      `/api/admin/audit?action=alumni.export&subject=${encodeURIComponent(GONE.name)}`,
      {
        token: admin.accessToken,
      },
    );
  expect((await ask(env)).data?.totalElements).toBe(1);
  expect((await ask(elsewhere)).data?.totalElements).toBe(0);
});

test("an export of members finds a former member", async () => {
  const leaver = await createSession({ userName: "선우진" });
  await fetchApi("POST", "/api/admin/member/export", {
    token: admin.accessToken,
    body: { format: "csv", reason: "연례 보고" },
  });
  await retireUser(leaver);
  const found = async (subject: string) =>
    (await callAs(admin, "GET", `/api/admin/audit?action=member.export&subject=${encodeURIComponent(subject)}`)).data
      .totalElements as number;
  for (const known of ["선우진", leaver.user.userId, leaver.user.email])
    expect([known, await found(known)]).toEqual([known, 1]);
  expect(JSON.stringify(await readRows("SELECT * FROM destroyed_trace"))).not.toContain("선우진");
});

test("a person from an undone import, exported in between, is found too", async () => {
  const { data } = await importAlumniFile(admin, "명단.csv", "이름,이메일\n제갈량,jegal@pid.example.kr\n");
  await exportAll();
  expect((await callAs(admin, "POST", `/api/alumni/import/${data.importId}/undo`, {})).code).toBe("SUCCESS");
  expect([await countRows("alumni"), await foundFor("제갈량")]).toEqual([0, 1]);
});
