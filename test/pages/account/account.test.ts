import { describe, expect } from "vitest";
import { test } from "../fixtures.ts";

describe("the account pages are rendered by the server", () => {
  test.for<[path: string, title: string, words: string[]]>([
    ["/Account/Signin", "로그인", ["아이디 저장", "아이디 찾기", "비밀번호 찾기", "회원가입"]],
    ["/account/signup", "회원가입", ["[필수]", "[선택]", "전체동의", "현재단계", "제1조", "소속 기관"]],
    ["/Account/Signup/Welcome", "회원가입 완료", ["가입완료", "로그인"]],
    ["/Account/FindId", "아이디 찾기", ["이름", "이메일"]],
    ["/ACCOUNT/FINDPASSWORD", "비밀번호 찾기", ["인증번호 받기"]],
    ["/Account/Password/Process/Success", "비밀번호 재설정 완료", ["재설정"]],
  ])("%s", async ([path, title, words], { get }) => {
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(page.title).toBe(title);
    for (const word of words) expect(page.text).toContain(word);
  });

  test("with autocomplete tokens for password managers", async ({ get }) => {
    const signin = (await get("/Account/Signin")).text;
    expect(signin).toMatch(/autocomplete="username webauthn"/i);
    expect(signin).toMatch(/autocomplete="current-password"/i);
    const signup = (await get("/Account/Signup")).text;
    for (const token of ["username", "new-password", "email", "name", "tel"])
      expect(signup, token).toMatch(new RegExp(`autocomplete="${token}"`, "i"));
  });

  test("and a form sent without script puts no input into the address", async ({ get }) => {
    for (const path of ["/Account/Signin", "/Account/Signup", "/Account/FindPassword"])
      expect((await get(path)).text, path).toMatch(/<form[^>]* method="post"/);
  });
});

describe("my page", () => {
  test.for(["", "/Info", "/Password", "/Email", "/Sessions", "/Inquiries", "/Inquiries/New", "/Retire"])(
    "sends a guest at /Mypage%s to sign in first",
    async (tab, { get }) => {
      const { status, location } = await get(`/Mypage${tab}?a=1`);
      expect([status, location]).toEqual([302, `/account/signin?returnUrl=${encodeURIComponent(`/Mypage${tab}?a=1`)}`]);
    },
  );

  test("opens with an overview that links to the information", async ({ get, member }) => {
    const overview = await get("/mypage", member.cookie);
    expect([overview.status, overview.title]).toEqual([200, "마이페이지"]);
    expect(overview.text).toContain('href="/Mypage/Info"');
    const { status, text: html, title } = await get("/Mypage/Info", member.cookie);
    expect([status, title]).toEqual([200, "회원정보"]);
    for (const word of ["member01@pid.example.kr", "가입일", "소식지 이메일 수신 동의", "내 정보 내려받기"])
      expect(html).toContain(word);
  });

  test("asks for a field that became required later", async ({ get, db, member }) => {
    await db
      .prepare(
        "INSERT INTO profile_field (code, name, input_type, required, detail, sort_order) VALUES ('later', '새 항목', 'text', 1, '[]', 90)",
      )
      .run();
    expect((await get("/mypage", member.cookie)).text).toContain('href="/Mypage/Info#profile.later"');
    expect((await get("/Mypage/Info", member.cookie)).text).toContain('href="#profile.later"');
    await db.prepare("DELETE FROM profile_field WHERE code = 'later'").run();
    expect((await get("/mypage", member.cookie)).text).not.toContain("새로 여쭙는");
  });

  test("is not stored by a shared cache", async ({ site, member }) => {
    const response = await fetch(`${site.url}/Mypage/Info`, { headers: { ...member.cookie } });
    expect(response.headers.get("Cache-Control")).toBe("private, no-store, no-transform");
    await response.body?.cancel();
  });
});

describe("sign-in of a signed-in member", () => {
  test.for([
    ["%2Fboard%2Fnotice%2FList%2F", "/board/notice/List/"],
    ["https%3A%2F%2Fevil.example", "/"],
    ["%2F%2Fevil.example", "/"],
    ["%2F%5Cevil.example", "/"],
    ["%2F%2509%2Fevil.example", "/"],
  ])("follows returnUrl=%s within the site", async ([returnUrl, location], { get, member }) => {
    expect((await get(`/account/signin?returnUrl=${returnUrl}`, member.cookie)).location).toBe(location);
  });

  test("sign-up redirects home", async ({ get, member }) => {
    expect((await get("/Account/Signup", member.cookie)).location).toBe("/");
  });

  test("only a member who has to agree sees new terms", async ({ get, member }) => {
    expect((await get("/Account/Agreements")).location).toMatch(/^\/account\/signin\?returnUrl=/);
    expect((await get("/Account/Agreements?returnUrl=%2FMypage", member.cookie)).location).toBe("/Mypage");
    const change = await get("/Account/Agreements/terms");
    expect([change.status, change.text.includes("이용약관 변경 안내")]).toEqual([200, true]);
    expect((await get("/Account/Agreements/nothing")).status).toBe(404);
  });
});

test("invalid settings in the database count as not set", async ({ site, db }) => {
  const { results } = await db.prepare("SELECT key, value FROM site_setting").all<{ key: string; value: string }>();
  for (const value of ['{"authType":"Nonsense","siteName":7,"entries":"x"}', "{}", "[]", '"x"', "null"]) {
    await db.prepare("UPDATE site_setting SET value = ?").bind(value).run();
    for (const path of ["/api/site-setting/authentication", "/api/site-setting/info", "/?x=1", "/Account/Signup?x=1"])
      expect([value, path, (await fetch(site.url + path)).status]).toEqual([value, path, 200]);
    const { data } = (await (await fetch(`${site.url}/api/site-setting/authentication`)).json()) as {
      data: { authType: string };
    };
    expect(data.authType, JSON.stringify(value)).toBe("IdAndPassword");
  }
  const back = db.prepare("UPDATE site_setting SET value = ? WHERE key = ?");
  await db.batch(results.map(({ key, value }) => back.bind(value, key)));
});

test("the authentication type is read with each request", async ({ db, get }) => {
  const set = (type: string) =>
    db
      .prepare("UPDATE site_setting SET value = json_set(value, '$.authType', ?) WHERE key = 'authentication'")
      .bind(type)
      .run();
  await set("EmailAndPassword");
  expect((await get("/Account/Signin")).text).toContain("이메일 저장");
  expect((await get("/Account/Signup")).text).not.toContain('id="userId"');
  await set("MobileAndPassword");
  expect((await get("/Account/Signin")).text).toContain("휴대전화번호 저장");
  expect((await get("/Account/Signup")).text).toContain('id="mobile"');
  await set("IdAndPassword");
});
