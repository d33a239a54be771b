import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { requirePresent } from "../../support/require-present.ts";
import { measureSidewaysScroll } from "../support/account.ts";
import { expectPageAccessible } from "../support/accessible.ts";
import { findAxeViolations } from "../support/browser.ts";
import { callFromPage } from "../support/calls.ts";
import { exportWithReason, findButton, findDialog, findRow } from "../support/console.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { test as base } from "../fixtures.ts";

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS).toISOString();
const NEIGHBOUR = { ...MEMBER_CREDENTIALS, userKeyCode: "member02" };
const MEAL = { name: "점심 도시락", inputType: "radio", detail: ["고기", "채식"], required: true };

/** Counts what a person presses. */
function countClicks() {
  const clicks = { count: 0 };
  const click = async (control: Locator) => {
    clicks.count += 1;
    await control.click();
  };
  return { clicks, click };
}

const test = base
  .extend("send", ({ admin }) => async <T>(method: string, path: string, body: object) => {
    if (!admin.url().includes("/Admin")) await admin.goto("/Admin");
    const answer = await callFromPage<T>(admin, method, path, body);
    expect(answer.code).toBe("SUCCESS");
    return answer.data;
  })
  /** An item with an event in so many days. @returns its number */
  .extend("writeEvent", ({ send }) => async (title: string, days = 20, length = 0.25) => {
    const event = { isAllDay: false, startDate: inDays(days), endDate: inDays(days + length), place: "본관 대강당" };
    const item = { title, content: "<p>함께 합니다.</p>", fileIds: [], event };
    return (await send<{ itemNo: number }>("PUT", "/api/board-item/notice", item)).itemNo;
  })
  /** Takes registrations for an item's event. */
  .extend("open", ({ send, writeEvent }) => async (title: string, more: object = {}, ...span: number[]) => {
    const itemNo = await writeEvent(title, ...span);
    const times = { openDate: inDays(-3), closeDate: inDays(10), cancelUntil: "" };
    await send("PUT", `/api/admin/event/notice/${itemNo}`, {
      ...times,
      places: 1,
      useWaiting: true,
      hidesCounts: false,
      takesGuests: false,
      attendance: "both",
      feeDays: null,
      cancelsUnpaid: false,
      reminderDays: null,
      ...more,
    });
    return itemNo;
  });

const itemOf = (itemNo: number) => `/board/notice/View/${itemNo}`;
const blockOf = (page: Page) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: "행사 신청" }) });
const register = async (page: Page, itemNo: number, label = "신청하기") => {
  await page.goto(`/board/notice/Register/${itemNo}`);
  await page.getByRole("button", { name: label, exact: true }).click();
  await page.getByRole("heading", { name: "내 신청" }).waitFor();
};

test("a member registers by two clicks where nothing is asked", async ({ open, openAs }) => {
  const itemNo = await open("겨울 강연회");
  const page = await openAs(MEMBER_CREDENTIALS, { width: 390, height: 844 });
  const { clicks, click } = countClicks();
  await page.goto(itemOf(itemNo));
  await blockOf(page).getByText("남은 자리 1/1").waitFor();
  await click(blockOf(page).getByRole("link", { name: "신청하기" }));
  await click(page.getByRole("button", { name: "신청하기", exact: true }));
  await page.getByText("신청이 확정되었습니다.").waitFor();
  await page.getByRole("heading", { name: "내 신청" }).waitFor();
  expect(clicks.count).toBe(2);
  await expectPageAccessible(page);
  await page.goto(itemOf(itemNo));
  await blockOf(page).getByText("확정", { exact: true }).waitFor();
  await expectPageAccessible(page);
  await page.goto("/Mypage/Events");
  await page.getByRole("link", { name: "겨울 강연회", exact: true }).click();
  await page.waitForURL(`**/Register/${itemNo}`);
});

test("the answer stays when the last place goes meanwhile", async ({ open, openAs }) => {
  const itemNo = await open("도시락 강연회", {
    questions: [MEAL, { ...MEAL, name: "질문", inputType: "text", detail: [], required: false }],
  });
  const slow = await openAs(NEIGHBOUR, { width: 390, height: 844 });
  await slow.goto(`/board/notice/Register/${itemNo}`);
  await findButton(slow, "신청하기").click();
  await slow.getByRole("link", { name: /점심 도시락/ }).waitFor();
  await slow.getByLabel("채식").check();
  await slow.getByLabel("질문").fill("주차할 수 있습니까?");
  const quick = await openAs(MEMBER_CREDENTIALS);
  await quick.goto(`/board/notice/Register/${itemNo}`);
  await quick.getByLabel("고기").check();
  await findButton(quick, "신청하기").click();
  await quick.getByText("신청이 확정되었습니다.").waitFor();

  await findButton(slow, "신청하기").click();
  await slow.getByText("그사이 자리가 모두 찼습니다.", { exact: false }).waitFor();
  expect(await slow.getByLabel("질문").inputValue()).toBe("주차할 수 있습니까?");
  expect(await slow.getByLabel("채식").isChecked()).toBe(true);
  await expectPageAccessible(slow);
  await findButton(slow, "대기 신청").click();
  await slow.getByText("1번째").waitFor();

  await findButton(quick, "신청 취소").click();
  await findButton(quick.getByRole("alertdialog"), "신청 취소").click();
  await quick.getByText("신청을 취소하였습니다.").waitFor();
  await slow.reload();
  await slow.getByText("확정", { exact: true }).waitFor();
  await slow.getByText("채식").waitFor();
});

