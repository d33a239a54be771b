import { expect, test } from "vitest";
import { DEFAULT_INFO_PAGES } from "#worker/contract/content/info-pages.ts";
import { listSitemapPages } from "#worker/domain/site/sitemap.server.ts";
import { getHomeExtras, getHomePage } from "#worker/domain/site/home.server.ts";
import { getSiteFrame, getSiteInfo } from "#worker/domain/site/site.server.ts";
import { getCenterOverview, getCenterPage } from "#worker/domain/content/center.server.ts";
import { getInfoPage } from "#worker/domain/content/page.server.ts";
import { listRoles } from "#worker/domain/access/role.server.ts";
import { callJson, fetchApi } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { NEW_IDENTITY, WHITE_PIXEL } from "../../support/identity.ts";
import { createAdministratorSession, createSession } from "../../support/people.ts";
import { scopeOfToken } from "../../support/request-scope.ts";
import { runSql } from "../../support/test-database.ts";

const IDENTITY = "/api/admin/setting/identity";
const PAGES = "/api/admin/setting/pages";

async function administrator() {
  const { accessToken: token } = await createAdministratorSession();
  const change = (value: object, version = 0) =>
    callJson("PATCH", IDENTITY, { token, body: { ...NEW_IDENTITY, ...value, version } });
  return { token, change };
}

test("a society's own words appear in menu, spreadsheets, pages", async () => {
  const { token, change } = await administrator();
  expect((await change({ words: { 연구망: "총동문회", 동문주소록: "졸업생 명부", 권역센터: "지부" } })).data).toEqual({
    version: 1,
  });
  const { menu, look } = await getSiteFrame(scopeOfToken(token));
  expect(menu.map(({ label }) => label)).toEqual(["총동문회", "환자 등록", "지부", "연구", "게시판", "졸업생 명부"]);
  expect(menu[0]?.children?.[0]?.label).toBe("총동문회 소개");
  expect(look.words).toEqual({ 연구망: "총동문회", 동문주소록: "졸업생 명부", 권역센터: "지부" });
  expect((await getInfoPage(scopeOfToken(), { code: "about" })).title).toBe("총동문회 소개");
  const template = await fetchApi("GET", "/api/alumni/import-template", { token });
  expect(decodeURIComponent(template.headers.get("Content-Disposition") ?? "")).toContain("졸업생 명부_양식.xlsx");
  await change({ words: {} }, 1);
  expect((await getSiteFrame(scopeOfToken())).look.words).toEqual({});
});

async function disableFeatures() {
  const { token, change } = await administrator();
  await change({ hasCenters: false, hasCaseReport: false });
  return { token, change, scope: () => scopeOfToken(token) };
}

