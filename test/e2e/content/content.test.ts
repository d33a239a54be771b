import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { findAxeViolations } from "../support/browser.ts";
import { makePlainPng } from "../support/sample-files.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";
import { sample } from "../../support/sample.ts";

const toast = (admin: Page, text: string) => admin.getByRole("status").getByText(text).waitFor();
const open = (admin: Page, path: string) => admin.goto(path);
const button = (admin: Page, name: string) => admin.getByRole("button", { name, exact: true });
const title = (page: Page) => page.getByRole("textbox", { name: "제목 (필수)" });
const seen = async (guest: Page, path: string) => (await guest.request.get(path)).text();
const wide = (admin: Page, width: number) => admin.setViewportSize({ width, height: 900 });

const PAGES = [
  { width: 1280, code: "target", label: "연구 대상" },
  { width: 390, code: "registration", label: "등록 절차" },
];
const REGIONS = [
  [1280, "ulleung", "울릉"],
  [390, "incheon", "인천"],
] as const;

describe.each(sample(PAGES, ({ width }) => `${width}`))(
  "at $width pixels",
  { tags: "sampled" },
  ({ width, code, label }) => {
    test("a published page is restored from its history", async ({ admin, guest }) => {
      await wide(admin, width);
      await open(admin, "/Admin/Contents");
      expect(await findAxeViolations(admin)).toEqual([]);
      await admin.locator("#main").getByRole("link", { name: label, exact: true }).click();
      const text = admin.getByRole("textbox", { name: "내용" });
      await text.click();
      await admin.keyboard.press("Control+Home");
      await admin.keyboard.type("새로 쓴 첫 문장입니다. ");
      await button(admin, "미리보기").click();
      const desktop = admin.frameLocator('iframe[title="컴퓨터에서 보는 모습"]');
      await desktop.getByText("새로 쓴 첫 문장입니다.").waitFor();
      await desktop.getByText("발행하지 않은 초안입니다.").waitFor();
      await expect.poll(() => desktop.getByRole("link", { name: "로그인" }).first().isVisible()).toBe(true);
      await button(admin, "휴대전화").click();
      const phone = admin.frameLocator('iframe[title="휴대전화에서 보는 모습"]');
      await phone.getByText("새로 쓴 첫 문장입니다.").waitFor();
      await expect.poll(() => phone.locator("html").evaluate((html) => html.clientWidth)).toBe(390);
      expect(await seen(guest, `/pid/${code}`)).not.toContain("새로 쓴 첫 문장입니다.");
      expect((await guest.request.get(`/pid/${code}?preview=1`, { maxRedirects: 0 })).status()).toBe(302);
      await admin.keyboard.press("Escape");

      await button(admin, "게시").click();
      await admin.getByLabel("바뀐 점").fill("첫 문장 추가");
      await admin.getByRole("dialog").getByRole("button", { name: "게시", exact: true }).click();
      await toast(admin, "게시하였습니다.");
      expect(await seen(guest, `/pid/${code}`)).toContain("새로 쓴 첫 문장입니다.");

      await open(admin, `/Admin/Contents/${code}/History?version=1`);
      await admin.getByText("새로 쓴 첫 문장입니다.").waitFor();
      expect(await findAxeViolations(admin)).toEqual([]);
      await button(admin, "이 버전을 초안으로 불러오기").click();
      await button(admin, "불러오기").click();
      await toast(admin, "버전 1을 초안으로 불러왔습니다.");
      await admin.waitForURL(`**/Admin/Contents/${code}`);
      expect(await seen(guest, `/pid/${code}`)).toContain("새로 쓴 첫 문장입니다.");
    });

    test("the second of two authors of a page sees both texts", { tags: "full" }, async ({ admin, openAs }) => {
      await wide(admin, width);
      await open(admin, `/Admin/Contents/${code}`);
      await title(admin).fill("내가 고친 규정");
      const other = await openAs(ADMIN_CREDENTIALS);
      await other.goto(`/Admin/Contents/${code}`);
      await title(other).fill("남이 먼저 고친 규정");
      await other.getByRole("button", { name: "초안 저장" }).click();
      await other.getByText("초안을 저장하였습니다.").first().waitFor();
      await other.context().close();

      await button(admin, "초안 저장").click();
      const dialog = admin.getByRole("dialog", { name: "그사이 다른 곳에서 글이 바뀌었습니다" });
      await dialog.getByText("남이 먼저 고친 규정").waitFor();
      await dialog.getByText("내가 고친 규정").waitFor();
      expect(await findAxeViolations(admin)).toEqual([]);
      await dialog.getByRole("button", { name: "내 글로 저장" }).click();
      await toast(admin, "내 글로 초안을 저장하였습니다.");

      await title(admin).fill("저장하지 않은 규정");
      await admin.waitForFunction(() => JSON.stringify(localStorage).includes("저장하지 않은 규정"));
      admin.once("dialog", (leaving) => void leaving.accept());
      await admin.reload();
      await button(admin, "이어 쓰기").click();
      await expect.poll(() => title(admin).inputValue()).toBe("저장하지 않은 규정");
      expect(await measureSidewaysScroll(admin)).toBe(0);
      await button(admin, "초안 저장").click();
      await toast(admin, "초안을 저장하였습니다.");
    });
  },
);

