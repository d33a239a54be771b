import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { advanceClock, createTestMailing } from "../../support/factories.ts";
import { callRawWith } from "../../support/faulty-database.ts";
import { RESEND_VARS, runJobsWith, stubMailHost } from "../../hosts/mail-host.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { readRow, readRows, rowsOf, runSql } from "../../support/test-database.ts";
import { alumnusId, everybody, mailingCall, manyAlumni, outcomesOf, sendTestMailing } from "../mailing/people.ts";
import { isFull } from "../../support/sample.ts";

const SECRET = Buffer.from("a secret of the provider").toString("base64");
const VARS = { ...RESEND_VARS, RESEND_WEBHOOK_SECRET: `whsec_${SECRET}` };

interface Report {
  id: string;
  timestamp: string;
  body: string;
  signature: string;
}

const sign = ({ id, timestamp, body }: Omit<Report, "signature">, secret = SECRET) =>
  `v1,${createHmac("sha256", Buffer.from(secret, "base64")).update(`${id}.${timestamp}.${body}`).digest("base64")}`;

function makeReport(type: string, emailId: string, more: object = {}, at = Date.now()): Report {
  const body = JSON.stringify({
    type,
    created_at: new Date(at).toISOString(),
    data: { email_id: emailId, to: ["x"], ...more },
  });
  const unsigned = { id: `msg_${crypto.randomUUID()}`, timestamp: String(Math.floor(at / 1000)), body };
  return { ...unsigned, signature: sign(unsigned) };
}

async function report({ id, timestamp, body, signature }: Report, world: object = VARS): Promise<number> {
  const headers = { "svix-id": id, "svix-timestamp": timestamp, "svix-signature": signature };
  return (await callRawWith({ ...world }, "POST", "/api/mail/report", { body, headers })).status;
}

/** Sends mails whose provider ids contain their address. */
async function sendMails(people: number): Promise<string> {
  stubMailHost(({ mails }) => Response.json({ data: mails.map(({ to }) => ({ id: `at ${to[0]}` })), errors: [] }));
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(people)]);
  const id = await sendTestMailing(admin);
  await runJobsWith(VARS);
  vi.unstubAllGlobals();
  return id;
}
const idAt = (nth: number) => `at alumnus${nth}@pid.example.kr`;

test("a bounced address is skipped until it changes", async () => {
  const id = await sendMails(5);
  expect(await report(makeReport("email.delivered", idAt(1)))).toBe(200);
  expect(await report(makeReport("email.bounced", idAt(2), { bounce: { type: "Permanent" } }))).toBe(200);
  expect(await report(makeReport("email.bounced", idAt(3), { bounce: { type: "Transient" } }))).toBe(200);
  expect(await report(makeReport("email.complained", idAt(4)))).toBe(200);
  expect(await report(makeReport("email.opened", idAt(5)))).toBe(200);
  expect(await outcomesOf(id)).toEqual({ bounced: 2, complained: 1, delivered: 1, sent: 1 });
  expect(await readRows("SELECT cause FROM mailing_recipient WHERE state = 'bounced' ORDER BY person_id")).toEqual([
    { cause: "no-mailbox" },
    { cause: "mailbox-busy" },
  ]);
  const admin = await createAdministratorSession();
  const again = async () => {
    const next = await createTestMailing(admin, everybody);
    return (await mailingCall(admin, next, "preview")).data;
  };
  expect(await again()).toMatchObject({
    count: 3,
    leftOut: [
      { cause: "bounced", count: 1 },
      { cause: "refused", count: 1 },
    ],
  });
  await runSql("UPDATE alumni SET email = 'new@pid.example.kr' WHERE id = ?", alumnusId(2));
  expect((await again()).count).toBe(4);
});

test("a complaint stops notifications to the address", async () => {
  stubMailHost(({ mails }) => Response.json({ data: mails.map(({ to }) => ({ id: `at ${to[0]}` })), errors: [] }));
  const [admin, person] = [await createAdministratorSession(), await createMemberSession()];
  await runSql(
    "INSERT INTO user_consent (user_id, code, version, agreed, text_hash, created_date) VALUES (?, 'newsletter', '1', 1, 'y', ?)",
    person.user.id,
    Date.now() - 1000,
  );
  await sendTestMailing(admin, { source: "member", target: { ids: [person.user.id] } });
  await runJobsWith(VARS);
  const complaint = makeReport("email.complained", `at ${person.user.email}`);
  expect(await report(complaint)).toBe(200);
  const lastWord = () =>
    readRow("SELECT agreed FROM user_consent WHERE user_id = ? ORDER BY created_date DESC LIMIT 1", person.user.id);
  expect(await lastWord()).toEqual({ agreed: 0 });
  await runSql(
    "INSERT INTO user_consent (user_id, code, version, agreed, text_hash, created_date) VALUES (?, 'newsletter', '1', 1, 'y', ?)",
    person.user.id,
    Date.now() + 1000,
  );
  // A report repeated after a renewed consent is still the same complaint.
  advanceClock(5000);
  expect(await report(complaint)).toBe(200);
  expect(await lastWord()).toEqual({ agreed: 1 });

  await callAs(person, "PUT", "/api/board/notice/follow");
  await callAs(admin, "PUT", "/api/board-item/notice", { title: "새 소식", content: "<p>글</p>", fileIds: [] });
  await runJobsWith(VARS);
  expect(await readRows("SELECT status FROM message WHERE once_key LIKE 'item:%'")).toEqual([{ status: "failed" }]);
});

