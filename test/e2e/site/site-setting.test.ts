/** @module-tag full */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { SiteSettingView, MenuSettingView } from "#worker/contract/site/view.ts";
import { expectPageAccessible } from "../support/accessible.ts";
import { callAsOtherAdministrator } from "../support/calls.ts";
import { dismissToast, findButton, giveReason, openConsolePage, SCREEN_WIDTHS } from "../support/console.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { requirePresent } from "../../support/require-present.ts";
import { test } from "../fixtures.ts";

const seen = async (guest: Page, path: string) => (await guest.request.get(`${path}?x=1`)).text();
const dialog = (admin: Page) => admin.getByRole("dialog").last();
const siteSetting = async (admin: Page) =>
  (await callAsOtherAdministrator<SiteSettingView>(admin, "GET", "setting/site")).data;

describe.each(SCREEN_WIDTHS)("at %i pixels", (width) => {
  test("the site's contact data can be changed", async ({ admin, guest }) => {
    await openConsolePage(admin, width, "사이트 정보");
    await admin.getByLabel("이메일", { exact: true }).fill("사무국");
    await admin.getByLabel("저작권 표시").fill(`© 연구망 ${width}`);
    await findButton(admin, "저장").click();
    await admin.getByText("이메일을 형식에 맞게 입력해 주십시오.").waitFor();
    const email = admin.getByLabel("이메일", { exact: true });
    await expect.poll(() => email.evaluate((field) => field === document.activeElement)).toBe(true);
    await expect.poll(() => admin.getByLabel("저작권 표시").inputValue()).toBe(`© 연구망 ${width}`);
    await email.fill(`office${width}@pid.example.kr`);
    await admin.keyboard.press("Enter");
    await giveReason(admin);
    await dismissToast(admin, "사이트 정보를 저장하였습니다.");
    expect(await seen(guest, "/")).toContain(`office${width}@pid.example.kr`);
    await expectPageAccessible(admin);
  });

  test("the second of two editors of a setting decides", async ({ admin }) => {
    await openConsolePage(admin, width, "사이트 정보");
    const { value, version } = await siteSetting(admin);
    await admin.getByLabel("소개").fill(`내가 쓴 소개 ${width}`);
    const theirs = {
      ...value,
      description: "남이 쓴 소개",
      contact: { ...value.contact, fax: `02-0000-0${width}`.slice(0, 12) },
    };
    expect((await callAsOtherAdministrator(admin, "PATCH", "setting/site", { ...theirs, version })).code).toBe(
      "SUCCESS",
    );
    await findButton(admin, "저장").click();
    const note = admin.getByRole("status").filter({ hasText: "그사이 다른 곳에서 내용이 바뀌었습니다" });
    await note.getByText("남이 쓴 소개").waitFor();
    await note.getByText(`내가 쓴 소개 ${width}`).waitFor();
    await note.getByText("새로 불러온 항목: 팩스").waitFor();
    await expect.poll(() => admin.getByLabel("소개").inputValue()).toBe(`내가 쓴 소개 ${width}`);
    await expect.poll(() => admin.getByLabel("팩스").inputValue()).toBe(theirs.contact.fax);
    await findButton(admin, "저장").click();
    await note.getByText("남이 쓴 소개").waitFor();
    expect((await siteSetting(admin)).value).toMatchObject({ description: "남이 쓴 소개" });
    await expectPageAccessible(admin);
    await findButton(admin, "내 내용으로 저장").click();
    await dismissToast(admin, "사이트 정보를 저장하였습니다.");
    expect((await siteSetting(admin)).value).toMatchObject({ ...theirs, description: `내가 쓴 소개 ${width}` });
  });

  test("a lost connection, a link or an expired session loses no input", async ({ admin }) => {
    await openConsolePage(admin, width, "사이트 정보");
    const name = admin.getByLabel("사업 이름");
    await name.fill(`면역결핍 ${width}`);
    await admin.context().setOffline(true);
    await findButton(admin, "저장").click();
    await admin.getByText("사이트에 연결하지 못했습니다.").waitFor();
    await admin.context().setOffline(false);

    await admin.locator("header a").first().click();
    await admin.getByRole("alertdialog", { name: "저장하지 않은 내용이 있습니다" }).waitFor();
    await findButton(admin, "계속 쓰기").click();

    await admin.evaluate(() => {
      const oldValue = localStorage.getItem("accessToken");
      localStorage.removeItem("accessToken");
      dispatchEvent(new StorageEvent("storage", { key: "accessToken", oldValue, newValue: null }));
    });
    const signin = admin.getByRole("dialog", { name: "다시 로그인해 주십시오" });
    await findButton(signin, "취소").click();
    await findButton(admin, "저장").click();
    await signin.getByLabel("아이디").fill(ADMIN_CREDENTIALS.userKeyCode);
    await signin.getByLabel("비밀번호", { exact: true }).fill(ADMIN_CREDENTIALS.password);
    await admin.keyboard.press("Enter");
    await dismissToast(admin, "사이트 정보를 저장하였습니다.");
    expect((await siteSetting(admin)).value.productName).toBe(`면역결핍 ${width}`);
  });

  test("a popup form survives an invalid address or a second press", async ({ admin, guest }) => {
    await openConsolePage(admin, width, "팝업");
    const sent: string[] = [];
    admin.on("request", (request) => {
      if (request.method() === "PUT") sent.push(request.url());
    });
    await findButton(admin, "팝업 추가").click();
    await dialog(admin).getByRole("textbox", { name: "제목 (필수)" }).fill(`겨울 휴무 ${width}`);
    await dialog(admin).getByRole("textbox", { name: "내용" }).click();
    await admin.keyboard.type("12월 말에 쉽니다.");
    await dialog(admin).getByLabel("자세히 보기 주소").fill("/nowhere");
    await expectPageAccessible(admin);
    await admin.keyboard.press("Escape");
    await findButton(dialog(admin), "계속 작성").click();
    await findButton(dialog(admin), "저장").click();
    await dialog(admin).getByText("이 사이트에 없는 주소입니다.").waitFor();
    await dialog(admin).getByLabel("자세히 보기 주소").fill("/board/notice/List/");
    await findButton(dialog(admin), "저장").dblclick();
    await dismissToast(admin, "팝업을 저장하였습니다.");
    // One refused and one accepted request; Esc and the second press sent none.
    expect(sent.length).toBe(2);
    admin.removeAllListeners("request");
    await findButton(admin, `위로 겨울 휴무 ${width}`).click();
    await dismissToast(admin, "순서를 바꾸었습니다.");

    await guest.setViewportSize({ width, height: 844 });
    await guest.goto("/?x=1");
    const popup = guest.getByRole("region", { name: `알림: 겨울 휴무 ${width}` });
    await popup.waitFor();
    const box = requirePresent(await popup.boundingBox());
    expect(box.x >= 0 && box.x + box.width <= width).toBe(true);
    await findButton(admin, `삭제 겨울 휴무 ${width}`).click();
    await findButton(admin.getByRole("alertdialog"), "삭제").click();
    await dismissToast(admin, "팝업을 삭제하였습니다.");
    expect(await seen(guest, "/")).not.toContain(`겨울 휴무 ${width}`);
  });

  test("a concurrent save of the menu is not overwritten", async ({ admin, guest }) => {
    await openConsolePage(admin, width, "메뉴");
    const group = admin.getByRole("textbox", { name: "묶음" }).first();
    await group.fill("");
    await findButton(admin, "저장").click();
    await expect.poll(() => group.getAttribute("aria-invalid")).toBe("true");
    await group.fill(`우리 연구망 ${width}`);
    await admin.getByLabel("숨기기 권역센터").check();
    await findButton(admin, "아래로 권역센터").click();

    const { value, version } = (await callAsOtherAdministrator<MenuSettingView>(admin, "GET", "setting/menu")).data;
    const entries = value.entries.map((entry, at) => (at === 1 ? { ...entry, label: `남의 묶음 ${width}` } : entry));
    expect((await callAsOtherAdministrator(admin, "PATCH", "setting/menu", { entries, version })).code).toBe("SUCCESS");
    await findButton(admin, "저장").click();
    await admin.getByText("그사이 다른 곳에서 메뉴가 바뀌었습니다.").waitFor();
    await expect.poll(() => group.inputValue()).toBe(`우리 연구망 ${width}`);
    await expectPageAccessible(admin);
    await findButton(admin, "되돌리기").click();
    await expect
      .poll(() => admin.getByRole("textbox", { name: "묶음" }).nth(1).inputValue())
      .toBe(`남의 묶음 ${width}`);
    await group.fill(`우리 연구망 ${width}`);
    await admin.getByLabel("숨기기 권역센터").check();
    await findButton(admin, "저장").click();
    await dismissToast(admin, "메뉴를 저장하였습니다.");
    await guest.goto("/?x=1");
    const menu = await guest.getByRole("navigation", { name: "주 메뉴", includeHidden: true }).textContent();
    expect(menu).toContain(`우리 연구망 ${width}`);
    expect(menu).toContain(`남의 묶음 ${width}`);
    expect(menu).not.toContain("권역센터");
    await admin.getByLabel("숨기기 권역센터").uncheck();
    await findButton(admin, "저장").click();
    await dismissToast(admin, "메뉴를 저장하였습니다.");
  });

  test("a quick link is replaced by keyboard alone", async ({ admin, guest }) => {
    await openConsolePage(admin, width, "첫 화면 바로가기");
    const last = await admin.locator("#main li p.font-semibold").last().textContent();
    await expect.poll(() => findButton(admin, "바로가기 추가").isDisabled()).toBe(true);
    await findButton(admin, `삭제 ${last}`).focus();
    await admin.keyboard.press("Enter");
    await findButton(admin.getByRole("alertdialog"), "삭제").focus();
    await admin.keyboard.press("Enter");
    await dismissToast(admin, "바로가기를 삭제하였습니다.");
    await findButton(admin, "바로가기 추가").focus();
    await admin.keyboard.press("Enter");
    await dialog(admin).locator("[name=label]").focus();
    for (const text of [`연구 ${width}`, "함께 연구하기", "연구 제안", `Research ${width}`, "Work with us"]) {
      await admin.keyboard.insertText(text);
      await admin.keyboard.press("Tab");
    }
    await admin.keyboard.press("Tab");
    await admin.keyboard.press("Enter");
    const address = dialog(admin).getByLabel("주소");
    await expect.poll(() => address.evaluate((field) => field.matches(":focus[aria-invalid=true]"))).toBe(true);
    await admin.keyboard.press("Control+A");
    await admin.keyboard.type("/research/proposal");
    await admin.keyboard.press("Enter");
    await dismissToast(admin, "바로가기를 저장하였습니다.");
    expect(await seen(guest, "/")).toContain(`연구 ${width}`);
    expect(await seen(guest, "/en")).toContain(`Research ${width}`);
    await expectPageAccessible(admin);
  });

  test("the dashboard links to pending work", async ({ db, admin }) => {
    await db.prepare("UPDATE user SET status = 'waiting' WHERE user_name = '김하늘'").run();
    await openConsolePage(admin, width, "한눈에 보기");
    for (const part of ["자료 저장소", "파일 저장소", "연계 서비스", "마지막 백업"])
      await expect.poll(() => admin.locator("#main").getByText(part).first().isVisible()).toBe(true);
    await admin.getByRole("img", { name: /최근 30일 글 \d+건, 댓글 \d+건/ }).waitFor();
    await expectPageAccessible(admin);
    await admin.getByRole("link", { name: "가입 승인을 기다리는 회원이 1명 있습니다." }).click();
    await admin.getByRole("heading", { level: 1, name: "회원 관리" }).waitFor();
    await admin.getByText("총 1명").waitFor();
    await admin.getByRole("link", { name: "김하늘" }).waitFor();
    await db.prepare("UPDATE user SET status = 'active' WHERE user_name = '김하늘'").run();
  });
});
