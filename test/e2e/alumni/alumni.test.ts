/** @module-tag full */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CFB, read, utils } from "@e965/xlsx";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { readAlumniChoice } from "#app/features/alumni/list-choice.ts";
import { measureSidewaysScroll } from "../support/account.ts";
import { openActions } from "../support/alumni.ts";
import { findAxeViolations } from "../support/browser.ts";
import { convertToCsvWithOffice, editWithOffice } from "../support/libre-office.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

async function exported(page: Page): Promise<Buffer> {
  await openActions(page, "파일과 인쇄");
  await page.getByRole("button", { name: "내보내기", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /명 내보내기/ }).click();
  await dialog.getByText("내보내는 사유를 적어 주십시오.").waitFor();
  await dialog.getByLabel("모든 항목").check();
  await dialog.getByLabel(/내보내는 사유/).fill("정기총회 안내문 발송");
  const coming = page.waitForEvent("download");
  await dialog.getByRole("button", { name: /명 내보내기/ }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^동문주소록_20\d{6}\.xlsx$/);
  return readFileSync(await download.path());
}

const FIXTURES = new URL("../../fixtures/alumni/", import.meta.url).pathname;
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const dropped = (name: string, buffer: Buffer) => ({ name, mimeType: XLSX, buffer });

async function fourPeople(db: D1Database): Promise<void> {
  const columns =
    "id, name, cohort, graduation_year, affiliation, email, mobile, phone, zip_code, memo, created_date, modified_date";
  const rows = ["가람", "나래", "다솔", "라온"].map((name, at) => {
    const id = `00000000-0000-4000-8000-00000000000${at}`;
    const contact = [`${at}@pid.example.kr`, `010-0000-900${at}`, "02-000-0001", "03080"];
    return [id, name, 3, 2004, "왕복병원", ...contact, at === 3 ? "=1+1" : "첫 줄, “따옴표”", 1, 1];
  });
  await db.batch(
    rows.map((row) => db.prepare(`INSERT INTO alumni (${columns}) VALUES (${row.map(() => "?")})`).bind(...row)),
  );
}

