/** @module-tag full */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { RunningSite } from "#worker/local/site.ts";
import { readSentCode, setAuthType, measureSidewaysScroll, signInByForm } from "../support/account.ts";
import { findAxeViolations } from "../support/browser.ts";
import { test } from "../fixtures.ts";

const label = (page: Page, text: string) => page.getByRole("main").getByLabel(text);
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const expectText = (page: Page, text: string) => page.getByText(text).first().waitFor();

async function verify(site: RunningSite, page: Page, address: string): Promise<void> {
  await press(page, "인증번호 받기");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("인증번호").fill(await codeFor(site, page, address));
  await dialog.getByRole("button", { name: "인증 확인" }).click();
  await expectText(page, "인증에 성공하였습니다.");
}
async function codeFor(site: RunningSite, page: Page, address: string): Promise<string> {
  await page.getByRole("dialog").waitFor();
  return readSentCode(site, address);
}

async function fillProfile(page: Page): Promise<void> {
  await label(page, "소속 기관").fill("한빛대학교병원");
  await label(page, "전공 분야").selectOption("감염내과");
  await label(page, "연락처").pressSequentially("01098765432");
  await page.getByRole("main").getByRole("checkbox", { name: "항체결핍" }).check();
  await page.getByRole("main").getByRole("radio", { name: "전문의" }).check();
}

async function fillPasswords(page: Page, password = "Kyul#58pa"): Promise<void> {
  await page.locator("#password").fill(password);
  await page.locator("#passwordConfirmation").fill(password);
}

test("a visitor signs up with an ID", async ({ site, visit }) => {
  const page = await visit("/Account/Signup");
  const current = page.locator("[aria-current=step]");
  await expect.poll(() => current.textContent()).toContain("약관동의 (현재단계)");
  await page.getByLabel("전체동의").check();
  await page.getByLabel("[선택] 소식지 이메일 수신 동의").uncheck();
  await expect.poll(() => page.getByLabel("전체동의").isChecked()).toBe(false);
  await expect.poll(() => current.textContent()).toContain("인증 (현재단계)");

  await page.locator("#email").fill("sunny.kim");
  await page.getByLabel("이메일 도메인").selectOption("naver.com");
  await expect.poll(() => page.locator("#email").inputValue()).toBe("sunny.kim@naver.com");
  await verify(site, page, "sunny.kim@naver.com");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("userId");
  await expect.poll(() => current.textContent()).toContain("정보입력 (현재단계)");

  await label(page, "아이디").fill("Sunny2026");
  await press(page, "중복확인");
  await expectText(page, "사용 가능한 아이디입니다.");
  await page.locator("#userName").fill("김햇살");
  await fillProfile(page);
  await expect.poll(() => label(page, "연락처").inputValue()).toBe("010-9876-5432");

  await fillPasswords(page);
  await press(page, "가입하기");
  await page.waitForURL("**/Account/Signup/Welcome");
  await expectText(page, "김햇살님, 환영합니다.");
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("signupDraft"))).toBeNull();
  await page.reload();
  await expectText(page, "김햇살님, 환영합니다.");

  await page.goto("/account/signin?returnUrl=%2Fboard%2Fnotice%2FList%2F");
  await signInByForm(page, "sunny2026", "Kyul#58pa");
  await page.waitForURL("**/board/notice/List/");
  await page.locator("header").getByText("김햇살").filter({ visible: true }).waitFor();
});

test("a draft of the sign-up keeps all but the passwords", async ({ site, visit }) => {
  const page = await visit("/Account/Signup");
  await page.getByLabel("전체동의").check();
  await page.locator("#email").fill("cloudy.kim@naver.com");
  await verify(site, page, "cloudy.kim@naver.com");
  await label(page, "아이디").fill("Cloudy2026");
  await press(page, "중복확인");
  await expectText(page, "사용 가능한 아이디입니다.");
  await page.locator("#userName").fill("김햇살");
  await fillProfile(page);
  await fillPasswords(page);

  await page.reload();
  await expectText(page, "사용 가능한 아이디입니다.");
  await expect.poll(() => page.locator("#userName").inputValue()).toBe("김햇살");
  await expect.poll(() => label(page, "소속 기관").inputValue()).toBe("한빛대학교병원");
  await expect.poll(() => page.getByLabel("[필수] 이용약관").isChecked()).toBe(true);
  await expect.poll(() => page.locator("#password").inputValue()).toBe("");
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("Kyul#");
});