test("a member changes an answer", { tags: "full" }, async ({ open, openAs }) => {
  const itemNo = await open("고치는 강연회", { questions: [MEAL] });
  const page = await openAs(MEMBER_CREDENTIALS, { width: 390, height: 844 });
  await page.goto(`/board/notice/Register/${itemNo}`);
  await page.getByLabel("고기").check();
  await findButton(page, "신청하기").click();
  await findButton(page, "답 고치기").click();
  await page.getByLabel("채식").check();
  await findButton(page, "저장").click();
  await page.getByText("답을 고쳤습니다.").waitFor();
  expect(await page.getByRole("definition").allTextContents()).toContain("채식");
  expect(await measureSidewaysScroll(page)).toBe(0);
});

test(
  "the office opens registration by a copy in three clicks",
  { tags: "full" },
  async ({ admin, open, writeEvent }) => {
    await open("지난 강연회", { places: 77, questions: [MEAL] });
    const itemNo = await writeEvent("새 강연회", 40);
    const { clicks, click } = countClicks();
    await admin.setViewportSize({ width: 1280, height: 900 });
    await admin.goto(itemOf(itemNo));
    await click(blockOf(admin).getByRole("link", { name: "신청 받기" }));
    await admin.getByLabel("지난 행사에서 가져오기").selectOption({ label: "지난 강연회" });
    await click(findButton(admin, "가져오기"));
    await expect.poll(() => admin.getByLabel("정원").inputValue()).toBe("77");
    expect(await admin.getByRole("group", { name: "질문 1" }).getByLabel("항목 이름").inputValue()).toBe(MEAL.name);
    await expectPageAccessible(admin);
    await click(findButton(admin, "신청 받기"));
    await admin.getByText("신청을 받습니다.").waitFor();
    await admin.getByRole("heading", { level: 1, name: "새 강연회" }).waitFor();
    expect(clicks.count).toBe(3);
    await expectPageAccessible(admin);
    await admin.goto("/Admin/Events");
    await findRow(admin, "새 강연회").getByText("0/77").waitFor();
    await expectPageAccessible(admin);
  },
);

test("a copy asks before it replaces what was typed", { tags: "full" }, async ({ admin, open, writeEvent }) => {
  await open("베낄 강연회", { places: 55 });
  await admin.goto(`/Admin/Events/notice/${await writeEvent("적던 강연회", 40)}/setting`);
  await admin.getByLabel("지난 행사에서 가져오기").selectOption({ label: "베낄 강연회" });
  await admin.getByLabel("확인 메일에 덧붙일 글").fill("점심은 각자 준비해 주십시오.");
  await findButton(admin, "가져오기").click();
  await findButton(admin.getByRole("alertdialog"), "취소").click();
  expect(await admin.getByLabel("확인 메일에 덧붙일 글").inputValue()).toBe("점심은 각자 준비해 주십시오.");
  await findButton(admin, "가져오기").click();
  await findButton(admin.getByRole("alertdialog"), "가져오기").click();
  await expect.poll(() => admin.getByLabel("정원").inputValue()).toBe("55");
});

test("the office moves a waiting person up with a reason", { tags: "full" }, async ({ admin, open, openAs }) => {
  const itemNo = await open("올리는 강연회");
  await register(await openAs(MEMBER_CREDENTIALS), itemNo);
  await register(await openAs(NEIGHBOUR), itemNo, "대기 신청");
  await admin.setViewportSize({ width: 1280, height: 900 });
  await admin.goto(`/Admin/Events/notice/${itemNo}?status=waiting`);
  await admin.getByRole("button", { name: /^올리기/ }).click();
  await findButton(findDialog(admin), "확정으로 올리기").click();
  await findDialog(admin).getByText("필수 항목입니다.").waitFor();
  await findDialog(admin).getByLabel("사유").fill("연자입니다.");
  await findButton(findDialog(admin), "확정으로 올리기").click();
  await admin.getByText("확정하고 알렸습니다.").waitFor();
  await admin.getByText("신청한 사람이 없습니다.").waitFor();
  await admin.goto(`/Admin/Events/notice/${itemNo}`);
  expect(await exportWithReason(admin, "파일로 내보내기", "명찰을 만듭니다.")).toMatch(/\.xlsx$/);
  expect(requirePresent(await findRow(admin, "확정").first().textContent())).toContain("확정");
});

