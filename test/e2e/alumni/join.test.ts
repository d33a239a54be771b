/** @module-tag full */
import { expect } from "vitest";
import { findAxeViolations } from "../support/browser.ts";
import { measureSidewaysScroll, readOutbox } from "../support/account.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

const PHONE = { width: 390, height: 844 };

async function memberOf(db: D1Database, userKeyCode: string) {
  const row = await db
    .prepare(
      `SELECT user.id, user.user_name AS name, mail.user_key_code AS email FROM user JOIN user_key ON user_key.user_id = user.id
       JOIN user_key AS mail ON mail.user_id = user.id AND mail.user_key_type = 'Email' WHERE user_key.user_key_code = ?`,
    )
    .bind(userKeyCode)
    .first<{ id: string; name: string; email: string }>();
  if (!row) throw new Error(`no member ${userKeyCode}`);
  await db.prepare("DELETE FROM alumni WHERE name = ? OR email = ?").bind(row.name, row.email).run();
  return row;
}

const addPerson = (db: D1Database, values: { id: string; name: string; email: string }) =>
  db
    .prepare(
      "INSERT INTO alumni (id, name, cohort, affiliation, email, created_date, modified_date) VALUES (?, ?, 7, '연결병원', ?, 1, 1)",
    )
    .bind(values.id, values.name, values.email)
    .run();

test("an approved member gets an entry with one click", async ({ db, openAs }) => {
  const { id, name } = await memberOf(db, "member05");
  const page = await openAs(ADMIN_CREDENTIALS, PHONE);
  await page.goto(`/Admin/Members/${id}`);
  await page.getByText("주소록에 없는 회원입니다.").waitFor();
  await page.getByRole("button", { name: "주소록에 등록", exact: true }).click();
  await page.getByText(/연결된 사람:/).waitFor();
  expect(await measureSidewaysScroll(page)).toBe(0);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("link", { name: new RegExp(`^${name}`) }).click();
  await page.getByRole("complementary").getByText(name).first().waitFor();
});

test("a mailed link joins a member to an entry", async ({ db, site, openAs, openGuest }) => {
  const { id, name, email } = await memberOf(db, "member06");
  await addPerson(db, { id: "00000000-0000-4000-8000-00000000aaaa", name, email: "old-address@pid.example.kr" });
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto(`/Admin/Members/${id}`);
  await page.getByRole("button", { name: /^연결/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "확인 메일 보내기" }).click();
  await page.getByText("까지 답을 기다립니다.").waitFor();

  const linkIn = async () =>
    (await readOutbox(site)).map(({ text }) => /\/mail\/join\/[\w.-]+/.exec(text)?.[0]).find(Boolean) ?? "";
  await expect.poll(linkIn).not.toBe("");
  const guest = await openGuest({ ...PHONE, javaScriptEnabled: false });
  await guest.goto(await linkIn());
  await guest.getByText(`회원 ${name}님의 계정을 주소록의 정보 (7기, 연결병원)와 연결합니다.`).waitFor();
  await guest.getByRole("button", { name: "본인이 맞습니다" }).click();
  await guest.getByText("연결하였습니다.").waitFor();
  await page.reload();
  await page.getByText(/연결된 사람:/).waitFor();
  const row = await db.prepare("SELECT email FROM alumni WHERE name = ?").bind(name).first();
  expect(row).toEqual({ email });
});

test("an invited person signs up through the link", async ({ db, site, openAs, openGuest }) => {
  await addPerson(db, {
    id: "00000000-0000-4000-8000-00000000bbbb",
    name: "초대받은이",
    email: "invited@pid.example.kr",
  });
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Alumni?affiliation=연결병원&person=00000000-0000-4000-8000-00000000bbbb");
  await page.getByRole("button", { name: "회원 초대" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "초대 메일 보내기" }).click();
  await page.getByText(/초대 메일을 보냈습니다\./).waitFor();

  const mail = (await readOutbox(site)).find(({ to }) => to === "invited@pid.example.kr");
  const link = /\/Account\/Signup#\S+/.exec(mail?.text ?? "")?.[0] ?? "";
  const guest = await openGuest(PHONE);
  await guest.goto(link);
  await guest.getByText("인증에 성공하였습니다.").waitFor();
  expect(new URL(guest.url()).hash).toBe("");
  expect(await guest.locator("#email").inputValue()).toBe("invited@pid.example.kr");
  expect(await measureSidewaysScroll(guest)).toBe(0);
  await guest.getByLabel("전체동의").check();
  await guest.locator("#userId").fill("invited1");
  await guest.getByRole("button", { name: "중복확인" }).click();
  await guest.getByText("사용 가능한 아이디입니다.").waitFor();
  await guest.locator("#password").fill("Kyul#58pa");
  await guest.locator("#passwordConfirmation").fill("Kyul#58pa");
  await guest.locator("#userName").fill("초대받이");
  const main = guest.getByRole("main");
  await main.getByLabel("소속 기관").fill("한빛대학교병원");
  await main.getByLabel("전공 분야").selectOption("감염내과");
  await main.getByLabel("연락처").pressSequentially("01098765432");
  await main.getByRole("radio", { name: "전문의" }).check();
  await guest.getByRole("button", { name: "가입하기" }).click();
  await guest.waitForURL(/Signup\/Welcome/);

  const account = await db.prepare("SELECT id FROM user WHERE user_name = '초대받이'").first<{ id: string }>();
  await page.goto(`/Admin/Members/${account?.id}`);
  await page.getByText("연결된 사람: 초대받은이").waitFor();
});
