import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callJson } from "../../support/api-client.ts";
import { readSentPincode } from "../../support/factories.ts";
import { createAdministratorSession, createTestRole, createUser } from "../../support/people.ts";
import { createPartialSession } from "../../support/partial-session.ts";
import {
  checkMove,
  commitMove,
  finishSteps,
  issueCounts,
  newBoards,
  sendArchives,
  startMove,
} from "../../support/move.ts";
import { oldComment, oldDocument, oldMember, rdxArchive } from "../../samples/moving-archive.ts";
import { moveSite, PASSWORD } from "../../support/moving-site.ts";
import { countRows, readRows, runSql } from "../../support/test-database.ts";

test("existing members keep their account", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const same = await createUser();
  const taken = await createUser();
  const members = [
    oldMember("old-same", { email_address: same.email }),
    oldMember(taken.userId, { email_address: "new@old.example.kr" }),
    oldMember("third", { email_address: "new@old.example.kr" }),
    oldMember("no key", { email_address: "no mail" }),
  ];
  const documents = [oldDocument(1, { user_id: "old-same" }), oldDocument(2, { user_id: taken.userId })];
  const id = await sendArchives(token, [
    { kind: "rdx", bytes: rdxArchive({ members, boards: { a: { title: "가", documents } } }) },
  ]);
  const view = await commitMove(token, id);
  expect([view.committed.members, view.already.members]).toEqual([2, 1]);
  expect(view.issues.map(({ code }) => code)).toEqual(["member-no-key", "member-id-taken", "member-mail-taken"]);
  const owners = await readRows<{ owner: string }>(
    "SELECT created_user_id AS owner FROM board_item WHERE board_code = 'old-a' ORDER BY item_no",
  );
  expect(owners[0]?.owner).toBe(same.id);
  expect([taken.id, same.id, "moved-in"]).not.toContain(owners[1]?.owner);
});

test("a moved member who is blocked gets no password reset code", { tags: "full" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  await moveSite(token);
  const email = "lee@old.example.kr";
  await runSql(
    "UPDATE user SET status = 'blocked' WHERE id = (SELECT user_id FROM user_key WHERE user_key_code = ?)",
    email,
  );
  await callJson("POST", "/api/user/reset-password-token", { body: { email } });
  await expect(readSentPincode(email)).rejects.toThrow("no code was sent");
});

test("a moved member without a password sets one by mail", { tags: "full" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  await moveSite(token);
  const email = "lee@old.example.kr";
  const { data } = await callJson("POST", "/api/user/reset-password-token", { body: { email } });
  const body = { userToken: data.userToken, pincode: await readSentPincode(email), password: "New!Pass12" };
  expect((await callJson("POST", "/api/user/reset-password", { body })).code).toBe("SUCCESS");
  const signin = { userKeyType: "Id", userKeyCode: "lee", password: "New!Pass12" };
  expect((await callJson("POST", "/api/user/signin", { body: signin })).code).toBe("SUCCESS");
  expect(
    await readRows("SELECT count(*) AS n FROM user_key WHERE user_key_code = ? AND verified_date IS NOT NULL", email),
  ).toEqual([{ n: 1 }]);
  // Other accounts with an unverified address cannot sign in that way.
  const other = await createUser();
  await env.DB.prepare("UPDATE user_key SET verified_date = NULL WHERE user_id = ?").bind(other.id).run();
  await callJson("POST", "/api/user/reset-password-token", { body: { email: other.email } });
  await expect(readSentPincode(other.email)).rejects.toThrow("no code was sent");
});

test("a retirement deletes everything the old site recorded of a person", { tags: "full" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  await moveSite(token);
  const signin = { userKeyType: "Id", userKeyCode: "kim_1", password: PASSWORD.password };
  const { data } = await callJson("POST", "/api/user/signin", { body: signin });
  const retired = { token: data.accessToken, body: { password: PASSWORD.password } };
  expect((await callJson("POST", "/api/user/retire", retired)).code).toBe("SUCCESS");
  for (const [table, column] of [
    ["user_key", "user_key_code"],
    ["moved_thing", "old_key"],
    ["moving_issue", "subject"],
    ["old_note", "other_name"],
  ] as const)
    expect([table, await readRows(`SELECT * FROM ${table} WHERE ${column} LIKE '%kim\\_1%' ESCAPE '\\'`)]).toEqual([
      table,
      [],
    ]);
  expect(await readRows("SELECT * FROM old_note WHERE user_id = ?", data.user.id)).toEqual([]);
});

