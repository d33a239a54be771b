/** @module-tag full */
import { expect } from "vitest";
import { expectFits } from "../support/accessible.ts";
import { insertAlumni } from "../support/alumni.ts";
import { findButton } from "../support/console.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

test("a representative's report is accepted by the office", async ({ db, openAs }) => {
  const person = { cohort: 901, affiliation: "한빛병원" };
  await insertAlumni(db, [
    { ...person, name: "구백하나" },
    { ...person, name: "구백두리" },
  ]);
  const office = await openAs(ADMIN_CREDENTIALS);
  await office.goto("/Admin/Representatives");
  await office.getByRole("button", { name: "대표 정하기" }).click();
  const dialog = office.getByRole("dialog");
  await dialog.getByLabel("회원").fill("member02");
  await dialog.getByLabel("기수").fill("901");
  await dialog.getByLabel("마지막 날").fill("2099-12-31");
  await dialog.getByLabel("사유").fill("총회에서 뽑힘");
  await dialog.getByRole("button", { name: "정하기", exact: true }).click();
  await office.getByRole("row", { name: /^901기.*2명/ }).waitFor();

  const representative = await openAs({ userKeyCode: "member02", password: "Member!2345" });
  await representative.goto("/Cohort");
  await representative.getByRole("heading", { level: 1, name: "901기 대표" }).waitFor();
  await expectFits(representative);
  await findButton(representative, "알려 주기: 구백하나").click();
  const form = representative.getByRole("dialog");
  await form.getByLabel("소속").fill("가람의원");
  await form.getByLabel("어떻게 아셨는지").fill("본인과 통화");
  await expectFits(representative);
  await form.getByRole("button", { name: "보내기", exact: true }).click();
  await representative.getByText("승인 대기").waitFor();

  await office.reload();
  await office.getByRole("link", { name: "승인 대기 1", exact: true }).click();
  await office.getByText("알게 된 경위: 본인과 통화").waitFor();
  await expectFits(office);
  await findButton(office, "반영: 구백하나").click();
  await findButton(office.getByRole("alertdialog"), "반영").click();
  await office.getByText("기다리는 수정 요청이 없습니다.").waitFor();
  await representative.reload();
  await representative.getByText("반영함").waitFor();
  expect(await db.prepare("SELECT affiliation FROM alumni WHERE name = '구백하나'").first("affiliation")).toBe(
    "가람의원",
  );
});