test("a late report does not override a worse one", async () => {
  const id = await sendMails(1);
  const [bounced, delivered] = [makeReport("email.bounced", idAt(1)), makeReport("email.delivered", idAt(1))];
  for (const each of [bounced, delivered, bounced, delivered]) expect(await report(each)).toBe(200);
  expect(await outcomesOf(id)).toEqual({ bounced: 1 });
  expect(await report(makeReport("email.bounced", idAt(1)), RESEND_VARS)).toBe(401);
});

test("a report on an unknown mail is retried while useful", async () => {
  await sendMails(1);
  const MINUTE = 60_000;
  const aged = (minutes: number) => {
    const young = makeReport("email.bounced", "at nobody");
    const happened = new Date(Date.now() - minutes * MINUTE).toISOString();
    const body = young.body.replace(/"created_at":"[^"]+"/, () => `"created_at":"${happened}"`);
    return { ...young, body, signature: sign({ ...young, body }) };
  };
  const all = async () => [
    await rowsOf("mail_address"),
    await rowsOf("mailing_recipient"),
    await rowsOf("mail_report"),
  ];
  const before = await all();
  expect([await report(aged(0)), await report(aged(9)), await report(aged(11)), await report(aged(3000))]).toEqual([
    404, 404, 200, 200,
  ]);
  const undated = aged(0);
  const body = undated.body.replace(/"created_at":"[^"]+"/, '"created_at":"soon"');
  expect(await report({ ...undated, body, signature: sign({ ...undated, body }) })).toBe(200);
  expect(await all()).toEqual(before);
});

test("duplicated or simultaneous reports are each processed once", { tags: "full" }, async () => {
  const id = await sendMails(60);
  const reports = Array.from({ length: 60 }, (_, at) =>
    makeReport(at % 3 === 0 ? "email.bounced" : "email.delivered", idAt(at + 1), { bounce: { type: "Permanent" } }),
  );
  const flood = [...reports, ...reports.toReversed(), ...reports, ...reports, ...reports];
  const answers = await Promise.all(flood.map((each) => report(each)));
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(await outcomesOf(id)).toEqual({ bounced: 20, delivered: 40 });
  expect([(await rowsOf("mail_report")).length, (await rowsOf("mail_address")).length]).toEqual([60, 20]);
});

/** Builds a report that the provider did not sign this way; `nth` selects the defect. */
function forge(nth: number): Report {
  const type = ["email.bounced", "email.complained", "email.delivered"][nth % 3] ?? "";
  const honest = makeReport(type, idAt((nth % 20) + 1));
  const other = Buffer.from(`another secret ${nth}`).toString("base64");
  const minutes = (count: number) => makeReport(type, idAt(1), {}, Date.now() + count * 60_000);
  const ways: (() => Report)[] = [
    () => ({ ...honest, signature: sign(honest, other) }),
    () => ({ ...honest, body: honest.body.replace("alumnus", "alumnus1") }),
    () => ({ ...honest, id: `${honest.id}x` }),
    () => ({ ...honest, timestamp: String(Number(honest.timestamp) - 1 - nth) }),
    () => minutes(-6 - nth),
    () => minutes(6 + nth),
    () => ({ ...honest, signature: "" }),
    () => ({ ...honest, id: "" }),
    () => ({ ...honest, timestamp: "" }),
    () => ({ ...honest, timestamp: "NaN" }),
    () => ({ ...honest, signature: honest.signature.replace("v1,", "v2,") }),
    () => ({ ...honest, signature: honest.signature.slice(0, -2) }),
    () => ({
      ...honest,
      signature: `v1, ${honest.signature} v1,`.replace("v1,", "v0,").replace(honest.signature, "v1,AAAA"),
    }),
    () => ({ ...honest, body: `${honest.body} ` }),
    () => ({ ...honest, body: "{}", signature: sign({ ...honest, body: "{}" }) }),
    () => ({ ...honest, body: "not json", signature: sign({ ...honest, body: "not json" }) }),
  ];
  return ways[nth % ways.length]?.() ?? honest;
}

const FORGED = isFull ? 380 : 38;

test(
  `${FORGED} forged, late, early or truncated reports, or replayed ones, change nothing`,
  { tags: "sampled" },
  async () => {
    await sendMails(20);
    const replayed = [1, 2, 3].map((nth) => makeReport("email.bounced", idAt(nth)));
    for (const each of replayed) expect(await report(each)).toBe(200);
    const all = async () =>
      JSON.stringify([
        await rowsOf("mail_address"),
        await rowsOf("mailing_recipient"),
        await rowsOf("mail_report"),
        await rowsOf("user_consent"),
      ]);
    const before = await all();
    for (let nth = 0; nth < FORGED; nth += 1) expect([nth, await report(forge(nth))]).toEqual([nth, 401]);
    for (let nth = 0; nth < 20; nth += 1) {
      const again = replayed[nth % 3];
      if (again) expect(await report(again)).toBe(200);
    }
    expect(await all()).toBe(before);
  },
);
