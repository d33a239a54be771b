import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectLog } from "../../support/expected-log.ts";
import { holdRequests } from "../support/browser.ts";
import { expectPageAccessible } from "../support/accessible.ts";
import { callFromPage, endPageSession } from "../support/calls.ts";
import {
  dismissToast,
  expectDone,
  findButton,
  findRow,
  giveReason,
  openPage,
  SCREEN_WIDTHS,
  openFilters,
} from "../support/console.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test as siteTest } from "../fixtures.ts";
import { sample } from "../../support/sample.ts";

interface Mail {
  to: string[];
  subject: string;
  text: string;
}
/** Stub of the mail provider with accepted mails and an outage switch. */
const host = { isDown: false, refused: 0, taken: [] as Mail[] };
const takenBy = (subject: string) => host.taken.filter((mail) => mail.subject.includes(subject));

const test = siteTest.extend(
  "siteOptions",
  { scope: "file" },
  {
    vars: { MESSAGE_TRANSPORT: "resend", RESEND_API_KEY: "test" },
    outbound: async (request) => {
      if (host.isDown) {
        host.refused += 1;
        return new Response("", { status: 503 }) as never;
      }
      const mails = [(await request.json()) as Mail | Mail[]].flat();
      host.taken.push(...mails);
      return Response.json({ id: "1", data: mails.map((_, at) => ({ id: String(at) })) }) as never;
    },
  },
);

const preview = (admin: Page) => admin.getByRole("region", { name: "미리보기" });
const body = (admin: Page) => admin.getByRole("textbox", { name: "본문" });

test.for(sample(SCREEN_WIDTHS, String))(
  "at %i px an edited template is previewed before saving",
  { tags: "sampled" },
  async (width, { admin }) => {
    await admin.setViewportSize({ width, height: 844 });
    await openPage(admin, "/Admin/MailTemplates");
    await admin.getByRole("link", { name: "가입 승인" }).click();
    await body(admin).fill("환영합니다, {{없는 것}}님.");
    await admin.getByText("이 메일에 없는 항목입니다").waitFor();
    await body(admin).fill("환영합니다, 님. {{주소}}");
    await body(admin).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(7, 7));
    await findButton(admin, "{{이름}}").click();
    await expect.poll(() => body(admin).inputValue()).toBe("환영합니다, {{이름}}님. {{주소}}");
    await preview(admin).getByText("환영합니다, 홍길동님.").waitFor();
    await findButton(admin, "글자만").click();
    await expectPageAccessible(admin);

    expectLog(/"event":"message\.failed"/);
    host.isDown = true;
    host.refused = 0;
    await findButton(admin, "나에게 시험 메일 보내기").click();
    await expectDone(admin, "시험 메일을 admin@pid.example.kr로 보냅니다.");
    await expect.poll(() => host.refused).toBe(1);
    host.isDown = false;

    const message = "/api/admin/mail-template/memberApproved";
    const { version } = (await callFromPage<{ version: number }>(admin, "GET", message)).data;
    const quicker = {
      subject: "남이 쓴 제목",
      text: "{{이름}}님, 남이 쓴 본문입니다. {{주소}}",
      reason: "시험",
      version,
    };
    expect((await callFromPage(admin, "PATCH", message, quicker)).code).toBe("SUCCESS");
    await findButton(admin, "저장").click();
    const theirs = admin.getByRole("status").filter({ hasText: "그사이 다른 곳에서 내용이 바뀌었습니다." });
    await theirs.getByText("남이 쓴 제목").waitFor();
    await expectPageAccessible(admin);
    await expect.poll(() => body(admin).inputValue()).toBe("환영합니다, {{이름}}님. {{주소}}");
    await findButton(admin, "저장된 내용 불러오기").click();
    await expect.poll(() => body(admin).inputValue()).toBe(quicker.text);
    await body(admin).fill("환영합니다, {{이름}}님. {{주소}}");
    await endPageSession(admin);
    await admin.getByLabel("아이디나 이메일").fill("admin");
    await admin.getByLabel("비밀번호", { exact: true }).fill(ADMIN_CREDENTIALS.password);
    await admin.keyboard.press("Enter");
    await admin.locator("dialog[open]").waitFor({ state: "detached" });
    await findButton(admin, "저장").dblclick();
    await giveReason(admin);
    await expectDone(admin, "문구를 저장하였습니다.");
    expect((await callFromPage(admin, "GET", message)).data).toMatchObject({
      text: "환영합니다, {{이름}}님. {{주소}}",
    });
    await findButton(admin, "처음 문구로").click();
    await admin.getByLabel("사유").fill("처음 문구가 낫습니다.");
    await findButton(admin, "되돌리기").click();
    await expectDone(admin, "처음 문구로 되돌렸습니다.");
    await expect.poll(() => body(admin).inputValue()).not.toContain("환영합니다");
  },
);

