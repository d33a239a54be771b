import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import {
  folderArchive,
  oldComment,
  oldDocument,
  oldFile,
  oldMember,
  rdxArchive,
} from "../../samples/moving-archive.ts";
import { JPEG_WITH_METADATA } from "../../samples/picture-samples.ts";
import { expectAccessible } from "../support/accessible.ts";
import { findButton, openConsolePage, SCREEN_WIDTHS } from "../support/console.ts";
import { test } from "../fixtures.ts";

/** Dozens of pages in one journey. */
const LONG_JOURNEY_MS = 300_000;

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

test("a clerk imports a site or undoes the import", { timeout: LONG_JOURNEY_MS }, async ({ site, browser, admin }) => {
  await openConsolePage(admin, 1280, "이사 오기");
  await admin.getByRole("textbox", { name: /이전 사이트의 이름/ }).fill("옛 학회 누리집");
  await findButton(admin, "시작하기").click();
  await admin.getByRole("heading", { name: "옛 학회 누리집" }).waitFor();
  expect(await findButton(admin, "살펴보기").isDisabled()).toBe(true);

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

const fixture = (name: string) => readFileSync(resolve(import.meta.dirname, "../../fixtures/moving", name));

async function openPreview(admin: Page, site: string, rdx: Uint8Array, folder?: Uint8Array): Promise<void> {
  await openConsolePage(admin, 1280, "이사 오기");
  await admin.getByRole("textbox", { name: /이전 사이트의 이름/ }).fill(site);
  await admin.getByRole("textbox", { name: /이전 사이트의 주소/ }).fill("https://old.example.kr");
  await findButton(admin, "시작하기").click();
  await admin.getByLabel("RDX zip 고르기").first().setInputFiles(zip("old.zip", rdx));
  await admin.getByText("다 올렸습니다").waitFor();
  if (folder) {
    await admin.getByLabel("폴더 zip 고르기").first().setInputFiles(zip("folder.zip", folder));
    await expect.poll(() => admin.getByText("다 올렸습니다").count()).toBe(2);
  }
  await findButton(admin, "살펴보기").click();
  await findButton(admin, "이대로 옮기기").waitFor();
}

async function commitTo(admin: Page, key: string, code: string): Promise<void> {
  const row = admin.getByRole("listitem").filter({ hasText: `(${key})` });
  await row.getByLabel("권한").selectOption("public");
  await row.getByLabel("코드").fill(code);
  await findButton(admin, "이대로 옮기기").click();
  await findButton(admin, "통째로 되돌리기").waitFor();
}

async function undo(admin: Page): Promise<void> {
  await findButton(admin, "통째로 되돌리기").click();
  await admin.getByRole("textbox", { name: /사유/ }).fill("시험 삼아 옮김");
  await admin.getByRole("dialog").getByRole("button", { name: "되돌리기" }).click();
  await admin.getByText("되돌림", { exact: true }).first().waitFor();
}

const isDrawn = (page: Page, alt: string) =>
  page
    .getByRole("img", { name: alt })
    .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 0));

test("a gnuboard is imported with its block list", { tags: "full" }, async ({ site, browser, admin }) => {
  await openPreview(admin, "그누보드 학회", fixture("g5.zip"));
  await shows(admin, "접근을 차단한 회원에는 표시가 없어 보통 회원으로 보입니다.");
  await shows(admin, "이전 사이트에서 탈퇴하였거나 삭제된 회원");
  const list = {
    name: "blocked.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("아이디,사유\nblocked,광고\nnobody,광고\n"),
  };
  await admin.getByLabel("명단 파일 고르기").first().setInputFiles(list);
  await expect
    .poll(() => admin.getByRole("textbox", { name: /차단한 회원의 아이디/ }).inputValue())
    .toBe("blocked\nnobody");
  await findButton(admin, "명단 적용").click();
  await shows(admin, "차단 명단 2명 가운데 1명을 이전 사이트의 회원에서 찾았습니다.");
  await shows(admin, "찾지 못한 아이디: nobody");
  for (const width of SCREEN_WIDTHS) {
    await openConsolePage(admin, width, "이사 오기");
    await shows(admin, "찾지 못한 아이디: nobody");
    await expectAccessible(admin);
  }
  await openConsolePage(admin, 1280, "이사 오기");
  await commitTo(admin, "notice", "old-notice");
  await shows(admin, "본문에서 뺀 요소");

  const guest = await browser.newPage();
  await guest.goto(`${site.url}/board/old-notice/View/1`);
  const film = guest.getByRole("link", { name: "https://www.youtube.com/watch?v=abcdEFGHijk" });
  expect(await film.getAttribute("href")).toBe("https://www.youtube.com/watch?v=abcdEFGHijk");
  await guest.goto(`${site.url}/board/old-notice/View/2`);
  expect(await isDrawn(guest, "도표")).toBe(true);
  await guest.goto(`${site.url}/board/old-notice/View/10`);
  await guest.getByText("탈퇴한 회원").first().waitFor();
  expect(await guest.getByText("떠난이").count()).toBe(0);
  await guest.close();
  await undo(admin);
});

test("a WordPress is imported without spam or drafts", { tags: "full" }, async ({ site, browser, admin }) => {
  const folder = folderArchive({ "uploads/2024/05/pic.jpg": JPEG_WITH_METADATA });
  await openPreview(admin, "워드프레스 학회", fixture("wp.zip"), folder);
  await shows(admin, "비밀번호를 걸어 둔 글에는 표시가 없어 공개 글로 보입니다.");
  await commitTo(admin, "post", "old-post");
  const guest = await browser.newPage();
  await guest.goto(`${site.url}/board/old-post/View/1`);
  expect(await isDrawn(guest, "사진")).toBe(true);
  await guest.getByRole("link", { name: "https://www.youtube.com/watch?v=abc" }).waitFor();
  await guest.getByText("정상 댓글").waitFor();
  const text = await guest.locator("main").innerText();
  for (const hidden of ["VIAGRA", "승인 대기 댓글", "[gallery", "wp:"]) expect(text).not.toContain(hidden);
  await guest.goto(`${site.url}/board/old-post/List/`);
  await guest.getByRole("link", { name: /안녕하세요/ }).waitFor();
  expect(await guest.getByText("임시글").count()).toBe(0);
  await guest.close();
  await undo(admin);
});
