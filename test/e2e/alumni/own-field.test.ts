/** @module-tag full */
import { read, utils, write } from "@e965/xlsx";
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { openActions } from "../support/alumni.ts";
import { findAxeViolations } from "../support/browser.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

function book(rows: unknown[][]): Buffer {
  const made = utils.book_new();
  utils.book_append_sheet(made, utils.aoa_to_sheet(rows), "명부");
  return write(made, { type: "buffer", bookType: "xlsx" }) as Buffer;
}

test("the office uses an own field from either origin", async ({ db, openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/Admin/Alumni");
  await page.getByRole("button", { name: "항목 추가" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("항목 이름").fill("생년월일");
  await dialog.getByLabel("적는 방법").selectOption("date");
  await dialog.getByLabel("목록에 처음부터 열로 보입니다").check();
  await dialog.getByRole("button", { name: "저장" }).click();
  await page.getByText("항목을 저장하였습니다.").waitFor();

  await page.goto("/Alumni/Import");
  const people = Array.from({ length: 9 }, (_, at) => [
    `항목${at}`,
    `010-7700-000${at}`,
    `197${at}.2.5`,
    at % 3 === 0 ? "준회원" : "정회원",
    at === 8 ? "모름" : "",
  ]);
  const file = book([["이름", "휴대전화", "생년월일", "회원구분", "별칭"], ...people]);
  await page
    .locator("input[type=file]")
    .setInputFiles([{ name: "명부.xlsx", mimeType: "application/octet-stream", buffer: file }]);
  await page.getByText("쓰지 않는 열이 2개 있습니다: ‘회원구분’, ‘별칭’").waitFor();
  await page.getByRole("button", { name: "‘회원구분’ 열을 항목으로 만들기" }).click();
  await expect.poll(() => dialog.getByLabel("적는 방법").inputValue()).toBe("choice");
  expect((await dialog.getByLabel("고를 수 있는 말").inputValue()).split("\n")).toEqual(["준회원", "정회원"]);
  expect(await findAxeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "만들기" }).click();
  await page.getByText("쓰지 않는 열이 1개 있습니다: ‘별칭’").waitFor();
  await page.getByRole("button", { name: "미리보기", exact: true }).click();
  await page.getByText("생년월일 형식을 맞춘 날짜 9개").waitFor();
  await page.getByRole("button", { name: "9명 가져오기" }).click();
  await page.getByText("9명을 추가하고 0명을 바꾸었습니다.").waitFor();

  await page.goto("/Alumni?keyword=항목");
  await page.getByText("총 9명").waitFor();
  expect(await page.locator("thead").innerText()).toContain("생년월일");
  await page.getByText("항목별 조건", { exact: true }).click();
  await page.getByLabel("항목", { exact: true }).selectOption({ label: "회원구분" });
  await page.getByLabel("조건", { exact: true }).selectOption("in");
  await page.getByLabel("값", { exact: true }).fill("준회원");
  await page.getByRole("button", { name: "조건 더하기" }).click();
  await page.getByText("총 3명").waitFor();
  await page.getByRole("link", { name: "생년월일" }).click();
  await page.waitForURL(/sort=own/);
  await expect.poll(() => page.locator("tbody th").allInnerTexts()).toEqual(["항목0", "항목3", "항목6"]);

  await db
    .prepare(
      "INSERT INTO alumni_field (code, name, kind, choices, access, sort_order) VALUES ('own9', '증빙', 'file', '[]', 'office', 9)",
    )
    .run();
  await page.reload();
  await page.getByRole("link", { name: "항목3" }).click();
  await page.getByRole("button", { name: "수정", exact: true }).click();
  await page
    .getByLabel("증빙 파일")
    .setInputFiles([{ name: "재직 증명.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\n%%EOF\n") }]);
  await page.getByRole("button", { name: "다른 파일 선택" }).waitFor();
  await expect.poll(() => page.locator("input[name='own.own9']").inputValue()).toContain("재직 증명.pdf");
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("complementary").getByLabel("회원구분", { exact: true }).selectOption("정회원");
  await page.getByRole("button", { name: "저장", exact: true }).click();
  await page.getByText("저장하였습니다.").first().waitFor();
  await page.getByText("총 2명").waitFor();
  const id = await db.prepare("SELECT id FROM alumni WHERE name = '항목3'").first("id");
  const served = await page.context().request.get(`/api/alumni/${String(id)}/file/own9`);
  expect([served.status(), served.headers()["content-type"]]).toEqual([200, "application/pdf"]);
  expect(await findAxeViolations(page)).toEqual([]);
  await openActions(page, "파일과 인쇄");
  await page.getByRole("button", { name: "내보내기" }).click();
  await page.getByRole("radio", { name: "모든 항목" }).check();
  await page.getByLabel("내보내는 사유").fill("확인");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "2명 내보내기" }).click(),
  ]);
  const sheet = read(readFileSync(await download.path()));
  const rows = utils.sheet_to_json<Record<string, string>>(sheet.Sheets[sheet.SheetNames[0] ?? ""] ?? {});
  expect(rows.map((row) => [row.이름, row.생년월일, row.회원구분])).toEqual([
    ["항목0", "1970-02-05", "준회원"],
    ["항목6", "1976-02-05", "준회원"],
  ]);
  expect(JSON.parse(String(await db.prepare("SELECT own FROM alumni WHERE name = '항목3'").first("own")))).toEqual({
    own1: "1973-02-05",
    own2: "정회원",
    own9: { fileId: expect.any(String), fileName: "재직 증명.pdf" },
  });
});

