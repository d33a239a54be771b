import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callJson, fetchApi } from "../../support/api-client.ts";
import { scopeOfToken } from "../../support/request-scope.ts";
import { createSignupSettings } from "../../support/factories.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { testDatabase } from "../../support/test-database.ts";
import { file } from "#db/schema/file.ts";
import { getLegalPage } from "#worker/domain/content/legal-page.server.ts";
import { getInfoPage } from "#worker/domain/content/page.server.ts";

const about = "/api/admin/content/about";
const draft = { title: "연구망 소개", content: "<h2>하나</h2><p>처음 글</p>", version: 0 };

test("a draft is not shown to anyone before publication", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const saved = await callJson("PUT", `${about}/draft`, { token, body: draft });
  expect(saved.data.version).toBe(1);
  expect((await getInfoPage(scopeOfToken(), { code: "about" })).content).toBe("");

  const preview = await getInfoPage(scopeOfToken(token), { code: "about", preview: true });
  expect(preview).toMatchObject({ isPreview: true, content: draft.content });
  await expect(getInfoPage(scopeOfToken(), { code: "about", preview: true })).rejects.toMatchObject({
    code: "UNAUTHORIZED",
  });

  const published = await callJson("POST", `${about}/publish`, { token, body: { version: 1 } });
  expect(published.data).toEqual({ version: 2, versionNo: 1 });
  expect((await getInfoPage(scopeOfToken(), { code: "about" })).content).toContain("처음 글");
});

test("disallowed markup is removed from a text", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const body = {
    ...draft,
    content: '<p onclick="x()">글<script>alert(1)</script></p><img src="https://a.test/x.png">',
  };
  expect((await callJson("PUT", `${about}/draft`, { token, body })).data.content).toBe("<p>글</p>");
});

test("the second of two edits of a version is refused", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await callJson("PUT", `${about}/draft`, { token, body: draft });
  expect((await callJson("PUT", `${about}/draft`, { token, body: { ...draft, title: "늦은 글" } })).code).toBe(
    "CONFLICT",
  );
  const answers = await Promise.all(
    [1, 1].map((version) => callJson("POST", `${about}/publish`, { token, body: { version } })),
  );
  expect(answers.map((answer) => answer.code).toSorted()).toEqual(["CONFLICT", "SUCCESS"]);
  const { data } = await callJson("GET", `${about}/history`, { token });
  expect(data).toHaveLength(1);
});

test("an old version is restored as a draft, with a diff", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await callJson("PUT", `${about}/draft`, { token, body: draft });
  await callJson("POST", `${about}/publish`, { token, body: { version: 1, note: "처음" } });
  await callJson("PUT", `${about}/draft`, {
    token,
    body: { ...draft, content: "<h2>하나</h2><p>고친 글</p>", version: 2 },
  });
  await callJson("POST", `${about}/publish`, { token, body: { version: 3 } });

  const old = await callJson("GET", `${about}/history/1`, { token });
  expect(old.data.note).toBe("처음");
  expect(old.data.difference).toEqual([
    { kind: "same", text: "하나" },
    { kind: "removed", text: "처음 글" },
    { kind: "added", text: "고친 글" },
  ]);
  const restored = await callJson("POST", `${about}/restore`, { token, body: { version: 4, versionNo: 1 } });
  expect(restored.data).toEqual({ version: 5 });
  expect((await getInfoPage(scopeOfToken(), { code: "about" })).content).toContain("고친 글");
  await callJson("POST", `${about}/publish`, { token, body: { version: 5 } });
  expect((await getInfoPage(scopeOfToken(), { code: "about" })).content).toContain("처음 글");
  const actions = await env.DB.prepare("SELECT action FROM audit_log WHERE target_type = 'content' ORDER BY id").all();
  expect(actions.results.map((row) => String(row.action).replace("content.", "")).join(" ")).toBe(
    "draft publish draft publish restore publish",
  );
});

