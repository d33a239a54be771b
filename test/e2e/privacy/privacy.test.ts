import type { Page } from "playwright-core";
import { expect } from "vitest";
import { measureSidewaysScroll, readOutbox } from "../support/account.ts";
import { findAxeViolations } from "../support/browser.ts";
import { test } from "../fixtures.ts";

test.beforeAll(({ member }) => member.setViewportSize({ width: 390, height: 844 }));

const toast = (page: Page, text: string) => page.getByRole("status").getByText(text).waitFor();
const open = (page: Page, path: string) => page.goto(path);

async function examine(page: Page): Promise<void> {
  const back = page.viewportSize() ?? { width: 1280, height: 900 };
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    // A button half under the sticky header would be reported.
    await page.evaluate(() => scrollTo(0, 0));
    expect([page.url(), width, await findAxeViolations(page)]).toEqual([page.url(), width, []]);
    expect([page.url(), width, Math.max(0, await measureSidewaysScroll(page))]).toEqual([page.url(), width, 0]);
  }
  await page.setViewportSize(back);
}

test("a request by phone is answered on the page", async ({ site, admin, member }) => {
  await open(member, "/Mypage/Privacy");
  await member.getByRole("button", { name: "요청하기" }).click();
  await member.getByText("요청하실 내용을 입력해 주십시오.").waitFor();
  await member.getByLabel("종류").selectOption("correction");
  await member.getByLabel("내용").fill("소속이 900101-1234567로 되어 있습니다.");
  await member.getByRole("button", { name: "요청하기" }).click();
  await member.getByText("주민등록번호로 보이는 값은").waitFor();
  await member.getByLabel("내용").fill("소속이 옛 병원으로 되어 있습니다.");
  await member.getByRole("button", { name: "요청하기" }).click();
  await toast(member, "요청을 접수하였습니다.");
  await member.getByText("정정 요청", { exact: true }).waitFor();
  await examine(member);

  await open(admin, "/Admin");
  await admin.getByRole("link", { name: /처리할 개인정보 열람·정정 요청이 1건/ }).click();
  await admin.getByRole("link", { name: "정정", exact: true }).click();
  await admin.getByText("소속이 옛 병원으로 되어 있습니다.").waitFor();
  await examine(admin);
  await admin.getByRole("button", { name: "처리 시작" }).click();
  await toast(admin, "처리 중으로 바꾸었습니다.");
  await admin.getByRole("button", { name: "기한 늦추기" }).click();
  await admin.getByRole("dialog").getByLabel("사유").fill("센터에 확인하고 있습니다.");
  await admin.getByRole("dialog").getByRole("button", { name: "늦추기" }).click();
  await toast(admin, "기한을 늦추었습니다.");
  await admin.getByRole("button", { name: "처리 마치고 답변 보내기" }).click();
  await admin.getByText("필수 항목입니다.").waitFor();
  await admin.getByLabel("답변").fill("소속을 고쳤습니다.");
  await admin.getByRole("button", { name: "처리 마치고 답변 보내기" }).click();
  await toast(admin, "처리를 마치고 답변을 메일로 보냈습니다.");
  expect((await readOutbox(site))[0]).toMatchObject({
    subject: "[한국면역결핍질환연구망] 개인정보 정정 요청의 처리 결과를 알려 드립니다",
    text: expect.stringContaining("소속을 고쳤습니다."),
  });
  await open(member, "/Mypage/Privacy");
  await member.getByText("소속을 고쳤습니다.").waitFor();
});

test("a retention rule previews its deletions", { tags: "full" }, async ({ db, admin }) => {
  await db
    .prepare("INSERT INTO alumni (id, name, created_date, modified_date, deleted_date) VALUES ('x', '지운이', 1, 1, 1)")
    .run();
  await open(admin, "/Admin/Privacy/Retention");
  await examine(admin);
  await admin.getByLabel("기록한 날부터(일)").fill("100");
  await admin.getByRole("button", { name: "저장" }).click();
  await admin.getByText("365일에서 3650일 사이로 입력해 주십시오.").first().waitFor();
  await admin.getByLabel("기록한 날부터(일)").fill("800");
  await admin.getByRole("button", { name: "저장" }).click();
  await toast(admin, "보유 기간을 저장하였습니다.");
  await admin.getByRole("link", { name: /^대상 \d+건 보기\s*주소록 휴지통의 사람$/ }).click();
  await admin.getByRole("cell", { name: "지운이" }).waitFor();
  await examine(admin);
  await admin.getByRole("button", { name: /^\d+건 파기$/ }).click();
  await admin.getByRole("dialog").getByLabel("사유").fill("정기 파기");
  await admin.getByRole("dialog").getByRole("button", { name: "파기" }).click();
  await toast(admin, "파기하고 파기 대장에 적었습니다.");
  await admin.getByText("대상이 없습니다.").waitFor();
  await open(admin, "/Admin/Privacy/Destructions");
  await admin.getByRole("cell", { name: "삭제한 날 뒤 30일" }).waitFor();
  await expect.poll(() => admin.getByText("지운이").count()).toBe(0);
  await examine(admin);
});

