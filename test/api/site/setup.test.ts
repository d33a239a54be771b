import { expect, test } from "vitest";
import { draftLegalText } from "#worker/domain/content/legal-draft.server.ts";
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
const draft = (token: string, code: "terms" | "privacy", version = 0) =>
  callJson("POST", `/api/admin/content/${code}/draft`, { token, body: { version } });
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

test("no one can join an empty site before its terms", async () => {
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

  expect((await draft(token, "terms")).code).toBe("SUCCESS");
  expect((await publishDraft(token, "terms")).code).toBe("SUCCESS");
  expect((await signup(form)).message).toBe("아직 회원가입을 받지 않습니다. 개인정보 처리방침을 준비하고 있습니다.");
  await draft(token, "privacy");
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
  await draft(token, "privacy");
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
  const again = await draft(token, "privacy");
  expect(again.code).toBe("CONFLICT");
});

test("finished steps are derived from the site", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const site = {
    siteName: "한빛고 총동문회",
    productName: "",
    description: "",
    copyright: "",
    reason: "시험",
    version: 1,
  };
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
    await draft(token, "terms"),
    await callJson("GET", SETUP),
  ];
  expect(answers.map(({ code }) => code)).toEqual(["FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "UNAUTHORIZED"]);
  expect(await readRow("SELECT count(*) AS n FROM content")).toEqual({ n: 0 });
});

test("a draft names only what the society uses", async () => {
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

test("a draft follows the site until it is published", { tags: "full" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  const site = { productName: "", description: "", copyright: "", reason: "시험" };
  const contact = { organization: "", address: "", phone: "02-0000-0000", fax: "", email: "a@b.kr" };
  const rename = async (siteName: string, version: number) =>
    callJson("PATCH", "/api/admin/setting/site", { token, body: { ...site, siteName, contact, version } });
  const path = "/api/admin/content/privacy";
  const read = async (): Promise<string> => (await callJson("GET", path, { token })).data.content;
  await rename("한빛고 동문회", 1);
  await draft(token, "privacy");
  // As the editor stores tables: paragraphs in cells, no head.
  const edited = (await read())
    .replace(/<(td|th)>(.*?)<\/\1>/g, "<$1><p>$2</p></$1>")
    .replace(/<\/?thead>/g, "")
    .replace("〔적을 것: 성명과 직위〕", "한빛고 동문회의 김하늘 국장")
    .replace("<h2>2.", "<p>한빛고 동문회가 직접 적은 문단입니다.</p><h2>2.");
  // Saved by somebody who opened the draft before the name changed.
  await rename("다솜초 모임", 2);
  const body = { title: "개인정보 처리방침", content: edited, version: 1 };
  const saved = await callJson("PUT", `${path}/draft`, { token, body });
  expect(saved.data.content).toContain("<p>다솜초 모임은 「개인정보 보호법」");

  const field = { name: "졸업한 반", kind: "text", access: "office" };
  await callJson("PUT", "/api/admin/setting/alumni/field", { token, body: field });
  await runSql(
    "INSERT INTO profile_field (code, name, input_type, required, detail, sort_order) VALUES ('x', '관심 분야', 'text', 0, '[]', 1)",
  );
  const text = await read();
  expect(text).not.toContain("한빛고");
  expect(text).toContain("<p>다솜초 모임은 「개인정보 보호법」");
  expect(text).toContain("<p>다솜초 모임이 직접 적은 문단입니다.</p>");
  expect(text).toContain("다솜초 모임의 김하늘 국장");
  expect(text).toMatch(/<td>(<p>)?주소록<[^]*졸업한 반/);
  expect(text).toMatch(/회원가입\(필수\)[^]*회원가입\(선택\)[^]*관심 분야[^]*본인 확인/);

  const { data } = await callJson("GET", path, { token });
  await callJson("POST", `${path}/publish`, { token, body: { version: data.version } });
  await rename("세 번째 이름", 3);
  expect(await read()).toContain("다솜초 모임은");
  expect((await draft(token, "privacy", data.version + 1)).code).toBe("SUCCESS");
  expect(await read()).toContain("세 번째 이름은");
  expect((await callJson("GET", path, { token })).data.published.content).toContain("다솜초 모임은");
});

test("a new name that holds the old one is written once", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const contact = { organization: "동문회", address: "", phone: "02-0000-0000", fax: "", email: "a@b.kr" };
  const site = { siteName: "동문회", productName: "", description: "", copyright: "", reason: "시험" };
  const named = (name: string, version: number) => ({
    ...site,
    siteName: name,
    contact: { ...contact, organization: name },
    version,
  });
  const path = "/api/admin/content/privacy";
  await callJson("PATCH", "/api/admin/setting/site", { token, body: named("동문회", 1) });
  await draft(token, "privacy");
  const own = '<p>지역 <a href="https://동문회.kr">동문회가</a> 적은 문단</p>';
  const written = (await callJson("GET", path, { token })).data.content.replace("<h2>2.", () => `${own}<h2>2.`);
  const title = "개인정보 처리방침";
  await callJson("PUT", `${path}/draft`, { token, body: { title, content: written, version: 1 } });
  await callJson("PATCH", "/api/admin/setting/site", { token, body: named("한빛 동문회", 2) });

  const shown: string = (await callJson("GET", path, { token })).data.content;
  expect(shown).toContain("<p>한빛 동문회는 「개인정보 보호법」");
  expect(shown).toMatch(/<a href="https:\/\/동문회\.kr"[^>]*>한빛 동문회가<\/a>/);
  expect(shown).not.toContain("한빛 한빛");
  const saved = await callJson("PUT", `${path}/draft`, { token, body: { title, content: shown, version: 2 } });
  expect(saved.data.content).toBe(shown);
  expect((await callJson("GET", path, { token })).data.content).toBe(shown);
});

test("a draft with more edits than the comparison allows keeps its blocks", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const path = "/api/admin/content/privacy";
  await draft(token, "privacy");
  const drafted: string = (await callJson("GET", path, { token })).data.content;
  const content = drafted + Array.from({ length: 1000 }, (_, at) => `<p>조항 ${at}</p>`).join("");
  await callJson("PUT", `${path}/draft`, { token, body: { title: "개인정보 처리방침", content, version: 1 } });
  const field = { name: "졸업한 반", kind: "text", access: "office" };
  await callJson("PUT", "/api/admin/setting/alumni/field", { token, body: field });
  expect((await callJson("GET", path, { token })).data.content).toBe(content);
});
