import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callJson } from "../../support/api-client.ts";
import { readSentPincode } from "../../support/factories.ts";
import { createAdministratorSession, createUser } from "../../support/people.ts";
import { commitMove, sendArchives } from "../../support/move.ts";
import { oldDocument, oldMember, rdxArchive } from "../../samples/moving-archive.ts";
import { moveSite, PASSWORD } from "../../support/moving-site.ts";
import { readRows } from "../../support/test-database.ts";

test("who is here already keeps their account, and an ID that another has is not taken over", async () => {
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

test("who has no password that is known here chooses one by mail, which proves the address", async () => {
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
  // Nobody else whose address was never verified gets in that way.
  const other = await createUser();
  await env.DB.prepare("UPDATE user_key SET verified_date = NULL WHERE user_id = ?").bind(other.id).run();
  await callJson("POST", "/api/user/reset-password-token", { body: { email: other.email } });
  await expect(readSentPincode(other.email)).rejects.toThrow("no code was sent");
});

test("a retirement leaves nothing of what the old site called somebody", async () => {
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
