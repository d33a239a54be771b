import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { RunningSite } from "#worker/local/site.ts";
import { expectPageAccessible } from "../support/accessible.ts";
import { callFromPage, endPageSession } from "../support/calls.ts";
import {
  SCREEN_WIDTHS,
  findButton,
  exportWithReason,
  expectDone,
  findRow,
  openFilters,
  findDialog,
  openPage,
} from "../support/console.ts";
import { ADMIN_CREDENTIALS, signInByApi } from "../support/signed-in-page.ts";
import { readOutbox } from "../support/account.ts";
import { test } from "../fixtures.ts";
import { sample } from "../../support/sample.ts";

test.beforeAll(async ({ db }) => {
  await db.batch([
    db.prepare("INSERT INTO role (role_code, role_name, permissions) VALUES ('editor', '편집 담당', '[]')"),
    db.prepare("UPDATE user SET status = 'waiting' WHERE user_name IN ('홍수안', '유건')"),
  ]);
});

const mailsTo = async (site: RunningSite, address: string) => {
  const all = await readOutbox(site);
  return all.filter(({ to }) => to === address).map(({ subject }) => subject);
};
const userIdOf = async (db: D1Database, id: string) =>
  String(await db.prepare("SELECT user_id FROM user_key WHERE user_key_code = ?").bind(id).first("user_id"));
const wide = (admin: Page, width: number) => admin.setViewportSize({ width, height: 844 });

test.for(sample(SCREEN_WIDTHS, String))(
  "at %i px a clerk manages waiting members by keyboard",
  { tags: "sampled" },
  async (width, { site, db, admin }) => {
    await wide(admin, width);
    const [name, id] = width === 390 ? ["유건", "member22"] : ["홍수안", "member21"];
    const lost = String(
      await db
        .prepare("SELECT user_key_code FROM user_key WHERE user_key_type = 'Email' AND user_id = ?")
        .bind(await userIdOf(db, id))
        .first("user_key_code"),
    );
    await openPage(admin, "/Admin/Members");
    await openFilters(admin);
    await admin.getByRole("combobox", { name: "상태" }).selectOption("승인 대기");
    await admin.getByRole("searchbox", { name: "검색어" }).fill(name);
    await admin.keyboard.press("Enter");
    await admin.getByText("총 1명").waitFor();
    await admin.getByText("열 선택").click();
    await admin.getByRole("checkbox", { name: "소속 기관" }).check();
    await findButton(admin, "적용").click();
    await admin.waitForURL(/columns=profile/);
    await findRow(admin, name).locator('[data-label="소속 기관"]').waitFor();
    await expectPageAccessible(admin);
    await findRow(admin, name).getByRole("link", { name }).click();

    await findButton(admin, "가입 승인").click();
    await expectDone(admin, `${name} 회원의 가입을 승인하였습니다.`);
    expect(await mailsTo(site, lost)).toHaveLength(1);
    await expect.poll(() => findButton(admin, "가입 승인").count()).toBe(0);
    await expect.poll(() => findButton(admin, "차단 해제").count()).toBe(0);

    // After an edit conflict the input stays and the next save uses the current version.
    const found = `${id}@found.example.kr`;
    await findButton(admin, "이메일 정정").click();
    await findDialog(admin).getByLabel("새 이메일").fill("주소가 아님");
    await findButton(admin, "정정").click();
    await findDialog(admin).getByText("이메일을 형식에 맞게 입력해 주십시오.").waitFor();
    await findDialog(admin).getByLabel("새 이메일").fill(found);
    await findDialog(admin).getByLabel("사유").fill("신분증으로 확인");
    const path = `/api/admin/member/${await userIdOf(db, id)}`;
    const { data } = await callFromPage<{ version: number }>(admin, "GET", path);
    const quicker = { email: `${id}@quick.example.kr`, reason: "전화", version: data.version };
    expect((await callFromPage(admin, "PATCH", `${path}/email`, quicker)).code).toBe("SUCCESS");
    await findButton(admin, "정정").click();
    await findDialog(admin).getByText("그사이 다른 곳에서 내용이 바뀌었습니다").waitFor();
    await expect.poll(() => findDialog(admin).getByLabel("새 이메일").inputValue()).toBe(found);
    await expectPageAccessible(admin);
    await findButton(admin, "정정").dblclick();
    await expectDone(admin, "이메일을 정정하였습니다.");
    expect([await mailsTo(site, quicker.email), await mailsTo(site, found)]).toEqual([
      [
        "[한국면역결핍질환연구망] 이메일 주소가 변경되었습니다",
        "[한국면역결핍질환연구망] 이메일 주소가 변경되었습니다",
      ],
      ["[한국면역결핍질환연구망] 이메일 주소가 변경되었습니다"],
    ]);

    await findButton(admin, "역할 변경").click();
    await admin.getByRole("alertdialog").getByLabel("새 역할").selectOption("편집 담당");
    await findButton(admin, "변경").click();
    await expectDone(admin, `${name} 회원의 역할을 변경하였습니다.`);

    await findButton(admin, "차단").focus();
    await admin.keyboard.press("Enter");
    await findDialog(admin).getByLabel("사유").focus();
    await admin.keyboard.insertText("광고 글 반복");
    await admin.keyboard.press("Tab");
    await admin.keyboard.press("Tab");
    await admin.keyboard.press("Enter");
    await expectDone(admin, `${name} 회원을 차단하였습니다.`);
    await findButton(admin, "차단 해제").waitFor();
    for (const text of ["사유: 광고 글 반복", "사유: 신분증으로 확인"]) await admin.getByText(text).waitFor();
    await findRow(admin, "회원 역할 변경").getByText("자세히").click();
    await findRow(admin, "회원 역할 변경").getByText("editor").waitFor();
    await expectPageAccessible(admin);
  },
);

