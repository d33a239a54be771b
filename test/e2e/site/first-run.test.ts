import type { Page } from "playwright-core";
import { expect } from "vitest";
import { hashPassword } from "#worker/adapters/password.server.ts";
import { findAxeViolations } from "../support/browser.ts";
import { callFromPage } from "../support/calls.ts";
import { expectDone, findButton, giveReason } from "../support/console.ts";
import { measureSidewaysScroll } from "../support/account.ts";
import { newSignedInPage } from "../support/signed-in-page.ts";
import { test as base } from "../fixtures.ts";
import { CONSOLE_RIGHTS } from "#worker/contract/kernel/console/console-page.ts";
import { consoleMenuFor } from "#app/features/site/console/console-menu.ts";
import { MAIL_TEMPLATE_KINDS } from "#worker/contract/mail/templates.ts";

/** Dozens of pages in one journey. */
const LONG_JOURNEY_MS = 300_000;

const FIRST = { userKeyCode: "office", password: "Orchard!27" };

const test = base
  .extend("siteOptions", { scope: "file" }, { seed: "empty" as const })
  .extend("office", { scope: "file" }, async ({ browser, site }, { onCleanup }) => {
    const { DB, PASSWORD_PEPPER } = await site.mf.getBindings<{ DB: D1Database; PASSWORD_PEPPER: string }>();
    const key = "INSERT INTO user_key (user_key_type, user_key_code, user_id, verified_date) VALUES (?, ?, 'first', 1)";
    await DB.batch([
      DB.prepare(
        `INSERT INTO user (id, user_name, user_type, role_code, status, password_hash, profile, created_date, modified_date)
         VALUES ('first', '사무국', 'Admin', 'administrator', 'active', ?, '{}', 1, 1)`,
      ).bind(hashPassword(FIRST.password, PASSWORD_PEPPER)),
      DB.prepare(key).bind("Id", FIRST.userKeyCode),
      DB.prepare(key).bind("Email", "office@alumni.example.kr"),
    ]);
    const page = await newSignedInPage(browser, site.url, FIRST);
    await page.context().addInitScript(countSteps);
    onCleanup(() => page.context().close());
    return page;
  });

function countSteps(): void {
  const count = (event: Event) => {
    if (event.isTrusted) localStorage.setItem("steps", String(Number(localStorage.getItem("steps") ?? 0) + 1));
  };
  addEventListener("click", count, true);
  addEventListener("change", count, true);
}
const stepsOf = (page: Page) => page.evaluate(() => Number(localStorage.getItem("steps")));

const step = (page: Page, name: string) =>
  page.locator("#main ol > li", { has: page.getByRole("heading", { name: new RegExp(`^${name} `) }) });
const openSetup = (page: Page) => page.goto("/Admin/Setup");

/** Replaces the first placeholder of a draft. */
async function fillPlace(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "내용" }).click();
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector(".ProseMirror") as Node, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      const from = node.data.indexOf("〔적을 것:");
      if (from >= 0) return getSelection()?.setBaseAndExtent(node, from, node, node.data.indexOf("〕", from) + 1);
    }
    throw new Error("no place is left");
  });
  await page.keyboard.insertText(text);
}

async function publish(page: Page): Promise<void> {
  await findButton(page, "게시").click();
  await page.getByRole("dialog").getByRole("button", { name: "게시", exact: true }).click();
}

const EMBLEM = /network|favicon\.svg|apple-touch-icon|og\.png/;
const picturesOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("link[rel*=icon], img, meta[property='og:image']")].map(
      (each) => each.getAttribute("href") ?? each.getAttribute("src") ?? each.getAttribute("content") ?? "",
    ),
  );