test("a suspension can be ended by either side", { tags: "full" }, async ({ db, admin, member }) => {
  const person = await db
    .prepare("SELECT user_id AS id FROM user_key WHERE user_key_code = 'member01'")
    .first<string>("id");
  const suspend = () =>
    db
      .prepare("INSERT INTO suspension (user_id, request_id, created_date) VALUES (?, 'request', ?)")
      .bind(person, Date.now())
      .run();
  await suspend();
  await open(member, "/Mypage/Notices");
  await member.getByRole("link", { name: "처리정지 풀기" }).click();
  await member.getByText("처리정지 중입니다").waitFor();
  await examine(member);
  await member.getByRole("button", { name: "처리정지 풀기" }).click();
  await member.getByRole("alertdialog").getByRole("button", { name: "풀기" }).click();
  await toast(member, "처리정지를 풀었습니다.");
  await expect.poll(() => member.getByText("처리정지 중입니다").count()).toBe(0);

  await suspend();
  await open(admin, `/Admin/Members/${person}`);
  await admin.getByRole("button", { name: "처리정지 풀기" }).click();
  const dialog = admin.getByRole("dialog");
  await dialog.getByLabel("사유").fill("본인이 전화로 요청");
  await dialog.getByRole("button", { name: "풀기" }).click();
  await toast(admin, "처리정지를 풀었습니다.");
  await admin.getByRole("cell", { name: "처리정지 풀기", exact: true }).waitFor();
});

test("the office exports the register with a reason", { tags: "full" }, async ({ db, admin }) => {
  await db
    .prepare(
      "INSERT INTO destruction (created_date, kind, rule, basis, count) VALUES (?, '회원정보', 'retire', '본인 탈퇴', 1)",
    )
    .bind(Date.now())
    .run();
  await open(admin, "/Admin/Privacy/Destructions");
  await admin.getByRole("button", { name: "파일로 내보내기" }).click();
  const dialog = admin.getByRole("dialog");
  await dialog.getByLabel("사유").fill("감사 자료");
  const [file] = await Promise.all([
    admin.waitForEvent("download"),
    dialog.getByRole("button", { name: "내보내기" }).click(),
  ]);
  expect(file.suggestedFilename().normalize("NFC")).toMatch(/^파기대장_\d{8}\.xlsx$/);
  await open(admin, "/Admin/MailTemplates");
  const automatic = admin.getByRole("checkbox", { name: /예약 작업이 저절로 보내기/ });
  await expect.poll(() => automatic.isChecked()).toBe(true);
  await automatic.click();
  await toast(admin, "이제 저절로 보내지 않습니다.");
  await expect.poll(() => automatic.isChecked()).toBe(false);
  await examine(admin);
});

test("the audit log lists the people of an export", { tags: "full" }, async ({ admin }) => {
  await open(admin, "/Admin/Members?keyword=member05");
  await admin.getByRole("button", { name: "파일로 내보내기" }).click();
  const dialog = admin.getByRole("dialog");
  await dialog.getByLabel("사유").fill("연례 보고");
  await Promise.all([admin.waitForEvent("download"), dialog.getByRole("button", { name: "내보내기" }).click()]);
  await open(admin, "/Admin/Audit?subject=member05");
  await admin.getByRole("link", { name: "1명 보기" }).first().click();
  await admin.getByRole("heading", { name: "포함된 사람 1명" }).waitFor();
  await examine(admin);
  await open(admin, "/Admin/Audit");
  await examine(admin);
  await open(admin, "/Admin/Jobs");
  await admin.getByRole("button", { name: /^지금 하기\s*백업$/ }).click();
  await toast(admin, "백업 작업을 마쳤습니다.");
  // A finished backup shows only name and size, without a running or failed state.
  await admin.locator("li", { hasText: /^\d{4}-\d{2}-\d{2}-\d{9}\s*[\d,]+건/ }).waitFor();
  await examine(admin);
});