test("an edited export changes only the edited people", async ({ db, openAs }) => {
  await fourPeople(db);
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Alumni?affiliation=왕복병원");
  const book = await exported(page);
  expect(convertToCsvWithOffice("동문.xlsx", book, join(FIXTURES, "exported.csv")))
    .toBe(`"이름","기수","졸업연도","전공","소속","부서","직위","이메일","휴대전화","전화","우편번호","주소","메모","ID"
"가람",3,2004,,"왕복병원",,,"0@pid.example.kr","010-0000-9000","02-000-0001","03080",,"첫 줄, “따옴표”","00000000-0000-4000-8000-000000000000"
"나래",3,2004,,"왕복병원",,,"1@pid.example.kr","010-0000-9001","02-000-0001","03080",,"첫 줄, “따옴표”","00000000-0000-4000-8000-000000000001"
"다솔",3,2004,,"왕복병원",,,"2@pid.example.kr","010-0000-9002","02-000-0001","03080",,"첫 줄, “따옴표”","00000000-0000-4000-8000-000000000002"
"라온",3,2004,,"왕복병원",,,"3@pid.example.kr","010-0000-9003","02-000-0001","03080",,"=1+1","00000000-0000-4000-8000-000000000003"
`);
  // A number that lost its zero, as typed into a cell, and an invalid cohort.
  const cells = { E2: "새로 옮긴 병원", I3: 1000009999, B4: "열기" };
  const edited = editWithOffice(book, cells, join(FIXTURES, "edited.xlsx"));

  await page.goto("/Alumni/Import");
  await page.locator("input[type=file]").setInputFiles(dropped("고친 주소록.xlsx", edited));
  await page.getByLabel("‘소속’ 열의 항목").waitFor();
  await expect.poll(() => page.getByLabel("‘소속’ 열의 항목").inputValue()).toBe("affiliation");
  await page.getByRole("button", { name: "미리보기", exact: true }).click();
  const facts = page.locator("dl dd");
  await facts.first().waitFor();
  await expect.poll(() => facts.allInnerTexts()).toEqual(["0명", "2명", "1명", "1명"]);
  expect(await findAxeViolations(page)).toEqual([]);
  await expect.poll(() => page.getByRole("button", { name: "2명 가져오기" }).isDisabled()).toBe(true);
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: "오류 행 내려받기" }).click();
  const refused = read(readFileSync(await (await coming).path()));
  expect(utils.sheet_to_json(refused.Sheets[refused.SheetNames[0] ?? ""] ?? {})).toMatchObject([
    { 이름: "다솔", 기수: "열기", 행: 4, 사유: expect.stringContaining("기수는 1부터 999까지의 숫자로") },
  ]);

  await page.getByLabel("4행 기수").fill("3");
  await page.getByLabel("4행 기수").blur();
  await page.getByRole("button", { name: "고친 내용으로 다시 확인" }).click();
  await page.getByText("오류 행 내려받기").waitFor({ state: "detached" });
  await expect.poll(() => facts.allInnerTexts()).toEqual(["0명", "2명", "2명", "0명"]);
  await page.locator("ins", { hasText: "새로 옮긴 병원" }).waitFor();
  await page.locator("ins", { hasText: "010-0000-9999" }).waitFor();
  await page.getByRole("button", { name: "2명 가져오기" }).click();
  await page.getByText("0명을 추가하고 2명을 바꾸었습니다.").waitFor();

  await page.goto("/Alumni?affiliation=새로 옮긴");
  await page.getByRole("link", { name: "가람" }).first().waitFor();
  await page.goto("/Alumni/Import");
  await page.getByRole("button", { name: "되돌리기" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "되돌리기" }).click();
  await page.getByText("2명을 전의 내용으로 돌려놓았습니다.").waitFor();
  await page.goto("/Alumni?affiliation=새로 옮긴");
  await page.getByText("조건에 맞는 동문이 없습니다.").waitFor();

  // Nobody else has the numbers of the files, which would be asked about.
  await db.exec("UPDATE alumni SET mobile = '' WHERE mobile IN ('010-0000-0001', '010-0000-0002')");
  for (const name of ["alumni.xls", "utf8.csv", "cp949.csv"]) {
    await page.goto("/Alumni/Import");
    await page.locator("input[type=file]").setInputFiles(join(FIXTURES, name));
    await page.getByRole("button", { name: "미리보기", exact: true }).click();
    await facts.first().waitFor();
    expect([name, ...(await facts.allInnerTexts())]).toEqual([name, "2명", "0명", "0명", "0명"]);
    await page.locator("ins", { hasText: "010-0000-0001" }).waitFor();
    await page.locator("ins", { hasText: "한빛병원" }).waitFor();
  }
});

test("two people are merged after a comparison", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Alumni/Import");
  const file =
    "이름,기수,소속,휴대전화,메모\n쌍둥이,9,새봄병원,010-0000-8001,처음\n쌍둥이,9,가온병원,010-0000-8002,나중\n";
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "쌍.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
  await page.getByRole("button", { name: "미리보기", exact: true }).click();
  await page.getByRole("button", { name: "2명 가져오기" }).click();
  await page.getByRole("link", { name: "중복 의심 동문 보기" }).click();
  await page.getByText("이름과 기수가 같음", { exact: true }).waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "비교하여 합치기" }).click();
  await page.getByRole("heading", { name: "동문 합치기" }).waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  const choice = page.getByRole("group", { name: "소속" });
  await choice.getByRole("radio", { name: "새봄병원" }).check();
  await page.getByRole("button", { name: "2명을 하나로 합치기" }).click();
  await page.getByText("2명을 하나로 합쳤습니다.").waitFor();
  await page.goto("/Alumni?keyword=쌍둥이&columns=name,affiliation,memo");
  await page.getByRole("cell", { name: "새봄병원" }).waitFor();
  await expect.poll(() => page.getByRole("cell", { name: /^처음\s나중$|^나중\s처음$/ }).count()).toBe(1);

  await page.goto("/Alumni/Bin");
  await page.getByText("‘쌍둥이’님에 합쳐졌습니다.").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.goto("/Alumni/Duplicates");
  await page.getByRole("button", { name: "되돌리기" }).first().click();
  await page.getByRole("alertdialog").getByRole("button", { name: "되돌리기" }).click();
  await page.getByText("2명을 전의 내용으로 돌려놓았습니다.").waitFor();
  await page.goto("/Alumni?keyword=쌍둥이");
  await page.getByText("총 2명").waitFor();
});

