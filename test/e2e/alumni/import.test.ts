/** @module-tag full */
import { utils, write } from "@e965/xlsx";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { findAxeViolations } from "../support/browser.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

function book(rows: unknown[][], hiddenRow?: number): Buffer {
  const sheet = utils.aoa_to_sheet(rows);
  if (hiddenRow) {
    sheet["!rows"] = [];
    sheet["!rows"][hiddenRow - 1] = { hidden: true };
  }
  const made = utils.book_new();
  utils.book_append_sheet(made, sheet, "명부");
  return write(made, { type: "buffer", bookType: "xlsx" }) as Buffer;
}
const drop = (page: Page, ...files: [name: string, buffer: Buffer][]) =>
  page
    .locator("input[type=file]")
    .setInputFiles(files.map(([name, buffer]) => ({ name, mimeType: "application/octet-stream", buffer })));
const stored = async (db: D1Database, condition: string) => {
  return db.prepare(`SELECT name, cohort, mobile, phone, memo FROM alumni WHERE ${condition} ORDER BY name`).raw();
};

test("twenty cohort files are imported at once", async ({ db, openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/Alumni/Import");
  const files = Array.from({ length: 20 }, (_, at): [string, Buffer] => [
    `제${at + 31}기 동문 명부.xlsx`,
    book([
      [`제${at + 31}기 동문 명부`],
      ["연번", "성 명", "휴대폰번호"],
      ...Array.from({ length: 5 }, (_row, row) => [row + 1, `회차${at + 31}-${row}`, `010-${3100 + at}-000${row}`]),
      ["합계", "5명"],
    ]),
  ]);
  const began = Date.now();
  let clicks = 2;
  await drop(page, ...files);
  await page.getByText("모양이 같은 시트 20개에 함께 씁니다").waitFor();
  await page.getByText("쓰지 않는 열이 1개 있습니다: ‘연번’").waitFor();
  await page.getByText("합계 1행을 뺐습니다: 8행 ‘합계 5명’").first().waitFor();
  await expect.poll(() => page.getByLabel("제31기 동문 명부.xlsx의 기수").inputValue()).toBe("31");
  expect(await findAxeViolations(page)).toEqual([]);
  const look = page.getByRole("button", { name: "미리보기", exact: true });
  await expect.poll(() => look.isVisible()).toBe(true);
  await look.click();
  clicks += 1;
  const commit = page.getByRole("button", { name: "100명 가져오기" });
  await commit.click();
  clicks += 1;
  await page.getByText("100명을 추가하고 0명을 바꾸었습니다.").waitFor();
  expect([clicks <= 40, Date.now() - began < 180_000]).toEqual([true, true]);
  expect((await stored(db, "name LIKE '회차50-%'")).map((row) => (row as unknown[])[1])).toEqual([50, 50, 50, 50, 50]);
});

test("a row is decided or corrected before its import", async ({ db, openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS, { width: 390, height: 800 });
  await page.goto("/Alumni/Import");
  await drop(page, [
    "명부.xlsx",
    book(
      [
        ["이름", "기수", "휴대전화", "전화"],
        ["결정가", "3기", "010-4100-0001, 010-4100-0009", "02-740-1234 (내선 5)"],
        ["결정나", "삼기", "01041000002", ""],
        ["숨은이", 3, "010-4100-0003", ""],
      ],
      4,
    ),
  ]);
  await page.getByText("숨긴 행이 1행 있습니다: 4행").waitFor();
  const look = page.getByRole("button", { name: "미리보기", exact: true });
  await expect.poll(() => look.isDisabled()).toBe(true);
  await page.getByText("숨긴 행을 어떻게 할지 정해 주십시오.").waitFor();
  expect(await measureSidewaysScroll(page)).toBe(0);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("group", { name: "숨긴 행 1행" }).getByLabel("빼기").check();
  await look.click();
  const facts = page.locator("dl dd");
  await expect.poll(() => facts.allInnerTexts()).toEqual(["0명", "0명", "0명", "2명"]);
  expect(await measureSidewaysScroll(page)).toBe(0);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "첫 값만 쓰고 나머지는 메모로 옮기기" }).click();
  await expect.poll(() => facts.allInnerTexts()).toEqual(["1명", "0명", "0명", "1명"]);
  await page.getByText("적용: 휴대전화: 첫 값만 쓰고 나머지는 메모로 옮기기").waitFor();
  const cell = page.getByLabel("3행 기수");
  await cell.fill("33");
  await cell.blur();
  await page.getByRole("button", { name: "고침 취소" }).click();
  await expect.poll(() => page.getByLabel("3행 기수").inputValue()).toBe("삼기");
  await page.getByLabel("3행 기수").fill("3");
  await page.getByLabel("3행 기수").blur();
  await page.getByRole("button", { name: "고친 내용으로 다시 확인" }).click();
  await expect.poll(() => facts.allInnerTexts()).toEqual(["2명", "0명", "0명", "0명"]);
  await page.getByText("휴대전화 하이픈을 맞춘 번호 1개").waitFor();
  await page.getByText("번호 하나로 읽을 수 없어 적힌 대로 두는 전화: 2행 ‘02-740-1234 (내선 5)’").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "2명 가져오기" }).click();
  await page.getByText("2명을 추가하고 0명을 바꾸었습니다.").waitFor();
  expect(await stored(db, "mobile LIKE '010-4100-%'")).toEqual([
    ["결정가", 3, "010-4100-0001", "02-740-1234 (내선 5)", "휴대전화: 010-4100-0009"],
    ["결정나", 3, "010-4100-0002", "", ""],
  ]);
});

