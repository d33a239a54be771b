/** @module-tag full */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { AdminProfileField } from "#worker/contract/account/rows.ts";
import type { AuthenticationSettingView } from "#worker/contract/account/view.ts";
import { expectPageAccessible } from "../support/accessible.ts";
import { callAsOtherAdministrator } from "../support/calls.ts";
import { dismissToast, findButton, openConsolePage, saveAfterQuestion, SCREEN_WIDTHS } from "../support/console.ts";
import { requirePresent } from "../../support/require-present.ts";
import { test } from "../fixtures.ts";

const dialog = (admin: Page) => admin.getByRole("dialog");
const setting = async (admin: Page) =>
  (await callAsOtherAdministrator<AuthenticationSettingView>(admin, "GET", "setting/authentication")).data;
const fieldNamed = async (admin: Page, name: string) =>
  (await callAsOtherAdministrator<AdminProfileField[]>(admin, "GET", "setting/profile-field")).data.find(
    (field) => field.name === name,
  );
const readAskedFields = async (guest: Page) =>
  (await (await guest.request.get("/api/site-setting/authentication")).json()).data as {
    authType: string;
    rules: { password: { min: number } };
    userProfiles: { name: string; required: boolean; detail: string[] }[];
  };

describe.each(SCREEN_WIDTHS)("at %i pixels", (width) => {
  test("the account rules are saved while another changes them", async ({ admin, guest }) => {
    await openConsolePage(admin, width, "가입 설정");
    const { value, version } = await setting(admin);
    await admin.getByLabel("이메일과 비밀번호").check();
    await admin.getByLabel("가입한 회원을 관리자가 승인해야").check();
    const { authType, roleCodeForGuest } = value;
    const rules = { ...value.rules, password: { min: 8, max: 20 } };
    const theirs = { authType, roleCodeForGuest, signupApproval: false, rules, version };
    expect((await callAsOtherAdministrator(admin, "PATCH", "setting/authentication", theirs)).code).toBe("SUCCESS");
    await saveAfterQuestion(admin);
    await admin.getByText("그사이 다른 곳에서 내용이 바뀌었습니다").waitFor();
    await expect.poll(() => admin.getByLabel("이메일과 비밀번호").isChecked()).toBe(true);
    await expect.poll(() => admin.getByLabel("비밀번호의 글자 수: 최소").inputValue()).toBe("8");
    await saveAfterQuestion(admin);
    await dismissToast(admin, "가입 설정을 저장하였습니다.");
    expect(await readAskedFields(guest)).toMatchObject({
      authType: "EmailAndPassword",
      rules: { password: { min: 8 } },
    });

    const smallest = admin.getByLabel("비밀번호의 글자 수: 최소");
    await smallest.fill("40");
    await findButton(admin, "규칙 저장").click();
    await expect.poll(() => admin.evaluate(() => document.activeElement?.getAttribute("aria-invalid"))).toBe("true");
    await expect.poll(() => smallest.inputValue()).toBe("40");
    await smallest.fill("6");
    await admin.getByLabel("비밀번호의 글자 수: 최대").fill("16");
    await admin.getByLabel("아이디와 비밀번호").check();
    await findButton(admin, "규칙 저장").click();
    await dismissToast(admin, "입력 규칙을 저장하였습니다.");
    await admin.getByLabel("가입한 회원을 관리자가 승인해야").uncheck();
    await saveAfterQuestion(admin);
    await dismissToast(admin, "가입 설정을 저장하였습니다.");
    expect(await readAskedFields(guest)).toMatchObject({ authType: "IdAndPassword", rules: { password: { min: 6 } } });
    await expectPageAccessible(admin);
  });

  test("a field that members filled in is closed", async ({ admin, guest }) => {
    await openConsolePage(admin, width, "가입 설정");
    const name = `면허 종류 ${width}`;
    await findButton(admin, "항목 추가").click();
    await dialog(admin).getByRole("textbox", { name: "항목 이름 (필수)" }).focus();
    const keys = await admin.context().newCDPSession(admin);
    for (const text of ["ㅁ", "며", "면"]) {
      await keys.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    }
    await keys.send("Input.insertText", { text: "면" });
    await admin.keyboard.insertText(name.slice(1));
    await dialog(admin).getByLabel("적는 방법").selectOption("radio");
    await dialog(admin).getByLabel("고를 수 있는 말").fill("의사 면허\n간호사 면허");
    await dialog(admin).getByLabel("반드시 적어야 합니다").check();
    const form = dialog(admin).getByRole("group", { name: "미리보기" });
    await form
      .getByRole("group", { name: `${name} (필수)` })
      .getByLabel("간호사 면허")
      .check();
    await expect.poll(() => form.getByLabel("소속 기관").isVisible()).toBe(true);
    await dialog(admin).getByLabel("코드").fill("면허!");
    await findButton(dialog(admin), "저장").click();
    await dialog(admin).getByText("영문자로 시작하여").waitFor();
    await dialog(admin).getByLabel("코드").fill(`license${width}`);
    await admin.keyboard.press("Enter");
    await dismissToast(admin, "가입 항목을 저장하였습니다.");
    await findButton(admin, `위로 ${name}`).click();
    await dismissToast(admin, "순서를 바꾸었습니다.");
    expect((await readAskedFields(guest)).userProfiles.at(-2)).toMatchObject({
      name,
      required: true,
      detail: ["의사 면허", "간호사 면허"],
    });

    await findButton(admin, `수정 ${name}`).click();
    await dialog(admin).getByLabel("고를 수 있는 말").fill("의사\n간호사\n약사");
    const { code, inputType, detail, version } = requirePresent(await fieldNamed(admin, name));
    const theirs = { name: `${name}(택일)`, inputType, detail, required: false, isClosed: false, version };
    expect((await callAsOtherAdministrator(admin, "PATCH", `setting/profile-field/${code}`, theirs)).code).toBe(
      "SUCCESS",
    );
    await findButton(dialog(admin), "저장").click();
    await dialog(admin).getByText("그사이 다른 곳에서 내용이 바뀌었습니다").waitFor();
    await expect
      .poll(() => dialog(admin).getByRole("textbox", { name: "항목 이름 (필수)" }).inputValue())
      .toBe(`${name}(택일)`);
    await findButton(dialog(admin), "저장").click();
    await dismissToast(admin, "가입 항목을 저장하였습니다.");
    expect(await fieldNamed(admin, `${name}(택일)`)).toMatchObject({
      required: false,
      detail: ["의사", "간호사", "약사"],
    });

    // After an edit conflict saving again must not overwrite; both values are shown.
    await findButton(admin, `수정 ${name}(택일)`).click();
    await dialog(admin).getByLabel("고를 수 있는 말").fill("의사\n간호사\n한의사");
    const known = requirePresent(await fieldNamed(admin, `${name}(택일)`));
    const others = { ...theirs, detail: ["의사", "조산사"], version: known.version };
    expect((await callAsOtherAdministrator(admin, "PATCH", `setting/profile-field/${code}`, others)).code).toBe(
      "SUCCESS",
    );
    await findButton(dialog(admin), "저장").click();
    const conflict = dialog(admin).getByRole("status").filter({ hasText: "그사이 다른 곳에서 내용이 바뀌었습니다" });
    await conflict.getByText("의사, 간호사, 한의사").waitFor();
    await conflict.getByText("의사, 조산사").waitFor();
    await expectPageAccessible(admin);
    const answered = admin.waitForResponse((response) => response.request().method() === "PATCH");
    await findButton(dialog(admin), "저장").click();
    expect((await answered).status()).toBe(409);
    await conflict.getByText("의사, 조산사").waitFor();
    expect(await fieldNamed(admin, `${name}(택일)`)).toMatchObject({ detail: ["의사", "조산사"] });
    await findButton(dialog(admin), "내 내용으로 저장").click();
    await dismissToast(admin, "가입 항목을 저장하였습니다.");
    expect(await fieldNamed(admin, `${name}(택일)`)).toMatchObject({ detail: ["의사", "간호사", "한의사"] });

    // An unused field is deleted; a used one is closed and can be reopened.
    await findButton(admin, `삭제 ${name}(택일)`).click();
    await findButton(admin.getByRole("alertdialog"), "삭제").click();
    await dismissToast(admin, "항목을 삭제하였습니다.");
    await findButton(admin, "닫기 소속 기관").click();
    await admin.getByRole("alertdialog").getByText("31명이 적은 값은 지우지 않고").waitFor();
    await findButton(admin.getByRole("alertdialog"), "닫기").last().click();
    await dismissToast(admin, "항목을 닫았습니다. 회원이 적은 값은 남아 있습니다.");
    expect((await readAskedFields(guest)).userProfiles.map((field) => field.name)).not.toContain("소속 기관");
    await findButton(admin, "다시 열기 소속 기관").click();
    await dismissToast(admin, "항목을 다시 열었습니다.");
    expect(requirePresent(await fieldNamed(admin, "소속 기관")).valueCount).toBe(31);
    await expectPageAccessible(admin);
  });

  test("new members accept a new version of an agreement", async ({ admin, guest }) => {
    await openConsolePage(admin, width, "동의 문서");
    const title = "소식지 이메일 수신 동의";
    await findButton(admin, `새 버전 공포: ${title}`).click();
    const text = dialog(admin).getByRole("textbox", { name: "내용", exact: true });
    await text.click();
    await admin.keyboard.press("Control+End");
    await admin.keyboard.type(` 한 달에 ${width}통까지 보냅니다.`);
    await dialog(admin).getByLabel("버전 이름").fill("2026-01");
    await findButton(dialog(admin), "공포").click();
    await dialog(admin).getByText("이미 공포한 버전 이름입니다.").waitFor();
    await dialog(admin)
      .getByLabel("버전 이름")
      .fill(`n${2000 - width}`);
    await findButton(dialog(admin), "공포").click();
    await dismissToast(admin, "공포하였습니다.");

    await admin.getByRole("link", { name: new RegExp(`버전 비교.*${title}`) }).click();
    await admin.getByRole("heading", { level: 1, name: `'${title}' 버전 비교` }).waitFor();
    await admin.getByLabel("앞의 버전").selectOption("2026-01");
    await admin.waitForURL(/from=2026-01/);
    await admin.getByRole("cell", { name: `한 달에 ${width}통까지 보냅니다.` }).waitFor();
    await expectPageAccessible(admin);

    await guest.setViewportSize({ width, height: 844 });
    await guest.goto("/Account/Signup?x=1");
    await guest.getByText(title).first().waitFor();
    expect(await guest.content()).toContain(`한 달에 ${width}통까지 보냅니다.`);
  });
});
