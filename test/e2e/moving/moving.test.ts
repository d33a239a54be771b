import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { oldComment, oldDocument, oldFile, oldMember, rdxArchive } from "../../samples/moving-archive.ts";
import { expectAccessible } from "../support/accessible.ts";
import { findButton, openConsolePage, SCREEN_WIDTHS } from "../support/console.ts";
import { test } from "../fixtures.ts";

const archive = () =>
  rdxArchive({
    members: [
      oldMember("hong", { groups: ["정회원"], extra_vars: { mb_1: "서울의대" } }),
      oldMember("kim", { password: "?", is_admin: "Y" }),
    ],
    boards: {
      free_talk: {
        title: "자유게시판",
        documents: [
          oldDocument(7, {
            title: "창립 총회 회의록",
            user_id: "hong",
            nick_name: "홍길동",
            content: `<p>회의록입니다. <a href="/bbs/board.php?bo_table=free_talk&wr_id=8">다음 글</a></p>`,
            comments: [oldComment(9), oldComment(10, { status: "SECRET" })],
            files: [
              oldFile(1, "회의록.txt", "data/file/free_talk/a.txt"),
              oldFile(2, "없는 파일.pdf", "data/file/free_talk/b.pdf"),
            ],
          }),
          oldDocument(8, { title: "둘째 모임 안내" }),
        ],
      },
      gallery: { title: "사진첩", documents: [oldDocument(1)] },
    },
    files: { "data/file/free_talk/a.txt": "회의록 전문" },
  });

const zip = (name: string, bytes: Uint8Array) => ({ name, mimeType: "application/zip", buffer: Buffer.from(bytes) });

async function shows(admin: Page, text: string): Promise<void> {
  await admin.getByText(text).first().waitFor();
}

test("a clerk moves a site in: sends it, looks at what would come, maps it, commits it, follows an old address, undoes it", async ({
  site,
  browser,
  admin,
}) => {
  await openConsolePage(admin, 1280, "이사 오기");
  await admin.getByRole("textbox", { name: /이전 사이트의 이름/ }).fill("옛 학회 누리집");
  await findButton(admin, "시작하기").click();
  await admin.getByRole("heading", { name: "옛 학회 누리집" }).waitFor();
  expect(await findButton(admin, "살펴보기").isDisabled()).toBe(true);

  // What is no archive is refused in words that say what to do.
  await admin
    .getByLabel("RDX zip 고르기")
    .first()
    .setInputFiles(zip("dump.zip", Buffer.from("-- phpMyAdmin\n".repeat(99))));
  await shows(admin, "다 올렸습니다");
  await findButton(admin, "살펴보기").click();
  await shows(admin, "이전 사이트에 RDX Exporter를 올려 먼저 RDX로 내보내십시오");

  await admin.getByRole("textbox", { name: /이전 사이트의 이름/ }).fill("옛 학회 누리집");
  await findButton(admin, "시작하기").click();
  await admin.getByLabel("RDX zip 고르기").first().setInputFiles(zip("old.zip", archive()));
  await shows(admin, "다 올렸습니다");
  for (const width of SCREEN_WIDTHS) {
    // Left and come back to.
    await openConsolePage(admin, width, "이사 오기");
    await shows(admin, "old.zip");
    await expectAccessible(admin);
  }
  await findButton(admin, "살펴보기").click();
  await findButton(admin, "이대로 옮기기").waitFor();
  await shows(admin, "회원 1명은 쓰던 비밀번호로 로그인합니다. 1명은 '비밀번호 찾기'로 새 비밀번호를 정합니다.");
  for (const width of SCREEN_WIDTHS) {
    await openConsolePage(admin, width, "이사 오기");
    await findButton(admin, "이대로 옮기기").waitFor();
    await expectAccessible(admin);
  }
  await openConsolePage(admin, 1280, "이사 오기");
  const talk = admin.getByRole("listitem").filter({ hasText: "(free_talk)" });
  await talk.getByLabel("권한").selectOption("public");
  await talk.getByLabel("코드").fill("notice");
  await findButton(admin, "이대로 옮기기").click();
  await shows(admin, "'notice'는 이미 쓰는 게시판 코드입니다.");
  await talk.getByLabel("코드").fill("talk");
  await findButton(admin, "이대로 옮기기").click();
  await findButton(admin, "통째로 되돌리기").waitFor();
  await shows(admin, "비밀 댓글(공개되지 않도록 옮기지 않습니다)");
  await shows(admin, "목록에는 있으나 찾을 수 없는 첨부파일·그림");
  for (const width of SCREEN_WIDTHS) {
    await openConsolePage(admin, width, "이사 오기");
    await findButton(admin, "통째로 되돌리기").waitFor();
    await expectAccessible(admin);
  }

  const guest = await browser.newPage();
  await guest.goto(`${site.url}/bbs/board.php?bo_table=free_talk&wr_id=7`);
  await guest.getByRole("heading", { name: "창립 총회 회의록" }).waitFor();
  expect(new URL(guest.url()).pathname).toBe("/board/talk/View/1");
  await guest.getByRole("link", { name: "다음 글" }).click();
  await guest.getByRole("heading", { name: "둘째 모임 안내" }).waitFor();
  const short = await guest.goto(`${site.url}/free_talk/8`);
  expect([short?.status(), new URL(guest.url()).pathname]).toEqual([200, "/board/talk/View/2"]);
  expect((await guest.goto(`${site.url}/free_talk/999`))?.status()).toBe(200);
  expect(new URL(guest.url()).pathname.toLowerCase()).toBe("/board/talk/list/");
  expect((await guest.goto(`${site.url}/nothing/999`))?.status()).toBe(404);
  await guest.close();

  await openConsolePage(admin, 1280, "이사 오기");
  await findButton(admin, "통째로 되돌리기").click();
  await admin.getByRole("textbox", { name: /사유/ }).fill("시험 삼아 옮김");
  await admin.getByRole("dialog").getByRole("button", { name: "되돌리기" }).click();
  await shows(admin, "되돌린 것");
  await admin.getByText("되돌림", { exact: true }).first().waitFor();

  // And out: the archives of the whole site, each under its own name.
  await findButton(admin, "내보내기 준비").click();
  await admin.getByRole("textbox", { name: /사유/ }).fill("옮길 준비");
  await admin.getByRole("dialog").getByRole("button", { name: "내보내기 준비" }).click();
  await admin.getByText("1. 회원").waitFor();
  await expectAccessible(admin);
  const [download] = await Promise.all([
    admin.waitForEvent("download"),
    admin.getByRole("button", { name: /^내려받기 ?: 회원/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^사이트_\d{8}_members_1\.zip$/);
  await admin.getByText("받음", { exact: true }).waitFor();
});