test("missing input is reported at its field", async ({ site, visit }) => {
  const page = await visit("/Account/Signup");
  await press(page, "가입하기");
  const focused = () => page.evaluate(() => document.activeElement?.id);
  await expect.poll(focused).toBe("agreements.terms");
  await page.getByLabel("전체동의").check();
  await page.locator("#email").fill("rain@daum.net");
  await press(page, "가입하기");
  await expect.poll(focused).toBe("email");
  await expectText(page, "이메일 인증을 진행해주세요.");
  await verify(site, page, "rain@daum.net");
  await label(page, "아이디").fill("rainy");
  await press(page, "가입하기");
  await expect.poll(focused).toBe("userId");
  await expectText(page, "아이디 중복 확인을 진행해주세요.");
  for (const name of ["소속 기관", "전공 분야", "연락처", "회원 구분"])
    await expectText(page, `${name} 항목을 확인바랍니다.`);
  await expect.poll(() => page.locator("#userId").getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => page.locator("#userId").getAttribute("aria-describedby")).toContain("userId-error");

  await label(page, "연락처").fill("12");
  await press(page, "가입하기");
  await expectText(page, "연락처를 형식에 맞게 입력해주세요.");
  await expect.poll(() => page.locator("#email").inputValue()).toBe("rain@daum.net");

  await label(page, "아이디").fill("member01");
  await press(page, "중복확인");
  await expectText(page, "이미 사용 중인 아이디입니다.");
  await label(page, "아이디").fill("rainy");
  await press(page, "중복확인");
  await expectText(page, "사용 가능한 아이디입니다.");
  await label(page, "아이디").fill("rainy2");
  await page.getByText("사용 가능한 아이디입니다.").waitFor({ state: "detached" });

  await page.locator("#password").fill("Kyul#58pa");
  await page.locator("#passwordConfirmation").fill("Kyul?");
  await expectText(page, "비밀번호가 일치하지 않습니다.");

  await page.locator("#email").fill("rain2@daum.net");
  await page.getByText("인증에 성공하였습니다.").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "인증번호 받기" }).waitFor();
});

test("the code dialog sends a new code after a minute", async ({ site, visit }) => {
  const page = await visit("/Account/Signup", { width: 360 });
  await page.clock.install();
  await page.locator("#email").fill("cloud@gmail.com");
  await press(page, "인증번호 받기");
  const dialog = page.getByRole("dialog");
  const code = dialog.getByLabel("인증번호");
  await expect.poll(() => code.evaluate((element) => element === document.activeElement)).toBe(true);
  await expect.poll(() => code.getAttribute("autocomplete")).toBe("one-time-code");
  await expect.poll(() => code.getAttribute("inputmode")).toBe("numeric");
  const keys = await page.context().newCDPSession(page);
  for (const text of "４２") {
    await keys.send("Input.imeSetComposition", { text, selectionStart: 1, selectionEnd: 1 });
    await keys.send("Input.insertText", { text });
  }
  expect(await code.inputValue()).toBe("42");
  const right = await codeFor(site, page, "cloud@gmail.com");
  const wrong = right === "000000" ? "000001" : "000000";
  await code.fill(`${wrong.slice(0, 3)} ${wrong.slice(3)}`);
  await page.keyboard.press("Enter");
  await dialog.getByText("인증에 실패하였습니다. 남은 횟수 4회").first().waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await expect.poll(() => dialog.getByRole("button", { name: /^재전송/ }).isDisabled()).toBe(true);
  // The real time also passes, depending on the speed of the machine.
  const secondsLeft = async () => {
    const [, minutes, seconds] = /남은 시간 (\d+):(\d+)/.exec(await dialog.innerText()) ?? [];
    return Number(minutes) * 60 + Number(seconds);
  };
  const before = await secondsLeft();
  await page.clock.runFor(65_000);
  await expect.poll(secondsLeft).toBeLessThanOrEqual(before - 65);
  await expect.poll(() => dialog.getByRole("button", { name: "재전송", exact: true }).isEnabled()).toBe(true);
  await page.clock.runFor(10 * 60_000);
  await code.fill(right);
  await page.keyboard.press("Enter");
  await dialog.getByText("인증번호 발송 요청을 다시 해주세요.").first().waitFor();
});