test("columns are moved by keyboard or by dragging", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Alumni?columns=name,cohort,affiliation,mobile");
  const heads = (...wanted: string[]) =>
    page.waitForFunction((texts) => {
      const shown = [...document.querySelectorAll("thead th")].map((head) => head.textContent?.trim());
      return shown.filter(Boolean).join() === texts;
    }, wanted.join());
  const open = () => page.getByText("열 선택").click();
  await open();
  await page.getByRole("button", { name: "휴대전화 앞으로" }).press("Enter");
  await page.keyboard.press("Enter");
  // At the front the forward arrow is disabled, so the backward arrow gets the focus.
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "휴대전화 뒤로");
  await page.getByRole("button", { name: "적용" }).click();
  await heads("이름", "휴대전화", "기수", "소속");
  expect(readAlumniChoice(new URL(page.url()).searchParams).columns).toEqual([
    "name",
    "mobile",
    "cohort",
    "affiliation",
  ]);
  await open();
  await page.locator("li[data-field=affiliation]").dragTo(page.locator("li[data-field=mobile]"));
  await page.getByRole("button", { name: "적용" }).click();
  await heads("이름", "소속", "휴대전화", "기수");
});

test("an upload resumes after a lost connection", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  const lines = Array.from({ length: 4100 }, (_, at) => `이어보냄${at},r${at}@pid.example.kr`);
  const csv = {
    name: "큰 파일.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["이름,이메일", ...lines.with(1, "이어보냄1,틀린주소")].join("\n")),
  };
  const look = async () => {
    await page.goto("/Alumni/Import");
    await page.locator("input[type=file]").setInputFiles(csv);
    await page.getByRole("button", { name: "미리보기", exact: true }).click();
  };
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") sent.push(request.url().split("/").pop() ?? "");
  });
  await page.route("**/api/alumni/import/*/part/2", (route) => route.abort());
  await look();
  await page.getByText("하던 곳부터 이어서 합니다").waitFor();
  expect([...new Set(sent)]).toEqual(["1", "2"]);

  await page.unroute("**/api/alumni/import/*/part/2");
  sent.length = 0;
  await page.goto("/Alumni/Import");
  await page.getByText("33% 보냈습니다").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await look();
  await page.locator("dl dd").first().waitFor();
  expect(sent).toEqual(["2", "3"]);

  await page.goto("/Alumni/Import");
  await page.getByText("다 보냈습니다").waitFor();
  await page.getByRole("button", { name: "미리보기", exact: true }).click();
  // Without the file at hand only the sent rows can be corrected.
  await page.getByLabel("3행 이메일").fill("r1@pid.example.kr");
  await page.getByLabel("3행 이메일").blur();
  await page.getByRole("button", { name: "고친 내용으로 다시 확인" }).click();
  await page.getByRole("button", { name: "4,100명 가져오기" }).click();
  await page.getByText("4,100명을 추가하고 0명을 바꾸었습니다.").waitFor();
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let steps = 0;
  await page.route("**/api/alumni/import/*/undo", async (route) => {
    steps += 1;
    if (steps === 2) await gate;
    await route.continue();
  });
  await page
    .getByRole("row", { name: /큰 파일\.csv/ })
    .getByRole("button", { name: "되돌리기" })
    .click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "되돌리기" }).click();
  await question.getByText("되돌리고 있습니다 (24%)").waitFor();
  release();
  await page.getByText("4,100명을 지웠습니다").waitFor();
});

