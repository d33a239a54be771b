/** @module-tag full */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { findAxeViolations, holdRequests } from "../support/browser.ts";
import { dropFile as drop, sheetFile } from "../support/sheet-file.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

const rowOf = (page: Page, payer: string) =>
  page.locator("tr[data-deposit]").filter({ has: page.getByRole("rowheader", { name: payer }) });

const idOf = (at: number) => `00000000-0000-4000-8000-00000000d${String(at).padStart(3, "0")}`;
const nameOf = (at: number) => `남${String.fromCodePoint(44_032 + at)}람`;

/** A hundred and ninety-eight people of one name each, and two who share a name. */
const PEOPLE = Array.from({ length: 200 }, (_, at) => (at < 198 ? nameOf(at) : "강다석"));

/** Each of the people owes 50,000. */
async function charge(db: D1Database, people: readonly string[] = PEOPLE, firstId = 0) {
  await db.batch(
    people.flatMap((name, at) => [
      db
        .prepare(
          "INSERT INTO alumni (id, name, search_all, cohort, created_date, modified_date) VALUES (?1, ?2, ?2, ?3, 1, 1)",
        )
        .bind(idOf(firstId + at), name, at < 198 ? null : at - 190),
      db
        .prepare(
          "INSERT INTO due (id, alumni_id, kind_id, period, amount, work_id, created_date, modified_date) VALUES (?1, ?1, 'k', '2026', 50000, '', 1, 1)",
        )
        .bind(idOf(firstId + at)),
    ]),
  );
}
const paidCount = (db: D1Database) =>
  db.prepare("SELECT count(*) AS paid FROM due WHERE id LIKE '%d___' AND paid = 50000").first<number>("paid");

test("a bank's file of 200 rows is stored in few clicks", async ({ db, openAs }) => {
  await charge(db);
  const page = await openAs(ADMIN_CREDENTIALS, { width: 390, height: 800 });
  await page.goto("/Admin/Deposits");
  const row = (payer: string, at: number) => [
    `2026.03.02 10:00:${String(at % 60).padStart(2, "0")}`,
    "타행이체",
    payer,
    "50,000",
    "0",
    String(1_000_000 + at),
  ];
  const rows = [
    ...Array.from({ length: 198 }, (_, at) => row(nameOf(at), at)),
    row("강다석", 198),
    row("모르는병원", 199),
  ];
  const file = sheetFile("거래내역 조회", ["거래일시", "적요", "보낸분/받는분", "입금액", "출금액", "잔액"], rows);
  await drop(page, "3월.xlsx", file);
  await page.getByText("자동 확인 198건").waitFor();
  await page.getByText("확인 필요 1건").waitFor();
  await page.getByText("미확인 1건").waitFor();
  expect([await findAxeViolations(page), await measureSidewaysScroll(page)]).toEqual([[], 0]);
  await page.getByRole("button", { name: "200건 저장" }).click();
  await page.getByText("새 입금 200건 가운데 198건을 회비에 맞추었습니다.").waitFor();
  expect(await paidCount(db)).toBe(198);

  await rowOf(page, "강다석").getByRole("button", { name: "강다석 9기" }).press("Enter");
  await page.getByText("강다석님의 회비에 맞추었습니다.").waitFor();
  const hospital = rowOf(page, "모르는병원");
  await hospital.getByRole("button", { name: "다른 사람" }).click();
  await page.getByLabel("이름으로 찾기").fill("강다");
  await page.keyboard.press("Enter");
  await page.getByRole("checkbox", { name: /강다석.*낼 회비 50,000원/ }).check();
  await page.getByRole("button", { name: "맞추기", exact: true }).click();
  await hospital.waitFor({ state: "detached" });
  expect(await paidCount(db)).toBe(200);

  await drop(page, "3월.xlsx", file);
  await page.getByText("새 입금이 없습니다. 모두 이미 저장한 입금입니다.").waitFor();
  await drop(
    page,
    "다른 은행.xlsx",
    sheetFile("거래내역 조회", ["Day", "Who", "Plus"], [["2026-03-05", "후원", "70,000"]]),
  );
  await page.getByRole("button", { name: "2행을 머리글로" }).click();
  for (const [label, head] of [
    ["거래일시", "Day"],
    ["보낸분", "Who"],
    ["입금액", "Plus"],
  ] as const)
    await page.locator("details").getByLabel(label, { exact: true }).selectOption({ label: head });
  await page.getByRole("button", { name: "1건 저장" }).click();
  const gift = rowOf(page, "후원");
  await gift.getByRole("button", { name: "다른 사람" }).click();
  await page.getByRole("button", { name: "사유를 적고 회비 아님" }).click();
  await page.getByRole("dialog").getByLabel("사유").fill("후원금");
  await page.getByRole("dialog").getByRole("button", { name: "회비 아님" }).click();
  await gift.waitFor({ state: "detached" });
  await page.goto("/Admin/Deposits?state=closed");
  await page.getByText("후원금").waitFor();
  expect([await findAxeViolations(page), await measureSidewaysScroll(page)]).toEqual([[], 0]);
});

