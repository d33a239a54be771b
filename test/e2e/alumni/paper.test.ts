/** @module-tag full */
import type { Page } from "playwright-core";
import { extractText, getDocumentProxy } from "unpdf";
import { expect } from "vitest";
import { expectFits } from "../support/accessible.ts";
import { insertAlumni, openActions } from "../support/alumni.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

const PROVINCES = ["서울특별시", "경기도", "부산광역시", "제주특별자치도"];
const PRINTED = Array.from({ length: 65 }, (_, at) => ({
  name: `인쇄${String(at).padStart(2, "0")}`,
  cohort: at + 1,
  graduation_year: 1950 + at,
  affiliation: `인쇄병원${at % 25}`,
  zip_code: "03080",
  address: at % 5 ? `${PROVINCES[at % 4]} 인쇄로 ${at}` : "",
  email: at % 3 ? `print${at}@pid.example.kr` : "",
  created_date: Date.UTC(2026, -(at % 40), 10),
}));

test.beforeAll(({ db }) => insertAlumni(db, PRINTED));

/** Returns the number of printed pages and their size in millimetres. */
async function printedPages(page: Page): Promise<{ pages: number; size: string }> {
  const text = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  const box = /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]/.exec(text);
  const millimetres = (points: string | undefined) => Math.round((Number(points) / 72) * 25.4);
  return {
    pages: text.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0,
    size: `${millimetres(box?.[1])}x${millimetres(box?.[2])}`,
  };
}

/** The text of each printed sheet. */
async function sheetTexts(page: Page): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ preferCSSPageSize: true })));
  return (await extractText(pdf, { mergePages: false })).text;
}

test("the statistics of the address book fit two A4 pages", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/Admin/AlumniFigures");
  await page.getByRole("heading", { level: 1, name: "동문주소록 통계" }).waitFor();
  await page.getByRole("row", { name: /^서울/ }).waitFor();
  await expectFits(page);
  expect(await printedPages(page)).toEqual({ pages: 2, size: "210x297" });

  await page.goto("/Alumni?f_name=has:인쇄0");
  await openActions(page, "파일과 인쇄");
  await page.getByRole("link", { name: "통계" }).click();
  await page.getByRole("dialog").getByLabel("사유").fill("이사회 자료");
  await page.getByRole("button", { name: "통계 보기", exact: true }).click();
  await page.getByText("고른 동문 10명").waitFor();
  expect(await page.getByRole("row", { name: /^인쇄병원3 / }).count()).toBe(1);
});

test("labels of the list are printed to scale", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/Alumni?affiliation=인쇄병원");
  await openActions(page, "파일과 인쇄");
  await page.getByRole("link", { name: "인쇄", exact: true }).click();
  await page.getByText("52명, 4장").waitFor();
  await page.getByText("주소를 알 수 없는 13명은 빠집니다.").waitFor();
  await page.getByLabel(/첫 장에서 시작할 칸/).fill("14");
  await page.getByText("52명, 5장").waitFor();
  await page.getByRole("button", { name: "인쇄할 쪽 만들기" }).click();
  await page.getByRole("dialog").getByLabel("사유").fill("총회 안내문");
  await page.getByRole("button", { name: "만들기", exact: true }).click();
  await page.getByText("주소를 알 수 없어 빠진 13명").waitFor();
  await expectFits(page);
  const first = page.locator(".label-place").nth(13);
  expect(await first.textContent()).toContain("인쇄01 귀하");
  expect(await printedPages(page)).toEqual({ pages: 5, size: "210x297" });
  await page.emulateMedia({ media: "print" });
  const sheet = await page.locator(".paper-sheet").first().boundingBox();
  const place = await first.boundingBox();
  const inMillimetres = (pixels = 0) => Math.round((pixels / 96) * 254) / 10;
  const left = inMillimetres((place?.x ?? 0) - (sheet?.x ?? 0));
  expect([left, inMillimetres(place?.width), inMillimetres(place?.height)]).toEqual([106.3, 99.1, 33.9]);
  await page.emulateMedia({ media: null });

  await page.getByRole("radio", { name: "봉투" }).check();
  await page.getByRole("button", { name: "인쇄할 쪽 만들기" }).click();
  await page.getByRole("dialog").getByLabel("사유").fill("총회 안내문");
  await page.getByRole("button", { name: "만들기", exact: true }).click();
  await page.locator(".paper-envelope-small").first().waitFor();
  expect(await printedPages(page)).toEqual({ pages: 52, size: "220x105" });
});

const LONG = {
  cohort: 70,
  zip_code: "03080",
  address: "서울특별시 종로구 대학로 101 한빛대학교 어린이병원 본관 3층 소아청소년과 의국",
  position: "소아청소년 중환자실 실장 겸 희귀질환 등록사업 부책임자",
};