test.for(sample(SCREEN_WIDTHS, String))(
  "at %i px a failed bulk message is sent again",
  { tags: "full" },
  async (width, { db, admin }) => {
    await admin.setViewportSize({ width, height: 844 });
    const subject = `총회 안내 ${width}`;
    await openPage(admin, "/Admin/Members?sort=userName,ASC&size=100");
    for (const name of ["서진하", "신예준"]) await admin.getByRole("checkbox", { name: `${name} 선택` }).check();
    await findButton(admin, "메일·문자 보내기").click();
    await admin.getByRole("heading", { level: 1, name: "단체 메일·문자 쓰기" }).waitFor();
    await admin.getByText("회원에서 고른 2명에게 보냅니다.").waitFor();
    const text = admin.getByRole("radio", { name: "문자 (설정되지 않음)" });
    expect(await text.isDisabled()).toBe(true);
    await expectPageAccessible(admin);
    await admin.getByLabel("제목").fill(subject);
    await body(admin).fill("{{비밀번호}} 회원님");
    await findButton(admin, "저장하고 미리보기").click();
    await admin.getByText("이 메일에 없는 항목입니다").waitFor();
    await body(admin).fill(" 회원님, 총회에 초대합니다.");
    await body(admin).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(0, 0));
    await findButton(admin, "{{이름}}").click();
    await findButton(admin, "저장하고 미리보기").click();
    await admin.getByText("2명이 받습니다.").waitFor();
    await preview(admin)
      .getByText(/(서진하|신예준) 회원님, 총회에 초대합니다\./)
      .waitFor();
    await expectPageAccessible(admin);
    await db.prepare("UPDATE message SET status = 'failed', attempts = 5 WHERE subject LIKE '[시험]%'").run();
    await openPage(admin, "/Admin/Messages");
    await openFilters(admin);
    await admin.getByRole("combobox", { name: "상태" }).selectOption("실패");
    await admin.getByRole("searchbox", { name: "받는 사람이나 제목" }).fill("시험");
    await admin.keyboard.press("Enter");
    await admin.waitForURL(/status=failed/);
    await findRow(admin, "[시험]").first().getByText("실패").waitFor();
    await expectPageAccessible(admin);
    const before = takenBy("[시험]").length;
    await findRow(admin, "[시험]").first().getByRole("button", { name: "다시 보내기" }).click();
    await expectDone(admin, "다시 보내기 시작하였습니다.");
    await expect.poll(() => takenBy("[시험]").length).toBe(before + 1);
    await admin.getByRole("combobox", { name: "상태" }).selectOption("보냄");
    await admin.keyboard.press("Tab");
    await findButton(admin, "찾기").click();
    await admin.waitForURL(/status=sent/);
    await findRow(admin, "[시험]").first().getByText("보냄").waitFor();
  },
);

test("text typed during a slow save is not left silently", { tags: "full" }, async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Admin/MailTemplates/memberApproved");
  const text = page.getByLabel(/^본문/);
  const leave = async () => {
    await page.locator("#main").getByRole("link").first().click();
    await page.getByRole("alertdialog").getByRole("button", { name: "계속 쓰기" }).click();
  };
  await page.getByRole("button", { name: "{{이름}}" }).click();
  expect(await text.inputValue()).toMatch(/^\{\{이름\}\}/);
  await leave();
  const release = await holdRequests(page, "**/api/admin/mail-template/memberApproved");
  await page.getByRole("button", { name: "저장", exact: true }).click();
  await text.press("End");
  await page.keyboard.type("늦게 적은 말");
  release();
  await giveReason(page);
  await dismissToast(page, "문구를 저장하였습니다.");
  expect(await text.inputValue()).toContain("늦게 적은 말");
  await leave();
});
