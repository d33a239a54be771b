/** @module-tag full */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectPageAccessible } from "../support/accessible.ts";
import { callFromPage } from "../support/calls.ts";
import { expectDone, findButton, findRow, openPage, saveAfterQuestion, SCREEN_WIDTHS } from "../support/console.ts";
import { test } from "../fixtures.ts";

const dialog = (admin: Page) => admin.getByRole("dialog");
const confirm = (admin: Page, name: string) =>
  admin.getByRole("alertdialog").getByRole("button", { name, exact: true }).click();
const of = (admin: Page, board: string) => admin.locator("#main li", { hasText: board });
const boardOf = async (admin: Page, code: string) => {
  const { data } = await callFromPage<{ boards: { boardCode: string }[] }>(admin, "GET", "/api/admin/board");
  return data.boards.find(({ boardCode }) => boardCode === code);
};
const codes = async (admin: Page) =>
  (await callFromPage<{ boards: { boardCode: string }[] }>(admin, "GET", "/api/admin/board")).data.boards.map(
    ({ boardCode }) => boardCode,
  );

test.for(SCREEN_WIDTHS)(
  "at %i px a new board has the settings of its form",
  async (width, { admin, member, guest }) => {
    await admin.setViewportSize({ width, height: 844 });
    const code = `press${width}`;
    const name = `보도자료 ${width}`;
    await openPage(admin, "/Admin/Boards");
    await findButton(admin, "게시판 추가").click();
    await dialog(admin).getByLabel("게시판 이름").fill(name);
    await dialog(admin).getByLabel("코드").fill("notice");
    await findButton(admin, "추가").click();
    await dialog(admin).getByText("이미 사용 중인 게시판 코드입니다.").waitFor();
    await expect.poll(() => dialog(admin).getByLabel("게시판 이름").inputValue()).toBe(name);
    await dialog(admin).getByLabel("코드").fill(code);
    await findButton(admin, "추가").dblclick();
    await admin.waitForURL(`**/Admin/Boards/${code}`);

    await admin.getByLabel("한 페이지의 글 수").fill("3");
    await admin.getByLabel("파일 하나의 크기").fill("200");
    await findButton(admin, "저장").click();
    await admin.getByText("5 이상이어야 합니다.").waitFor();
    await expect.poll(() => admin.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("pageSize");
    await admin.getByLabel("한 페이지의 글 수").fill("20");
    await admin.getByLabel("파일 하나의 크기").fill("2");
    await admin.getByLabel("분류", { exact: true }).fill("보도\n\n해명");
    await admin.getByLabel("모양").selectOption("사진형");
    await admin.getByRole("checkbox", { name: "방문자: 목록" }).uncheck();
    await admin.getByRole("checkbox", { name: "회원: 쓰기" }).uncheck();
    await expectPageAccessible(admin);

    await admin.route(`**/api/admin/board/${code}`, (route) => route.abort(), { times: 1 });
    await saveAfterQuestion(admin);
    await admin.getByText("사이트에 연결하지 못했습니다.").waitFor();
    const {
      version,
      itemCount: _count,
      isClosed: _closed,
      ...other
    } = (await boardOf(admin, code)) as never as BoardAnswer;
    const quicker = { ...other, description: "남이 먼저 쓴 설명", version };
    expect((await callFromPage(admin, "PATCH", `/api/admin/board/${code}`, quicker)).code).toBe("SUCCESS");
    await saveAfterQuestion(admin);
    const theirs = admin.getByRole("status").filter({ hasText: "그사이 다른 곳에서 내용이 바뀌었습니다." });
    await theirs.getByText("남이 먼저 쓴 설명").waitFor();
    await expect.poll(() => admin.getByLabel("분류", { exact: true }).inputValue()).toBe("보도\n\n해명");
    await expectPageAccessible(admin);
    await findButton(admin, "내 내용으로 저장").click();
    await confirm(admin, "저장");
    await expectDone(admin, "게시판을 저장하였습니다.");
    expect(await boardOf(admin, code)).toMatchObject({
      boardType: "gallery",
      categories: ["보도", "해명"],
      pageSize: 20,
      fileMaxSize: 2 * 1024 * 1024,
      description: "",
      grant: { guest: expect.not.arrayContaining(["List"]), member: expect.not.arrayContaining(["Write"]) },
    });
    expect((await callFromPage(member, "GET", `/api/board/${code}`)).status).toBe(404);
    await openPage(admin, "/Admin/Boards");
    await findButton(admin, `열기 ${name}`).click();
    await admin.getByRole("alertdialog").getByText("목록을 보는 역할: 관리자, 회원").waitFor();
    await confirm(admin, "게시판 열기");
    await expectDone(admin, "게시판을 열었습니다.");
    expect(
      (await callFromPage<{ permissions: object }>(member, "GET", `/api/board/${code}`)).data.permissions,
    ).toMatchObject({
      list: true,
      write: false,
    });
    expect((await guest.request.get(`/api/board/${code}`)).status()).toBe(401);
    expect(await (await guest.request.get(`/?x=${width}`)).text()).not.toContain(name);
    expect(await (await admin.request.get("/")).text()).toContain(name);
  },
);

test.for(SCREEN_WIDTHS)("at %i px a board is copied, moved, closed or deleted", async (width, { admin, member }) => {
  await admin.setViewportSize({ width, height: 844 });
  const code = `report${width}`;
  const name = `보고서 ${width}`;
  const board = { boardCode: code, boardName: name, boardType: "gallery", categories: ["보도", "해명"] };
  expect((await callFromPage(admin, "PUT", "/api/admin/board", board)).code).toBe("SUCCESS");
  await callFromPage(admin, "POST", `/api/admin/board/${code}/state`, { isClosed: false, version: 1 });
  await openPage(admin, "/Admin/Boards");
  await findButton(admin, `복사 ${name}`).click();
  await dialog(admin).getByLabel("게시판 이름").fill(`사본 ${width}`);
  await dialog(admin).getByLabel("코드").fill(`copy${width}`);
  await findButton(admin, "추가").click();
  await admin.waitForURL(`**/Admin/Boards/copy${width}`);
  expect(await boardOf(admin, `copy${width}`)).toMatchObject({ boardType: "gallery", categories: ["보도", "해명"] });
  await openPage(admin, "/Admin/Boards");
  await findButton(admin, `위로 사본 ${width}`).click();
  await expectDone(admin, "순서를 바꾸었습니다.");
  expect((await codes(admin)).slice(-2)).toEqual([`copy${width}`, code]);

  const item = { title: "첫 보도", content: "<p>본문</p>", fileIds: [] };
  expect((await callFromPage(admin, "PUT", `/api/board-item/${code}`, item)).code).toBe("SUCCESS");
  await findButton(admin, `닫기 ${name}`).click();
  await admin.getByRole("alertdialog").getByText("글 1건과 댓글 0개가").waitFor();
  await admin.getByRole("alertdialog").getByText("메뉴 ‘게시판’").waitFor();
  await expectPageAccessible(admin);
  await confirm(admin, "게시판 닫기");
  await expectDone(admin, "게시판을 닫았습니다. 글은 그대로 있습니다.");
  expect((await callFromPage(member, "GET", `/api/board/${code}`)).status).toBe(404);
  await findButton(admin, `열기 ${name}`).click();
  await confirm(admin, "게시판 열기");
  await expectDone(admin, "게시판을 열었습니다.");
  await of(admin, name).getByText("닫힘").waitFor({ state: "detached" });
  // A board that ever had an item is closed instead of deleted.
  await findButton(admin, `삭제 ${name}`).click();
  await confirm(admin, "삭제");
  await expectDone(admin, "글이 있어 지우지 않고 닫았습니다.");
  await of(admin, name).getByText("닫힘").waitFor();
  await findButton(admin, `삭제 사본 ${width}`).click();
  await confirm(admin, "삭제");
  await expectDone(admin, "게시판을 삭제하였습니다.");
  await of(admin, `사본 ${width}`).waitFor({ state: "detached" });
  await expectPageAccessible(admin);
});

interface BoardAnswer {
  version: number;
  itemCount: number;
  isClosed: boolean;
}

test.for(SCREEN_WIDTHS)("at %i px a hidden item is restored from the bin", async (width, { admin, member }) => {
  await admin.setViewportSize({ width, height: 844 });
  const title = `신고될 글 ${width}`;
  const put = { title, content: "<p>광고입니다</p>", fileIds: [] };
  const { itemNo } = (await callFromPage<{ itemNo: number }>(admin, "PUT", "/api/board-item/free", put)).data;
  const report = { reason: "advertisement", text: "도배" };
  expect((await callFromPage(member, "PUT", `/api/board-item-report/free/${itemNo}`, report)).code).toBe("SUCCESS");

  await openPage(admin, "/Admin/Reports");
  const thing = findRow(admin, title);
  await thing.getByText("광고나 도배").last().waitFor();
  await thing.getByText("광고입니다").first().click();
  await thing.locator("details li", { hasText: "도배" }).waitFor();
  await expectPageAccessible(admin);
  await thing.getByRole("button", { name: "휴지통으로 보내기" }).click();
  await confirm(admin, "휴지통으로 보내기");
  await expectDone(admin, "숨겼습니다.");
  await thing.waitFor({ state: "detached" });
  expect((await callFromPage(member, "GET", `/api/board-item/free/${itemNo}`)).status).toBe(404);
  await admin.getByRole("link", { name: "처리한 신고" }).click();
  await thing.getByText("숨김", { exact: true }).waitFor();

  await openPage(admin, "/Admin/Boards/free");
  await admin.getByRole("link", { name: "휴지통" }).click();
  await findRow(admin, title).getByRole("checkbox").check();
  await findButton(admin, "선택 되살리기").click();
  await confirm(admin, "되살리기");
  await expectDone(admin, "글을 되살렸습니다.");
  await findRow(admin, title).waitFor({ state: "detached" });
  expect((await callFromPage(member, "GET", `/api/board-item/free/${itemNo}`)).status).toBe(200);
});