test("each invalid dropped file gives a Korean error", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  const sent: string[] = [];
  page.on("request", (request) => request.method() !== "GET" && sent.push(request.url()));
  await page.goto("/Alumni/Import");
  const locked = CFB.utils.cfb_new();
  CFB.utils.cfb_add(locked, "/EncryptedPackage", Buffer.alloc(500));
  const bytes = (name: string) => readFileSync(join(FIXTURES, name));
  const wide = Array.from({ length: 200 }, (_, at) => (at === 0 ? "이름" : `열${at}`)).join(",");
  const bad: [name: string, content: Buffer | string, message: string][] = [
    ["회칙.xlsx", "%PDF-1.7 회칙", "엑셀 파일이 아닙니다."],
    ["잠긴 명부.xlsx", CFB.write(locked, { type: "buffer" }) as Buffer, "암호가 걸린 파일입니다."],
    ["잘린 명부.xlsx", bytes("alumni.xlsx").subarray(0, 3000), "손상되었거나"],
    ["잘린 명부.xls", bytes("alumni.xls").subarray(0, 1500), "손상되었거나"],
    ["넓은 명부.csv", wide, "열이 너무 많습니다(200열)."],
    ["빈 파일.xlsx", "", "빈 파일입니다(0바이트)."],
    ["로그인.xls", "<html><body>로그인해 주십시오.</body></html>", "파일 안에 표가 없습니다."],
    ["빈 명부.csv", "\n\n", "비어 있는 파일입니다."],
    ["다른 글자.csv", Buffer.from([0xc0, 0xff, 0x41, 0x0a]), "글자를 읽을 수 없는 파일입니다."],
  ];
  for (const [name, content, message] of bad) {
    const buffer = typeof content === "string" ? Buffer.from(content) : content;
    await page.locator("input[type=file]").setInputFiles({ name, mimeType: XLSX, buffer });
    await page.getByRole("alert").filter({ hasText: message }).waitFor();
    expect([name, await page.getByRole("button", { name: "미리보기" }).count()]).toEqual([name, 0]);
  }
  expect(sent).toEqual([]);
});

test("the office adds a person next to the list", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Alumni");
  await page.getByRole("link", { name: "동문 추가" }).click();
  await page.getByLabel("이름", { exact: false }).first().waitFor();
  await page.locator("#alumni-name").fill("표본인");
  await page.locator("#alumni-mobile").fill("1234");
  await page.getByRole("button", { name: "저장", exact: true }).click();
  await page.getByText("휴대전화번호를 형식에 맞게 입력해 주십시오.").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("alumni-mobile");
  await page.locator("#alumni-mobile").fill("01000007777");
  await page.getByRole("button", { name: "저장", exact: true }).click();
  await page.getByText("동문을 추가하였습니다.").waitFor();

  await page.getByRole("searchbox").fill("ㅍㅂㅇ");
  await page.getByRole("searchbox").press("Enter");
  await page.waitForURL("**keyword=**");
  await page.getByRole("link", { name: "표본인" }).first().click();
  await page.getByRole("heading", { name: "표본인" }).waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "삭제", exact: true }).click();
  await page.getByText("동문 1명을 삭제하시겠습니까?").waitFor();
  await page.getByRole("button", { name: "1명 삭제" }).click();
  await page.getByText("조건에 맞는 동문이 없습니다.").waitFor();
  await page.getByRole("status").getByRole("button", { name: "되돌리기" }).click();
  await page.getByText("1명을 주소록으로 되돌렸습니다.").waitFor();
  await page.getByRole("link", { name: "표본인" }).first().waitFor();
});

test("a member on a phone finds people", async ({ openAs, db }) => {
  await db.exec("UPDATE alumni SET mobile = '010-0000-0001' WHERE email = 'member01@pid.example.kr'");
  const page = await openAs(MEMBER_CREDENTIALS, { width: 360 });
  await page.goto("/Alumni?keyword=ㄱㅎㄴ");
  expect(await measureSidewaysScroll(page)).toBeLessThanOrEqual(0);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.locator('ul a[href="tel:01000000001"]').waitFor();
  await page.locator('ul a[href="mailto:member01@pid.example.kr"]').waitFor();
  await page.getByRole("link", { name: "내 정보" }).click();
  await page.getByRole("button", { name: "수정", exact: true }).click();
  await expect.poll(() => page.locator("#alumni-name").count()).toBe(0);
  await page.locator("aside [name=openFields][value=mobile]").check();
  await page.getByRole("button", { name: "저장", exact: true }).click();
  await page.getByText("저장하였습니다.").waitFor();
  await page.goto("/Alumni/Import");
  await page.getByText("접근 권한이 없습니다. 관리자에게 문의하여 주시기 바랍니다").waitFor();
});