test(
  "an empty site guides its first administrator until people can join",
  { timeout: LONG_JOURNEY_MS, tags: "full" },
  async ({ office, guest, site }) => {
    await guest.goto("/");
    expect((await picturesOf(guest)).filter((address) => EMBLEM.test(address))).toEqual([]);
    expect(await guest.locator("header svg text").first().textContent()).toBe("새");
    expect(await (await fetch(new URL("/manifest.webmanifest", site.url))).text()).not.toMatch(EMBLEM);
    await guest.goto("/Account/Signup");
    await guest.getByText("아직 회원가입을 받지 않습니다. 이용약관, 개인정보 처리방침을 준비하고 있습니다.").waitFor();
    expect(await guest.getByRole("button", { name: "가입하기" }).count()).toBe(0);
    expect(await findAxeViolations(guest)).toEqual([]);

    await office.setViewportSize({ width: 1280, height: 900 });
    await office.goto("/Admin");
    await office.getByRole("link", { name: "처음 설정이 11가지 남았습니다." }).click();
    await office.getByRole("heading", { level: 1, name: "처음 설정" }).waitFor();

    await step(office, "사이트 이름").getByRole("link", { name: "하러 가기" }).click();
    await office.getByLabel("사이트 이름").fill("한빛고 총동문회");
    await office.getByLabel("기관명").fill("한빛고등학교 총동문회");
    await office.getByLabel("전화").fill("02-0000-0001");
    await office.getByLabel("이메일", { exact: true }).fill("office@alumni.example.kr");
    await findButton(office, "저장").click();
    await giveReason(office);
    await expectDone(office, "사이트 정보를 저장하였습니다.");

    await openSetup(office);
    await findButton(office, "지금 설정 그대로 쓰기").click();
    await step(office, "로그인 방법과 가입 항목").getByText("(마침)").waitFor({ state: "attached" });

    await step(office, "이용약관").getByRole("button", { name: "초안 만들기" }).click();
    await office.waitForURL("**/Admin/Contents/terms");
    await office.getByRole("textbox", { name: "내용" }).getByText("한빛고등학교 총동문회가 운영하는").waitFor();
    await publish(office);
    await expectDone(office, "게시하였습니다.");

    await openSetup(office);
    await step(office, "개인정보 처리방침").getByRole("button", { name: "초안 만들기" }).click();
    await office.waitForURL("**/Admin/Contents/privacy");
    await office.getByRole("textbox", { name: "내용" }).getByText("〔적을 것: 성명과 직위〕").waitFor();
    await publish(office);
    await office.getByText("표시된 곳이 남아 있습니다", { exact: false }).first().waitFor();
    await office.getByRole("dialog").waitFor({ state: "detached" });
    await fillPlace(office, "홍길동, 사무국장");
    await publish(office);
    await expectDone(office, "게시하였습니다.");

    await openSetup(office);
    await step(office, "개인정보 수집·이용 동의").getByRole("link", { name: "하러 가기" }).click();
    await findButton(office, "초안으로 추가").click();
    const dialog = office.getByRole("dialog");
    await dialog.getByText("회원가입에 필요한 개인정보를 아래와 같이").waitFor();
    await dialog.getByRole("button", { name: "공포", exact: true }).click();
    await expectDone(office, "공포하였습니다.");

    await openSetup(office);
    await findButton(office, "시험 메일 보내기").click();
    await expectDone(office, "시험 메일을 보냈습니다.");
    const outbox = await fetch(new URL("/dev/outbox", site.url));
    expect(await outbox.text()).toContain("[시험] [한빛고 총동문회] 가입이 승인되었습니다");
    await findButton(office, "메일을 받았습니다").click();
    await step(office, "메일 시험").getByText("(마침)").waitFor({ state: "attached" });
    await findButton(office, "지금 게시판 그대로 쓰기").click();
    await office.getByText("11가지 가운데 3가지가 남았습니다.", { exact: false }).waitFor();

    await guest.goto("/Account/Signup");
    await guest.getByText("개인정보 수집·이용 동의").first().waitFor();
    await guest.goto("/privacy");
    await guest.getByText("홍길동, 사무국장").waitFor();
    await office.goto("/Admin");
    await office.getByRole("link", { name: "처음 설정이 3가지 남았습니다." }).waitFor();
    await office.setViewportSize({ width: 390, height: 844 });
    await openSetup(office);
    await step(office, "두 번째 관리자").getByText("(남음)").waitFor({ state: "attached" });
    expect(await measureSidewaysScroll(office)).toBe(0);
    expect(await findAxeViolations(office)).toEqual([]);
  },
);

