import { expect, test } from "vitest";
import { draftLegalText } from "#worker/domain/site/setup.server.ts";
import { callJson } from "../../support/api-client.ts";
import { createVerifiedToken, newcomerForm } from "../../support/factories.ts";
import { NEW_IDENTITY } from "../../support/identity.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { contextFor } from "../../support/request-scope.ts";
import { readRow, readRows, runSql } from "../../support/test-database.ts";

const EMAIL = "new@pid.example.kr";
const SETUP = "/api/admin/setup";
const newcomer = (userKeyTokenForEmail: string) => newcomerForm({ userKeyTokenForEmail, profile: {}, agreements: [] });
const signup = (body: unknown) => callJson("POST", "/api/user/signup", { body });
const leftOf = async (token: string): Promise<string[]> => {
  const { data } = await callJson("GET", SETUP, { token });
  return data.steps.filter(({ isDone }: { isDone: boolean }) => !isDone).map(({ step }: { step: string }) => step);
};
async function publishDraft(token: string, code: "terms" | "privacy", effectiveDate?: string) {
  const path = `/api/admin/content/${code}`;
  const { data } = await callJson("GET", path, { token });
  const body = {
    title: data.title,
    content: data.content.replace(/〔적을 것: [^〕]*〕/g, "홍길동, 사무국장"),
    version: data.version,
  };
  const saved = await callJson("PUT", `${path}/draft`, { token, body });
  return callJson("POST", `${path}/publish`, { token, body: { version: saved.data.version, effectiveDate } });
}

test("on an empty site no one can join before terms and policy are in force", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const form = newcomer(await createVerifiedToken(EMAIL));
  const refused = await signup(form);
  expect([refused.code, refused.message]).toEqual([
    "FORBIDDEN",
    "아직 회원가입을 받지 않습니다. 이용약관, 개인정보 처리방침을 준비하고 있습니다.",
  ]);
  expect(await leftOf(token)).toEqual([
    "name",
    "contact",
    "look",
    "pages",
    "authentication",
    "terms",
    "privacy",
    "consent",
    "mail",
    "boards",
    "administrators",
  ]);

  expect((await callJson("POST", `${SETUP}/draft/terms`, { token, body: {} })).code).toBe("SUCCESS");
  expect((await publishDraft(token, "terms")).code).toBe("SUCCESS");
  expect((await signup(form)).message).toBe("아직 회원가입을 받지 않습니다. 개인정보 처리방침을 준비하고 있습니다.");
  await callJson("POST", `${SETUP}/draft/privacy`, { token, body: {} });
  expect((await publishDraft(token, "privacy", "2099-01-01T00:00:00+09:00")).code).toBe("SUCCESS");
  expect((await signup(form)).code).toBe("FORBIDDEN");
  await runSql("UPDATE content_version SET effective_date = 1 WHERE code = 'privacy'");

  const [terms] = (await callJson("GET", "/api/site-setting/authentication")).data.agreements;
  expect(terms).toMatchObject({ code: "terms", title: "이용약관", required: true });
  expect((await signup(form)).fields).toEqual({ "agreements.terms": "'이용약관'에 동의해 주십시오." });
  const agreed = { ...form, agreements: [{ code: "terms", version: terms.version }] };
  expect((await signup(agreed)).code).toBe("SUCCESS");

  const page = await callJson("GET", "/api/admin/content/privacy", { token });
  await callJson("POST", "/api/admin/content/privacy/withdraw", { token, body: { version: page.data.version } });
  expect((await signup(form)).code).toBe("FORBIDDEN");
});

