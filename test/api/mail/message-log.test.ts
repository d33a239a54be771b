import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, createUser, createSessionWith } from "../../support/people.ts";

async function messageTo(recipient: string, userId: string | null, channel = "email") {
  await env.DB.prepare(
    "INSERT INTO message (id, channel, user_id, recipient, subject, body, status, created_date) VALUES (?, ?, ?, ?, ?, '본문', 'sent', 1)",
  )
    .bind(crypto.randomUUID(), channel, userId, recipient, `${recipient} 앞`)
    .run();
}

test("the message log names alumni only to their readers", async () => {
  const admin = await createAdministratorSession();
  const clerk = await createSessionWith(["ADMIN_Access"]);
  const person = await createUser({ userName: "남궁민수" });
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO alumni (id, name, email, created_date, modified_date) VALUES ('a', '김동문', 'kim@alumni.example.kr', 1, 1)",
    ),
    env.DB.prepare(
      "INSERT INTO alumni (id, name, email, created_date, modified_date, deleted_date) VALUES ('b', '지운이', 'gone@alumni.example.kr', 1, 1, 1)",
    ),
  ]);
  await messageTo(person.email, person.id);
  await messageTo("kim@alumni.example.kr", null);
  await messageTo("gone@alumni.example.kr", null);
  await messageTo("010-1234-5678", null, "sms");
  const read = async (by: typeof admin) => {
    const { content } = (await callAs(by, "GET", "/api/admin/message")).data;
    return Object.fromEntries(
      content.map((row: { subject: string; recipient: string; person: object | null }) => [
        row.subject,
        [row.recipient, row.person],
      ]),
    );
  };
  const member = { kind: "member", id: person.id, name: "남궁민수" };
  const masked = {
    [`${person.email} 앞`]: [`p***@pid.example.kr`, member],
    "gone@alumni.example.kr 앞": ["g***@alumni.example.kr", null],
    "010-1234-5678 앞": ["010-****-5678", null],
  };
  expect(await read(admin)).toEqual({
    ...masked,
    "kim@alumni.example.kr 앞": ["k***@alumni.example.kr", { kind: "alumni", id: "a", name: "김동문" }],
  });
  expect(await read(clerk)).toEqual({
    ...masked,
    "gone@alumni.example.kr 앞": ["***", null],
    "kim@alumni.example.kr 앞": ["***", null],
  });
});

test("the message log shows readers no address of the deceased", async () => {
  const reader = await createSessionWith(["ADMIN_Access", "Alumni_Read"]);
  await env.DB.exec(
    "INSERT INTO alumni (id, name, email, state, created_date, modified_date) VALUES ('a', '김동문', 'kim@alumni.example.kr', '활동', 1, 1), ('b', '고인', 'late@alumni.example.kr', '작고', 1, 1)",
  );
  await messageTo("kim@alumni.example.kr", null);
  await messageTo("late@alumni.example.kr", null);
  const { content } = (await callAs(reader, "GET", "/api/admin/message")).data;
  expect(content.map(({ recipient }: { recipient: string }) => recipient).toSorted()).toEqual([
    "***",
    "k***@alumni.example.kr",
  ]);
});

test("a letter of a mailing is never sent again alone", async () => {
  const admin = await createAdministratorSession();
  await messageTo("kim@alumni.example.kr", null);
  await env.DB.exec("UPDATE message SET status = 'failed', once_key = 'mailing:one:kim@alumni.example.kr'");
  const { content } = (await callAs(admin, "GET", "/api/admin/message")).data;
  expect(content).toMatchObject([{ canRetry: false }]);
  const ids = content.map(({ id }: { id: string }) => id);
  expect((await callAs(admin, "POST", "/api/admin/message/retry", { ids })).data).toEqual({ changed: 0 });
});

test("a part of an address finds only the mails of accounts", async () => {
  const admin = await createAdministratorSession();
  const clerk = await createSessionWith(["ADMIN_Access"]);
  const reader = await createSessionWith(["ADMIN_Access", "Alumni_Read"]);
  const person = await createUser({ userName: "남궁민수" });
  await messageTo(person.email, person.id);
  await messageTo("kim@alumni.example.kr", null);
  await env.DB.exec("UPDATE message SET subject = '안내'");
  const find = async (by: typeof admin, keyword: string) =>
    (await callAs(by, "GET", `/api/admin/message?keyword=${encodeURIComponent(keyword)}`)).data.totalElements;
  const part = person.email.slice(1, -3);
  for (const [by, keyword, found] of [
    [admin, "im@alumni", 1],
    [clerk, "im@alumni", 0],
    [reader, "im@alumni", 0],
    [clerk, "Kim@alumni.example.kr", 1],
    [clerk, part, 1],
    [clerk, "안내", 2],
  ] as const)
    expect([keyword, await find(by, keyword)]).toEqual([keyword, found]);
});
