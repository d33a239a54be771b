import { expect, test } from "vitest";
import { getAlumniListPage } from "#worker/domain/alumni/list.server.ts";
import { downloadFile, exportListed } from "../../samples/alumni-files.ts";
import { acceptMails, RESEND_VARS, runJobsWith, stubMailHost } from "../../hosts/mail-host.ts";
import { callAs } from "../../support/api-client.ts";
import { createTestMailing } from "../../support/factories.ts";
import { createMemberSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { readRows, runSql } from "../../support/test-database.ts";
import { mailingCall } from "../mailing/people.ts";
import { makeDueKind } from "./dues.ts";
import {
  AMOUNT,
  charge,
  createDuesOffice,
  createPartialOffice,
  expectNoAmount,
  insertPerson,
  LEAK,
  OFFICE,
} from "./people-with-dues.ts";

const KIND = {
  name: "납부 확인서",
  body: "{{이름}}님은 {{납부 연도}}년 회비 {{납부 금액}}을 {{납부일}}에 냈습니다.",
  numberPattern: "납부 {{연도}}-{{번호}}",
  selfIssue: "entry",
};

const makeKind = async (office: TestSession): Promise<string> => {
  const { code, data } = await callAs(office, "PUT", "/api/admin/certificate-kind", KIND);
  expect(code).toBe("SUCCESS");
  return data.id;
};

/** A member with an open and a paid due, a sent reminder with the amount, and a certificate of the payment. */
async function withEverything() {
  const owner = await createMemberSession();
  const office = await createDuesOffice();
  const id = await insertPerson("홍길동", owner.user.email);
  await charge(id, "2025", { paid: AMOUNT });
  await charge(id, "2026");
  const kindId = await makeKind(office);
  const issued = await callAs(office, "PUT", "/api/certificate/issued", { kindId, alumniId: id, reason: "본인 요청" });
  expect(issued.data.count).toBe(1);
  const mailingId = await createTestMailing(
    office,
    { source: "alumni", target: { filter: { dues: "2026:unpaid" } } },
    { subject: "{{이름}} 님 {{회비 금액}}", text: "{{회비 금액}}을 보내 주십시오." },
  );
  await mailingCall(office, mailingId, "send", { version: 2, count: 1, reason: "독촉" });
  const sent = stubMailHost(acceptMails);
  await runJobsWith(RESEND_VARS);
  expect(sent.flatMap(({ mails }) => mails.map(({ text }) => text)).join()).toMatch(LEAK);
  return { owner, office, id, kindId, mailingId, issueId: issued.data.id as string };
}

const READS = (id: string, mailingId: string, issueId: string) =>
  [
    ["GET", "/api/alumni?size=100"],
    ["GET", `/api/alumni?keyword=${encodeURIComponent("73,150")}`],
    ["GET", "/api/alumni?dues=2026:unpaid"],
    ["GET", `/api/alumni/${id}/dues`],
    ["POST", "/api/alumni/selected", { ids: [id] }],
    ["POST", "/api/alumni/figures", { segment: { ids: [id] }, reason: "보고" }],
    ["POST", "/api/alumni/print-data", { segment: { ids: [id] }, kind: "card", reason: "명찰" }],
    ["POST", "/api/board-item/search", { keyword: "회비 홍길동" }],
    ["GET", "/api/site-setting/info"],
    ["GET", "/api/admin/audit?size=100"],
    ["GET", "/api/admin/message?size=100"],
    ["GET", `/api/admin/message?keyword=${encodeURIComponent("73,150")}`],
    ["GET", "/api/admin/mailing"],
    ["GET", `/api/admin/mailing/${mailingId}`],
    ["GET", `/api/admin/mailing/${mailingId}/recipient`],
    ["POST", `/api/admin/mailing/${mailingId}/preview`, {}],
    ["GET", "/api/certificate"],
    ["GET", "/api/certificate/issued"],
    ["POST", `/api/certificate/${issueId}/withdraw`, { reason: "확인" }],
  ] as const;

test("no answer gives an amount to a person without the right", async () => {
  const { owner, id, mailingId, issueId, kindId } = await withEverything();
  await runSql(
    "UPDATE role SET permissions = json_insert(permissions, '$[#]', 'Alumni_Read') WHERE role_code = 'member'",
  );
  const partial = await createSessionWith([...OFFICE, "Mail_Template", "Inquiry_Answer"]);
  for (const who of [await createMemberSession(), partial, null]) {
    for (const [method, path, body] of READS(id, mailingId, issueId))
      expectNoAmount(await callAs(who, method, path, body), `${who?.user.userName ?? "guest"} ${path}`);
    const own = await callAs(who, "GET", `/api/user/${owner.user.id}/export`);
    expectNoAmount(own, "download of another person's data");
    if (who)
      expectNoAmount(await getAlumniListPage(scopeFor(who), { page: 1, size: 20 }).catch(String), "page of the list");
    for (const path of ["preview", "issued"]) {
      const body = { kindId, segment: { ids: [id] }, reason: "확인" };
      const answer = await callAs(who, path === "issued" ? "PUT" : "POST", `/api/certificate/${path}`, body);
      expect([path, answer.code]).not.toEqual([path, "SUCCESS"]);
      expectNoAmount(answer, path);
    }
  }
  const file = await exportListed(partial, { format: "csv", reason: "보고" });
  expectNoAmount(new TextDecoder().decode(await downloadFile(partial, file.data.url)), "export");
});

test("the settings file has the kinds only with the right", async () => {
  const office = await createDuesOffice();
  await makeDueKind(office, { amount: AMOUNT });
  const { data: whole } = await callAs(office, "GET", "/api/admin/setting/export");
  expect(whole.dueKinds).toMatchObject([{ amount: AMOUNT }]);
  const partial = await callAs(await createSessionWith([...OFFICE]), "GET", "/api/admin/setting/export");
  expect([partial.code, partial.data.dueKinds]).toEqual(["SUCCESS", undefined]);
  expectNoAmount(partial, "settings file");
});

test("no audit entry or message holds an amount", async () => {
  const { office, id } = await withEverything();
  await callAs(office, "GET", `/api/alumni/${id}/dues`);
  await exportListed(office, { filter: { dues: "2026:unpaid" }, format: "csv", reason: "독촉" });
  expectNoAmount(await readRows("SELECT * FROM audit_log"), "audit log");
  expectNoAmount(await callAs(office, "GET", "/api/admin/message?size=100"), "list of messages");
});

test("only the owner or the office reads a certificate's amount", async () => {
  const { owner, office, kindId } = await withEverything();
  const seen = (await callAs(office, "GET", "/api/certificate/issued")).data.content[0].body;
  expect(seen).toBe("홍길동님은 2025년 회비 73,150원을 2026년 3월 2일에 냈습니다.");
  const other = (await callAs(await createSessionWith(OFFICE), "GET", "/api/certificate/issued")).data.content[0].body;
  expect(other).toBe("홍길동님은 2025년 회비 (금액)을 2026년 3월 2일에 냈습니다.");
  expect((await callAs(owner, "PUT", "/api/certificate", { kindId })).code).toBe("SUCCESS");
  expect((await callAs(owner, "GET", "/api/certificate")).data[0].body).toBe(seen);
});

test("a certificate of payment leaves out a person without payments", async () => {
  const office = await createDuesOffice();
  const kindId = await makeKind(office);
  const [paid, open, none] = [await insertPerson("낸이"), await insertPerson("안낸이"), await insertPerson("없는이")];
  await charge(paid, "2024", { paid: AMOUNT });
  await charge(paid, "2026", { paid: 1000 });
  await charge(open, "2026");
  const { data } = await callAs(office, "POST", "/api/certificate/preview", {
    kindId,
    segment: { ids: [paid, open, none] },
  });
  expect([data.count, data.sample.body]).toEqual([1, expect.stringContaining("낸이님은 2024년 회비 73,150원을")]);
  expect(data.leftOut).toContainEqual({ cause: "납부한 회비가 없음", count: 2, names: ["안낸이", "없는이"] });
  const member = await createMemberSession();
  await insertPerson("홍길동", member.user.email);
  const own = await callAs(member, "PUT", "/api/certificate", { kindId });
  expect([own.code, Object.keys(own.fields)]).toEqual(["INVALID_INPUT", ["kindId"]]);
});

test("the audit log shows who owes only with the right", async () => {
  const { office, id, mailingId } = await withEverything();
  const owing = { filter: { dues: "2026:unpaid" } };
  await exportListed(office, { ...owing, format: "csv", reason: "독촉" });
  await callAs(office, "POST", "/api/alumni/print-data", { segment: owing, kind: "card", count: 1, reason: "독촉" });
  const round = await callAs(office, "PUT", "/api/admin/round", { target: owing });
  expect(round.code).toBe("SUCCESS");
  const rowsFor = async (who: TestSession, query: string) =>
    (await callAs(who, "GET", `/api/admin/audit?size=100&reads=shown&${query}`)).data.content as Record<
      string,
      unknown
    >[];
  const isOfDues = ({ action, detail, targetId, subjectCount }: Record<string, unknown>) =>
    /^(?:alumni\.(?:export|print)|mailing\.send)$/.test(String(action)) &&
    (detail !== null || targetId || subjectCount);
  const partial = await createPartialOffice();
  const rows = (await rowsFor(office, "")).filter(isOfDues);
  expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(["alumni.export", "alumni.print", "mailing.send"]));
  expect((await rowsFor(partial, "")).filter(isOfDues)).toEqual([]);
  expect((await rowsFor(partial, `subject=${id}`)).filter(isOfDues)).toEqual([]);
  expect(await rowsFor(partial, `targetId=${mailingId}`)).toEqual([]);
  for (const row of rows) {
    const { people } = (await callAs(office, "GET", `/api/admin/audit/${row["id"]}`)).data;
    const { people: none } = (await callAs(partial, "GET", `/api/admin/audit/${row["id"]}`)).data;
    expect([row["action"], people.totalElements, none.totalElements]).toEqual([row["action"], 1, 0]);
  }
});

test("the list of messages shows who owes only with the right", async () => {
  const { office, owner } = await withEverything();
  const rowsFor = async (who: TestSession, keyword = "") =>
    (
      await callAs(who, "GET", `/api/admin/message?size=100&keyword=${encodeURIComponent(keyword)}`)
    ).data.content.filter(({ subject }: { subject: string }) => subject === "{{이름}} 님 {{회비 금액}}");
  expect(await rowsFor(office)).toMatchObject([{ person: { name: owner.user.userName } }]);
  expect(await rowsFor(office, owner.user.email)).toHaveLength(1);
  const partial = await createPartialOffice();
  expect(await rowsFor(partial)).toMatchObject([{ person: null, recipient: "***" }]);
  expect(await rowsFor(partial, owner.user.email)).toEqual([]);
});