test("the form of a new field is accessible", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Admin/Alumni");
  await page.getByRole("button", { name: "항목 추가" }).click();
  await page.getByRole("dialog").getByLabel("적는 방법").selectOption("date");
  await page.getByRole("dialog").getByLabel("목록에 처음부터 열로 보입니다").check();
  expect(await findAxeViolations(page)).toEqual([]);
});

test("pages with own fields have no sideways scroll on a phone", async ({ db, openAs }) => {
  await db
    .prepare(
      "INSERT INTO alumni_field (code, name, kind, choices, access, in_list, sort_order) VALUES ('own30', '졸업한 날', 'date', '[]', 'office', 1, 30), ('own31', '졸업 증빙', 'file', '[]', 'office', 0, 31)",
    )
    .run();
  const page = await openAs(ADMIN_CREDENTIALS, { width: 390, height: 800 });
  for (const path of ["/Admin/Alumni", "/Alumni?person=new", "/Alumni/Import"]) {
    await page.goto(path);
    expect([path, await measureSidewaysScroll(page)]).toEqual([path, 0]);
  }
});

test("a field shows its uses before a change", async ({ db, openAs }) => {
  const content = { filter: { f_own20: "in:정회원", cohort: "3" }, sort: "", columns: [], isDense: false, size: 20 };
  await db.batch([
    db.prepare(
      "INSERT INTO alumni_field (code, name, kind, choices, access, sort_order) VALUES ('own20', '회원 등급', 'choice', '[\"정회원\",\"준회원\"]', 'office', 20)",
    ),
    db
      .prepare(
        "INSERT INTO alumni_view (id, user_id, name, is_shared, content, created_date) VALUES ('v', 'u', '정회원만', 1, ?, 1)",
      )
      .bind(JSON.stringify(content)),
    db.prepare(
      "INSERT INTO due_kind (id, name, grade_field, grades) VALUES ('k', '연회비', '회원 등급', '[\"정회원 50000\"]')",
    ),
  ]);
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/Admin/Alumni");
  for (const [button, role] of [
    ["삭제 회원 등급", "alertdialog"],
    ["수정 회원 등급", "dialog"],
  ] as const) {
    await page.getByRole("button", { name: button }).click();
    const dialog = page.getByRole(role);
    await dialog.getByText("‘회원 등급’을 쓰는 곳 2곳").waitFor();
    expect(await dialog.getByRole("listitem").allInnerTexts()).toEqual([
      "회비 종류 ‘연회비’",
      "저장한 보기 ‘정회원만’",
    ]);
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await measureSidewaysScroll(page)).toBeLessThanOrEqual(0);
    await dialog.getByRole("button", { name: "취소" }).click();
  }
  await page.getByRole("checkbox", { name: "기수 사용" }).uncheck();
  await page.getByText("‘기수’를 쓰는 곳 1곳").waitFor();

  await db.prepare("UPDATE alumni_field SET is_closed = 1 WHERE code = 'own20'").run();
  await page.goto("/Alumni?f_own20=in:정회원");
  const condition = page.getByRole("list", { name: "항목별 조건" }).getByRole("link");
  await expect.poll(() => condition.locator("s").innerText()).toBe("회원 등급 ‘정회원’");
  expect(await condition.innerText()).toContain("지금 쓰지 않는 항목입니다.");
});
