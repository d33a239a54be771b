import { expect, test } from "vitest";
import { auditTargetText, AUDIT_TARGET_NAMES } from "#worker/contract/audit/log.ts";
import { AUDIT_ACTION_LABELS, AUDIT_READ_ACTIONS } from "#worker/contract/kernel/audit-actions.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { createAdministratorSession, createUser, signInUser } from "../../support/people.ts";
import { readRows } from "../../support/test-database.ts";

const LIST = "/api/admin/audit";

test("changes are listed, reads are folded and counted, and both can be requested", async () => {
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

test("a row names its subject in words, as does the exported file, without codes", async () => {
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
