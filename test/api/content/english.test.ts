import { expect, test } from "vitest";
import { callJson } from "../../support/api-client.ts";
import { ENGLISH_SITE, NEW_IDENTITY } from "../../support/identity.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { scopeOfToken } from "../../support/request-scope.ts";
import { runSql } from "../../support/test-database.ts";
import { ENGLISH_TEXT_MISSING, ENGLISH_TITLE_MISSING } from "#worker/contract/content/rules.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { getSignupForm } from "#worker/domain/account/signup.server.ts";
import { getCenterOverview, getCenterPage } from "#worker/domain/content/center.server.ts";
import { getLegalPage } from "#worker/domain/content/legal-page.server.ts";
import { getInfoPage } from "#worker/domain/content/page.server.ts";
import { getEnglishHome, getHomeExtras } from "#worker/domain/site/home.server.ts";
import { searchPageQuery } from "#worker/contract/board/input.ts";
import { getSearchPage } from "#worker/domain/site/search-page.server.ts";
import { getEnglishFrame, getSiteFrame } from "#worker/domain/site/site.server.ts";
import { listSitemapPages } from "#worker/domain/site/sitemap.server.ts";

const KOREAN = { title: "연구망 소개", content: "<p>한국어 글</p>" };
const ENGLISH = { englishTitle: "About us", englishContent: "<h2>Aims</h2><p>An English text</p>" };

async function administrator() {
  const { accessToken: token } = await createAdministratorSession();
  const path = (code: string) => `/api/admin/content/${code}`;
  return {
    token,
    identify: (value: object, version = 0) =>
      callJson("PATCH", "/api/admin/setting/identity", { token, body: { ...NEW_IDENTITY, ...value, version } }),
    save: (code: string, body: object) => callJson("PUT", `${path(code)}/draft`, { token, body }),
    publish: (code: string, version: number) => callJson("POST", `${path(code)}/publish`, { token, body: { version } }),
  };
}

const englishAbout = () => getInfoPage(scopeOfToken(), { code: "about", language: "en" });
const NOT_FOUND = { code: "NOT_FOUND" };

async function search(keyword: string) {
  const { pages } = await getSearchPage(scopeOfToken(), searchPageQuery.parse({ keyword }));
  return pages.map(({ path }) => path);
}

test("a draft keeps the languages of a page apart", async () => {
  const { token, identify, save, publish } = await administrator();
  await identify({ english: ENGLISH_SITE });
  await save("about", { ...KOREAN, ...ENGLISH, version: 0 });
  expect(await englishAbout()).toMatchObject({ title: "", content: "", hasEnglish: false });
  const preview = { code: "about", language: "en", preview: true } as const;
  expect(await getInfoPage(scopeOfToken(token), preview)).toMatchObject({ title: "About us", isPreview: true });
  await expect(getInfoPage(scopeOfToken(), preview)).rejects.toMatchObject({ code: "UNAUTHORIZED" });

  await publish("about", 1);
  const english = await englishAbout();
  expect(english).toMatchObject({ title: "About us", hasEnglish: true });
  expect(english.content).toContain("An English text");
  expect(JSON.stringify(english)).not.toMatch(/[가-힣]/);
  const korean = await getInfoPage(scopeOfToken(), { code: "about" });
  expect(korean).toMatchObject({ title: "연구망 소개", content: "<p>한국어 글</p>", hasEnglish: true });

  await save("about", { ...KOREAN, version: 2 });
  await publish("about", 3);
  expect(await englishAbout()).toMatchObject({ title: "", content: "", hasEnglish: false });
  const old = await callJson("GET", "/api/admin/content/about/history/1", { token });
  expect(old.data).toMatchObject(ENGLISH);
  expect(old.data.englishDifference).toEqual([
    { kind: "removed", text: "Aims" },
    { kind: "removed", text: "An English text" },
  ]);
  await callJson("POST", "/api/admin/content/about/restore", { token, body: { version: 4, versionNo: 1 } });
  expect((await callJson("GET", "/api/admin/content/about", { token })).data).toMatchObject(ENGLISH);
});

