import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { createTestItem, sentMessages } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { stubMailHost, acceptMails, RESEND_VARS, runJobsWith } from "../../hosts/mail-host.ts";
import { expectLog } from "../../support/expected-log.ts";
import { countRows, readRows, runSql } from "../../support/test-database.ts";

const follow = (session: TestSession, boardCode: string) => callAs(session, "PUT", `/api/board/${boardCode}/follow`);
const choices = async () => await readRows("SELECT kind, target, user_id, is_on FROM notice_choice ORDER BY target");

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

test("one-click unsubscribe needs no sign-in", async () => {
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

test("opening the unsubscribe link changes nothing", async () => {
  const { reader, token } = await messageAbout("notice");
  const opened = await fetchApi("GET", `/api/mail/off/${token}`);
  expect([opened.status, opened.headers.get("Location")]).toEqual([302, `/mail/off/${token}`]);
  expect(await choices()).toHaveLength(1);
  const answer = await opened.text();
  for (const word of [reader.user.email, reader.user.userName]) expect(answer).not.toContain(word);
});

test("the form on the page redirects back to the page", async () => {
  const { token } = await messageAbout("notice");
  const sent = await fetchApi("POST", `/api/mail/off/${token}`, { headers: { Accept: "text/html" } });
  expect([sent.status, sent.headers.get("Location")]).toEqual([303, `/mail/off/${token}`]);
  expect(await choices()).toEqual([]);
});

test("an altered link turns off nothing", async () => {
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

test("the link in comment mails turns off only comments", async () => {
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

test("each of a hundred messages has its own unsubscribe link", async () => {
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

test("a batch with a lost answer keeps its idempotency key", async () => {
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

test("one address refused by the host does not fail the others", async () => {
  const admin = await createAdministratorSession();
  const readers = [await createMemberSession(), await createMemberSession()];
  for (const reader of readers) await follow(reader, "notice");
  await createTestItem(admin, "notice");
  stubMailHost(() => Response.json({ data: [{ id: "1" }], errors: [{ index: 0, message: "Invalid to" }] }));
  await runJobsWith(RESEND_VARS);
  const { results } = await env.DB.prepare("SELECT status FROM message ORDER BY status").all();
  expect(results).toEqual([{ status: "failed" }, { status: "sent" }]);
});

test("queued mail is checked again before sending", async () => {
  const admin = await createAdministratorSession();
  const reader = await createMemberSession();
  const gone: [string, (session: TestSession) => Promise<unknown>][] = [
    ["turned off", (session) => callAs(session, "DELETE", "/api/board/notice/follow")],
    ["suspended", ({ user }) => runSql("INSERT INTO suspension VALUES (?, 'request', 1)", user.id)],
    ["blocked", ({ user }) => runSql("UPDATE user SET status = 'blocked' WHERE id = ?", user.id)],
    [
      "moved",
      ({ user }) => runSql("UPDATE user_key SET user_key_code = 'new@a.kr' WHERE user_key_code = ?", user.email),
    ],
  ];
  const sessions = await Promise.all(gone.map(() => createMemberSession()));
  for (const session of [reader, ...sessions]) await follow(session, "notice");
  await createTestItem(admin, "notice");
  const binned = await createTestItem(admin, "notice");
  let isUp = false;
  const asked = stubMailHost((one) => (isUp ? acceptMails(one) : new Response("", { status: 503 })));
  expectLog(/messages.failed/);
  await runJobsWith(RESEND_VARS);
  expect(await countRows("message")).toBe(10);
  for (const [at, [, act]] of gone.entries()) await act(sessions[at] as TestSession);
  await callAs(admin, "DELETE", `/api/board-item/notice/${binned}`);
  isUp = true;
  const before = asked.length;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 20 * 60_000 });
  await runJobsWith(RESEND_VARS);
  expect(asked.slice(before).flatMap(({ mails }) => mails.map(({ to }) => to[0]))).toEqual([reader.user.email]);
  expect(await readRows("SELECT user_id, status FROM message")).toEqual([{ user_id: reader.user.id, status: "sent" }]);
});

test("no mail goes to people who opted out since", { tags: "full" }, async () => {
  const author = await createMemberSession();
  const { id, email } = author.user;
  const itemNo = await createTestItem(author, "free");
  const { id: itemId } = (await readRows("SELECT id FROM board_item WHERE item_no = ?", itemNo))[0] as { id: number };
  await runSql(
    "INSERT INTO agreement (code, version, title, required, content, text_hash, effective_date, is_current) VALUES ('newsletter', '1', '소식', 0, '', 'z', 1, 1)",
  );
  const agree = (agreed: boolean, at: number) =>
    runSql(
      "INSERT INTO user_consent (user_id, code, version, text_hash, agreed, created_date) VALUES (?, 'newsletter', '1', 'z', ?, ?)",
      id,
      Number(agreed),
      at,
    );
  await agree(true, 1);
  const keys = [
    `comment:${itemId}:c1:${id}`,
    `comments:${itemId}:c2:${id}`,
    `consent:newsletter:1:0:${id}`,
    `agreement:newsletter:2:z:${id}`,
    `agreement:terms:2:z:${id}`,
  ];
  const queue = () =>
    env.DB.batch(
      keys.map((key) =>
        env.DB.prepare(
          "INSERT INTO message (id, channel, user_id, recipient, subject, body, status, next_attempt_date, created_date, once_key, is_bulk) VALUES (?, 'email', ?, ?, ?, '', 'queued', 1, 1, ?, 1)",
        ).bind(crypto.randomUUID(), id, email, key, key),
      ),
    );
  const asked = stubMailHost(acceptMails);
  const sent = async () => {
    await runSql("DELETE FROM message");
    await queue();
    const before = asked.length;
    await runJobsWith(RESEND_VARS);
    return asked
      .slice(before)
      .flatMap(({ mails }) => mails.map(({ subject }) => subject))
      .toSorted();
  };
  expect(await sent()).toEqual(keys.toSorted());
  await agree(false, 2);
  expect(await sent()).toEqual([keys[4], keys[0], keys[1]]);
  await runSql("INSERT INTO mail_address (address, refused_date) VALUES (?, 1)", email);
  expect(await sent()).toEqual([keys[0], keys[1]]);
  await runSql("INSERT INTO notice_choice VALUES ('comment', '', ?, 0, 1)", id);
  expect(await sent()).toEqual([]);
});