test("a page of a disabled feature is not found", async () => {
  const { change, scope } = await disableFeatures();
  await expect(getCenterOverview(scope(), { product: "pid", preview: false })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(getCenterPage(scope(), { product: "pid", regionCode: "seoul", preview: false })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(getInfoPage(scope(), { code: "registry" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await change({}, 1);
  expect((await getCenterOverview(scope(), { product: "pid", preview: false })).page.title).toBe("권역센터");
});

test("a disabled feature leaves no trace", async () => {
  const { token, scope } = await disableFeatures();
  const { menu, look } = await getSiteFrame(scope());
  expect(menu.map(({ label }) => label)).toEqual(["연구망", "연구", "게시판", "동문주소록"]);
  expect(look).toMatchObject({ hasNoCenters: true, hasNoCaseReport: true });
  expect(JSON.stringify(await listSitemapPages(scope()))).not.toMatch(/center|target|registration|residence|Registry/);
  const home = await getHomeExtras(scope());
  expect([home.centers, home.subjects]).toEqual([[], null]);
  expect(home.actions).toEqual([]);
  expect(await getSiteInfo(scope())).toMatchObject({ centers: [], caseReport: { enabled: false } });
  expect((await callJson("GET", "/api/case-report/subject-location-count")).code).toBe("NOT_FOUND");
  expect((await callJson("POST", "/api/case-report/token", { token })).code).toBe("NOT_FOUND");
  expect(JSON.stringify((await listRoles(scope())).groups)).not.toMatch(/CaseReport|Center_/);
});

test("a link to a page of a disabled feature is hidden", async () => {
  const { token, change } = await administrator();
  const places = ["/pid/about", "/pid/center", "/pid/registration", "/Registry"];
  const links = places.map((href) => ({ label: href, href, english: href }));
  for (const href of places)
    await runSql("INSERT INTO quick_link (id, label, href, sort_order) VALUES (?1, ?1, ?1, 0)", href);
  for (const href of ["/pid/registration", "/pid/about"])
    await runSql(
      `INSERT INTO popup (id, title, content, link_url, start_date, end_date, modified_date, is_closed, sort_order)
        VALUES (?1, '안내', '', ?1, 0, ?2, 0, 0, 0)`,
      href,
      Date.now() + 60_000,
    );
  const entries = links.map(({ label, href, english }) => ({
    kind: "link",
    label,
    english,
    target: href,
    isHidden: false,
  }));
  expect((await callJson("PATCH", "/api/admin/setting/menu", { token, body: { entries, version: 0 } })).code).toBe(
    "SUCCESS",
  );
  await change({ hasCenters: false, hasCaseReport: false, actions: links.slice(0, 2), footerLinks: links });
  const home = await getHomeExtras(scopeOfToken(token));
  const { menu, look } = await getSiteFrame(scopeOfToken(token));
  for (const shown of [home.actions, home.quickLinks, menu, look.footerLinks ?? []])
    expect(shown.map(({ href }) => href)).toEqual(["/pid/about"]);
  expect(home.popups.flatMap(({ linkUrl }) => (linkUrl ? [linkUrl] : []))).toEqual(["/pid/about"]);
});

test("home shows the chosen sections in order", async () => {
  const { change } = await administrator();
  const home = NEW_IDENTITY.home.toReversed();
  const actions = [{ label: "가입 안내", href: "/terms" }];
  const footerLinks = [{ label: "모교", href: "https://school.example.kr" }];
  await change({ home, actions, footerLinks, homeBoards: ["reference"], footerText: "고유번호 000" });
  expect((await getHomePage(scopeOfToken())).boards.map(({ boardCode }) => boardCode)).toEqual(["reference"]);
  const extras = await getHomeExtras(scopeOfToken());
  expect(extras).toMatchObject({ parts: home, actions });
  expect((await getSiteFrame(scopeOfToken())).look).toMatchObject({ footerLinks, footerText: "고유번호 000" });
  // An empty list shows no board instead of the default boards.
  await change({ homeBoards: [] }, 1);
  expect((await getHomePage(scopeOfToken())).boards).toEqual([]);
});

test("a changed synonym applies from the next search", async () => {
  const { change } = await administrator();
  await createTestItem(await createAdministratorSession(), "notice", { title: "총회 소집" });
  const find = async (keyword: string) =>
    (await callJson("POST", "/api/board-item/search", { body: { keyword } })).data.totalElements;
  expect(await find("정기모임")).toBe(0);
  expect((await change({ synonyms: "총회, 정기 모임" })).data).toEqual({ version: 1 });
  expect(await find("정기모임")).toBe(1);
  // A settings file without synonyms keeps them; an empty value removes them.
  await change({}, 1);
  expect(await find("정기모임")).toBe(1);
  await change({ synonyms: "" }, 2);
  expect(await find("정기모임")).toBe(0);
});

test.each([
  [{ synonyms: "총회" }, "synonyms"],
  [{ color: "#7a1f3d" }, "color"],
  [{ actions: [{ label: "가기", href: "/nowhere" }] }, "actions.0.href"],
  [{ footerLinks: [{ label: "가기", href: "javascript:alert(1)" }] }, "footerLinks.0.href"],
  [{ homeBoards: ["none"] }, "homeBoards"],
  [{ home: NEW_IDENTITY.home.slice(1) }, "home"],
  [{ words: { 동문: "가".repeat(16) } }, "words.동문"],
])("%j is refused at its field", async (value, field) => {
  const { change } = await administrator();
  expect((await change(value)).fields).toHaveProperty([field]);
});

test("the second of two concurrent saves gets a conflict", async () => {
  const { change } = await administrator();
  expect((await change({ color: "blue" })).code).toBe("SUCCESS");
  expect((await change({ color: "red" })).code).toBe("CONFLICT");
  expect((await getSiteFrame(scopeOfToken())).look.colors).toContain("--color-primary-60:#1428a0");
});

test("the address of a logo changes with its content", async () => {
  const { token } = await administrator();
  const change = (pictures: object | null, version: number) =>
    callJson("PATCH", "/api/admin/setting/logo", { token, body: { pictures, version } });
  expect((await fetchApi("GET", "/api/site-setting/logo/light")).status).toBe(404);
  const broken = await change({ light: "PHN2Zz4=", dark: "", icon: WHITE_PIXEL, share: WHITE_PIXEL }, 0);
  expect(broken.fields).toHaveProperty(["pictures.light"]);
  expect((await change({ light: WHITE_PIXEL, dark: "", icon: WHITE_PIXEL, share: WHITE_PIXEL }, 0)).data).toEqual({
    version: 1,
  });
  const { logo } = (await getSiteFrame(scopeOfToken())).look;
  expect(logo).toMatch(/^[\w-]{12}$/);
  for (const name of ["light", "dark", "icon", "share"]) {
    const answer = await fetchApi("GET", `/api/site-setting/logo/${name}?v=${logo}`);
    expect([answer.status, answer.headers.get("Content-Type")], name).toEqual([200, "image/png"]);
  }
  expect((await change(null, 1)).code).toBe("SUCCESS");
  expect((await getSiteFrame(scopeOfToken())).look.logo).toBeUndefined();
});

const ownPage = { code: "history", label: "걸어온 길", parent: "about", look: "timeline", isHidden: false };

test("built-in pages keep their addresses when moved", async () => {
  const { token } = await administrator();
  const change = (pages: object[], version: number) => callJson("PATCH", PAGES, { token, body: { pages, version } });
  const pages = [ownPage, ...DEFAULT_INFO_PAGES.map((page) => ({ ...page, isHidden: page.code === "rules" }))];
  expect((await change(pages, 0)).data).toEqual({ version: 1 });
  const page = await getInfoPage(scopeOfToken(), { code: "history", product: "pid" });
  expect(page).toMatchObject({ title: "걸어온 길", look: "timeline", parents: [{ href: "/pid/about" }] });
  await expect(getInfoPage(scopeOfToken(), { code: "rules" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await getInfoPage(scopeOfToken(token), { code: "rules", preview: true })).title).toBe("연구 규정");
  const { accessToken: member } = await createSession();
  await expect(getInfoPage(scopeOfToken(member), { code: "rules", preview: true })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  const { menu } = await getSiteFrame(scopeOfToken());
  expect(menu[0]?.children?.map(({ href }) => href)).toContain("/pid/about");
  expect(JSON.stringify(menu)).not.toContain("/research/rules");
  const draft = { title: "걸어온 길", content: "<p>1970년</p>", version: 0 };
  expect((await callJson("PUT", "/api/admin/content/history/draft", { token, body: draft })).code).toBe("SUCCESS");
  expect((await callJson("PUT", "/api/admin/content/nowhere/draft", { token, body: draft })).code).toBe("NOT_FOUND");
  const left = await change(DEFAULT_INFO_PAGES, 1);
  expect(left.fields).toEqual({ pages: "'걸어온 길' 페이지에는 글이 있습니다. 빼지 말고 숨겨 주십시오." });
  await change([ownPage, ...DEFAULT_INFO_PAGES.map((each) => ({ ...each, isHidden: each.code === "about" }))], 1);
  await expect(getInfoPage(scopeOfToken(), { code: "history" })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test.each([
  [[{ ...ownPage, code: "terms" }, ...DEFAULT_INFO_PAGES], "pages.0.code"],
  [[{ ...ownPage, code: "About" }, ...DEFAULT_INFO_PAGES], "pages.0.code"],
  [[{ ...ownPage, code: "about", parent: "" }, ...DEFAULT_INFO_PAGES], "pages.1.code"],
  [[{ ...ownPage, parent: "nowhere" }, ...DEFAULT_INFO_PAGES], "pages.0.parent"],
  [DEFAULT_INFO_PAGES.slice(1), "pages.8.code"],
])("a contradictory list of pages is refused at its field (%#)", async (pages, field) => {
  const { token } = await administrator();
  const answer = await callJson("PATCH", PAGES, { token, body: { pages, version: 0 } });
  expect(answer.fields).toHaveProperty([field]);
});

test("a site without a logo shows its first letter", async () => {
  const { token, change } = await administrator();
  await change({ color: "red" });
  const { data: own } = await callJson("GET", "/api/admin/setting/site", { token });
  const { productCode: _code, ...site } = own.value;
  await callJson("PATCH", "/api/admin/setting/site", {
    token,
    body: { ...site, siteName: "(사)한빛 동문회", version: own.version },
  });
  const icon = await fetchApi("GET", "/api/site-setting/logo/icon");
  expect([icon.status, icon.headers.get("Content-Type")]).toEqual([200, "image/svg+xml"]);
  expect(await icon.text()).toMatch(/fill="#8a1f3d"\/><text [^>]*>사<\/text><\/svg>$/);
  for (const name of ["light", "dark", "share"])
    expect((await fetchApi("GET", `/api/site-setting/logo/${name}`)).status).toBe(404);
  const pictures = { light: WHITE_PIXEL, dark: "", icon: WHITE_PIXEL, share: WHITE_PIXEL };
  await callJson("PATCH", "/api/admin/setting/logo", { token, body: { pictures, version: 0 } });
  expect((await fetchApi("GET", "/api/site-setting/logo/icon")).headers.get("Content-Type")).toBe("image/png");
});

test("a file carries words, colours, logo, pages to another site", async () => {
  const { token, change } = await administrator();
  await change({ words: { 동문: "졸업생" }, color: "blue", hasCenters: false });
  const pictures = { light: WHITE_PIXEL, dark: "", icon: WHITE_PIXEL, share: WHITE_PIXEL };
  await callJson("PATCH", "/api/admin/setting/logo", { token, body: { pictures, version: 0 } });
  await callJson("PATCH", PAGES, { token, body: { pages: [...DEFAULT_INFO_PAGES, ownPage], version: 0 } });
  const { data: document } = await callJson("GET", "/api/admin/setting/export", { token });
  const before = await getSiteFrame(scopeOfToken());
  const { version } = (await callJson("GET", IDENTITY, { token })).data;
  await change({}, version);
  await callJson("PATCH", "/api/admin/setting/logo", { token, body: { pictures: null, version: 1 } });
  await callJson("PATCH", PAGES, { token, body: { pages: DEFAULT_INFO_PAGES, version: 1 } });
  const path = "/api/admin/setting/import";
  const { data: preview } = await callJson("POST", path, { token, body: { document } });
  expect(preview.changes.map(({ section }: { section: string }) => section)).toEqual(["identity", "pages", "logo"]);
  const { fingerprint } = preview;
  expect((await callJson("POST", path, { token, body: { document, fingerprint } })).code).toBe("SUCCESS");
  expect((await getSiteFrame(scopeOfToken())).look).toEqual(before.look);
  expect((await getInfoPage(scopeOfToken(), { code: "history" })).title).toBe("걸어온 길");
});
