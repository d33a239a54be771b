import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { RolesPage } from "#worker/domain/access/role.server.ts";
import { expectPageAccessible } from "../support/accessible.ts";
import { callAsOtherAdministrator } from "../support/calls.ts";
import { dismissToast, findButton, openConsolePage, SCREEN_WIDTHS, openFilters } from "../support/console.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { requirePresent } from "../../support/require-present.ts";
import { test } from "../fixtures.ts";
import { sample } from "../../support/sample.ts";

const dialog = (admin: Page) => admin.getByRole("dialog");
const alert = (admin: Page) => admin.getByRole("alertdialog");
const tick = (admin: Page, label: string) => admin.getByRole("checkbox", { name: label, exact: true });
const findRole = async (admin: Page, name: string) =>
  (await callAsOtherAdministrator<RolesPage>(admin, "GET", "role")).data.roles.find((role) => role.roleName === name);
const roleNamed = async (admin: Page, name: string) => requirePresent(await findRole(admin, name));

/** Asks the permission simulator whether the person may open the address. */
async function simulated(admin: Page, width: (typeof SCREEN_WIDTHS)[number], who: string, path: string) {
  await openConsolePage(admin, width, "권한 확인");
  await admin.getByLabel("누가").fill(who);
  await admin.getByLabel("어디를").fill(path);
  await admin.keyboard.press("Enter");
  const answer = admin.getByRole("status").filter({ hasText: "이유" });
  await answer.getByText(who === "방문자" ? "방문자 ·" : "(회원)").waitFor();
  return requirePresent(await answer.textContent());
}

