/** @module-tag full */
import { expect } from "vitest";
import { holdRequests, listens } from "../support/browser.ts";
import { type Credentials, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { test as browserTest } from "../fixtures.ts";

/** Delays the scripts of a page, as on a slow connection. */
const test = browserTest.extend("slowly", ({ openAs, openGuest }) => async (path: string, person?: Credentials) => {
  const page = person ? await openAs(person) : await openGuest();
  const release = await holdRequests(page, "**/assets/*.js");
  await page.goto(path, { waitUntil: "commit" });
  const listen = async () => {
    release();
    await listens(page);
  };
  return { page, listen };
});

test("input sent with Enter before hydration is sent after it: password recovery", async ({ slowly }) => {
  const { page, listen } = await slowly("/Account/FindPassword");
  const address = page.locator("#address");
  await address.fill("member01@pid.example.kr");
  await address.press("Enter");
  await address.press("Enter");
  let sent = 0;
  page.on("request", (request) => void (sent += request.method() === "GET" ? 0 : 1));
  await listen();
  await page.locator("input[name=pincode]").waitFor();
  expect([new URL(page.url()).pathname, sent]).toEqual(["/Account/FindPassword", 1]);
});

test("a button pressed before hydration works after it", async ({ slowly }) => {
  const { page, listen } = await slowly("/board/notice/View/60", MEMBER_CREDENTIALS);
  await page.getByRole("textbox", { name: "댓글" }).fill("일찍 쓴 댓글");
  await page.getByRole("button", { name: "등록", exact: true }).click();
  const report = page.getByRole("button", { name: "신고", exact: true }).first();
  // Two presses open it once.
  await report.click();
  await report.click();
  await listen();
  await page.getByRole("dialog", { name: "이 글을 신고하시겠습니까?" }).waitFor();
  await page.getByRole("listitem").filter({ hasText: "일찍 쓴 댓글" }).first().waitFor();
  expect(new URL(page.url()).search).toBe("");
  await page.context().close();

  const choices = await slowly("/Mypage/Notices", MEMBER_CREDENTIALS);
  const box = choices.page.getByRole("checkbox", { name: "회원게시판", exact: true });
  const was = await box.isChecked();
  await box.click();
  await choices.listen();
  await choices.page.getByRole("status").getByText("회원게시판").waitFor();
  await expect.poll(() => box.isChecked()).toBe(!was);
  await choices.page.context().close();
});

test("a menu opened before hydration or during a navigation stays open", async ({ slowly }) => {
  const { page, listen } = await slowly("/", MEMBER_CREDENTIALS);
  const group = page.locator("header nav summary").first();
  const inside = page.locator("header nav a[href='/pid/organization']").first();
  // Nothing takes the focus before its style is loaded.
  const takesFocus = async () => {
    await group.focus();
    return group.evaluate((element) => document.activeElement === element);
  };
  await expect.poll(takesFocus).toBe(true);
  await page.keyboard.press("Enter");
  await inside.waitFor();
  await listen();
  await expect.poll(() => inside.isVisible()).toBe(true);

  const release = await holdRequests(page, "**/organization.data*");
  await inside.press("Enter");
  await inside.waitFor({ state: "hidden" });
  await group.focus();
  await page.keyboard.press("Enter");
  await inside.waitFor();
  release();
  await page.locator("#main h1", { hasText: "조직" }).waitFor();
  await expect.poll(() => inside.isVisible()).toBe(true);
});

test("a change is saved even when the page is left", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/Mypage/Notices");
  const box = page.getByRole("checkbox", { name: "자료실", exact: true });
  const was = await box.isChecked();
  const release = await holdRequests(page, "**/api/board/*/follow");
  const asked: string[] = [];
  page.on("request", (request) => void (request.url().includes(".data") && asked.push(request.url())));
  await box.click();
  await page.getByRole("link", { name: "로그인 기기" }).click();
  // The progress bar stays until the act is answered, and only then the next page is read.
  await page.locator("header .animate-progress").waitFor();
  expect(asked).toEqual([]);
  release();
  await page.waitForURL("**/Mypage/Sessions");
  await page.goto("/Mypage/Notices");
  await expect.poll(() => box.isChecked()).toBe(!was);

  await page.unroute("**/api/board/*/follow");
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });
  const read = async () => {
    await page.goto("/Mypage/Notices");
    return box.isChecked();
  };
  // Checks `keepalive` of the request, because its arrival depends on the machine.
  const kept: string[] = [];
  page.on("console", (message) => message.text().startsWith("kept ") && kept.push(message.text()));
  await page.evaluate(() => {
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => {
      console.info(`kept ${init?.method} ${init?.keepalive}`);
      return fetch(input, init);
    };
  });
  await box.evaluate((element: HTMLInputElement) => {
    element.click();
    setTimeout(() => location.assign("about:blank"));
  });
  await page.waitForURL("about:blank");
  await expect.poll(read).toBe(was);
  expect(kept).toEqual([`kept ${was ? "PUT" : "DELETE"} true`]);
  expect(questions).toEqual([]);
  // An unsent request would be lost, so the browser asks before leaving.
  await box.evaluate((element: HTMLInputElement) => {
    element.click();
    location.assign("about:blank");
  });
  await page.waitForURL("about:blank");
  expect(questions).toEqual(["beforeunload"]);
});

