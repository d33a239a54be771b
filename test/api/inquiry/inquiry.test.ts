import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { countObjects, fetchFile, PDF_BYTES, putFile, uploadBoardFile } from "../../samples/board-files.ts";
import { leaveOfLimit, sentMessages } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  retireUser,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { countRows, readRow, readRows, readValue, runSql } from "../../support/test-database.ts";

const DAY_MS = 86_400_000;
const OWN = "/api/inquiry";
const OFFICE = "/api/admin/inquiry";
const QUESTION = { category: "event", subject: "연수 이수증", content: "이수증은 어디에서 받습니까?" };

const ask = (session: TestSession, fields: object = {}) => callAs(session, "POST", OWN, { ...QUESTION, ...fields });
const answer = (session: TestSession, id: string, version: number, fields: object = {}) =>
  callAs(session, "POST", `${OFFICE}/${id}/answer`, { content: "마이페이지에서 받으십시오.", version, ...fields });
const createAnswerer = async (...more: string[]) =>
  createSessionWith(["Inquiry_Answer", ...more], { userName: "김사무" });

async function uploadLooseFile(session: TestSession, fileName = "이수증.pdf"): Promise<string> {
  const search = new URLSearchParams({ fileName, size: String(PDF_BYTES.byteLength) });
  const { data } = await callAs(session, "GET", `/api/file/upload-url?${search}`);
  expect((await putFile(data.uploadUrl, PDF_BYTES)).code).toBe("SUCCESS");
  return data.fileId;
}

async function createInquiry() {
  const [person, office] = [await createMemberSession(), await createAnswerer()];
  const { id } = (await ask(person)).data;
  const admin = await createAdministratorSession();
  const waiting = async () => (await callAs(admin, "GET", "/api/admin/dashboard")).data.waitingInquiries;
  return { person, office, id, waiting };
}

test("a member's inquiry waits until the office answers", async () => {
  const { person, office, id, waiting } = await createInquiry();
  expect(await waiting()).toBe(1);
  const list = await callAs(office, "GET", `${OFFICE}?status=waiting`);
  expect(list.data.content).toMatchObject([
    { id, subject: "연수 이수증", category: "event", status: "waiting", userId: person.user.id, userName: "홍길동" },
  ]);
  expect((await answer(office, id, 1)).data).toEqual({ version: 2, mailed: true });
  expect(await waiting()).toBe(0);
});

test("an answer reaches a member in every channel", async () => {
  const { person, office, id } = await createInquiry();
  await answer(office, id, 1);
  const own = await callAs(person, "GET", `${OWN}/${id}`);
  expect(own.data).toMatchObject({
    status: "answered",
    messages: [
      { isOffice: false, content: QUESTION.content, files: [] },
      { isOffice: true, content: "마이페이지에서 받으십시오." },
    ],
  });
  expect(JSON.stringify(own.data), "the author in the office is not named").not.toMatch(/김사무|authorName/);
  const [mail] = await sentMessages(person.user.email);
  expect(mail?.subject).toBe("[새 홈페이지] 문의하신 '연수 이수증'에 답변을 드렸습니다");
  expect(mail?.body).toContain("마이페이지에서 받으십시오.");
  expect(mail?.body).toContain(`/Mypage/Inquiries/${id}`);
  const bell = await callAs(person, "GET", `/api/user/${person.user.id}/activity`);
  expect(bell.data.content).toMatchObject([
    { kind: "inquiry", inquiry: { id, subject: "연수 이수증" }, isRead: false },
  ]);
});

test("the office answers a further question of a member", async () => {
  const { person, office, id, waiting } = await createInquiry();
  await callAs(office, "GET", `${OFFICE}?status=waiting`);
  await answer(office, id, 1);
  expect((await callAs(person, "POST", `${OWN}/${id}/message`, { content: "영문도 됩니까?" })).data).toEqual({ id });
  expect(await waiting()).toBe(1);
  expect((await answer(office, id, 2)).code, "the office has not read the new message").toBe("CONFLICT");
  expect((await answer(office, id, 3, { content: "예, 됩니다." })).data.version).toBe(4);
  const detail = await callAs(office, "GET", `${OFFICE}/${id}`);
  expect(detail.data.messages.map((each: { authorName: string }) => each.authorName)).toEqual([
    "홍길동",
    "김사무",
    "홍길동",
    "김사무",
  ]);
  expect(detail.data.history.map((row: { action: string }) => row.action)).toEqual([
    "inquiry.answer",
    "inquiry.add",
    "inquiry.answer",
    "inquiry.submit",
  ]);
  const seen = await readRows<{ action: string }>(
    "SELECT DISTINCT action FROM audit_log WHERE action LIKE 'inquiry.%'",
  );
  expect(seen.map(({ action }) => action)).toEqual(expect.arrayContaining(["inquiry.list", "inquiry.view"]));
});