test("English texts are validated like Korean ones", async () => {
  const { token, identify, save, publish } = await administrator();
  await identify({ english: ENGLISH_SITE });
  const bad = '<p onclick="x()">Text<script>alert(1)</script></p><img src="https://a.test/x.png">';
  const saved = await save("about", { ...KOREAN, ...ENGLISH, englishContent: bad, version: 0 });
  expect(saved.data).toMatchObject({ version: 1, englishContent: "<p>Text</p>" });
  expect((await save("about", { ...KOREAN, ...ENGLISH, version: 0 })).code).toBe("CONFLICT");

  const untitled = await save("about", { ...KOREAN, englishContent: "<p>Text</p>", version: 1 });
  expect([untitled.code, untitled.fields]).toMatchObject(["INVALID_INPUT", { englishTitle: ENGLISH_TITLE_MISSING }]);
  const long = "a".repeat(SIZE_LIMITS.titleLength + 1);
  expect((await save("about", { ...KOREAN, ...ENGLISH, englishTitle: long, version: 1 })).code).toBe("INVALID_INPUT");
  const whole = `<p>${"가".repeat(SIZE_LIMITS.contentBytes / 2)}</p>`;
  expect((await save("about", { ...KOREAN, ...ENGLISH, englishContent: whole, version: 1 })).code).toBe(
    "PAYLOAD_TOO_LARGE",
  );
  expect((await save("about", { ...KOREAN, ...ENGLISH, englishTitle: "000101-3000000", version: 1 })).code).toBe(
    "INVALID_INPUT",
  );

  // An English title alone cannot be published, unless the page has content beyond its text.
  await save("about", { ...KOREAN, englishTitle: "About us", version: 1 });
  const refused = await publish("about", 2);
  expect([refused.code, refused.fields]).toMatchObject(["INVALID_INPUT", { englishContent: ENGLISH_TEXT_MISSING }]);
  await save("center", { title: "권역센터", content: "", englishTitle: "Centres", version: 0 });
  expect((await publish("center", 1)).code).toBe("SUCCESS");
  const shown = await getCenterOverview(scopeOfToken(), { product: "pid", preview: false, language: "en" });
  expect(shown.page).toMatchObject({ title: "Centres", hasEnglish: true });
  expect((await callJson("GET", "/api/admin/content/about", { token })).data).toMatchObject({ version: 2 });
});

async function publishEnglishAbout() {
  const { identify, save, publish } = await administrator();
  await save("about", { ...KOREAN, ...ENGLISH, version: 0 });
  await publish("about", 1);
  return identify;
}

test("a site without an English name has no English pages", async () => {
  await publishEnglishAbout();
  await expect(getEnglishFrame(scopeOfToken())).rejects.toMatchObject(NOT_FOUND);
  await expect(getEnglishHome(scopeOfToken())).rejects.toMatchObject(NOT_FOUND);
  await expect(englishAbout()).rejects.toMatchObject(NOT_FOUND);
  await expect(getLegalPage(scopeOfToken(), { code: "terms", language: "en" })).rejects.toMatchObject(NOT_FOUND);
  const center = { product: "pid", regionCode: "seoul", preview: false, language: "en" } as const;
  await expect(getCenterPage(scopeOfToken(), center)).rejects.toMatchObject(NOT_FOUND);
  await expect(getCenterOverview(scopeOfToken(), center)).rejects.toMatchObject(NOT_FOUND);
  expect((await getSiteFrame(scopeOfToken())).look).not.toHaveProperty("hasEnglish");
  expect((await getInfoPage(scopeOfToken(), { code: "about" })).hasEnglish).toBe(false);
  expect(JSON.stringify(await listSitemapPages(scopeOfToken()))).not.toContain("/en");
  expect(await search("English text")).toEqual([]);
});