test("a label that is cut off is offered smaller type", async ({ db, openAs }) => {
  const department = "소아청소년과 신생아 집중치료 및 희귀질환 분과 ";
  await insertAlumni(db, [
    { ...LONG, name: "긴라벨", affiliation: "새봄관", department: department.repeat(4) },
    { ...LONG, name: "더긴라벨", affiliation: "한빛관", department: department.repeat(20) },
    { name: "짧은라벨", cohort: 70, zip_code: "03080", address: "서울특별시 종로구 대학로 101" },
  ]);
  const page = await openAs(ADMIN_CREDENTIALS, { width: 1280, height: 900 });
  await page.goto("/Alumni?f_name=has:라벨");
  await openActions(page, "파일과 인쇄");
  await page.getByRole("link", { name: "인쇄", exact: true }).click();
  for (const name of ["소속", "부서", "직위"]) await page.getByRole("checkbox", { name, exact: true }).check();
  await page.getByRole("button", { name: "인쇄할 쪽 만들기" }).click();
  await page.getByRole("dialog").getByLabel("사유").fill("총회 안내문");
  await page.getByRole("button", { name: "만들기", exact: true }).click();
  const cutAlert = page.getByText("칸에 다 들어가지 않아 잘리는 2명");
  await cutAlert.waitFor();
  await page.getByText("긴라벨, 더긴라벨", { exact: true }).waitFor();
  await expectFits(page);
  /** Pixels of a label's text below its place. */
  const belowPlace = async (name: string) => {
    const place = page.locator(".label-place", { hasText: name });
    const [box, last] = [await place.boundingBox(), await place.locator(":scope > :last-child").boundingBox()];
    return (last?.y ?? 0) + (last?.height ?? 0) - (box?.y ?? 0) - (box?.height ?? 0);
  };
  expect(await belowPlace("새봄관")).toBeGreaterThan(0);

  await page.getByRole("button", { name: "이 사람들만 글자를 작게" }).click();
  await page.getByText("글자를 작게 하여도 잘리는 1명").waitFor();
  await page.getByText("더긴라벨. 덧붙일 항목을 줄이거나").waitFor();
  await expectFits(page);
  expect(await belowPlace("새봄관")).toBeLessThan(0);
  await page.getByRole("button", { name: "모두 같은 크기로" }).click();
  await cutAlert.waitFor();
});

test("a long certificate has its seal on every sheet", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Admin/CertificateKinds");
  await page.getByRole("button", { name: "증명서 종류 추가" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("증명서 이름").fill("경력 확인서");
  await dialog.getByLabel("문구").fill("위 사람의 경력을 확인합니다.\n".repeat(55));
  await dialog.getByRole("button", { name: "저장" }).click();
  await page.getByText("경력 확인서", { exact: true }).first().waitFor();
  await page.goto("/Alumni?f_name=has:인쇄61");
  await openActions(page, "연락과 발급");
  await page.getByRole("link", { name: "증명서", exact: true }).click();
  await page.getByLabel("증명서 종류").selectOption("경력 확인서");
  await page.getByRole("button", { name: "증명서 발급", exact: true }).click();
  await page.getByRole("dialog").getByLabel(/사유/).fill("본인 요청");
  await page.getByRole("dialog").getByRole("button", { name: "발급" }).click();
  await page.waitForURL(/Certificates\?id=/);
  await page.locator(".certificate").first().waitFor();
  // The font of a text may arrive after the first printing.
  const areComplete = async () => {
    const sheets = await sheetTexts(page);
    return sheets.length > 1 && sheets.every((text) => /확인 번호/.test(text) && /^제 .*호/.test(text));
  };
  await expect.poll(areComplete).toBe(true);
});

test("a number on an issued certificate can be checked by anybody", async ({ db, openAs, openGuest }) => {
  await db.prepare("UPDATE alumni SET state = '작고' WHERE name = '인쇄64'").run();
  const page = await openAs(ADMIN_CREDENTIALS, { width: 390, height: 844 });
  await page.goto("/Admin/CertificateKinds");
  await page.getByRole("button", { name: "증명서 종류 추가" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("증명서 이름").fill("참가 확인서");
  await dialog.getByLabel("문구").fill("위 사람은 정기총회에 참가하였습니다. 소속: ");
  await dialog.getByRole("button", { name: "{{소속}}" }).click();
  await dialog.getByLabel("번호 형식").fill("참가 {{연도}}-{{번호}}");
  await dialog.getByRole("button", { name: "저장" }).click();
  await page.getByText("참가 확인서", { exact: true }).first().waitFor();
  await expectFits(page);

  await page.goto("/Alumni?f_name=has:인쇄6");
  await openActions(page, "연락과 발급");
  await page.getByRole("link", { name: "증명서", exact: true }).click();
  await page.getByLabel("증명서 종류").selectOption("참가 확인서");
  await page.getByText("작고 1명은 제외됩니다.").waitFor();
  await page.getByText("4명에게 한 장씩 발급합니다.").waitFor();
  await page.getByText("소속: 인쇄병원10").waitFor();
  await expectFits(page);
  await page.getByRole("button", { name: "증명서 발급", exact: true }).click();
  await page.getByRole("dialog").getByLabel(/사유/).fill("참가자 요청");
  await page.getByRole("dialog").getByRole("button", { name: "발급" }).click();
  await page.waitForURL(/Certificates\?id=/);
  await page.locator(".certificate").nth(3).waitFor();
  expect((await printedPages(page)).pages).toBe(4);
  const sheet = await page.locator(".certificate").first().textContent();
  const guest = await openGuest({ width: 390, height: 844 });
  await guest.goto("/Certificate");
  await guest.locator("[name=number]").fill(/\d{4}-[0-9A-Z]{5}-[0-9A-Z]{5}/.exec(sheet ?? "")?.[0] ?? "");
  await guest.locator("[name=name]").fill(/인쇄6\d/.exec(sheet ?? "")?.[0] ?? "");
  await guest.getByRole("button", { name: "확인", exact: true }).click();
  await guest.getByRole("status").filter({ hasText: "유효" }).waitFor();
});
