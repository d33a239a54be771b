import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { callAs, callJson, fetchApi } from "../../api-client.ts";
import { createTestItem, sentMessages } from "../../factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../people.ts";
import { stubMailHost, acceptMails, RESEND_VARS, runJobsWith } from "../../mail-host.ts";
import { expectLog } from "../../expected-log.ts";
import { readRows } from "../../test-database.ts";

const follow = (session: TestSession, boardCode: string) => callAs(session, "PUT", `/api/board/${boardCode}/follow`);
const choices = async () => await readRows("SELECT kind, target, user_id, is_on FROM notice_choice ORDER BY target");

/** The signed part of the link that a person found in his message. */
async function tokenOf(session: TestSession): Promise<string> {
  const [message] = await sentMessages(session.user.email);
  return /\/mail\/off\/(\S+)/.exec(message?.body ?? "")?.[1] ?? "";
}

async function messageAbout(boardCode: string): Promise<{ reader: TestSession; token: string }> {
  const reader = await createMemberSession();
  await follow(reader, boardCode);
  await createTestItem(await createAdministratorSession(), boardCode);
  await runJobsWith({});
  return { reader, token: await tokenOf(reader) };
}

test("one click in a mail program turns off this board for this person, without a sign-in", async () => {
  const { reader, token } = await messageAbout("notice");
  await follow(reader, "free");
  const other = await createMemberSession();
  await follow(other, "notice");
  const send = () =>
    fetchApi("POST", `/api/mail/off/${token}`, {
      body: "List-Unsubscribe=One-Click",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
  expect((await send()).status).toBe(200);
  expect((await send()).status).toBe(200);
  expect((await choices()).map((row) => [row.target, row.user_id])).toEqual([
    ["free", reader.user.id],
    ["notice", other.user.id],
  ]);
});

test("opening the address changes nothing, leads to the page and tells nobody whose it is", async () => {
  const { reader, token } = await messageAbout("notice");
  const opened = await fetchApi("GET", `/api/mail/off/${token}`);
  expect([opened.status, opened.headers.get("Location")]).toEqual([302, `/mail/off/${token}`]);
  expect(await choices()).toHaveLength(1);
  const answer = await opened.text();
  for (const word of [reader.user.email, reader.user.userName]) expect(answer).not.toContain(word);
});

test("the page's form is led back to the page", async () => {
  const { token } = await messageAbout("notice");
  const sent = await fetchApi("POST", `/api/mail/off/${token}`, { headers: { Accept: "text/html" } });
  expect([sent.status, sent.headers.get("Location")]).toEqual([303, `/mail/off/${token}`]);
  expect(await choices()).toEqual([]);
});

test("an address that was altered turns off nothing", async () => {
  const { reader, token } = await messageAbout("notice");
  const signature = token.slice(token.lastIndexOf("."));
  const forged = [
    `item~free~${reader.user.id}${signature}`,
    `item~notice~${(await createMemberSession()).user.id}${signature}`,
    token.slice(0, -1),
    "x",
    "item~notice.x",
  ];
  for (const each of forged) {
    for (const method of ["GET", "POST"])
      expect([each, (await callJson(method, `/api/mail/off/${each}`)).status]).toEqual([each, 404]);
  }
  expect(await choices()).toHaveLength(1);
});

test("the comments' link turns off comments and leaves the boards", async () => {
  const author = await createMemberSession();
  await follow(author, "notice");
  const itemNo = await createTestItem(author, "free");
  const body = { content: "댓글" };
  const write = async () =>
    callJson("PUT", `/api/board-item-comment/free/${itemNo}`, {
      token: (await createMemberSession()).accessToken,
      body,
    });
  await write();
  await runJobsWith({});
  expect((await callJson("POST", `/api/mail/off/${await tokenOf(author)}`)).code).toBe("SUCCESS");
  await write();
  await runJobsWith({});
  expect(await sentMessages(author.user.email)).toHaveLength(1);
  expect((await choices()).map((row) => [row.kind, row.is_on])).toEqual([
    ["comment", 0],
    ["item", 1],
  ]);
});

test("a hundred messages go out in one request, each with its own way off, by the configured address", async () => {
  const admin = await createAdministratorSession();
  const readers = [await createMemberSession(), await createMemberSession(), await createMemberSession()];
  for (const reader of readers) await follow(reader, "notice");
  await createTestItem(admin, "notice", { title: "안내 <b>" });
  const asked = stubMailHost(acceptMails);
  await runJobsWith({ ...RESEND_VARS, SITE_ORIGIN: "https://society.example" });
  expect(asked.map(({ url, mails }) => [url, mails.length])).toEqual([["https://mail.test/emails/batch", 3]]);
  const mail = asked[0]?.mails.find(({ to }) => to[0] === readers[0]?.user.email);
  expect(mail?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  expect(mail?.headers?.["List-Unsubscribe"]).toMatch(/^<https:\/\/society\.example\/api\/mail\/off\/item~notice~/);
  expect(mail?.text).toContain("https://society.example/board/notice/View/1");
  expect(mail?.html).toContain("안내 &lt;b&gt;");
  expect(mail?.html).toContain('<a href="https://society.example/board/notice/View/1"');
  await runJobsWith({ ...RESEND_VARS });
  expect(asked).toHaveLength(1);
});

test("F10: the host took a hundred and its answer was lost: it is asked again by the same key for the same mails", async () => {
  expectLog(/messages.failed.*mails refused/);
  const admin = await createAdministratorSession();
  const readers = [await createMemberSession(), await createMemberSession()];
  for (const reader of readers) await follow(reader, "notice");
  await createTestItem(admin, "notice");
  const asked = stubMailHost((one, at) => {
    if (at === 1) throw new Error("connection reset");
    return acceptMails(one);
  });
  await runJobsWith(RESEND_VARS);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 20 * 60_000 });
  await runJobsWith(RESEND_VARS);
  await runJobsWith(RESEND_VARS);
  expect(asked).toHaveLength(2);
  expect(asked[1]?.key).toBe(asked[0]?.key);
  expect(asked[1]?.mails).toEqual(asked[0]?.mails);
});

test("one address that the host refuses fails by itself", async () => {
  const admin = await createAdministratorSession();
  const readers = [await createMemberSession(), await createMemberSession()];
  for (const reader of readers) await follow(reader, "notice");
  await createTestItem(admin, "notice");
  stubMailHost(() => Response.json({ data: [{ id: "1" }], errors: [{ index: 0, message: "Invalid to" }] }));
  await runJobsWith(RESEND_VARS);
  const { results } = await env.DB.prepare("SELECT status FROM message ORDER BY status").all();
  expect(results).toEqual([{ status: "failed" }, { status: "sent" }]);
});