test("a closed inquiry accepts no messages", async () => {
  const [person, office] = [await createMemberSession(), await createAnswerer()];
  const { id } = (await ask(person)).data;
  const close = (version: number) => callAs(person, "POST", `${OWN}/${id}/close`, { version });
  expect((await close(9)).code).toBe("CONFLICT");
  expect((await close(1)).data).toEqual({ version: 2 });
  expect((await close(2)).code).toBe("CONFLICT");
  const added = await callAs(person, "POST", `${OWN}/${id}/message`, { content: "더 묻습니다." });
  expect([added.code, added.message]).toEqual(["CONFLICT", expect.stringContaining("새 문의로")]);
  expect((await answer(office, id, 2)).code).toBe("CONFLICT");
  expect((await callAs(office, "POST", `${OFFICE}/${id}/close`, { version: 2 })).code).toBe("CONFLICT");
  expect((await callAs(person, "GET", `${OWN}/${id}`)).data.status).toBe("closed");
  const other = (await ask(person)).data.id;
  expect((await callAs(office, "POST", `${OFFICE}/${other}/close`, { version: 1 })).data).toEqual({ version: 2 });
});

test("an inquiry is hidden from people without its right", async () => {
  const [person, other] = [await createMemberSession(), await createMemberSession()];
  const clerk = await createSessionWith(["ADMIN_Access"]);
  const office = await createAnswerer();
  const { id } = (await ask(person)).data;
  const before = JSON.stringify(await readRow("SELECT * FROM inquiry"));
  const unknown = crypto.randomUUID();
  const reach = async (session: TestSession | null, at: string) => {
    const token = session?.accessToken;
    const bodies = { message: { content: "x" }, close: { version: 1 } };
    return [
      await callJson("GET", `${OWN}/${at}`, { token }),
      ...(await Promise.all(
        Object.entries(bodies).map(([act, body]) => callJson("POST", `${OWN}/${at}/${act}`, { token, body })),
      )),
    ].map(({ status, message }) => [status, message]);
  };
  for (const session of [other, clerk, office])
    expect(await reach(session, id), "answers as a missing inquiry").toEqual(await reach(session, unknown));
  expect((await reach(other, id)).map(([status]) => status)).toEqual([404, 404, 404]);
  expect((await reach(null, id)).map(([status]) => status)).toEqual([401, 401, 401]);
  expect((await callAs(other, "GET", OWN)).data.content).toEqual([]);
  for (const [session, status] of [
    [null, 401],
    [other, 403],
    [clerk, 403],
  ] as const) {
    const token = session?.accessToken;
    const asked = [
      await callJson("GET", OFFICE, { token }),
      await callJson("GET", `${OFFICE}/${id}`, { token }),
      await callJson("POST", `${OFFICE}/${id}/answer`, { token, body: { content: "x", version: 1 } }),
      await callJson("POST", `${OFFICE}/${id}/close`, { token, body: { version: 1 } }),
    ];
    expect(asked.map((each) => each.status)).toEqual([status, status, status, status]);
  }
  expect((await callAs(clerk, "GET", "/api/admin/dashboard")).data.waitingInquiries).toBe(0);
  expect(JSON.stringify(await readRow("SELECT * FROM inquiry"))).toBe(before);
  expect((await callAs(office, "GET", `${OFFICE}/${id}`)).status).toBe(200);
  expect((await callAs(office, "GET", `${OFFICE}/${unknown}`)).status).toBe(404);
  expect((await answer(office, unknown, 1)).status).toBe(404);
  expect((await callAs(office, "GET", "/api/admin/dashboard")).status).toBe(403);
});