test("a text with unfilled placeholders cannot be published", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await callJson("POST", `${SETUP}/draft/privacy`, { token, body: {} });
  const refused = await callJson("POST", "/api/admin/content/privacy/publish", { token, body: { version: 1 } });
  expect([refused.code, refused.message]).toEqual([
    "INVALID_INPUT",
    expect.stringContaining("표시된 곳이 남아 있습니다"),
  ]);
  const agreement = await callJson("PUT", "/api/admin/setting/agreement", {
    token,
    body: {
      code: "privacy",
      title: "개인정보 수집·이용 동의",
      required: true,
      content: "<p>〔적을 것: 이름〕</p>",
      version: "1",
      effectiveDate: "2026-01-01T00:00:00+09:00",
      baseVersion: "",
    },
  });
  expect(Object.keys(agreement.fields)).toEqual(["content"]);
  expect((await publishDraft(token, "privacy")).code).toBe("SUCCESS");
  const again = await callJson("POST", `${SETUP}/draft/privacy`, { token, body: {} });
  expect([again.code, again.message]).toEqual(["CONFLICT", "이미 적어 둔 글이 있습니다. 그 글을 고쳐 주십시오."]);
});

test("finished steps are derived from the site, and the other steps are confirmed once", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const site = { siteName: "한빛고 총동문회", productName: "", description: "", copyright: "", version: 1 };
  const contact = { organization: "한빛고 총동문회", address: "", phone: "02-0000-0000", fax: "", email: "a@b.kr" };
  await callJson("PATCH", "/api/admin/setting/site", { token, body: { ...site, contact } });
  for (const step of ["mail", "boards", "mail"])
    expect((await callJson("POST", `${SETUP}/confirm/${step}`, { token, body: {} })).code).toBe("SUCCESS");
  expect((await readRow("SELECT value FROM site_setting WHERE key = 'setup'"))?.value).toBe(
    '{"confirmed":["mail","boards"]}',
  );
  expect(await readRows("SELECT 1 FROM audit_log WHERE target_id = 'setup'")).toHaveLength(2);
  const left = ["authentication", "terms", "privacy", "consent", "administrators"];
  expect(await leftOf(token)).toEqual(["look", "pages", ...left]);
  // A logo, a word or an own page completes the look step.
  for (const key of ["identity", "menu"])
    await runSql("INSERT INTO site_setting (key, value, modified_date) VALUES (?, '{}', 1)", key);
  expect(await leftOf(token)).toEqual(left);
  await createAdministratorSession();
  expect(await leftOf(token)).not.toContain("administrators");
  await runSql("UPDATE user SET status = 'blocked' WHERE rowid = (SELECT max(rowid) FROM user)");
  expect(await leftOf(token)).toContain("administrators");
  expect((await callJson("POST", `${SETUP}/confirm/terms`, { token, body: {} })).code).not.toBe("SUCCESS");
});

test("a member cannot read, confirm or draft any setup step", async () => {
  const { accessToken: token } = await createMemberSession();
  const answers = [
    await callJson("GET", SETUP, { token }),
    await callJson("POST", `${SETUP}/confirm/mail`, { token, body: {} }),
    await callJson("POST", `${SETUP}/draft/terms`, { token, body: {} }),
    await callJson("GET", SETUP),
  ];
  expect(answers.map(({ code }) => code)).toEqual(["FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "UNAUTHORIZED"]);
  expect(await readRow("SELECT count(*) AS n FROM content")).toEqual({ n: 0 });
});

test("a draft names the added fields, and only the linked services that the society uses", async () => {
  const admin = await createAdministratorSession();
  const { accessToken: token } = admin;
  const field = { name: "졸업한 반", kind: "text", access: "office" };
  expect((await callJson("PUT", "/api/admin/setting/alumni/field", { token, body: field })).code).toBe("SUCCESS");
  const policy = async () => {
    const ctx = await contextFor(admin);
    const linked = { ...ctx, config: { ...ctx.config, CASE_REPORT_URL: "https://cases.example.kr" } };
    return (await draftLegalText(linked, "privacy")).content;
  };
  expect(await policy()).toMatch(/외부 등록 서비스[\s\S]*졸업한 반/);
  const body = { ...NEW_IDENTITY, hasCaseReport: false, version: 0 };
  expect((await callJson("PATCH", "/api/admin/setting/identity", { token, body })).code).toBe("SUCCESS");
  expect(await policy()).not.toContain("외부 등록 서비스");
});