test("each doubtful deposit is shown with its counterpart", async ({ db, openAs }) => {
  // The account begins with this test, as a gap counts from the last stored deposit.
  await db.batch([db.prepare("DELETE FROM due_allocation"), db.prepare("DELETE FROM deposit")]);
  await charge(db, ["강쌍둥", "나라온", "다넷째"], 700);
  const page = await openAs(ADMIN_CREDENTIALS, { width: 390, height: 800 });
  await page.goto("/Admin/Deposits");
  const form = (...rows: string[][]) =>
    sheetFile("거래내역", ["거래일시", "거래내용", "상대계좌예금주명", "입금액", "출금액", "잔액"], rows);
  await drop(
    page,
    "3월 초.xlsx",
    form(
      ["2026.03.02 10:00:01", "3월분", "강쌍둥", "50,000", "", "150,000"],
      ["2026.03.02 11:00:02", "학회비", "나라온", "50,000", "", "200,000"],
    ),
  );
  await page.getByRole("heading", { name: "보낸 사람이 적힌 열은 어느 것입니까?" }).waitFor();
  await page.getByText("3월분", { exact: true }).waitFor();
  expect([await findAxeViolations(page), await measureSidewaysScroll(page)]).toEqual([[], 0]);
  await page.getByRole("button", { name: "‘상대계좌예금주명’ 열" }).click();
  await page.getByText("자동 확인 2건").waitFor();
  // A file dropped during the reload would be lost.
  const release = await holdRequests(page, "**/Deposits.data*");
  const reload = page.waitForRequest("**/Deposits.data*");
  await page.getByRole("button", { name: "2건 저장" }).click();
  await reload;
  const saved = page.getByText("새 입금 2건 가운데 2건을 회비에 맞추었습니다.");
  expect(await saved.count()).toBe(0);
  release();
  await saved.waitFor();

  await drop(
    page,
    "3월 중순.xlsx",
    form(
      ["2026.03.10 10:00:01", "총회", "다넷째", "50,000", "", "900,000"],
      ["2026.03.11 10:00:01", "후원", "라후원", "10,000", "", "910,000"],
    ),
  );
  await page.getByText("2026년 3월 2일과 2026년 3월 10일 사이의 거래가 빠졌을 수 있습니다.").waitFor();
  await page.getByText("자동 확인 1건").waitFor();

  const days = sheetFile(
    "거래내역",
    ["거래일자", "보낸분", "입금", "출금"],
    [
      ["2026-03-02", "강쌍둥", "50,000", ""],
      ["2026-03-09", "나라온", "", "50,000"],
    ],
  );
  await drop(page, "날짜만.xlsx", days);
  await page.getByText("확인 필요(저장된 입금일 수 있음) 1건").click();
  await page.getByText("저장한 입금", { exact: true }).waitFor();
  await page.getByText("이미 저장한 입금 1건을 돌려준 것으로 보이는 출금이 있습니다.", { exact: false }).waitFor();
  expect([await findAxeViolations(page), await measureSidewaysScroll(page)]).toEqual([[], 0]);
  await page.getByRole("checkbox", { name: "다른 입금이므로 저장합니다." }).check();
  await page.getByRole("button", { name: "1건 저장" }).click();

  const returned = rowOf(page, "나라온");
  await returned.getByText("돌려준 출금").waitFor();
  const twin = rowOf(page, "강쌍둥");
  await twin.getByText("이미 저장한 입금").first().waitFor();
  expect([await findAxeViolations(page), await measureSidewaysScroll(page)]).toEqual([[], 0]);

  await drop(
    page,
    "출금 시각.xlsx",
    sheetFile("거래내역", ["거래일시", "보낸분", "입금", "출금"], [["2026.03.09 09:30:00", "나라온", "", "50,000"]]),
  );
  await page.getByText("확인 필요(저장된 입금일 수 있음) 1건").click();
  await page.getByText("저장한 출금", { exact: true }).waitFor();
  expect([await findAxeViolations(page), await measureSidewaysScroll(page)]).toEqual([[], 0]);
  await page.getByRole("checkbox", { name: "다른 출금이므로 저장합니다." }).check();
  await page.getByRole("button", { name: "출금 1건 저장" }).click();
  await page.getByText("새 입금 0건 가운데 0건을 회비에 맞추었습니다.").waitFor();
  await returned.getByRole("button", { name: "확인함" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "확인함" }).click();
  await returned.waitFor({ state: "detached" });
  expect(await db.prepare("SELECT paid FROM due WHERE id = ?").bind(idOf(701)).first("paid")).toBe(50_000);
});