test("the action bar stays visible while ticking on a phone", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS, { width: 390, height: 800 });
  await page.goto("/Alumni?keyword=강");
  const boxes = page.getByRole("checkbox", { name: / 선택$/ });
  const clear = page.getByRole("button", { name: "선택 해제" });
  await boxes.first().check();
  await clear.click();
  await clear.waitFor({ state: "detached" });
  await boxes.nth(1).check();
  await boxes.nth(2).check();
  await page.getByText("2명 선택").waitFor();
  await boxes.last().scrollIntoViewIfNeeded();
  expect(await measureSidewaysScroll(page)).toBeLessThanOrEqual(0);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "삭제", exact: true }).click({ trial: true });
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "연락처 저장" }).click();
  expect((await coming).suggestedFilename()).toBe("동문 2명.vcf");
  await page.getByRole("button", { name: "삭제", exact: true }).click();
  await page.getByRole("button", { name: "2명 삭제" }).click();
  await page.getByRole("status").getByRole("button", { name: "되돌리기" }).click();
  await page.getByText("2명을 주소록으로 되돌렸습니다.").waitFor();
});

test("the address book can be read without JavaScript", async ({ openAs, openGuest }) => {
  const session = await openAs(MEMBER_CREDENTIALS);
  const cookies = await session.context().cookies();
  const page = await openGuest({ javaScriptEnabled: false });
  await page.context().addCookies(cookies);
  await page.goto("/Alumni");
  await page.getByRole("searchbox").fill("ㄱㅎㄴ");
  await page.getByRole("button", { name: "검색" }).click();
  await page.getByRole("link", { name: "김하늘" }).first().click();
  await page.getByRole("heading", { name: "김하늘" }).waitFor();
  await page.goto("/Alumni/Import");
  await expect.poll(() => page.getByText("접근 권한이 없습니다").count()).toBeGreaterThan(0);
  await Promise.all([page.context().close(), session.context().close()]);
});

test("the office pages have no axe finding or sideways scroll", async ({ db, openAs }) => {
  const text = '<img src="x" onerror="hit()"></script><svg onload="hit()">';
  const ids = [4, 5, 6].map((at) => `00000000-0000-4000-8000-00000000000${at}`);
  const insert = `INSERT INTO alumni (id, name, major, affiliation, department, position, mobile, address, memo, created_date, modified_date, deleted_date)
    VALUES (?1, ?2, ?2, ?2, ?2, ?2, '010-0000-6666', ?2, ?2 || ?1, 1, 1, ?3)`;
  await db.batch(ids.map((id, at) => db.prepare(insert).bind(id, text, at === 2 ? Date.now() : null)));
  const page = await openAs(ADMIN_CREDENTIALS);
  const paths = [
    `/Alumni?affiliation=onerror&columns=name,major,affiliation,address,memo&person=${ids[0]}`,
    "/Alumni/Import",
    "/Alumni/Duplicates?reason=mobile",
    `/Alumni/Merge?ids=${ids[0]},${ids[1]}`,
    "/Alumni/Bin",
  ];
  for (const path of paths) {
    await page.goto(path);
    expect([path, (await page.getByText(text).count()) > 0]).toEqual([path, path !== "/Alumni/Import"]);
    expect([path, await page.locator('img[src="x"], svg[onload]').count()]).toEqual([path, 0]);
    expect([path, await measureSidewaysScroll(page)]).toEqual([path, 0]);
    expect(await findAxeViolations(page), path).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  for (const path of paths) {
    await page.goto(path);
    expect([path, await measureSidewaysScroll(page)]).toEqual([path, 0]);
  }
});

test("a guest returns after signing in", async ({ site }) => {
  for (const path of ["/Alumni", "/alumni/import", "/Alumni/Addresses", "/Alumni/Duplicates", "/Alumni/Bin"]) {
    const response = await fetch(`${site.url}${path}`, { redirect: "manual" });
    expect(response.status, path).toBe(302);
    expect(response.headers.get("Location"), path).toBe(`/account/signin?returnUrl=${encodeURIComponent(path)}`);
  }
});