/** Terms of the demo society; a school uses none of them. */
const OTHER_SOCIETY = /증례|연구|(?<!데이터|신고)센터|환자|레지스트리|면역|병원|소아|Registry|(?<![/\w.])pid\b/;
/** These pages list hidden things for restoring, or show the deployment. */
const SHOWS_HIDDEN = new Set(
  ["Identity", "Contents", "Pages", "Menu", "Configuration"].map((name) => `/Admin/${name}`),
);
/** Ten minutes at five seconds a step. */
const STEPS_MAX = 120;
const FIRST_PAGES = [
  "연구망 소개",
  "연구 대상",
  "등록 절차",
  "거주지별 등록 현황",
  "레지스트리",
  "권역센터",
  "연구 제안",
  "연구 규정",
];
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80"><rect width="240" height="80" rx="12" fill="#7a1f3d"/></svg>`;

const saved = async (page: Page, text: string): Promise<void> => {
  await findButton(page.locator("#main"), "저장").click();
  await expectDone(page, text);
};

test(
  "a site looks like a school's within ten minutes",
  { timeout: LONG_JOURNEY_MS, tags: "full" },
  async ({ office, openGuest, site }) => {
    await office.setViewportSize({ width: 1280, height: 900 });
    await office.goto("/Admin/Identity");
    for (const [word, own] of [
      ["연구망", "총동문회"],
      ["동문", "졸업생"],
      ["동문주소록", "졸업생 명부"],
    ])
      await office.getByLabel(`'${word}' 대신`).fill(own ?? "");
    await office.getByLabel("자주").check();
    await office.getByLabel("지역 기관(지도, 지역별 안내)을 씁니다.").uncheck();
    await office.getByLabel("밖의 연계 서비스(등록 현황, 서비스 연결)를 씁니다.").uncheck();
    await findButton(office, "버튼 바꾸기").click();
    await saved(office, "모양과 용어를 저장하였습니다.");
    const [chooser] = await Promise.all([
      office.waitForEvent("filechooser"),
      findButton(office, "로고 올리기").click(),
    ]);
    await chooser.setFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(LOGO) });
    await office.getByRole("img", { name: "공유할 때 나오는 그림" }).waitFor();

    await office.goto("/Admin/Pages");
    for (const label of FIRST_PAGES) {
      const row = office.locator(`#main li:has(a[href]):has(input[value="${label}"])`);
      if ((await row.count()) === 0) continue;
      await row.getByRole("checkbox").check();
    }
    await findButton(office, "페이지 추가").click();
    const added = office.locator("#main ol > li").last();
    await added.getByLabel(/페이지의 이름/).fill("장학 사업");
    await added.getByLabel("주소의 끝").fill("scholarship");
    await saved(office, "안내 페이지를 저장하였습니다.");
    await office.getByText("메뉴에 없는 페이지: 장학 사업.", { exact: false }).waitFor();

    await office.goto("/Admin/Boards");
    await findButton(office, "게시판 추가").click();
    await office.getByRole("dialog").getByLabel("게시판 이름").fill("기수별 소식");
    await office.getByRole("dialog").getByLabel("코드").fill("class");
    await findButton(office.getByRole("dialog"), "추가").click();
    await office.waitForURL("**/Admin/Boards/class");
    await office.goto("/Admin/Boards");
    const rows = office.locator("#main .list-row");
    await rows.filter({ hasText: "기수별 소식" }).getByTitle("끌어서 순서 바꾸기").dragTo(rows.first());
    await expectDone(office, "순서를 바꾸었습니다.");
    await expect.poll(() => rows.first().textContent()).toContain("기수별 소식");
    await findButton(office, "열기 기수별 소식").click();
    await findButton(office.getByRole("alertdialog"), "게시판 열기").click();
    await expectDone(office, "게시판을 열었습니다.");
    await office.goto("/Admin/Boards/reference");
    await office.getByRole("textbox", { name: /^이름/ }).fill("동창회보");
    await office.getByLabel("분류", { exact: true }).fill("회보\n사진");
    await saved(office, "게시판을 저장하였습니다.");

    await office.goto("/Admin/Alumni");
    await findButton(office, "항목 추가").click();
    await office.getByRole("dialog").getByLabel("이름").fill("졸업한 반");
    await findButton(office.getByRole("dialog"), "저장").click();
    await expectDone(office, "항목을 저장하였습니다.");
    expect(await stepsOf(office)).toBeLessThanOrEqual(STEPS_MAX);

    const guest = await openGuest();
    const readWhole = async (page: Page, path: string) => {
      await page.goto(path);
      return page.evaluate(() => {
        const named = [...document.querySelectorAll("[aria-label], [alt], [title], [placeholder]")].flatMap((element) =>
          ["aria-label", "alt", "title", "placeholder"].map((name) => element.getAttribute(name) ?? ""),
        );
        const meta = [...document.querySelectorAll("meta[content]")].map(
          (element) => element.getAttribute("content") ?? "",
        );
        return [document.title, document.body.innerText, ...named, ...meta].join("\n");
      });
    };
    const found: string[] = [];
    const lookInto = (path: string, text: string) => {
      const line = text.split("\n").find((each) => OTHER_SOCIETY.test(each));
      if (line !== undefined) found.push(`${path}: ${line}`);
    };
    const look = async (page: Page, path: string) => lookInto(path, await readWhole(page, path));
    const publicPages = [
      "/",
      "/terms",
      "/privacy",
      "/sitemap",
      "/search",
      "/calendar",
      "/Account/Signup",
      "/Account/Signin",
    ];
    for (const path of [...publicPages, "/board/class/List/", "/board/reference/List/"]) await look(guest, path);
    for (const path of ["/", "/Alumni", "/Alumni/Import", "/Mypage", "/Mypage/Certificate"]) await look(office, path);
    await office.emulateMedia({ media: "print" });
    await look(office, "/Alumni/Print");
    await look(office, "/Admin/Guide");
    await office.emulateMedia({ media: null });
    await look(guest, "/nothing-here");
    const consoleRights = CONSOLE_RIGHTS.filter((right) => !right.startsWith("Research_"));
    for (const { links } of consoleMenuFor({ words: {}, hasNoCenters: true }, { consoleRights }))
      for (const { href } of links) if (!SHOWS_HIDDEN.has(href)) await look(office, href);
    for (const kind of MAIL_TEMPLATE_KINDS) {
      const path = `/api/admin/mail-template/${kind}`;
      lookInto(path, JSON.stringify(await callFromPage(office, "GET", path)));
    }
    const machines = ["/manifest.webmanifest", "/robots.txt", "/sitemap.xml", "/board/class/rss.xml", "/dev/outbox"];
    for (const path of [...machines, "/TOS/Content/TermsContent", "/TOS/Content/PrivacyContent"]) {
      const answer = await fetch(new URL(path, site.url));
      expect([path, answer.status]).toEqual([path, 200]);
      lookInto(path, (await answer.text()).replaceAll(/<style[\s\S]*?<\/style>|<script[\s\S]*?<\/script>/g, ""));
    }
    expect(found).toEqual([]);
    for (const path of ["/pid/center", "/pid/residence", "/Registry", "/research/proposal"])
      expect([path, (await fetch(new URL(path, site.url))).status]).toEqual([path, 404]);
    await guest.goto("/");
    await guest.getByRole("link", { name: "동창회보" }).first().waitFor();
    expect(await guest.locator("header img").first().getAttribute("src")).toContain("/api/site-setting/logo/light");
    for (const [tag, name] of [
      ['meta[property="og:image"]', "content"],
      ['link[rel="icon"]', "href"],
    ] as const)
      expect(await guest.locator(tag).first().getAttribute(name)).toContain("/api/site-setting/logo/");
    expect(await findAxeViolations(guest)).toEqual([]);
    await openSetup(office);
    for (const name of ["로고와 색, 부르는 말", "안내 페이지"])
      await step(office, name).getByText("(마침)").waitFor({ state: "attached" });
  },
);
