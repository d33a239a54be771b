/** @module-tag full */
import { expect } from "vitest";
import type { RunningSite } from "#worker/local/site.ts";
import { findAxeViolations } from "../support/browser.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { requirePresent } from "../../support/require-present.ts";
import { readOutbox, type OutboxMessage } from "../support/account.ts";
import { test as siteTest } from "../fixtures.ts";

const ORIGIN = "https://society.example";
const test = siteTest.extend("siteOptions", { scope: "file" }, { vars: { SITE_ORIGIN: ORIGIN } });

const shoot = process.env.SHOOT;

async function runJobs(site: RunningSite): Promise<void> {
  const worker = await site.mf.getWorker();
  expect((await worker.scheduled({ cron: "*/10 * * * *" })).outcome).toBe("ok");
}

const messagesTo = async (site: RunningSite, to: string, subject: string): Promise<OutboxMessage[]> => {
  const all = await readOutbox(site);
  return all.filter((message) => message.to === to && message.subject === subject);
};
const linkIn = (message: OutboxMessage, path: string) => {
  const found = message.text.split(/\s+/).find((word) => word.startsWith(`${ORIGIN}${path}`)) ?? "";
  return found.slice(ORIGIN.length);
};

test("a member unfollows the notices from a mail", async ({ site, openAs, openGuest }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/Mypage/Notices");
  const box = page.getByRole("checkbox", { name: "공지사항", exact: true });
  if (await box.isChecked()) {
    await box.click();
    await page.getByText("공지사항 알림을 껐습니다.").waitFor();
  }
  await page.goto("/board/notice/List/");
  await page.getByRole("button", { name: "알림 받기" }).click();
  await page.getByText("공지사항에 새 글이 올라오면 메일로 알려 드립니다.").waitFor();
  await page.getByRole("button", { name: "알림 해제" }).waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  if (shoot) await page.screenshot({ path: `${shoot}/follow.png` });

  const office = await openAs(ADMIN_CREDENTIALS);
  const title = "겨울 연수 강좌를 엽니다";
  await office.evaluate(
    async (body) => {
      const token = localStorage.getItem("accessToken");
      const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
      await fetch("/api/board-item/notice", { method: "PUT", headers, body: JSON.stringify(body) });
    },
    { title, content: "<p>12월 3일부터 신청을 받습니다.</p>", fileIds: [] },
  );
  await office.context().close();

  await runJobs(site);
  await runJobs(site);
  const sent = await messagesTo(site, "member01@pid.example.kr", `[공지사항] ${title}`);
  expect(sent).toHaveLength(1);
  await page.goto(linkIn(requirePresent(sent[0]), "/board/"));
  await page.getByRole("heading", { name: title }).waitFor();

  const guest = await openGuest({ javaScriptEnabled: false, width: 390 });
  await guest.goto(linkIn(requirePresent(sent[0]), "/mail/off/"));
  await guest.getByText("공지사항 새 글 알림 메일을 더 이상 받지 않으시겠습니까?").waitFor();
  if (shoot) await guest.screenshot({ path: `${shoot}/off.png` });
  await expect.poll(() => guest.getByText("김하늘").count()).toBe(0);
  await guest.getByRole("button", { name: "알림 끄기" }).click();
  await guest.getByText("메일이 꺼져 있습니다.").waitFor();
  if (shoot) await guest.screenshot({ path: `${shoot}/off-done.png` });
  await guest.context().close();

  await page.goto("/Mypage/Notices");
  await expect.poll(() => box.isChecked()).toBe(false);
  expect(await findAxeViolations(page)).toEqual([]);
  if (shoot) await page.screenshot({ path: `${shoot}/mypage.png` });
  await page.getByRole("checkbox", { name: "내 글과 댓글에 달린 댓글 알림 받기" }).click();
  await page.getByText("댓글 알림을 껐습니다.").waitFor();
});