test("a decision is remembered for the next file", async ({ db, openAs }) => {
  const add = (name: string, mobile: string) =>
    db
      .prepare("INSERT INTO alumni (id, name, cohort, mobile, created_date, modified_date) VALUES (?, ?, 3, ?, 1, 1)")
      .bind(crypto.randomUUID(), name, mobile);
  await db.batch([add("기억가", "010-4110-0001"), add("기억나", "010-4110-0002")]);
  const page = await openAs(ADMIN_CREDENTIALS, { width: 390, height: 800 });
  await page.goto("/Alumni/Import");
  const look = page.getByRole("button", { name: "미리보기", exact: true });
  const facts = page.locator("dl dd");
  const bank = (year: number) => {
    const made = utils.book_new();
    const rows = [
      ["거래내역"],
      ["조회기간"],
      ["No", "보낸분", "금액"],
      [1, "기억가", 5],
      [2, "기억나", 5],
      [3, "새이름", 5],
    ];
    utils.book_append_sheet(made, utils.aoa_to_sheet(rows), "거래내역");
    utils.book_append_sheet(made, utils.aoa_to_sheet([["이름"], ["떠난이"]]), `${year} 탈퇴자`);
    return write(made, { type: "buffer", bookType: "xlsx" }) as Buffer;
  };
  await drop(page, ["거래.xlsx", bank(2025)]);
  await page.getByText("지나간 시트 1개").click();
  const left = page.getByRole("checkbox", { name: /2025 탈퇴자/ });
  expect(await left.isChecked()).toBe(false);
  const pointer = page.getByText("거래.xlsx · 거래내역: 머리글 행 고르기");
  await pointer.focus();
  await page.keyboard.press("Enter");
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "3행을 머리글로" }).press("Enter");
  const column = page.getByLabel("‘보낸분’ 열의 항목");
  await column.selectOption("name");
  expect([await measureSidewaysScroll(page), await findAxeViolations(page), await left.isChecked()]).toEqual([
    0,
    [],
    false,
  ]);
  await look.click();
  await page.getByRole("heading", { name: "같은 사람인지 정하기 2명" }).waitFor();
  await expect.poll(() => facts.allInnerTexts()).toEqual(["1명", "0명", "0명", "0명", "2명", "0명"]);
  await page
    .getByRole("group", { name: "4행 기억가" })
    .getByLabel(/^같은 사람: 기억가 · 3기/)
    .focus();
  await page.keyboard.press("Space");
  await page.getByRole("group", { name: "5행 기억나" }).getByLabel("건너뛰기").check();
  expect([await measureSidewaysScroll(page), await findAxeViolations(page)]).toEqual([0, []]);
  await page.getByRole("button", { name: "정한 대로 다시 확인" }).click();
  await expect.poll(() => facts.allInnerTexts()).toEqual(["1명", "0명", "1명", "0명", "0명", "1명"]);
  await page.getByText("정한 사람 2명").click();
  await page.getByText("4행 기억가: 같은 사람 (기억가 · 3기").waitFor();
  await page.getByRole("button", { name: "열 맞추기로" }).click();

  await drop(page, ["거래.xlsx", bank(2026)]);
  await page.getByText("같은 양식의 파일을 가져오신 적이 있어").waitFor();
  expect(await column.inputValue()).toBe("name");
  await look.click();
  await expect.poll(() => facts.allInnerTexts()).toEqual(["1명", "0명", "1명", "0명", "0명", "1명"]);
  await page.getByRole("button", { name: "1명 가져오기" }).click();
  await page.getByText("1명을 추가하고 0명을 바꾸었습니다.").waitFor();
});

