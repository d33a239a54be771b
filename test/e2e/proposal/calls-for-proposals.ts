import type { Page } from "playwright-core";
import { expect } from "vitest";
import { callFromPage } from "../support/calls.ts";
import { findButton } from "../support/console.ts";
import { test as base } from "../fixtures.ts";

const question = { inputType: "textarea", detail: [], required: true };

const CALL = {
  title: "겨울 연구과제 공모",
  kind: "project",
  openDate: "2026-01-01T00:00:00.000Z",
  closeDate: "2099-01-01T00:00:00.000Z",
  approveFrom: 70,
  secondFrom: 60,
  hidesReviewers: true,
  checkDays: 5,
  reviewDays: 10,
  criteria: ["필요성", "방법"].map((name) => ({ name, detail: "", points: 50 })),
  papers: [{ name: "연구계획서", required: true }],
  checks: [{ name: "서명을 확인하였습니다" }],
  questions: [
    { ...question, name: "연구 목적", hidden: false },
    { ...question, name: "연구비", required: false, hidden: true },
  ],
};

/** The site takes proposals; `openCall` opens a call by this title. */
export const test = base
  .extend("open", { scope: "file" }, async ({ db }) => {
    await db
      .prepare(
        `INSERT INTO site_setting (key, value, modified_date) VALUES ('identity', '{"hasProposals":true}', 1)
         ON CONFLICT (key) DO UPDATE SET value = json_set(value, '$.hasProposals', json('true'))`,
      )
      .run();
  })
  .extend("openCall", ({ admin, open: _open }) => async (title: string) => {
    await admin.goto("/Admin");
    const answer = await callFromPage<{ id: string }>(admin, "POST", "/api/admin/proposal-call", { ...CALL, title });
    expect(answer.code).toBe("SUCCESS");
  });

export const begin = async (page: Page, title: string) => {
  await page.goto("/Mypage/Proposals");
  await findButton(page, `제안서 쓰기: ${title}`).click();
  await page.waitForURL("**/Proposal/Write/*");
};

/** Waits until the draft is stored. */
export const kept = (page: Page) =>
  page
    .getByRole("status")
    .getByText(/^임시저장됨/)
    .waitFor();