test("an English name opens the English pages of a site", async () => {
  const identify = await publishEnglishAbout();
  await identify({ english: ENGLISH_SITE });
  expect((await getSiteFrame(scopeOfToken())).look.hasEnglish).toBe(true);
  expect(await listSitemapPages(scopeOfToken())).toContainEqual(
    expect.objectContaining({ path: "/pid/about", english: "/en/pid/about" }),
  );
  expect(await search("English text")).toEqual(["/en/pid/about"]);
  expect(await search("한국어")).toEqual(["/pid/about"]);
  await runSql("UPDATE content SET status = 'draft' WHERE code = 'about'");
  expect(await search("English text")).toEqual([]);
});

test("an English home page shows only items in English", async () => {
  const { token, identify, save, publish } = await administrator();
  const unnamed = await identify({ english: { ...ENGLISH_SITE, siteName: "" } });
  expect([unnamed.code, Object.keys(unnamed.fields as object)]).toEqual(["INVALID_INPUT", ["english.siteName"]]);
  const links = [
    { label: "등록", href: "/pid/registration", english: "Register" },
    { label: "알림", href: "/board/notice/List/" },
  ];
  await identify({ english: ENGLISH_SITE, actions: links, footerLinks: links });
  for (const body of [
    { label: "등록", note: "", href: "/pid/registration", englishLabel: "Register", englishNote: "How" },
    { label: "자료", note: "", href: "/board/reference/List/" },
  ])
    await callJson("PUT", "/api/admin/quick-link", { token, body });
  await save("about", { ...KOREAN, ...ENGLISH, version: 0 });
  await publish("about", 1);

  const frame = await getEnglishFrame(scopeOfToken());
  expect(frame.site).toMatchObject({ siteName: "The Network", contact: { organization: "Office" } });
  expect(frame.menu).toEqual([
    { label: "The network", children: [{ label: "About the network", href: "/en/pid/about" }] },
    {
      label: "News and documents",
      children: [
        { label: "News", href: "/en/board/notice/List/" },
        { label: "Document library", href: "/en/board/reference/List/" },
      ],
    },
  ]);
  expect(frame.look.footerLinks).toEqual([{ label: "Register", href: "/en/pid/registration" }]);
  const home = await getEnglishHome(scopeOfToken());
  expect(home.actions).toEqual([{ label: "Register", href: "/en/pid/registration" }]);
  expect(home.quickLinks).toEqual([{ label: "Register", note: "How", href: "/en/pid/registration" }]);
  expect([home.banner, home.popups, home.events]).toEqual([null, [], []]);
  expect(JSON.stringify([frame.menu, frame.site.siteName, home])).not.toMatch(/[가-힣]/);
  expect((await getHomeExtras(scopeOfToken())).quickLinks[0]).toEqual({
    label: "등록",
    note: "",
    href: "/pid/registration",
  });

  // A custom menu group without an English name shows its pages at the top level.
  const entries = [
    {
      kind: "group",
      label: "묶음",
      isHidden: false,
      children: [{ kind: "link", label: "소개", target: "about", isHidden: false }],
    },
    { kind: "link", label: "다른 곳", english: "Elsewhere", target: "https://example.com/", isHidden: false },
    { kind: "link", label: "규정", english: "Rules", target: "rules", isHidden: false },
    { kind: "link", label: "찾기", english: "Search", target: "/search", isHidden: false },
    // Not available in English, or not for guests.
    { kind: "link", label: "마이페이지", english: "My page", target: "/Mypage", isHidden: false },
    { kind: "link", label: "회원게시판", english: "Members", target: "/board/free/List/", isHidden: false },
  ];
  expect((await callJson("PATCH", "/api/admin/setting/menu", { token, body: { entries, version: 0 } })).code).toBe(
    "SUCCESS",
  );
  expect((await getEnglishFrame(scopeOfToken())).menu).toEqual([
    { label: "About us", href: "/en/pid/about" },
    { label: "Elsewhere", href: "https://example.com/" },
    { label: "Search", href: "/en/search" },
  ]);
});

