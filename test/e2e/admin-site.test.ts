import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SiteSettingView } from "#worker/contract/admin-setting.ts";
import type { Site } from "#worker/local/site.ts";
import { newSite } from "../site.ts";
import { newPage } from "./support/browser.ts";
import { launch } from "./support/chromium.ts";
import { button, elsewhere, fine, told, toPage, WIDTHS } from "./support/by-menu.ts";
import { ADMIN, signedInPage } from "./support/signed-in.ts";

let site: Site;
let browser: Browser;
let admin: Page;
let guest: Page;

beforeAll(async () => {
  [site, browser] = await Promise.all([newSite(), launch()]);
  [admin, guest] = await Promise.all([signedInPage(browser, site.url, ADMIN), newPage(browser, site.url)]);
});
afterAll(async () => {
  await browser?.close();
  await site?.dispose();
});

const seen = async (path: string) => (await guest.request.get(`${path}?x=1`)).text();
const dialog = () => admin.getByRole("dialog").last();
const siteSetting = async () => (await elsewhere<SiteSettingView>(admin, "GET", "setting/site")).data;

describe.each(WIDTHS)("at %i pixels", (width) => {
  test("names and contact are changed; what is wrong stands beside its field, and visitors see the rest", async () => {
    await toPage(admin, width, "사이트 정보");
    await admin.getByLabel("이메일").fill("사무국");
    await admin.getByLabel("저작권 표시").fill(`© 연구망 ${width}`);
    await button(admin, "저장").click();
    await admin.getByText("이메일을 형식에 맞게 입력해 주십시오.").waitFor();
    const email = admin.getByLabel("이메일");
    await expect.poll(() => email.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await admin.getByLabel("저작권 표시").inputValue()).toBe(`© 연구망 ${width}`);
    await email.fill(`office${width}@pid.example.kr`);
    await admin.keyboard.press("Enter");
    await told(admin, "사이트 정보를 저장하였습니다.");
    expect(await seen("/")).toContain(`office${width}@pid.example.kr`);
    await fine(admin);
  });

  test("two change the same setting: the second sees what the first did, keeps his words and decides", async () => {
    await toPage(admin, width, "사이트 정보");
    const { value, version } = await siteSetting();
    await admin.getByLabel("소개").fill(`내가 쓴 소개 ${width}`);
    const theirs = {
      ...value,
      description: "남이 쓴 소개",
      contact: { ...value.contact, fax: `02-0000-0${width}`.slice(0, 12) },
    };
    expect((await elsewhere(admin, "PATCH", "setting/site", { ...theirs, version })).code).toBe("SUCCESS");
    await button(admin, "저장").click();
    const note = admin.getByRole("status").filter({ hasText: "그사이 다른 곳에서 내용이 바뀌었습니다" });
    await note.getByText("저장된 내용: 남이 쓴 소개").waitFor();
    await note.getByText("새로 불러온 항목: 팩스").waitFor();
    expect(await admin.getByLabel("소개").inputValue()).toBe(`내가 쓴 소개 ${width}`);
    expect(await admin.getByLabel("팩스").inputValue()).toBe(theirs.contact.fax);
    await button(admin, "저장").click();
    await told(admin, "사이트 정보를 저장하였습니다.");
    expect((await siteSetting()).value).toMatchObject({ ...theirs, description: `내가 쓴 소개 ${width}` });
  });

  test("neither a lost connection nor a link nor the end of a session takes away what was typed", async () => {
    await toPage(admin, width, "사이트 정보");
    const name = admin.getByLabel("연구망·사업 이름");
    await name.fill(`면역결핍 ${width}`);
    await admin.context().setOffline(true);
    await button(admin, "저장").click();
    await admin.getByText("서버에 연결하지 못했습니다.").waitFor();
    await admin.context().setOffline(false);

    await admin.locator("header a").first().click();
    await admin.getByRole("alertdialog", { name: "저장하지 않은 내용이 있습니다" }).waitFor();
    await button(admin, "계속 쓰기").click();

    await admin.evaluate(() => {
      // As when another tab found out that the time was over.
      const oldValue = localStorage.getItem("accessToken");
      localStorage.removeItem("accessToken");
      dispatchEvent(new StorageEvent("storage", { key: "accessToken", oldValue, newValue: null }));
    });
    const signin = admin.getByRole("dialog", { name: "다시 로그인해 주십시오" });
    await button(signin, "취소").click();
    await button(admin, "저장").click();
    await signin.getByLabel("아이디").fill(ADMIN.userKeyCode);
    await signin.getByLabel("비밀번호", { exact: true }).fill(ADMIN.password);
    await admin.keyboard.press("Enter");
    await told(admin, "사이트 정보를 저장하였습니다.");
    expect((await siteSetting()).value.productName).toBe(`면역결핍 ${width}`);
  });

  test("a popup survives a wrong address, a slip of the mouse and a second press, and is what visitors see", async () => {
    await toPage(admin, width, "팝업");
    const sent: string[] = [];
    admin.on("request", (request) => {
      if (request.method() === "PUT") sent.push(request.url());
    });
    await button(admin, "팝업 추가").click();
    await dialog().getByRole("textbox", { name: "제목 (필수)" }).fill(`겨울 휴무 ${width}`);
    await dialog().getByRole("textbox", { name: "내용" }).click();
    await admin.keyboard.type("12월 말에 쉽니다.");
    await dialog().getByLabel("자세히 보기 주소").fill("/nowhere");
    await admin.keyboard.press("Escape");
    await button(dialog(), "계속 작성").click();
    await button(dialog(), "저장").click();
    await dialog().getByText("이 사이트에 없는 주소입니다.").waitFor();
    await dialog().getByLabel("자세히 보기 주소").fill("/board/notice/List/");
    await button(dialog(), "저장").dblclick();
    await told(admin, "팝업을 저장하였습니다.");
    // Refused once, kept once: neither the answer to Esc nor the second press sent anything.
    expect(sent.length).toBe(2);
    admin.removeAllListeners("request");
    await button(admin, `위로 겨울 휴무 ${width}`).click();
    await told(admin, "순서를 바꾸었습니다.");
    await fine(admin);

    await guest.setViewportSize({ width, height: 844 });
    await guest.goto("/?x=1");
    const popup = guest.getByRole("region", { name: `알림: 겨울 휴무 ${width}` });
    await popup.waitFor();
    const box = (await popup.boundingBox())!;
    expect(box.x >= 0 && box.x + box.width <= width).toBe(true);
    await button(admin, `삭제 겨울 휴무 ${width}`).click();
    await button(admin.getByRole("alertdialog"), "삭제").click();
    await told(admin, "팝업을 삭제하였습니다.");
    expect(await seen("/")).not.toContain(`겨울 휴무 ${width}`);
  });
});