test("a member chooses a fee in three clicks", async ({ open, openAs }) => {
  const fees = [
    { name: "일반", amount: 30_000, roleCodes: [] },
    { name: "학생", amount: 0, roleCodes: [] },
  ];
  const itemNo = await open("참가비 강연회", { fees, feeDays: 7 });
  const page = await openAs(MEMBER_CREDENTIALS, { width: 390, height: 844 });
  const { clicks, click } = countClicks();
  await page.goto(itemOf(itemNo));
  await click(blockOf(page).getByRole("link", { name: "신청하기" }));
  await click(page.getByText("일반 30,000원"));
  await click(findButton(page, "신청하기"));
  await page
    .getByText(/일반 30,000원/)
    .first()
    .waitFor();
  await page.getByText("미납", { exact: true }).waitFor();
  expect(clicks.count).toBe(3);
  await expectPageAccessible(page);
});

test("certificates for everybody present take two clicks", { tags: "full" }, async ({ admin, open, openAs, send }) => {
  const kind = { name: "강연회 이수증", body: "{{행사}}에 참석하였음을 증명합니다.", selfIssue: "office" };
  const { id } = await send<{ id: string }>("PUT", "/api/admin/certificate-kind", {
    ...kind,
    numberPattern: "강연 {{연도}}-{{번호}}",
  });
  const itemNo = await open("이수 강연회", { places: 5, certificateKindId: id });
  await register(await openAs(MEMBER_CREDENTIALS), itemNo);
  await admin.setViewportSize({ width: 1280, height: 900 });
  await admin.goto(`/Admin/Events/notice/${itemNo}`);
  await admin.getByRole("button", { name: /^출석/ }).click();
  const { clicks, click } = countClicks();
  await click(findButton(admin, "이수증 발급"));
  await click(findButton(admin.getByRole("alertdialog"), "이수증 발급"));
  await admin.getByText("1명에게 이수증을 발급하였습니다.").waitFor();
  expect(clicks.count).toBe(2);
});

test("the office begins a mailing on the page of the event", { tags: "full" }, async ({ admin, open, openAs }) => {
  const itemNo = await open("알리는 강연회", { places: 5 });
  await register(await openAs(MEMBER_CREDENTIALS), itemNo);
  await admin.goto(`/Admin/Events/notice/${itemNo}`);
  await findButton(admin, "메일·문자 보내기").click();
  await expectPageAccessible(admin);
  await findDialog(admin).getByLabel("받는 사람").selectOption({ label: "확정" });
  await findButton(findDialog(admin), "쓰기").click();
  await admin.waitForURL("**/Admin/Mailings/*");
  await admin.getByText("행사 ‘알리는 강연회’ 신청자: 확정").waitFor();
});

test("the office prints name tags", { tags: "full" }, async ({ admin, open, openAs }) => {
  const itemNo = await open("이름표 강연회", { places: 5 });
  await register(await openAs(MEMBER_CREDENTIALS), itemNo);
  await admin.goto(`/Admin/Events/notice/${itemNo}/name-tags`);
  await findButton(admin, "이름표 만들기").click();
  await findDialog(admin).getByLabel("사유").fill("이름표를 나눕니다.");
  await findButton(findDialog(admin), "만들기").click();
  await admin.getByRole("heading", { name: /^미리보기/ }).waitFor();
  expect(await admin.locator(".label-card").first().textContent()).toMatch(/\S/);
  await expectPageAccessible(admin);
});

test("the door marks a ticket by one tap after the camera", async ({ admin, open, openAs, openGuest }) => {
  const itemNo = await open("입장 강연회", { places: 5 }, -1, 2);
  const member = await openAs(MEMBER_CREDENTIALS, { width: 390, height: 844 });
  await register(member, itemNo);
  await member.getByRole("img", { name: "입장권의 QR 그림" }).waitFor();
  await expectPageAccessible(member);
  await member.goto("/Mypage/Events");
  const ticket = requirePresent(
    await member.getByRole("link", { name: /^입장권 ?: 입장 강연회$/ }).getAttribute("href"),
  );
  const guest = await openGuest({ width: 390, height: 844 });
  await guest.goto(ticket);
  await guest.getByRole("img", { name: "입장권의 QR 그림" }).waitFor();
  expect(await findAxeViolations(guest)).toEqual([]);

  await admin.setViewportSize({ width: 390, height: 844 });
  const { clicks, click } = countClicks();
  clicks.count += 1; // The camera's link.
  await admin.goto(ticket);
  await click(admin.getByRole("button", { name: /^출석/ }));
  await admin.getByText("출석으로 표시하였습니다.").waitFor();
  expect(clicks.count).toBe(2);
  await admin.getByText(/에 이미 출석하였습니다/).waitFor();
  expect(await admin.getByRole("button", { name: /^(출석|퇴장)/ }).count()).toBe(0);
  await expectPageAccessible(admin);
});

test("a long title makes the registration no wider than a phone", { tags: "full" }, async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS, { width: 390, height: 800 });
  await page.goto("/board/notice/Register/60");
  expect(await measureSidewaysScroll(page)).toBe(0);
});