test.for([
  {
    authType: "EmailAndPassword",
    field: "#email",
    key: "wind@naver.com",
    name: "이메일",
    taken: "member01@pid.example.kr",
  },
  { authType: "MobileAndPassword", field: "#mobile", key: "010-2222-7777", name: "휴대전화번호", taken: null },
])(
  "with $authType a member signs in with the verified address",
  async ({ authType, field, key, name, taken }, { site, visit }) => {
    await setAuthType(site, authType);
    const page = await visit("/Account/Signup", { width: 390 });
    await expect.poll(() => page.locator("#userId").count()).toBe(0);
    await page.getByLabel("전체동의").check();
    if (taken) {
      await page.locator(field).fill(taken);
      await press(page, "인증번호 받기");
      await expectText(page, `이미 사용 중인 ${name}입니다.`);
      await page.locator(field).fill("");
    }
    await page.locator(field).pressSequentially(key.replaceAll("-", ""));
    await expect.poll(() => page.locator(field).inputValue()).toBe(key);
    await verify(site, page, key);
    await fillPasswords(page);
    await page.locator("#userName").fill("박바람");
    await fillProfile(page);
    await press(page, "가입하기");
    await expectText(page, "박바람님, 환영합니다.");
    await page.getByRole("link", { name: "로그인", exact: true }).last().click();
    await signInByForm(page, key, "Kyul#58pa", name);
    await page.waitForURL(`${site.url}/`);
    await setAuthType(site, "IdAndPassword");
  },
);

test("a researcher from abroad signs up in English", async ({ site, visit }) => {
  const page = await visit("/en");
  await page.locator("header").getByRole("link", { name: "Join", exact: true }).click();
  await page.waitForURL("**/en/Account/Signup");
  await page.getByLabel("I agree to all").check();
  await page.locator("#email").fill("ana.garcia@example.at");
  await press(page, "Send a code");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Verification code").fill(await codeFor(site, page, "ana.garcia@example.at"));
  await dialog.getByRole("button", { name: "Verify" }).click();
  await expectText(page, "Verified.");
  await page.locator("#userId").fill("ana.garcia");
  await press(page, "Check availability");
  await expectText(page, "This ID is available.");
  await fillPasswords(page);
  await page.locator("#userName").fill("Ana García-López");
  await label(page, "Institution").fill("Universität Wien");
  await label(page, "Specialty").selectOption({ index: 1 });
  const telephone = label(page, "Telephone");
  await telephone.pressSequentially("4277 0");
  await press(page, "Sign up");
  await expectText(page, "Please enter a telephone number with its country code, for example +43 1 4277 0.");
  await telephone.fill("");
  await telephone.pressSequentially("+43 1 4277 0");
  expect(await telephone.inputValue()).toBe("+43 1 4277 0");
  await page.getByRole("main").getByRole("radio").first().check();
  await press(page, "Sign up");
  await page.waitForURL("**/en/Account/Signup/Welcome");
  await expectText(page, "Welcome, Ana García-López.");
});

test.for(["/Account/Signup", "/Account/Signup/Welcome"])("%s can be used by everybody", async (path, { visit }) => {
  const page = await visit(path, { width: 360 });
  for (const summary of await page.locator("main details summary").all()) await summary.click();
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await measureSidewaysScroll(page)).toBe(0);
});