test.for(sample(REGIONS, ([width]) => `${width}`))(
  "at %i pixels a region is added with its picture",
  { tags: "full" },
  async ([width, code, name], { admin, guest }) => {
    await wide(admin, width);
    await open(admin, "/Admin/Centers");
    expect(await findAxeViolations(admin)).toEqual([]);
    expect(await measureSidewaysScroll(admin)).toBe(0);
    await button(admin, "지역 추가").click();
    const region = admin.getByLabel("지역", { exact: true });
    await admin.getByLabel("센터 이름").fill(`${name}권역센터`);
    if (width === 390) await region.selectOption({ label: name });
    else {
      await region.selectOption({ label: "직접 입력" });
      await admin.getByLabel("지역 이름").fill(name);
      await admin.getByLabel("지역 코드").fill("seoul");
      await button(admin, "추가").click();
      await admin.getByRole("dialog").getByText("다르게 적어 주십시오").waitFor();
      await admin.getByLabel("지역 코드").fill(code);
    }
    await button(admin, "추가").click();
    await admin.waitForURL(`**/Admin/Centers/${code}`);
    await admin.getByLabel("전화").fill("전화번호");
    await button(admin, "초안 저장").click();
    await admin.getByText("전화번호 형식이 올바르지 않습니다.").waitFor();
    await expect.poll(() => admin.evaluate(() => document.activeElement?.getAttribute("aria-invalid"))).toBe("true");
    await admin.getByLabel("전화").fill("032-000-0111");
    await admin
      .locator('input[type="file"]')
      .setInputFiles({ name: "센터.png", mimeType: "image/png", buffer: makePlainPng(32, 18) });
    await admin.getByLabel("사진 설명(대체 텍스트)").fill("센터 정문");
    await button(admin, "게시").click();
    await admin.getByRole("dialog").getByRole("button", { name: "게시", exact: true }).click();
    await toast(admin, "게시하였습니다.");
    expect(await findAxeViolations(admin)).toEqual([]);
    await guest.goto(`/pid/center/${code}`);
    const picture = guest.getByRole("img", { name: "센터 정문" });
    expect(
      await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBeGreaterThan(0);

    await open(admin, "/Admin/Centers");
    await admin.getByRole("button", { name: `숨기기 ${name}` }).click();
    await admin.getByRole("alertdialog").getByRole("button", { name: "숨기기" }).click();
    await toast(admin, "센터를 숨겼습니다.");
    expect((await guest.request.get(`/pid/center/${code}`)).status()).toBe(404);
  },
);

test(
  "a centre manager can reach only that centre page in the console",
  { tags: "full" },
  async ({ db, guest, openAs }) => {
    const permissions = JSON.stringify(["Center_seoul_Manage"]);
    await db.batch([
      db
        .prepare("INSERT INTO role (role_code, role_name, permissions) VALUES ('seoul', '서울 담당', ?)")
        .bind(permissions),
      db.prepare(
        "UPDATE user SET role_code = 'seoul' WHERE id = (SELECT user_id FROM user_key WHERE user_key_code = 'member01')",
      ),
    ]);
    const manager = await openAs(MEMBER_CREDENTIALS);
    await manager.goto("/");
    await manager.getByRole("link", { name: "서울 센터 관리" }).click();
    await manager.getByLabel("오시는 길", { exact: true }).fill("지하철 3번 출구");
    await manager.getByRole("button", { name: "게시", exact: true }).click();
    await manager.getByRole("dialog").getByRole("button", { name: "게시", exact: true }).click();
    await manager.getByRole("status").getByText("게시하였습니다.").waitFor();
    expect(await seen(guest, "/pid/center/seoul")).toContain("지하철 3번 출구");
    await expect.poll(() => manager.getByRole("navigation", { name: "관리 메뉴" }).count()).toBe(0);
    for (const path of ["/Admin", "/Admin/Centers", "/Admin/Centers/pusan", "/Admin/Contents/about", "/Admin/Menu"])
      expect([path, (await manager.request.get(path)).status()]).toEqual([path, 403]);
  },
);

test("a dialog asks before discarding its input", { tags: "full" }, async ({ admin }) => {
  await wide(admin, 390);
  await open(admin, "/Admin/Boards");
  await button(admin, "게시판 추가").click();
  const dialog = admin.getByRole("dialog", { name: "게시판 추가" });
  await admin.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });

  await button(admin, "게시판 추가").click();
  await dialog.getByLabel("게시판 이름").fill("보도자료");
  await admin.keyboard.press("Escape");
  await dialog.getByText("적은 내용을 저장하지 않고 닫으시겠습니까?").waitFor();
  await button(admin, "계속 작성").click();
  await admin.mouse.click(5, 5);
  await dialog.getByText("적은 내용을 저장하지 않고 닫으시겠습니까?").waitFor();
  await expect.poll(() => dialog.getByLabel("게시판 이름").inputValue()).toBe("보도자료");
  expect(await findAxeViolations(admin)).toEqual([]);
  await button(admin, "저장하지 않고 닫기").click();
  await dialog.waitFor({ state: "hidden" });
  await expect
    .poll(() => button(admin, "게시판 추가").evaluate((opener) => opener === document.activeElement))
    .toBe(true);

  await button(admin, "게시판 추가").click();
  await expect.poll(() => dialog.getByLabel("게시판 이름").inputValue()).toBe("");
});