test("addresses are corrected after comparison with the official file", async ({ db, openAs }) => {
  const add = (name: string, zip: string, address: string) =>
    db
      .prepare(
        "INSERT INTO alumni (id, name, zip_code, address, created_date, modified_date) VALUES (?, ?, ?, ?, 1, 1)",
      )
      .bind(crypto.randomUUID(), name, zip, address);
  await db.batch([
    add("주소가", "110-744", "서울특별시 종로구 가상로 12"),
    add("주소나", "", "서울 종로구 가상동 7-3 201호"),
    add("주소다", "", "사서함 1호"),
  ]);
  const fields = [
    "1",
    "1",
    "서울특별시",
    "종로구",
    "가상동",
    "",
    "0",
    "7",
    "3",
    "1",
    "가상로",
    "0",
    "12",
    "0",
    "1",
    "가상동",
  ];
  const line = `${[...fields, "03080", "", "20260101", "0", "", "", "", ""].join("|")}\r\n`;
  const page = await openAs(ADMIN_CREDENTIALS, { width: 390, height: 800 });
  await page.goto("/Alumni/Addresses");
  await drop(page, ["고른 파일.txt", Buffer.from("이름|주소\n")]);
  await page.getByText("고른 파일.txt: 도로명주소 자료가 아닙니다.").waitFor();
  await drop(page, ["rnaddrkor_seoul.txt", Buffer.from(line)]);
  await page.getByRole("checkbox", { name: "우편번호만 고침 1명" }).waitFor();
  await page.getByText("서울특별시 종로구 가상로 12 201호").waitFor();
  await page.getByRole("heading", { name: /파일에서 찾지 못해 그대로 둠/ }).waitFor();
  expect(await measureSidewaysScroll(page)).toBe(0);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "2명 고치기" }).click();
  await page.getByText("2명의 주소와 우편번호를 고쳤습니다.").waitFor();
  const found = await db
    .prepare("SELECT name, zip_code, address FROM alumni WHERE name LIKE '주소_' ORDER BY name")
    .raw();
  expect(found).toEqual([
    ["주소가", "03080", "서울특별시 종로구 가상로 12"],
    ["주소나", "03080", "서울특별시 종로구 가상로 12 201호"],
    ["주소다", "", "사서함 1호"],
  ]);
  await page.getByRole("link", { name: "되돌릴 수 있는 작업 보기" }).click();
  await page.getByRole("cell", { name: /주소와 우편번호 확인/ }).waitFor();
});

const marked = (...rows: string[][]) => book([["이름", "기수", "휴대전화", "메모"], ...rows]);