test("input in the sign-up form survives hydration", async ({ slowly }) => {
  const { page, listen } = await slowly("/Account/Signup");
  await page.locator("#userName").fill("홍길동");
  await page.locator("#password").fill("Typed!Early1");
  await page.getByRole("checkbox").nth(1).check();
  await listen();
  const name = page.locator("#userName");
  await page.locator("#passwordConfirmation").fill("Typed!Early1");
  await expect.poll(() => name.inputValue()).toBe("홍길동");
  await expect.poll(() => page.locator("#password").inputValue()).toBe("Typed!Early1");
  await expect.poll(() => page.getByRole("checkbox").nth(1).isChecked()).toBe(true);
  await page.reload();
  await expect.poll(() => name.inputValue()).toBe("홍길동");
});

test("signing out on a page for members leads to the home page", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/Mypage/Info");
  await page.locator("header").getByRole("button", { name: "로그아웃" }).first().click();
  await page.locator("header").getByRole("link", { name: "로그인" }).first().waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  await expect.poll(() => page.evaluate(() => localStorage.getItem("accessToken"))).toBeNull();
  await page.getByText("로그아웃하였습니다.").waitFor();
});

test("cached pages run without errors under their own CSP", async ({ openGuest }) => {
  const page = await openGuest();
  const problems: string[] = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  // Blocked attempts are reported even when the page keeps working; normal use must cause none.
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective}`));
  });
  for (const path of ["/board/notice/List/", "/board/notice/View/60", "/pid/center"]) {
    for (let visit = 0; visit < 3; visit += 1) await page.goto(path);
    await page.locator("header a[href='/search']:visible").click();
    await page.waitForURL("**/search");
    await listens(page);
  }
  expect(problems).toEqual([]);
});

/** Failing built-ins: in a component, also at React's second render, and in a document changed by an extension. */
const FAILURES = {
  "in a component": (fail: () => never) => {
    const { every } = Array.prototype;
    let times = 0;
    const failTwice = () => {
      times += 1;
      if (times === 2) Object.assign(Array.prototype, { every });
      return fail();
    };
    Object.assign(Array.prototype, { every: failTwice });
  },
  "in the document": (fail: () => never) => {
    const { appendChild, insertBefore } = Node.prototype;
    const failOnce = (real: typeof appendChild | typeof insertBefore) =>
      function change(this: Node, ...given: [Node, Node]) {
        if (!this.isConnected) return real.apply(this, given);
        Object.assign(Node.prototype, { appendChild, insertBefore });
        return fail();
      };
    Object.assign(Node.prototype, { appendChild: failOnce(appendChild), insertBefore: failOnce(insertBefore) });
  },
};

test.for(Object.entries(FAILURES))(
  "a page that fails %s is rendered again with its input",
  async ([, install], { openGuest }) => {
    const page = await openGuest();
    await page.goto("/Account/FindId");
    const name = page.locator("[name=userName]");
    await name.fill("홍길동");
    await name.evaluate((field) => field.setAttribute("data-failed", ""));
    await page.evaluate(`(${install.toString()})(() => { throw new DOMException("failed", "NotFoundError") })`);
    await page.getByRole("button", { name: "아이디 찾기" }).click();
    await page.locator("[name=userName]:not([data-failed])").waitFor();
    await expect.poll(() => name.inputValue()).toBe("홍길동");
    await page.getByRole("heading", { level: 1, name: "아이디 찾기" }).waitFor();
    await page.getByRole("button", { name: "아이디 찾기" }).click();
    await page.locator("#address[aria-invalid=true]").waitFor();
    expect(await name.inputValue()).toBe("홍길동");
  },
);
