import type { Page } from "playwright-core";
import { expect } from "vitest";
import { FORMS, makeHistory, sheetOf } from "../../api/alumni/bank-history.ts";
import { requirePresent } from "../../support/require-present.ts";
import { measureSidewaysScroll } from "../support/account.ts";
import { findAxeViolations } from "../support/browser.ts";
import { dropFile, sheetFile } from "../support/sheet-file.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

interface Person {
  id: string;
  name: string;
}

/** Each owes 50,000 of two years. */
async function charge(db: D1Database, people: readonly Person[]) {
  await db.batch(
    people.flatMap(({ id, name }, at) => [
      db
        .prepare(
          "INSERT INTO alumni (id, name, search_all, cohort, created_date, modified_date) VALUES (?1, ?2, ?2, ?3, 1, 1)",
        )
        .bind(id, name, at + 1),
      ...["2025", "2026"].map((period) =>
        db
          .prepare(
            "INSERT INTO due (id, alumni_id, kind_id, period, amount, work_id, created_date, modified_date) VALUES (?1 || ?2, ?1, 'k', ?2, 50000, '', 1, 1)",
          )
          .bind(id, period),
      ),
    ]),
  );
}

async function store(db: D1Database, payers: readonly string[]) {
  await db.batch([
    db.prepare("DELETE FROM due_allocation"),
    db.prepare("DELETE FROM deposit"),
    db.prepare("UPDATE due SET paid = 0 WHERE paid > 0"),
    ...payers.map((payer, at) =>
      db
        .prepare(
          "INSERT INTO deposit (id, source, paid_date, payer, amount, hash, work_id, created_date) VALUES (?1, 'bank', ?2, ?3, 20000, ?1, 'w', 1)",
        )
        .bind(`00000000-0000-4000-8000-${String(at).padStart(12, "0")}`, 1_800_000_000_000 - at, payer),
    ),
  ]);
}

const namesakes = (from: number): Person[] =>
  [0, 1].map((at) => ({
    id: `00000000-0000-4000-8000-00000000e${String(from + at).padStart(3, "0")}`,
    name: "강다석",
  }));

const line = (page: Page, at: number) => page.locator("tr[data-deposit]").nth(at);
const isFocused = (page: Page, at: number) => line(page, at).locator(":focus").waitFor({ state: "attached" });
const decided = (db: D1Database) =>
  db
    .prepare(
      "SELECT count(*) AS n FROM deposit WHERE is_closed = 1 OR id IN (SELECT deposit_id FROM due_allocation WHERE cause = 'person')",
    )
    .first<number>("n");

test("a key decides the focused deposit", async ({ db, openAs }) => {
  await charge(db, namesakes(0));
  await store(db, ["강다석", "예금이자", "강다석"]);
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Admin/Deposits");
  await line(page, 0).locator("[data-choice]").first().focus();
  await page.keyboard.press("2");
  await isFocused(page, 1);
  await page.keyboard.press("3");
  await page.getByText("3번 후보가 없습니다.").waitFor();
  await page.keyboard.press("0");
  await isFocused(page, 2);
  await expect.poll(() => decided(db)).toBe(2);
  const paid = db.prepare("SELECT a.cohort FROM due d JOIN alumni a ON a.id = d.alumni_id WHERE d.paid = 20000");
  expect(await paid.first("cohort")).toBe(2);
  await page.keyboard.press("Backspace");
  await isFocused(page, 1);
  await expect.poll(() => decided(db)).toBe(1);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect.poll(() => decided(db)).toBe(0);
});

const closed = (db: D1Database) =>
  db.prepare("SELECT group_concat(payer) AS payers FROM deposit WHERE is_closed = 1").first<string>("payers");

test("a minus decides all deposits with the same text", async ({ db, openAs }) => {
  await store(db, ["예금이자", "모르는병원", "예금 이자"]);
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Admin/Deposits");
  await line(page, 0).locator("[data-choice]").first().focus();
  await page.keyboard.press("-");
  await isFocused(page, 1);
  await line(page, 2).getByText("같은 내용 2건을 회비 아님으로 두고 기억하였습니다.").waitFor();
  expect(await closed(db)).toBe("예금이자,예금 이자");
  await page.keyboard.press("Backspace");
  await isFocused(page, 0);
  await expect.poll(() => closed(db)).toBeNull();
  await page.locator("tr[data-is-open=true]").nth(2).waitFor();
});

