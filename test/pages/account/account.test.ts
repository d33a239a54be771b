import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningSite } from "#worker/local/site.ts";
import { startTestSite } from "../../test-site.ts";

let site: RunningSite;
let cookie: string;
beforeAll(async () => {
  site = await startTestSite();
  const response = await fetch(`${site.url}/api/user/signin`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ userKeyType: "Id", userKeyCode: "member01", password: "Member!2345" }),
  });
  cookie = (response.headers.get("Set-Cookie") ?? "").split(";", 1)[0] ?? "";
});
afterAll(() => site.dispose());

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${site.url}${path}`, { redirect: "manual", headers });
  const html = await response.text();
  return {
    status: response.status,
    location: response.headers.get("Location"),
    html,
    title: /<title>([^|<]*)/.exec(html)?.[1]?.trim(),
  };
}
const asMember = (path: string) => get(path, { Cookie: cookie });

describe("the account pages stand in the server's HTML", () => {
  test.each([
    ["/Account/Signin", "로그인", ["아이디 저장", "아이디 찾기", "비밀번호 찾기", "회원가입"]],
    ["/account/signup", "회원가입", ["[필수]", "[선택]", "전체동의", "현재단계", "제1조", "소속 기관"]],
    ["/Account/Signup/Welcome", "회원가입 완료", ["가입완료", "로그인"]],
    ["/Account/FindId", "아이디 찾기", ["이름", "이메일"]],
    ["/ACCOUNT/FINDPASSWORD", "비밀번호 찾기", ["인증번호 받기"]],
    ["/Account/Password/Process/Success", "비밀번호 재설정 완료", ["재설정"]],
  ])("%s", async (path, title, words) => {
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(page.title).toBe(title);
    for (const word of words) expect(page.html).toContain(word);
  });

  test("with the tokens that password managers go by", async () => {
    const signin = (await get("/Account/Signin")).html;
    expect(signin).toMatch(/autocomplete="username webauthn"/i);
    expect(signin).toMatch(/autocomplete="current-password"/i);
    const signup = (await get("/Account/Signup")).html;
    for (const token of ["username", "new-password", "email", "name", "tel"])
      expect(signup, token).toMatch(new RegExp(`autocomplete="${token}"`, "i"));
  });

  test("and a form that was sent without its script puts nothing into the address", async () => {
    for (const path of ["/Account/Signin", "/Account/Signup", "/Account/FindPassword"])
      expect((await get(path)).html, path).toMatch(/<form[^>]* method="post"/);
  });
});

describe("my page", () => {
  test.each(["", "/Info", "/Password", "/Email", "/Sessions", "/Retire"])(
    "sends a guest at /Mypage%s to sign in and back",
    async (tab) => {
      const { status, location } = await get(`/Mypage${tab}?a=1`);
      expect([status, location]).toEqual([302, `/account/signin?returnUrl=${encodeURIComponent(`/Mypage${tab}?a=1`)}`]);
    },
  );

  test("leads a member to his information", async () => {
    expect((await asMember("/mypage")).location).toBe("/Mypage/Info");
    const { status, html, title } = await asMember("/Mypage/Info");
    expect([status, title]).toEqual([200, "회원정보"]);
    for (const word of ["member01@pid.example.kr", "가입일", "소식지 이메일 수신 동의", "내 정보 내려받기"])
      expect(html).toContain(word);
  });

  test("is for no shared cache", async () => {
    const response = await fetch(`${site.url}/Mypage/Info`, { headers: { Cookie: cookie } });
    expect(response.headers.get("Cache-Control")).toBe("private, no-store, no-transform");
    await response.body?.cancel();
  });
});

describe("sign-in for somebody who is signed in already", () => {
  test.each([
    ["%2Fboard%2Fnotice%2FList%2F", "/board/notice/List/"],
    ["https%3A%2F%2Fevil.example", "/"],
    ["%2F%2Fevil.example", "/"],
    ["%2F%5Cevil.example", "/"],
    ["%2F%2509%2Fevil.example", "/"],
  ])("goes on to returnUrl=%s within the site", async (returnUrl, location) => {
    expect((await asMember(`/account/signin?returnUrl=${returnUrl}`)).location).toBe(location);
  });

  test("sign-up leads home", async () => {
    expect((await asMember("/Account/Signup")).location).toBe("/");
  });

  test("the page for new terms is for members, and passes those who agreed", async () => {
    expect((await get("/Account/Agreements")).location).toMatch(/^\/account\/signin\?returnUrl=/);
    expect((await asMember("/Account/Agreements?returnUrl=%2FMypage")).location).toBe("/Mypage");
  });
});

test("settings in the database that make no sense are as if they were not set", async () => {
  const { DB } = await site.mf.getBindings<{ DB: D1Database }>();
  const { results } = await DB.prepare("SELECT key, value FROM site_setting").all<{ key: string; value: string }>();
  for (const value of ['{"authType":"Nonsense","siteName":7,"entries":"x"}', "{}", "[]", '"x"', "null"]) {
    await DB.prepare("UPDATE site_setting SET value = ?").bind(value).run();
    for (const path of ["/api/site-setting/authentication", "/api/site-setting/info", "/?x=1", "/Account/Signup?x=1"])
      expect([value, path, (await fetch(site.url + path)).status]).toEqual([value, path, 200]);
    const { data } = (await (await fetch(`${site.url}/api/site-setting/authentication`)).json()) as {
      data: { authType: string };
    };
    expect(data.authType, JSON.stringify(value)).toBe("IdAndPassword");
  }
  const back = DB.prepare("UPDATE site_setting SET value = ? WHERE key = ?");
  await DB.batch(results.map(({ key, value }) => back.bind(value, key)));
});

test("the authentication type is read with each request", async () => {
  const { DB } = await site.mf.getBindings<{ DB: D1Database }>();
  const set = (type: string) =>
    DB.prepare("UPDATE site_setting SET value = json_set(value, '$.authType', ?) WHERE key = 'authentication'")
      .bind(type)
      .run();
  await set("EmailAndPassword");
  expect((await get("/Account/Signin")).html).toContain("이메일 저장");
  expect((await get("/Account/Signup")).html).not.toContain('id="userId"');
  await set("MobileAndPassword");
  expect((await get("/Account/Signin")).html).toContain("휴대전화번호 저장");
  expect((await get("/Account/Signup")).html).toContain('id="mobile"');
  await set("IdAndPassword");
});