test("an archive cannot write as an account with rights", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const system = await createUser({ userType: "Admin" });
  const role = await createUser({ roleCode: await createTestRole(["Board_notice_Manage"]) });
  const period = await createUser();
  await runSql(
    "INSERT INTO role_grant (id, user_id, role_code, start_date, created_date) VALUES ('g', ?, 'administrator', ?2, ?2)",
    period.id,
    Date.now() + 86_400_000,
  );
  const plain = await createUser();
  const later = await createUser();
  const people = { system, role, period, plain, later };
  const members = Object.entries(people).map(([id, { email }]) => oldMember(`old-${id}`, { email_address: email }));
  const boardOf = (first: number) => ({
    title: "가",
    documents: Object.keys(people).map((id, at) =>
      oldDocument(first + at, {
        user_id: `old-${id}`,
        comments: [oldComment(first * 10 + at, { user_id: `old-${id}` })],
      }),
    ),
  });
  const send = (first: number) =>
    sendArchives(token, [{ kind: "rdx", bytes: rdxArchive({ members, boards: { a: boardOf(first) } }) }]);
  const id = await send(1);
  const checked = await checkMove(token, id);
  expect(issueCounts(checked)["member-office"]).toBe(3);
  expect((await startMove(token, checked)).code).toBe("SUCCESS");
  expect(issueCounts(await finishSteps(token, id))["member-office"]).toBe(3);
  const written = async (table: string) =>
    (
      await readRows<{ owner: string }>(
        `SELECT DISTINCT created_user_id AS owner FROM ${table} WHERE created_user_id IN (SELECT value FROM json_each(?)) ORDER BY 1`,
        JSON.stringify(Object.values(people).map((person) => person.id)),
      )
    ).map(({ owner }) => owner);
  const joined = [plain.id, later.id].toSorted();
  expect([await written("board_item"), await written("board_item_comment")]).toEqual([joined, joined]);
  // An account that has gained rights is no longer linked.
  await runSql("UPDATE user SET role_code = 'administrator' WHERE id = ?", later.id);
  const before = await countRows("board_item");
  await commitMove(token, await send(100));
  expect(await countRows("board_item")).toBe(before + 5);
  const count = (owner: string) => readRows("SELECT count(*) AS n FROM board_item WHERE created_user_id = ?", owner);
  expect([await count(later.id), await count(plain.id)]).toEqual([[{ n: 1 }], [{ n: 2 }]]);
});

test("undoing a move needs management of every affected board", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const group = await createTestRole(["Alumni_Export"]);
  const archive = rdxArchive({
    members: [oldMember("old-kim", { groups: ["임원"] })],
    boards: {
      a: { title: "가", documents: [oldDocument(1, {})] },
      b: { title: "나", documents: [oldDocument(2, {})] },
    },
  });
  const id = await sendArchives(token, [{ kind: "rdx", bytes: archive }]);
  const checked = await checkMove(token, id);
  const boards = { ...newBoards(checked), a: { to: "board", boardCode: "notice" } };
  expect((await startMove(token, checked, { boards, groups: { 임원: group } })).code).toBe("SUCCESS");
  const view = await finishSteps(token, id);
  const undo = (by: { accessToken: string }) =>
    callJson("POST", `/api/admin/moving/${id}/undo`, {
      token: by.accessToken,
      body: { reason: "잘못 옮김", version: view.version },
    });
  const whole = ["Board_notice_Manage", "Board_old-b_Manage", "Alumni_Export"];
  const items = await countRows("board_item");
  for (const held of [[], ...whole.map((code) => whole.filter((each) => each !== code))]) {
    const answer = await undo(await createPartialSession(...held));
    expect([held, answer.code]).toEqual([held, "FORBIDDEN"]);
    await finishSteps(token, id);
    expect(await countRows("board_item")).toBe(items);
  }
  expect((await undo(await createPartialSession(...whole))).code).toBe("SUCCESS");
  await finishSteps(token, id);
  expect(await countRows("board_item")).toBe(items - 2);
});