describe.each(sample(SCREEN_WIDTHS, String))("at %i pixels", { tags: "sampled" }, (width) => {
  const name = `편집 담당 ${width}`;
  const code = `editor-${width}`;
  const who = `member${width === 390 ? "07" : "08"}`;

  test("a role is created by keyboard alone", async ({ admin }) => {
    await openConsolePage(admin, width, "역할과 권한");
    await findButton(admin, "역할 추가").focus();
    await admin.keyboard.press("Enter");
    await dialog(admin).getByLabel("역할 이름").focus();
    await admin.keyboard.type(name);
    await admin.keyboard.press("Tab");
    await admin.keyboard.type("편집");
    await admin.keyboard.press("Enter");
    await dialog(admin).getByText("영문 소문자로 시작하여").waitFor();
    await expect
      .poll(() =>
        dialog(admin)
          .getByLabel("코드")
          .evaluate((field) => field === document.activeElement),
      )
      .toBe(true);
    await admin.keyboard.press("Control+A");
    await admin.keyboard.type(code);
    await admin.keyboard.press("Enter");
    await dismissToast(admin, "역할을 추가하였습니다.");

    await tick(admin, `${name}: 사이트 주소록 보기`).check();
    await tick(admin, `${name}: 공지사항 쓰기`).check();
    const { roleName, permissions, version } = await roleNamed(admin, name);
    const theirs = { roleName, permissions: [...permissions, "Board_reference_Write"], version };
    expect(
      (await callAsOtherAdministrator(admin, "PATCH", `role/${code}`, { ...theirs, permissions: ["No_Such_Code"] }))
        .code,
    ).toBe("INVALID_INPUT");
    expect((await callAsOtherAdministrator(admin, "PATCH", `role/${code}`, theirs)).code).toBe("SUCCESS");
    await findButton(admin, "저장").click();
    await admin.getByText("그사이 다른 곳에서 내용이 바뀌었습니다").waitFor();
    await expect.poll(() => tick(admin, `${name}: 공지사항 쓰기`).isChecked()).toBe(true);
    await expect.poll(() => tick(admin, `${name}: 자료실 쓰기`).isChecked()).toBe(true);
    await findButton(admin, "저장").click();
    await dismissToast(admin, "권한을 저장하였습니다.");
    expect(new Set((await roleNamed(admin, name)).permissions)).toEqual(
      new Set(["Alumni_Read", "Board_notice_Write", "Board_reference_Write"]),
    );
    await expectPageAccessible(admin);
  });

  test("a temporary role is not deleted while assigned", { tags: "full" }, async ({ admin }) => {
    expect(await simulated(admin, width, who, "/board/notice/Write")).toContain("할 수 없습니다.");
    await openConsolePage(admin, width, "회원 관리");
    await openFilters(admin);
    await admin.getByRole("searchbox", { name: "검색어" }).fill(who);
    await admin.keyboard.press("Enter");
    await admin.getByText("총 1명").waitFor();
    await admin.locator("#main tbody tr").getByRole("link").first().click();
    await findButton(admin, "기간제 역할 주기").click();
    await dialog(admin).getByLabel("역할").selectOption({ label: name });
    await dialog(admin).getByLabel("종료일").fill("2020-01-01");
    await dialog(admin).getByLabel("사유").fill("명부 정리");
    await findButton(dialog(admin), "주기").click();
    await expect.poll(() => dialog(admin).getByLabel("종료일").getAttribute("aria-invalid")).toBe("true");
    await expect.poll(() => dialog(admin).getByLabel("사유").inputValue()).toBe("명부 정리");
    await dialog(admin).getByLabel("종료일").fill("2099-12-31");
    await findButton(dialog(admin), "주기").click();
    await dismissToast(admin, "역할을 주었습니다.");
    await admin.getByText("2099.12.31").first().waitFor();
    await expectPageAccessible(admin);
    const memberPage = admin.url();
    expect(await simulated(admin, width, who, "/board/notice/Write")).toMatch(
      /할 수 있습니다.*‘공지사항’ 쓰기 권한이 있습니다/,
    );

    await openConsolePage(admin, width, "역할과 권한");
    await findButton(admin, `삭제: ${name}`).click();
    await findButton(alert(admin), "삭제").click();
    await alert(admin).getByText("기간을 정해 이 역할을 준 회원이 있습니다.").waitFor();
    await findButton(alert(admin), "취소").click();
    await admin.goto(memberPage);
    await findButton(admin, `끝내기: ${name}`).click();
    await findButton(alert(admin), "끝내기").click();
    await dismissToast(admin, "역할을 끝냈습니다.");
    expect(await simulated(admin, width, who, "/board/notice/Write")).toContain("할 수 없습니다.");

    await openConsolePage(admin, width, "역할과 권한");
    await findButton(admin, `삭제: ${name}`).click();
    await findButton(alert(admin), "삭제").dblclick();
    await dismissToast(admin, "역할을 삭제하였습니다.");
    expect(await findRole(admin, name)).toBeUndefined();
  });

  test("giving a role console access asks for the password", { tags: "full" }, async ({ admin }) => {
    const opened = { roleCode: `opened-${width}`, roleName: `개방 ${width}` };
    expect(
      (await callAsOtherAdministrator(admin, "PUT", "role", { ...opened, permissions: ["Board_notice_List"] })).code,
    ).toBe("SUCCESS");
    await admin.goto("/Admin/Roles");
    await tick(admin, `${opened.roleName}: 사이트 관리 화면`).check();
    const openPrompt = async () => {
      await findButton(admin, "저장").click();
      await dialog(admin).getByRole("heading", { name: "관리 화면 권한 주기" }).waitFor();
    };
    await openPrompt();
    await findButton(dialog(admin), "취소").click();
    await admin.getByText("관리 화면 권한을 주려면 사유와 비밀번호를 입력해 주십시오.").waitFor();
    await openPrompt();
    await findButton(dialog(admin), "권한 주기").click();
    await dialog(admin).getByText("사유를 입력해 주십시오.").waitFor();
    await dialog(admin).getByLabel("사유").fill("총무 업무를 맡김");
    await dialog(admin).locator("[name=password]").fill("Wrong!2345");
    await findButton(dialog(admin), "권한 주기").click();
    await dialog(admin).getByText("비밀번호가 일치하지 않습니다.").waitFor();
    await expectPageAccessible(admin);
    expect(await dialog(admin).getByLabel("사유").inputValue()).toBe("총무 업무를 맡김");
    await dialog(admin).locator("[name=password]").fill(ADMIN_CREDENTIALS.password);
    await findButton(dialog(admin), "권한 주기").click();
    await dismissToast(admin, "권한을 저장하였습니다.");
    expect((await roleNamed(admin, opened.roleName)).permissions).toContain("ADMIN_Access");
    await callAsOtherAdministrator(admin, "DELETE", `role/${opened.roleCode}`);
  });

  test("the last administrator keeps their right", async ({ db, admin }) => {
    const owner = "user_name = '관리자'";
    await db.prepare(`UPDATE user SET user_type = 'Member', role_code = 'administrator' WHERE ${owner}`).run();
    await openConsolePage(admin, width, "역할과 권한");
    await tick(admin, "관리자: 사이트 관리 화면").uncheck();
    await findButton(admin, "저장").click();
    await alert(admin).getByText("다음을 할 수 없게 됩니다: 사이트 관리 화면").waitFor();
    await findButton(alert(admin), "저장").click();
    await admin.getByText("마지막 관리자의 권한은 없앨 수 없습니다.").waitFor();
    await findButton(admin, "되돌리기").click();
    await expect.poll(() => tick(admin, "관리자: 사이트 관리 화면").isChecked()).toBe(true);
    await openConsolePage(admin, width, "회원 관리");
    await openFilters(admin);
    await admin.getByRole("searchbox", { name: "검색어" }).fill("관리자");
    await admin.keyboard.press("Enter");
    await admin.getByText("총 1명").waitFor();
    await admin.locator("#main tbody tr").getByRole("checkbox").check();
    await findButton(admin, "역할 변경").click();
    await alert(admin).getByLabel("새 역할").selectOption({ label: "회원" });
    await findButton(alert(admin), "변경").click();
    await alert(admin).getByText("마지막 관리자의 권한은 없앨 수 없습니다.").waitFor();
    await findButton(alert(admin), "취소").click();
    await db.prepare(`UPDATE user SET user_type = 'Admin' WHERE ${owner}`).run();

    expect(await simulated(admin, width, "방문자", "/Admin/Members")).toMatch(
      /할 수 없습니다.*관리 화면 권한이 없습니다/,
    );
    await admin.getByLabel("어디를").fill("/board/nowhere/List/");
    await admin.keyboard.press("Enter");
    await admin.getByText("그런 게시판이 없습니다.").waitFor();
    await expectPageAccessible(admin);
  });

  test("an invalid settings file is refused at its place", { tags: "full" }, async ({ admin }) => {
    await openConsolePage(admin, width, "사이트 정보");
    const [download] = await Promise.all([admin.waitForEvent("download"), findButton(admin, "설정 내보내기").click()]);
    await dismissToast(admin, "설정 파일을 내려받았습니다.");
    expect(download.suggestedFilename()).toMatch(/^설정_\d{8}\.json$/);
    const settings = JSON.parse(await readFile(await download.path(), "utf8"));
    const take = (text: string) =>
      admin
        .getByLabel("설정 파일")
        .setInputFiles({ name: "설정.json", mimeType: "application/json", buffer: Buffer.from(text) });
    const changed = (part: object) => JSON.stringify({ ...settings, ...part });

    await take("{ 깨진 파일");
    await admin.getByText("설정 파일이 아닙니다.").waitFor();
    const newcomer = { roleCode: `guide-${width}`, roleName: `안내 ${width}`, permissions: ["Board_nowhere_List"] };
    await take(changed({ roles: [...settings.roles, newcomer] }));
    await admin.getByText(/^역할 '안내 \d+' 권한: .*Board_nowhere_List/).waitFor();
    await take(changed({}));
    await admin
      .getByRole("alertdialog", { name: "바뀌는 설정이 없습니다" })
      .getByRole("button", { name: "확인" })
      .click();

    const role = { ...newcomer, permissions: ["Board_notice_List"] };
    await take(
      changed({ site: { ...settings.site, copyright: `© 옮긴 사이트 ${width}` }, roles: [...settings.roles, role] }),
    );
    const preview = admin.getByRole("alertdialog", { name: "설정 2가지를 바꾸시겠습니까?" });
    await preview.getByText(`© 옮긴 사이트 ${width}`).waitFor();
    await preview.getByText(`코드: guide-${width} · 이름: 안내 ${width} · 권한: Board_notice_List`).waitFor();
    expect(await findRole(admin, role.roleName)).toBeUndefined();
    await expectPageAccessible(admin);
    await findButton(preview, "모두 바꾸기").click();
    await dismissToast(admin, "설정을 불러왔습니다.");
    expect(await roleNamed(admin, role.roleName)).toMatchObject({ permissions: ["Board_notice_List"] });
    await expect.poll(() => admin.getByLabel("저작권 표시").inputValue()).toBe(`© 옮긴 사이트 ${width}`);
    await callAsOtherAdministrator(admin, "DELETE", `role/${role.roleCode}`);
  });
});