test("an attachment is readable only for the people of its message", async () => {
  const [person, other] = [await createMemberSession(), await createMemberSession()];
  const clerk = await createSessionWith(["ADMIN_Access"]);
  const office = await createAnswerer();
  const [mine, theirs] = [await uploadLooseFile(person), await uploadLooseFile(other)];
  const onBoard = await uploadBoardFile(person);
  for (const fileIds of [[theirs], [mine, theirs], [onBoard], [crypto.randomUUID()]])
    expect((await ask(person, { fileIds })).fields.fileIds, JSON.stringify(fileIds)).toContain("다시 올려");
  expect(await countRows("inquiry")).toBe(0);
  const { id } = (await ask(person, { fileIds: [mine, mine] })).data;
  expect(
    (await ask(person, { fileIds: [mine] })).fields.fileIds,
    "the file is attached to another message",
  ).toBeTruthy();
  const ofOffice = await uploadLooseFile(office, "안내문.pdf");
  expect((await answer(office, id, 1, { fileIds: [ofOffice] })).code).toBe("SUCCESS");
  const { messages } = (await callAs(person, "GET", `${OWN}/${id}`)).data;
  expect(messages.map(({ files }: { files: { fileName: string }[] }) => files.map((each) => each.fileName))).toEqual([
    ["이수증.pdf"],
    ["안내문.pdf"],
  ]);
  for (const fileId of [mine, ofOffice]) {
    const statuses = [];
    for (const session of [person, office, other, clerk, null])
      statuses.push((await fetchFile(fileId, session)).status);
    expect(statuses).toEqual([200, 200, 404, 404, 404]);
  }
});

test("a member sends at most ten inquiries a day", async () => {
  const person = await createMemberSession();
  await leaveOfLimit(2, "inquiryDay", person.user.id);
  const { id } = (await ask(person)).data;
  expect((await callAs(person, "POST", `${OWN}/${id}/message`, { content: "더" })).status).toBe(200);
  expect((await ask(person)).status).toBe(429);
  expect((await callAs(person, "POST", `${OWN}/${id}/message`, { content: "더" })).status).toBe(429);
  expect((await ask(await createMemberSession())).status).toBe(200);
});

test("an inquiry with a resident number or unknown kind is refused", async () => {
  const person = await createMemberSession();
  expect((await ask(person, { content: "900101-1234567" })).fields.content).toContain("주민등록번호");
  expect((await ask(person, { subject: "900101-1234567" })).fields.subject).toContain("주민등록번호");
  expect((await ask(person, { content: " " })).fields.content).toBeTruthy();
  expect((await ask(person, { category: "none" })).fields.category).toBeTruthy();
});

test("own inquiries belong to the personal data of the account", { tags: "full" }, async () => {
  const [person, office] = [await createMemberSession(), await createAnswerer()];
  const other = (await ask(await createMemberSession())).data.id;
  const { id } = (await ask(person, { fileIds: [await uploadLooseFile(person)] })).data;
  await answer(office, id, 1, { fileIds: [await uploadLooseFile(office)] });
  const own = (await callAs(person, "GET", `/api/user/${person.user.id}/export`)).data;
  expect(own.inquiries).toMatchObject([{ id, messages: [{ content: QUESTION.content }, { isOffice: true }] }]);
  expect(JSON.stringify(own)).not.toContain("김사무");
  expect(await countObjects()).toBe(2);

  await retireUser(person);
  expect(await readRows("SELECT id FROM inquiry")).toEqual([{ id: other }]);
  expect(await readValue("SELECT count(*) FROM inquiry_message WHERE inquiry_id = ?", id)).toBe(0);
  expect(await countRows("inquiry_file")).toBe(0);
  await runScheduledJobs(env);
  expect([await countObjects(), await countRows("file")]).toEqual([0, 0]);
});

test("only answered inquiries expire", { tags: "full" }, async () => {
  const [person, office] = [await createMemberSession(), await createAnswerer()];
  const { id } = (await ask(person, { fileIds: [await uploadLooseFile(person)] })).data;
  const waiting = (await ask(person)).data.id;
  await answer(office, id, 1);
  // The audit log uses the real clock.
  const age = (days: number) => runSql("UPDATE inquiry SET last_date = ?", Date.now() - days * DAY_MS);
  await age(1094);
  await runScheduledJobs(env);
  expect(await countRows("inquiry")).toBe(2);
  await age(1096);
  await runScheduledJobs(env);
  expect(await readRows("SELECT id FROM inquiry")).toEqual([{ id: waiting }]);
  expect(await countRows("inquiry_message")).toBe(1);
  expect(await countRows("inquiry_file")).toBe(0);
  expect(await readRow("SELECT kind, rule, count FROM destruction WHERE rule = 'inquiries'")).toEqual({
    kind: "1:1 문의",
    rule: "inquiries",
    count: 1,
  });
  await runScheduledJobs(env);
  expect(await countObjects()).toBe(0);
});