test("a text scheduled for later waits", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const privacy = "/api/admin/content/privacy";
  await callJson("PUT", `${privacy}/draft`, { token, body: { ...draft, title: "방침" } });
  await callJson("POST", `${privacy}/publish`, { token, body: { version: 1 } });
  await callJson("PUT", `${privacy}/draft`, { token, body: { ...draft, content: "<p>다음 글</p>", version: 2 } });
  const effectiveDate = new Date(Date.now() + 86_400_000).toISOString();
  await callJson("POST", `${privacy}/publish`, { token, body: { version: 3, effectiveDate } });

  const shown = await getLegalPage(scopeOfToken(), { code: "privacy" });
  expect(shown.content).toContain("처음 글");
  expect(shown.versions).toMatchObject([
    { versionNo: 2, isUpcoming: true, isCurrent: false },
    { versionNo: 1, isUpcoming: false, isCurrent: true },
  ]);
  const compared = await getLegalPage(scopeOfToken(), { code: "privacy", versionNo: 2, compareWith: 1 });
  expect(compared.comparison?.lines.at(-1)).toEqual({ kind: "added", text: "다음 글" });

  await callJson("POST", `${privacy}/withdraw`, { token, body: { version: 4 } });
  expect(await getLegalPage(scopeOfToken(), { code: "privacy" })).toMatchObject({
    content: "",
    versions: [],
    versionNo: null,
  });
  await expect(getLegalPage(scopeOfToken(), { code: "privacy", versionNo: 1 })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("new members agree to new terms from then on", async () => {
  await createSignupSettings();
  const { accessToken: token } = await createAdministratorSession();
  const terms = "/api/admin/content/terms";
  await callJson("PUT", `${terms}/draft`, { token, body: { ...draft, title: "이용약관" } });
  await callJson("POST", `${terms}/publish`, { token, body: { version: 1 } });
  const { data } = await callJson("GET", "/api/site-setting/authentication");
  const found = data.agreements.filter((row: { code: string }) => row.code === "terms");
  expect(found).toHaveLength(1);
  expect(found[0].version).toMatch(/^\d{4}-\d\d-\d\d\.1$/);
});

async function upload(owner: TestSession, purpose: "image" | "general", fileName: string): Promise<string> {
  const id = crypto.randomUUID();
  await testDatabase()
    .insert(file)
    .values({
      id,
      purpose,
      ownerUserId: owner.user.id,
      fileName,
      size: 4,
      contentType: "image/png",
      status: "ready",
      storageKey: `f/test/${id}`,
      createdDate: new Date(),
    });
  await env.FILES.put(`f/test/${id}`, "그림");
  return id;
}

async function statusOf(id: string): Promise<number> {
  const answer = await fetchApi("GET", `/api/file/${id}`);
  await answer.body?.cancel();
  return answer.status;
}

test("pictures of a page are public only while it is published", async () => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  const picture = await upload(admin, "image", "조직도.png");
  const form = await upload(admin, "general", "제안서 양식.docx");
  const content = `<p><img src="/api/file/${picture}" alt="조직도"></p>`;
  await callJson("PUT", `${about}/draft`, { token, body: { ...draft, content, fileIds: [form] } });
  expect([await statusOf(picture), await statusOf(form)]).toEqual([404, 404]);
  const preview = await getInfoPage(scopeOfToken(token), { code: "about", preview: true });
  expect(preview.files).toMatchObject([{ fileName: "제안서 양식.docx", url: `/api/file/${form}` }]);
  await callJson("POST", `${about}/publish`, { token, body: { version: 1 } });
  expect([await statusOf(picture), await statusOf(form)]).toEqual([200, 200]);
  expect((await getInfoPage(scopeOfToken(), { code: "about" })).files).toHaveLength(1);

  await callJson("POST", `${about}/withdraw`, { token, body: { version: 2 } });
  expect([await statusOf(picture), await statusOf(form)]).toEqual([404, 404]);
  expect((await getInfoPage(scopeOfToken(), { code: "about" })).files).toEqual([]);
});

test("publishing a file of another person is refused", async () => {
  const token = (await createAdministratorSession()).accessToken;
  const other = await createAdministratorSession();
  const theirs = await upload(other, "general", "원고.docx");
  const picture = await upload(other, "image", "사진.png");
  const answer = await callJson("PUT", `${about}/draft`, { token, body: { ...draft, fileIds: [theirs] } });
  expect(answer.fields).toHaveProperty("fileIds");
  const content = `<p>글<img src="/api/file/${picture}" alt=""></p>`;
  await callJson("PUT", `${about}/draft`, { token, body: { ...draft, content } });
  await callJson("POST", `${about}/publish`, { token, body: { version: 1 } });
  expect(await statusOf(picture)).toBe(404);
});

test("the site information follows changed regions", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const incheon = "/api/admin/center/incheon";
  const value = { regionName: "인천", centerName: "인천권역센터", phone: "032-000-0111", version: 0 };
  await callJson("PUT", `${incheon}/draft`, { token, body: value });
  const centers = async () => (await callJson("GET", "/api/site-setting/info")).data.centers;
  expect(await centers()).toEqual([]);
  await callJson("POST", `${incheon}/publish`, { token, body: { version: 1 } });
  expect(await centers()).toMatchObject([{ regionCode: "incheon", centerName: "인천권역센터" }]);
  await callJson("PUT", `${incheon}/draft`, { token, body: { ...value, url: "javascript:alert(1)", version: 2 } }).then(
    (answer) => expect(answer.fields).toHaveProperty("url"),
  );
  await callJson("POST", `${incheon}/withdraw`, { token, body: { version: 2 } });
  expect(await centers()).toEqual([]);
  expect((await callJson("GET", `${incheon}/history`, { token })).data).toMatchObject([
    { versionNo: 1, value: { centerName: "인천권역센터" } },
  ]);
});