test("the exemption of a paid due asks first", async ({ db, openAs }) => {
  await charge(db, ["강면제"], 750);
  await db.batch([
    db.prepare(
      "INSERT INTO deposit (id, source, paid_date, payer, amount, hash, allocated, work_id, created_date) VALUES ('ex', 'bank', 1, '강면제', 50000, 'ex', 50000, 'w', 1)",
    ),
    db
      .prepare(
        "INSERT INTO due_allocation (id, deposit_id, due_id, amount, cause, user_id, created_date) VALUES ('ex', 'ex', ?, 50000, 'name', 'u', 1)",
      )
      .bind(idOf(750)),
    db.prepare("UPDATE due SET paid = 50000 WHERE id = ?").bind(idOf(750)),
  ]);
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Admin/Dues?keyword=강면제");
  await page.getByRole("button", { name: /고치기/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: "면제합니다" }).check();
  await dialog.getByLabel("면제 사유").fill("공로");
  await dialog.getByRole("button", { name: "저장" }).click();
  await dialog.getByText("이미 낸 돈이 있습니다.", { exact: false }).waitFor();
  await dialog.getByRole("checkbox", { name: /이미 낸 50,000원을 입금으로 되돌립니다/ }).check();
  await dialog.getByRole("button", { name: "저장" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.goto("/Admin/Deposits");
  await rowOf(page, "강면제").waitFor();
  expect(await db.prepare("SELECT paid FROM due WHERE id = ?").bind(idOf(750)).first("paid")).toBe(0);
});

test("a payment recorded by hand keeps the typed amount", async ({ db, openAs }) => {
  await charge(db, ["강손수", "나손수"], 800);
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Admin/Deposits");
  const dialog = page.getByRole("dialog", { name: "받은 회비 적기" });
  const pick = async (name: string) => {
    await dialog.getByLabel("이름으로 찾기").fill(name);
    await page.keyboard.press("Enter");
    await dialog.getByRole("checkbox", { name }).check();
  };
  await page.getByRole("button", { name: "직접 적기" }).click();
  await pick("강손수");
  expect(await dialog.getByLabel(/^금액/).inputValue()).toBe("50000");
  await dialog.getByLabel(/^금액/).fill("20000");
  await pick("나손수");
  expect(await dialog.getByLabel(/^금액/).inputValue()).toBe("20000");
  await dialog.getByRole("button", { name: "저장" }).click();
  await dialog.waitFor({ state: "detached" });
  const paid = db.prepare("SELECT paid FROM due WHERE id = ?").bind(idOf(801));
  expect(await paid.first("paid")).toBe(20_000);
  await page.getByRole("button", { name: "직접 적기" }).click();
  await dialog.getByLabel("이름으로 찾기").waitFor();
  expect(await dialog.getByRole("checkbox").count()).toBe(0);
  expect(await dialog.getByLabel(/^금액/).inputValue()).toBe("");
});

test("a file with years as columns becomes past dues", async ({ db, openAs }) => {
  await db
    .prepare("INSERT INTO due_kind (id, name, amount, grades, sort_order) VALUES ('past', '지난 회비', 30000, '[]', 1)")
    .run();
  await db.batch(
    ["강지난", "나지난", "다지난"].map((name, at) =>
      db
        .prepare(
          "INSERT INTO alumni (id, name, search_all, cohort, created_date, modified_date) VALUES (?1, ?2, ?2, 3, 1, 1)",
        )
        .bind(idOf(900 + at), name),
    ),
  );
  const page = await openAs(ADMIN_CREDENTIALS, { width: 390, height: 800 });
  await page.goto("/Admin/Dues");
  await page.getByRole("button", { name: "지난 회비 옮기기" }).click();
  const rows = [
    ["강지난", "3기", "납부", 10_000],
    ["나지난", "3", "면제", "미납"],
    ["없는사람", "", "납부", "납부"],
    ["", "", "납부", ""],
  ];
  await drop(page, "회비 대장.xlsx", sheetFile("회비 대장", ["성명", "기수", "2018년", "2019년"], rows));
  await page.getByText("이름이나 기수를 읽지 못한 행 1행은 제외됩니다.").waitFor();
  await page.getByText("4건 90,000원 (완납 1, 일부 1, 면제 1)").waitFor();
  expect(await page.getByText("주소록에 없는 1명은 제외됩니다.").count()).toBe(2);
  expect([await findAxeViolations(page), await measureSidewaysScroll(page)]).toEqual([[], 0]);
  await page.getByRole("button", { name: "회비로 옮기기" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "회비로 옮기기" }).click();
  await page.getByRole("cell", { name: "2018 지난 회비" }).waitFor();
  const { results } = await db
    .prepare("SELECT period, name, paid, is_exempt FROM due WHERE period < '2020' ORDER BY period, name")
    .all();
  expect(results.map((each) => Object.values(each).join(" "))).toEqual([
    "2018 강지난 30000 0",
    "2018 나지난 0 1",
    "2019 강지난 10000 0",
    "2019 나지난 0 0",
  ]);
});
