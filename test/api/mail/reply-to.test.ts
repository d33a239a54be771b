import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { MAIL_TEMPLATES } from "#worker/contract/mail/templates.ts";
import { listOutbox, queueMessage, sendCodeMessage } from "#worker/domain/mail/message.server.ts";
import { acceptMails, RESEND_VARS, runJobsWith, stubMailHost } from "../../hosts/mail-host.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceToMorning } from "../../support/factories.ts";
import { openRequestScope } from "../../support/open-scope.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { contextFor } from "../../support/request-scope.ts";
import { manyAlumni, sendTestMailing } from "../mailing/people.ts";

afterEach(() => vi.unstubAllGlobals());

const OFFICE = "office@society.kr";
async function setSite(admin: TestSession, replyTo: string, email = OFFICE): Promise<string> {
  const { version, value } = (await callAs(admin, "GET", "/api/admin/setting/site")).data;
  const json = { ...value, replyTo, contact: { ...value.contact, email }, reason: "시험", version };
  return (await callAs(admin, "PATCH", "/api/admin/setting/site", json)).code;
}

test("every kind of mail carries the contact address as its reply address", async () => {
  const admin = await createAdministratorSession();
  await setSite(admin, "");
  for (const [kind, { subject, text }] of Object.entries(MAIL_TEMPLATES)) {
    const answer = await callAs(admin, "POST", `/api/admin/mail-template/${kind}/test`, { subject, text });
    if (answer.code === "TOO_MANY_REQUESTS") break;
    expect([kind, answer.code]).toEqual([kind, "SUCCESS"]);
  }
  const ctx = await contextFor(admin);
  const mails = (await listOutbox(ctx)).filter(({ channel }) => channel === "email");
  expect(mails.length).toBeGreaterThan(4);
  expect(new Set(mails.map(({ replyTo }) => replyTo))).toEqual(new Set([OFFICE]));
});

test("every mail reaches the provider with the current reply address", { tags: "full" }, async () => {
  advanceToMorning(0);
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  const asked = stubMailHost(acceptMails);
  const world = { ...env, ...RESEND_VARS };
  const send = async () => {
    const request = new Request("http://localhost/");
    const scope = openRequestScope({
      request,
      env: world as typeof env,
      credential: { token: admin.accessToken },
      requestId: "test",
      defer: () => {},
    });
    const ctx = await scope.context();
    const mail = { channel: "email" as const, recipient: "a@b.kr", subject: "안내", text: "123456" };
    await sendCodeMessage(ctx, mail, "123456");
    await ctx.db.batch([queueMessage(ctx, mail).statement]);
    await sendTestMailing(admin);
    for (let turn = 0; turn < 2; turn += 1) await runJobsWith(RESEND_VARS);
    return asked.splice(0).flatMap(({ mails }) => mails.map(({ reply_to }) => reply_to));
  };
  await setSite(admin, "");
  expect(await send()).toEqual(Array.from({ length: 4 }, () => OFFICE));
  expect(await setSite(admin, "reply@society.kr")).toBe("SUCCESS");
  expect(await send()).toEqual(Array.from({ length: 4 }, () => "reply@society.kr"));
  await setSite(admin, "", "");
  expect(await send()).toEqual(Array.from({ length: 4 }, () => env.MAIL_FROM));
});

test("a reply address is one e-mail address", async () => {
  const admin = await createAdministratorSession();
  for (const wrong of ["office", "a@b.kr, c@d.kr", "a@b.kr\r\nBcc: c@d.kr"])
    expect([wrong, await setSite(admin, wrong)]).toEqual([wrong, "INVALID_INPUT"]);
  await setSite(admin, "reply@society.kr");
  expect(JSON.stringify(await callJson("GET", "/api/site-setting/info"))).not.toContain("reply@");
});