test("a mark in names is decided by kind", async ({ db, openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS, { width: 390, height: 800 });
  await page.goto("/Alumni/Import");
  await drop(page, [
    "명부.xlsx",
    marked(
      ["문재지 교수", "3", "010-4200-0001", "첫 줄\n둘째 줄"],
      ["서연선(女)", "3", "010-4200-0002", ""],
      ["정 민희", "3", "010-4200-0003", ""],
      ["故 손은지", "3", "010-4200-0004", ""],
      ["남도하", "3", "010-4200-0005\n02-740-1234", ""],
    ),
  ]);
  const look = page.getByRole("button", { name: "미리보기", exact: true });
  await look.click();
  const facts = page.locator("dl dd");
  await page.getByRole("heading", { name: "이름에 함께 적힌 말 정하기 4명" }).waitFor();
  await expect.poll(() => facts.allInnerTexts()).toEqual(["0명", "0명", "0명", "1명", "4명", "0명"]);
  await page.getByText("2행 ‘문재지 교수’ → 문재지").waitFor();
  await page.getByText("5행 ‘故 손은지’ → 손은지, 상태 작고").waitFor();
  expect([await measureSidewaysScroll(page), await findAxeViolations(page)]).toEqual([0, []]);
  for (const kind of ["직함", "성별 표시", "이름 안의 빈칸"]) {
    await page
      .getByRole("listitem")
      .filter({ hasText: `${kind} 1칸` })
      .getByRole("button", { name: "제안대로 고치기" })
      .click();
    await page.getByText(`적용: ${kind}: 제안대로 고치기`).waitFor();
  }
  await page.getByRole("button", { name: "표시를 떼고 상태를 ‘작고’로 하기" }).click();
  await page.getByRole("button", { name: "첫 값만 쓰고 나머지는 메모로 옮기기" }).click();
  await expect.poll(() => facts.allInnerTexts()).toEqual(["5명", "0명", "0명", "0명"]);
  expect([await measureSidewaysScroll(page), await findAxeViolations(page)]).toEqual([0, []]);
  await page.getByRole("button", { name: "5명 가져오기" }).click();
  await page.getByText("5명을 추가하고 0명을 바꾸었습니다.").waitFor();
  const { results } = await db.prepare("SELECT name, state FROM alumni WHERE mobile LIKE '010-4200-%'").all();
  expect(results.toSorted((a, b) => String(a.name).localeCompare(String(b.name)))).toEqual(
    ["남도하", "문재지", "서연선", "손은지", "정민희"].map((name) => ({
      name,
      state: name === "손은지" ? "작고" : "활동",
    })),
  );

  await drop(page, [
    "명부.xlsx",
    marked(["문재지 교수", "3", "010-4200-0001", "첫 줄 둘째 줄"], ["새이름", "3", "010-4200-0003", ""]),
  ]);
  await look.click();
  await page.getByRole("heading", { name: "같은 사람인지 정하기 1명" }).waitFor();
  await page.getByText("줄바꿈이 달라짐").waitFor();
  await page.getByLabel("같은 사람, 이름을 ‘새이름’으로 바꿈: 휴대전화가 같음 · 정민희").check();
  expect([await measureSidewaysScroll(page), await findAxeViolations(page)]).toEqual([0, []]);
  await page.getByRole("button", { name: "정한 대로 다시 확인" }).click();
  await page.getByRole("heading", { name: "지난 파일에는 있고 이 파일에는 없는 분 2명" }).waitFor();
  await page.getByLabel("서연선의 상태").selectOption("연락 두절");
  await page.getByRole("button", { name: "정한 대로 다시 확인" }).click();
  await expect.poll(() => facts.allInnerTexts()).toEqual(["0명", "3명", "0명", "0명"]);
  expect([await measureSidewaysScroll(page), await findAxeViolations(page)]).toEqual([0, []]);
  await page.getByRole("button", { name: "3명 가져오기" }).click();
  await page.getByText("0명을 추가하고 3명을 바꾸었습니다.").waitFor();
  const after = await db
    .prepare("SELECT name, state FROM alumni WHERE mobile LIKE '010-4200-%' AND state <> '작고' ORDER BY mobile")
    .raw();
  expect(after).toEqual([
    ["문재지", "활동"],
    ["서연선", "연락 두절"],
    ["새이름", "활동"],
    ["남도하", "활동"],
  ]);
});

test("two rows with one number are a question that shows both", async ({ db, openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS, { width: 390, height: 800 });
  await page.goto("/Alumni/Import");
  await drop(page, [
    "명부.xlsx",
    marked(
      ["송미성", "3", "010-4300-0001", ""],
      ["송지원", "", "010-4300-0001", "이름을 바꾸심"],
      ["김하나", "4", "010-4300-0002", ""],
    ),
  ]);
  await page.getByRole("button", { name: "미리보기", exact: true }).click();
  await page.getByRole("heading", { name: "같은 사람인지 정하기 1명" }).waitFor();
  const facts = page.locator("dl dd");
  await expect.poll(() => facts.allInnerTexts()).toEqual(["2명", "0명", "0명", "0명", "1명", "0명"]);
  const same = /^같은 사람, 이름은 ‘송미성’으로 하고 빈 칸만 이 행에서 채움: 2행 · 휴대전화가 같음 · 송미성 · 3기/;
  await page
    .getByRole("group", { name: /^3행 송지원/ })
    .getByLabel(same)
    .check();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect([await measureSidewaysScroll(page), await findAxeViolations(page)]).toEqual([0, []]);
  }
  await page.getByRole("button", { name: "정한 대로 다시 확인" }).click();
  await expect.poll(() => facts.allInnerTexts()).toEqual(["2명", "0명", "0명", "0명"]);
  await page.getByRole("button", { name: "2명 가져오기" }).click();
  await page.getByText("2명을 추가하고 0명을 바꾸었습니다.").waitFor();
  const added = await db.prepare("SELECT name, memo FROM alumni WHERE mobile LIKE '010-4300-%' ORDER BY mobile").raw();
  expect(added).toEqual([
    ["송미성", "이름을 바꾸심"],
    ["김하나", ""],
  ]);
});
