import { expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { insertAlumni, openActions } from "../support/alumni.ts";
import { findAxeViolations } from "../support/browser.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

const LISTED = Array.from({ length: 45 }, (_, at) => ({
  name: `목록${String(at).padStart(2, "0")}`,
  affiliation: "목록병원",
  position: at % 3 ? "과장" : "",
}));

test.beforeAll(({ db }) => insertAlumni(db, LISTED));

test("the arrows move between the people of the list", { tags: "full" }, async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/Alumni?affiliation=목록병원&size=50");
  await page.getByRole("link", { name: "좁게 보기" }).click();
  await page.waitForURL("**density=dense**");
  await page.locator("tbody tr").first().scrollIntoViewIfNeeded();
  const heights = await page
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThanOrEqual(37);
  const list = page.getByRole("region", { name: "동문 목록" }).locator("table");
  await list.evaluate((table) => table.scrollIntoView({ block: "start" }));
  const visible = await page
    .locator("tbody tr")
    .evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
  expect(visible).toBeGreaterThanOrEqual(15);
  // The sticky header partly covers a target.
  await page.evaluate(() => scrollTo(0, 0));
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "목록00" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe("목록01");
  await page.keyboard.press("Space");
  await page.getByText("1명 선택").waitFor();
  await page.keyboard.press("End");
  await expect.poll(focused).toBe("목록44");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "목록44" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(focused).toBe("목록44");
});

test("a selection survives paging or a reload", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Alumni?affiliation=목록병원");
  await page.getByRole("checkbox", { name: "목록00 선택" }).first().check();
  await page.getByRole("link", { name: "다음" }).click();
  await page.waitForURL("**page=2**");
  await page.getByRole("checkbox", { name: "목록20 선택" }).first().check();
  await page.getByText("2명 선택 (다른 페이지 1명)").waitFor();
  await page.getByRole("button", { name: "조건에 맞는 45명 모두 선택" }).click();
  await page.getByText("45명 선택 (다른 페이지 25명)").waitFor();
  await page.getByRole("checkbox", { name: "목록21 선택" }).first().uncheck();
  await page.getByText("44명 선택 (다른 페이지 25명)").waitFor();
  await page.reload();
  await page.getByText("44명 선택 (다른 페이지 25명)").waitFor();
  await expect.poll(() => page.getByRole("checkbox", { name: "목록21 선택" }).first().isChecked()).toBe(false);
  await page.getByRole("button", { name: "선택 해제" }).click();

  await page.getByText("항목별 조건", { exact: true }).click();
  await page.getByLabel("항목", { exact: true }).selectOption("position");
  await page.getByLabel("조건", { exact: true }).selectOption("empty");
  await page.getByRole("button", { name: "조건 더하기" }).click();
  await page.waitForURL("**f_position=empty**");
  await page.getByText("총 15명").waitFor();
  await page.getByRole("button", { name: "현재 조건 저장" }).click();
  await page.getByLabel("보기 이름").fill("직위 없는 사람");
  await page.getByRole("button", { name: "저장", exact: true }).click();
  const view = page.getByRole("navigation", { name: "저장한 보기" }).getByRole("link", { name: "직위 없는 사람" });
  await expect.poll(() => view.getAttribute("aria-current")).toBe("true");
  expect(await findAxeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await measureSidewaysScroll(page)).toBe(0);
  await page.getByRole("link", { name: "직위 비어 있음" }).click();
  await page.getByText("총 45명").waitFor();
  await view.click();
  await page.getByText("총 15명").waitFor();
  await page.getByRole("button", { name: "보기 삭제" }).click();
  await page.getByRole("button", { name: "되돌리기" }).click();
  await page.getByText("보기를 되살렸습니다.").waitFor();
  await view.waitFor();
});

test("the first person is in the upper half of the screen", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/Alumni?affiliation=목록병원&f_position=filled");
  const top = (row: string) => page.locator(row).evaluate((person) => person.getBoundingClientRect().top);
  await expect.poll(() => top("tbody tr:first-child")).toBeLessThan(450);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => top("ul.border-primary-80 > li:nth-child(2)")).toBeLessThan(850);
});

test("a condition not yet added counts in the search", { tags: "full" }, async ({ openAs, db }) => {
  const owing = crypto.randomUUID();
  await insertAlumni(db, [
    { id: owing, name: "조건하나", affiliation: "조건병원", position: "과장" },
    { name: "조건두리", affiliation: "조건병원", position: "과장" },
    { name: "조건세온", affiliation: "조건병원" },
  ]);
  await db
    .prepare(
      "INSERT INTO due (id, alumni_id, kind_id, period, amount, work_id, created_date, modified_date) VALUES ('owing', ?, 'k', '2026', 50000, '', 1, 1)",
    )
    .bind(owing)
    .run();
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Alumni?affiliation=조건병원");
  await page.getByText("총 3명").waitFor();
  const search = page.getByRole("button", { name: "검색", exact: true });

  await page.getByText("항목별 조건", { exact: true }).click();
  await page.getByLabel("항목", { exact: true }).selectOption("position");
  await page.getByLabel("값", { exact: true }).fill("과장");
  await search.click();
  await page.waitForURL((url) => url.searchParams.get("f_position") === "has:과장");
  await page.getByText("총 2명").waitFor();

  await page.getByText("회비 조건", { exact: true }).click();
  const year = page.getByLabel("연도", { exact: true });
  await year.fill("올해");
  await search.click();
  await page.getByText("연도는 2026처럼 적어 주십시오.").waitFor();
  expect(new URL(page.url()).searchParams.has("dues")).toBe(false);
  await year.fill("2026");
  await search.click();
  await page.waitForURL((url) => url.searchParams.get("dues") === "2026:unpaid,partial");
  await page.getByText("총 1명").waitFor();
  const { searchParams } = new URL(page.url());
  expect(["affiliation", "f_position"].map((key) => searchParams.get(key))).toEqual(["조건병원", "has:과장"]);
});

