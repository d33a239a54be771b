import { expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { findAxeViolations } from "../support/browser.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

const TOKEN = "D".repeat(43);
test("a pressed answer is counted by the office", { tags: "full" }, async ({ db, openAs, openGuest }) => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(TOKEN));
  const hash = Buffer.from(digest).toString("base64url");
  const page = await openAs(ADMIN_CREDENTIALS);
  const add = (n: number) =>
    db
      .prepare("INSERT INTO alumni (id, name, cohort, email, created_date, modified_date) VALUES (?, ?, 7, ?, 1, 1)")
      .bind(`a1000000-0000-4000-8000-00000000000${n}`, `물음${n}`, `q${n}@pid.example.kr`);
  await db.batch([1, 2, 3, 4].map(add));
  const ids = [1, 2, 3, 4].map((n) => `a1000000-0000-4000-8000-00000000000${n}`);
  await db
    .prepare(
      "INSERT INTO mailing (id, source, target, kind, subject, body, status, created_user_id, created_date, modified_date) VALUES ('b1000000-0000-4000-8000-000000000001','alumni',?,'informational','정기 총회 안내','총회를 엽니다.','draft',(SELECT id FROM user LIMIT 1),1,1)",
    )
    .bind(JSON.stringify({ ids }))
    .run();
  const path = "/Admin/Mailings/b1000000-0000-4000-8000-000000000001";
  const expectFits = async (name: string, at: typeof page) => {
    for (const width of [1280, 390]) {
      await at.setViewportSize({ width, height: 900 });
      expect([name, width, await measureSidewaysScroll(at), await findAxeViolations(at)]).toEqual([name, width, 0, []]);
    }
  };
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(path);
  await page.getByLabel("질문 하나를 함께 묻기").check();
  await page.getByRole("textbox", { name: /^질문/ }).fill("정기 총회에 오십니까?");
  await page.getByLabel("답받는 마지막 날").fill("2027-12-05");
  await page.getByRole("button", { name: "저장하고 미리보기" }).click();
  await page.getByText("명이 받습니다.").waitFor();
  await expectFits("editor", page);
  await db.batch([
    db.prepare(
      "UPDATE mailing SET status = 'done', people = 4, send_date = 1 WHERE id = 'b1000000-0000-4000-8000-000000000001'",
    ),
    ...ids.map((id, n) =>
      db
        .prepare(
          "INSERT INTO mailing_recipient (mailing_id, person_id, address, state, state_date, link_hash) VALUES ('b1000000-0000-4000-8000-000000000001', ?, ?, 'sent', 1, ?)",
        )
        .bind(id, `q${n + 1}@pid.example.kr`, n === 0 ? hash : null),
    ),
  ]);
  const guest = await openGuest();
  await guest.goto(`/answer/${TOKEN}/1`);
  await guest.getByRole("button", { name: "참석으로 답하기" }).waitFor();
  await expectFits("answer", guest);
  await guest.getByRole("button", { name: "참석으로 답하기" }).click();
  await guest.getByText("참석으로 답하셨습니다").waitFor();
  await expectFits("answered", guest);
  await guest.getByRole("button", { name: "위임으로 답하기" }).click();
  await guest.getByText("위임으로 답하셨습니다").waitFor();
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(path);
  await page.getByRole("link", { name: "답 보기" }).waitFor();
  await expectFits("mailing", page);
  await page.getByRole("link", { name: "답 보기" }).click();
  await page.getByRole("heading", { name: "답한 사람과 답하지 않은 사람" }).waitFor();
  await expectFits("answers", page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole("button", { name: "답하지 않은 사람에게 다시 묻기" }).click();
  await page.getByText("답 주소가 글 뒤에 다시 붙습니다").waitFor();
  await page.getByRole("button", { name: "저장하고 미리보기" }).click();
  await page.getByText("3명이 받습니다.").waitFor();
  await expectFits("reminder", page);
  await guest.goto(`/answer/${"E".repeat(43)}/1`);
  await expectFits("refused", guest);
});