test("a centre has an English page when it has an English name", async () => {
  const { token, identify } = await administrator();
  await identify({ english: ENGLISH_SITE });
  const draft = (regionCode: string, body: object, version: number) =>
    callJson("PUT", `/api/admin/center/${regionCode}/draft`, { token, body: { ...body, version } });
  const korean = { regionName: "서울", centerName: "서울센터", address: "서울 1", introduction: "소개" };
  const nameless = await draft("seoul", { ...korean, englishAddress: "1 Street" }, 0);
  expect([nameless.code, Object.keys(nameless.fields as object)]).toEqual(["INVALID_INPUT", ["englishName"]]);
  await draft("seoul", { ...korean, englishName: "Seoul Centre", englishAddress: "1 Street" }, 0);
  await callJson("POST", "/api/admin/center/seoul/publish", { token, body: { version: 1 } });
  await draft("daegu", { regionName: "대구", centerName: "대구센터" }, 0);
  await callJson("POST", "/api/admin/center/daegu/publish", { token, body: { version: 1 } });

  const page = (regionCode: string) =>
    getCenterPage(scopeOfToken(), { product: "pid", regionCode, preview: false, language: "en" });
  expect(await page("seoul")).toMatchObject({
    hasEnglish: true,
    center: { regionName: "Seoul", centerName: "Seoul Centre", address: "1 Street", introduction: "" },
  });
  expect(await page("daegu")).toMatchObject({ hasEnglish: false, center: { centerName: "" } });
  const { centers } = await page("seoul");
  expect(centers.map(({ regionName, centerName, isKorean }) => [regionName, centerName, isKorean])).toEqual([
    ["Seoul", "Seoul Centre", undefined],
    ["Daegu", "대구센터", true],
  ]);
  expect(await search("Seoul Centre")).toEqual(["/en/pid/center/seoul"]);
  const paths = (await listSitemapPages(scopeOfToken())).filter(({ path }) => path.includes("/center/"));
  expect(paths).toEqual([
    { path: "/pid/center/seoul", english: "/en/pid/center/seoul" },
    { path: "/pid/center/daegu" },
  ]);
});

test("the English sign-up shows each agreement's English version", async () => {
  const { token, identify, save, publish } = await administrator();
  await identify({ english: ENGLISH_SITE });
  await save("terms", { title: "이용약관", content: "<p>약관</p>", ...ENGLISH, version: 0 });
  await publish("terms", 1);
  const effectiveDate = new Date().toISOString();
  const own = {
    version: "1",
    title: "수집 동의",
    required: true,
    content: "<p>동의</p>",
    baseVersion: "",
    effectiveDate,
  };
  const agree = (body: object) => callJson("PUT", "/api/admin/setting/agreement", { token, body: { ...own, ...body } });
  const untitled = await agree({ code: "data", englishContent: "<p>Data</p>" });
  expect(untitled.fields).toEqual({ englishTitle: ENGLISH_TITLE_MISSING });
  const english = await agree({ code: "data", englishTitle: "Data", englishContent: "<p>Data</p><script>1</script>" });
  const korean = await agree({ code: "korean", title: "한국어 동의" });
  expect(korean.data.textHash).not.toBe(english.data.textHash);

  const shown = async (language?: "en") =>
    (await getSignupForm(scopeOfToken(), language)).agreements.map(({ code, title, content }) => [
      code,
      title,
      content,
    ]);
  expect(await shown("en")).toEqual([
    ["terms", "About us", "<h2>Aims</h2><p>An English text</p>"],
    ["data", "Data", "<p>Data</p>"],
    ["korean", "한국어 동의", "<p>동의</p>"],
  ]);
  expect((await shown()).map(([, title]) => title)).toEqual(["이용약관", "수집 동의", "한국어 동의"]);
});