test("the day of registration is a condition", { tags: "full" }, async ({ openAs, db }) => {
  const daysAgo = (days: number) => Date.now() - days * 86_400_000;
  await insertAlumni(db, [
    { name: "등록하나", affiliation: "등록병원", created_date: daysAgo(3) },
    { name: "등록두리", affiliation: "등록병원", created_date: daysAgo(20) },
    { name: "등록세온", affiliation: "등록병원", created_date: Date.UTC(2024, 2, 15) },
  ]);
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/Alumni?affiliation=등록병원");
  await page.getByText("총 3명").waitFor();
  await page.getByText("등록일 조건", { exact: true }).click();
  const days = page.getByLabel("일수", { exact: true });
  await days.fill("0");
  const add = page.getByRole("button", { name: "조건 더하기" });
  await add.click();
  await page.getByText("일수는 1에서 3,650까지 적어 주십시오.").waitFor();
  expect(await days.getAttribute("aria-invalid")).toBe("true");
  expect(await findAxeViolations(page)).toEqual([]);
  await days.fill("7");
  await add.click();
  await page.waitForURL((url) => url.searchParams.get("registered") === "days:7");
  await page.getByText("총 1명").waitFor();

  await page.getByRole("link", { name: "등록일 최근 7일 조건 지우기" }).waitFor();
  await page.getByText("등록일 조건", { exact: true }).click();
  await page.getByLabel("등록일", { exact: true }).selectOption("두 날 사이");
  await page.getByLabel("시작일", { exact: true }).fill("2024-03-31");
  await page.getByLabel("종료일", { exact: true }).fill("2024-03-01");
  await page.getByRole("button", { name: "검색", exact: true }).click();
  await page.getByText("종료일이 시작일보다 앞섭니다.").waitFor();
  expect(await measureSidewaysScroll(page)).toBe(0);
  await page.getByLabel("시작일", { exact: true }).fill("2024-03-01");
  await page.getByLabel("종료일", { exact: true }).fill("2024-03-31");
  await page.getByRole("button", { name: "검색", exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get("registered") === "between:2024-03-01,2024-03-31");
  await page.getByText("총 1명").waitFor();
});

test("Esc closes the form of the own entry", { tags: "full" }, async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/Alumni");
  await page.getByRole("link", { name: "내 정보" }).click();
  const panel = page.locator("aside[aria-labelledby=person-name]");
  const edit = panel.getByRole("button", { name: "수정", exact: true });
  await edit.click();
  const field = panel.locator("#alumni-affiliation");
  await field.focus();
  await page.keyboard.press("Escape");
  await edit.click();
  await field.fill("적던 소속");
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "저장하지 않은 내용이 있습니다" });
  await question.getByRole("button", { name: "계속 쓰기" }).click();
  expect(await field.inputValue()).toBe("적던 소속");
  await field.press("Escape");
  await question.getByRole("button", { name: "저장하지 않고 닫기" }).click();
  await edit.waitFor();
  expect(await panel.getByText("적던 소속").count()).toBe(0);
});

test("a bulk change is undone in the list of deeds", { tags: "full" }, async ({ openAs, db }) => {
  await insertAlumni(db, [
    { name: "되돌하나", affiliation: "되돌병원" },
    { name: "되돌두리", affiliation: "되돌병원" },
  ]);
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/Alumni?affiliation=되돌병원");
  await page.getByRole("checkbox", { name: "이 페이지 모두 선택" }).check();
  await page.getByRole("button", { name: "항목 바꾸기" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("바꿀 항목").selectOption({ label: "소속" });
  await dialog.getByRole("textbox", { name: "소속" }).fill("다른병원");
  await dialog.getByRole("button", { name: "몇 명인지 확인" }).click();
  await dialog.getByRole("button", { name: "2명 바꾸기" }).click();
  await page.getByText("2명의 정보를 바꾸었습니다.", { exact: false }).first().waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/Alumni");
  await openActions(page, "정리");
  await page.getByRole("link", { name: "되돌리기", exact: true }).click();
  const row = page.getByRole("row").filter({ hasText: "소속 바꾸기: 2명" });
  await row.getByText("한꺼번에 바꾸기").waitFor();
  expect([await findAxeViolations(page), await measureSidewaysScroll(page)]).toEqual([[], 0]);
  await row.getByRole("button", { name: "되돌리기" }).click();
  await page.getByText("바꾼 2명은 바꾸기 전의 내용으로 돌아갑니다.", { exact: false }).waitFor();
  await page.getByRole("alertdialog").getByRole("button", { name: "되돌리기" }).click();
  await page.getByText("한꺼번에 바꾸기를 되돌렸습니다.").waitFor();
  await page.getByText("2명을 전의 내용으로 돌려놓았습니다.").waitFor();
  await expect.poll(() => row.count()).toBe(0);
  await page.goto("/Alumni?affiliation=되돌병원");
  await page.getByText("총 2명").waitFor();
});