test("a digit typed into a field decides nothing", async ({ db, openAs }) => {
  await store(db, ["모르는병원", "예금이자"]);
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Admin/Deposits");
  await line(page, 0).getByRole("button", { name: "다른 사람" }).press("Enter");
  await page.getByLabel("이름으로 찾기").pressSequentially("0010");
  await page.keyboard.press("Backspace");
  expect(await page.getByLabel("이름으로 찾기").inputValue()).toBe("001");
  expect(await line(page, 0).getAttribute("data-is-open")).toBe("true");
  await page.keyboard.press("Escape");
  await isFocused(page, 0);
  expect(await decided(db)).toBe(0);
});

test("a refused decision is open again with its reason", async ({ db, openAs }) => {
  await charge(db, namesakes(2));
  await store(db, ["강다석", "예금이자"]);
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Admin/Deposits");
  await line(page, 0).locator("[data-choice]").first().focus();
  await db.batch([db.prepare("UPDATE due SET is_exempt = 1")]);
  await page.keyboard.press("1");
  await page.getByText("고른 사람에게 낼 회비가 없습니다.").waitFor();
  expect(await line(page, 0).getAttribute("data-is-open")).toBe("true");
  expect(await decided(db)).toBe(0);
});

test("a screen shows twelve deposits", { tags: "full" }, async ({ db, openAs }) => {
  await db.batch([db.prepare("DELETE FROM due"), db.prepare("DELETE FROM alumni")]);
  await charge(db, [...namesakes(4), { id: "00000000-0000-4000-8000-00000000e999", name: "나다석" }]);
  await store(
    db,
    Array.from({ length: 20 }, (_, at) => (at % 3 === 0 ? "예금이자" : "강다석")),
  );
  const wide = await openAs(ADMIN_CREDENTIALS, { width: 1280, height: 900 });
  await wide.goto("/Admin/Deposits");
  await wide.getByRole("table", { name: "입금" }).evaluate((table) => table.scrollIntoView());
  const shown = await wide.locator("tr[data-deposit]").evaluateAll((rows) => {
    const areas = rows.map((row) => row.getBoundingClientRect());
    const top = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
    return areas.filter(({ top: from, bottom }) => from >= Math.max(top, 0) && bottom <= innerHeight).length;
  });
  expect(shown).toBeGreaterThanOrEqual(12);
  expect([await findAxeViolations(wide), await measureSidewaysScroll(wide)]).toEqual([[], 0]);
  const phone = await openAs(ADMIN_CREDENTIALS, { width: 390, height: 800 });
  await phone.goto("/Admin/Deposits");
  await line(phone, 1).getByRole("button", { name: "다른 사람" }).click();
  await phone.getByLabel("이 사람이 아니면 이름으로 찾기").waitFor();
  expect([await findAxeViolations(phone), await measureSidewaysScroll(phone)]).toEqual([[], 0]);
});

const DEPOSITS = 200;

test("200 deposits of a generated file are decided by keys", { tags: "full" }, async ({ db, openAs }) => {
  await store(db, []);
  await db.batch([db.prepare("DELETE FROM due"), db.prepare("DELETE FROM alumni")]);
  const { people, ledger } = makeHistory(52, { deposits: 1000, withdrawals: 100, days: 300 });
  await charge(db, people);
  const form = requirePresent(FORMS[0]);
  const [heads = [], ...rows] = sheetOf(form, ledger).map(({ cells }) => cells);
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Admin/Deposits");
  await dropFile(page, "2025년.xlsx", sheetFile("거래내역", heads, rows));
  await page.getByRole("button", { name: /건 저장/ }).click();
  await page.getByText("저장하였습니다.").waitFor();

  const before = (await decided(db)) ?? 0;
  let keys = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  const isInRow = () => page.evaluate(() => document.activeElement?.closest("tr[data-deposit]") !== null);
  await page.locator("body").focus();
  while (!(await isInRow())) await press("Tab");
  while (((await decided(db)) ?? 0) < before + DEPOSITS) {
    const row = page.locator("tr[data-is-open=true]:focus-within");
    await row.waitFor();
    const id = await row.getAttribute("data-deposit");
    await press((await row.locator("[aria-keyshortcuts='1']").count()) > 0 ? "1" : "0");
    await page.locator(`tr[data-deposit="${id}"][data-is-open=true]`).waitFor({ state: "detached" });
  }
  expect(keys).toBeLessThanOrEqual(2 * DEPOSITS);
});