test.for(sample(SCREEN_WIDTHS, String))(
  "at %i px a bulk change reports its count",
  { tags: "full" },
  async (width, { admin, openAs }) => {
    await wide(admin, width);
    const [first, second] = width === 390 ? ["한도언", "오유담"] : ["서진하", "신예준"];
    const person = await openAs({
      userKeyCode: width === 390 ? "member12" : "member14",
      password: "Member!2345",
    });
    await openPage(admin, "/Admin/Members?sort=userName,ASC&size=100");
    for (const name of [first, second]) await admin.getByRole("checkbox", { name: `${name} 선택` }).check();
    await admin.getByText("2명 선택").waitFor();
    await findButton(admin, "가입 승인").click();
    await expectDone(admin, "승인을 기다리는 회원이 없습니다.");
    await findButton(admin, "로그인 종료").click();
    await admin.getByRole("alertdialog").getByRole("button", { name: "로그인 종료" }).click();
    await expectDone(admin, "회원 2명의 로그인을 모두 종료하였습니다.");
    expect((await callFromPage(person, "GET", "/api/board/free")).status).toBe(401);
    await person.context().close();

    await admin.getByRole("checkbox", { name: `${first} 선택` }).check();
    await findButton(admin, "역할 변경").click();
    await admin.getByRole("alertdialog").getByLabel("새 역할").selectOption("편집 담당");
    await findButton(admin, "변경").click();
    await expectDone(admin, "회원 1명의 역할을 변경하였습니다.");
    await findRow(admin, first).getByText("편집 담당").waitFor();

    expect(await exportWithReason(admin, "파일로 내보내기", "연례 보고")).toMatch(/^회원목록_\d{8}\.xlsx$/);
    await admin.locator("dialog[open]").waitFor({ state: "detached" });

    await openFilters(admin);
    await admin.getByRole("searchbox", { name: "검색어" }).fill("900101-1234567");
    await findButton(admin, "찾기").click();
    await admin.getByText("주민등록번호로 보이는 값은").waitFor();
    await admin.getByText("총 0명").waitFor();
    await expect.poll(() => admin.getByRole("searchbox", { name: "검색어" }).inputValue()).toBe("900101-1234567");
    await expect.poll(() => findButton(admin, "파일로 내보내기").isDisabled()).toBe(true);
    await expectPageAccessible(admin);
  },
);

test("a half-written form keeps its input when the session ends", { tags: "full" }, async ({ db, admin }) => {
  await wide(admin, 390);
  await openPage(admin, `/Admin/Members/${await userIdOf(db, "member02")}`);
  await findButton(admin, "기간제 역할 주기").click();
  await findDialog(admin).getByLabel("역할").selectOption("편집 담당");
  await findDialog(admin).getByLabel("사유").fill("명부 정리 담당");
  await endPageSession(admin);
  const again = admin.getByRole("dialog", { name: "다시 로그인해 주십시오" });
  await again.getByLabel("아이디나 이메일").fill("admin");
  await again.getByLabel("비밀번호", { exact: true }).fill(ADMIN_CREDENTIALS.password);
  await expectPageAccessible(admin);
  await admin.keyboard.press("Enter");
  await again.waitFor({ state: "hidden" });
  await expect.poll(() => findDialog(admin).getByLabel("사유").inputValue()).toBe("명부 정리 담당");
  await findButton(admin, "주기").click();
  await expectDone(admin, "역할을 주었습니다.");

  // Without input the page redirects, because it shows personal data.
  await endPageSession(admin);
  await admin.waitForURL(/signin/);
  await signInByApi(admin, ADMIN_CREDENTIALS);
});
