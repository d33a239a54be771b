import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectPageAccessible } from "../support/accessible.ts";
import { findAxeViolations } from "../support/browser.ts";
import { findButton, findDialog, findRow } from "../support/console.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { begin, kept, test } from "./calls-for-proposals.ts";

const REVIEWER = { ...MEMBER_CREDENTIALS, userKeyCode: "member04" };
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };

const attach = (page: Page) =>
  page.locator("input[type=file]").setInputFiles({
    name: "계획서.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("연구를 이렇게 합니다."),
  });

test("a proposal goes from the draft to the decision", async ({ openCall, openAs, openGuest, admin }) => {
  await openCall("겨울 공모");
  const lead = await openAs(MEMBER_CREDENTIALS, PHONE);
  await begin(lead, "겨울 공모");
  await expectPageAccessible(lead);
  await lead.getByLabel("연구 제목").fill("면역결핍 환자의 삶의 질");
  await findButton(lead, "제출").click();
  await lead
    .getByRole("alert")
    .getByRole("link", { name: /연구계획서/ })
    .waitFor();
  await expectPageAccessible(lead);
  await lead.getByLabel("연구책임자 소속").fill("가람의료원");
  await lead.getByLabel("연구 목적").fill("환자의 하루를 묻습니다.");
  await lead.getByLabel(/이해상충이 없음을 서약/).check();
  await attach(lead);
  await lead.getByRole("button", { name: "계획서.txt 삭제" }).waitFor();
  await kept(lead);
  await lead.reload();
  await findButton(lead, "제출").click();
  await findButton(lead.getByRole("alertdialog"), "제출").click();
  await lead.waitForURL("**/Proposal/View/*");
  await lead.getByText("형식 검토", { exact: true }).first().waitFor();
  await expectPageAccessible(lead);
  const address = lead.url();

  await admin.setViewportSize(DESK);
  await admin.goto("/Admin/Proposals");
  await expectPageAccessible(admin);
  await findRow(admin, "면역결핍 환자의 삶의 질").getByRole("link").first().click();
  await admin.getByLabel("서명을 확인하였습니다").check();
  await findButton(admin, "저장").click();
  await admin.getByText("확인한 것을 저장하였습니다.").waitFor();
  await findButton(admin, "심의위원 지정").click();
  await findDialog(admin).getByLabel("회원").fill(REVIEWER.userKeyCode);
  await findButton(findDialog(admin), "지정").click();
  await findButton(admin, "심의 시작").click();
  await findButton(admin.getByRole("alertdialog"), "심의 시작").click();
  await admin.getByText("심의를 시작하고 알렸습니다.").waitFor();
  await expectPageAccessible(admin);

  const reviewer = await openAs(REVIEWER, PHONE);
  await reviewer.goto("/Mypage/Proposals");
  await reviewer.getByRole("link", { name: "면역결핍 환자의 삶의 질" }).click();
  await findButton(reviewer, "이해상충 없음, 심의 시작").waitFor();
  expect(await reviewer.getByText("환자의 하루를 묻습니다.").count()).toBe(0);
  await expectPageAccessible(reviewer);
  await findButton(reviewer, "이해상충 없음, 심의 시작").click();
  await reviewer.getByText("환자의 하루를 묻습니다.").waitFor();
  await reviewer.getByLabel("필요성 (50점)").fill("60");
  await findButton(reviewer, "심의 결과 제출").click();
  await reviewer.getByText("필요성: 0점부터 50점까지", { exact: false }).first().waitFor();
  await reviewer.getByLabel("필요성 (50점)").fill("40");
  await reviewer.getByLabel("방법 (50점)").fill("45");
  await reviewer.getByLabel("심의 의견").fill("방법이 분명합니다.");
  await expectPageAccessible(reviewer);
  await findButton(reviewer, "심의 결과 제출").click();
  await reviewer.getByText("심의 결과를 제출하였습니다.").waitFor();

  await admin.reload();
  await findButton(admin, "결정").click();
  await findDialog(admin).getByText("85점").first().waitFor();
  await findDialog(admin).getByLabel("사유").fill("기준을 넘었습니다.");
  await findButton(findDialog(admin), "결정하고 알리기").click();
  await admin.getByText("승인하고 알렸습니다.").waitFor();

  await lead.goto(address);
  await lead.getByText("방법이 분명합니다.").waitFor();
  await expectPageAccessible(lead);
  const guest = await openGuest(PHONE);
  await guest.goto("/Research/Projects");
  await guest.getByText("면역결핍 환자의 삶의 질").waitFor();
  expect(await findAxeViolations(guest)).toEqual([]);
});
