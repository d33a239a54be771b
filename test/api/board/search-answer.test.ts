import { expect, test } from "vitest";
import { getSearchPage } from "#worker/domain/site/search-page.server.ts";
import { searchPageQuery } from "#worker/contract/board/input.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";
import { scopeOfToken } from "../../support/request-scope.ts";
import { runSql } from "../../support/test-database.ts";
import { searchItems, searchedTitles } from "../../calls/board-search-calls.ts";

const searchPage = (keyword: string, token?: string) =>
  getSearchPage(scopeOfToken(token), searchPageQuery.parse({ keyword }));

test("words for the kind of a question only order the hits", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "등록하면 환자에게 비용이 듭니까" });
  await createTestItem(admin, "notice", { title: "등록 진단 기준" });
  for (const keyword of ["등록하려면 돈이 드나요", "등록 비용", "등록비용"])
    expect((await searchedTitles({ keyword }))[0], keyword).toBe("등록하면 환자에게 비용이 듭니까");
  expect(await searchedTitles({ keyword: "진단 기준 전화번호" })).toEqual(["등록 진단 기준"]);
});

test("a word of one syllable without a hit finds nothing", async () => {
  await createTestItem(await createAdministratorSession(), "notice", { title: "진단 기준" });
  expect(await searchedTitles({ keyword: "김" })).toEqual([]);
});

test("a compound finds its halves apart", async () => {
  await createTestItem(await createAdministratorSession(), "notice", { title: "협력 기관 지정 신청서" });
  expect(await searchedTitles({ keyword: "협력기관신청서" })).toEqual(["협력 기관 지정 신청서"]);
});

test("two of three words are enough, synonyms included", async () => {
  await createTestItem(await createAdministratorSession(), "notice", { title: "합동 워크숍 참가 안내" });
  const { data } = await searchItems({ keyword: "워크샵 참가 우주선" });
  expect(data).toMatchObject({ totalElements: 1, isNear: true });
});

test("an unknown word leaves the answer to the other", async () => {
  await createTestItem(await createAdministratorSession(), "notice", { title: "연구과제 공모 안내" });
  for (const keyword of ["공모 우주선", "SPACE 공모 비용"])
    expect((await searchItems({ keyword })).data, keyword).toMatchObject({ totalElements: 1, isNear: true });
  expect((await searchItems({ keyword: "우주선 SPACE" })).data).toMatchObject({ totalElements: 0, isNear: false });
});

test("one of two words finds a page where nothing has both", async () => {
  await runSql(
    "INSERT INTO center (region_code, region_name, center_name, phone) VALUES ('daejeon', '대전', '대전권역센터', '042-000-0111')",
  );
  const { pages, result } = await searchPage("대전 우주선");
  expect([pages.map(({ path }) => path), result?.isNear]).toEqual([["/pid/center/daejeon"], true]);
});

test("an item with both words shows no page with one", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "대전 우주선 견학" });
  await runSql("INSERT INTO center (region_code, region_name, center_name) VALUES ('daejeon', '대전', '대전권역센터')");
  const { pages, result } = await searchPage("대전 우주선");
  expect([pages, result?.totalElements, result?.isNear]).toEqual([[], 1, false]);
});

test.for([
  ["면역글로블린", "면역글로불린"],
  ["권역센타", "권역센터"],
  ["연구재안서", "연구제안서"],
  ["메니저", "매니저"],
])("%s is read as %s, a word of the site", async ([typed = "", meant = ""]) => {
  await createTestItem(await createAdministratorSession(), "notice", { title: `${meant} 안내` });
  const { data } = await searchItems({ keyword: typed });
  expect(data).toMatchObject({ totalElements: 1, corrected: [meant] });
  expect(data.content[0].highlight.title).toBe(`<mark>${meant}</mark> 안내`);
});

test("a misspelled word learns nothing from unreadable titles", async () => {
  const author = await createMemberSession();
  await createTestItem(author, "free", { title: "면역글로불린 비밀", isSecret: true });
  const other = await createMemberSession();
  for (const session of [undefined, other]) {
    const { data } = await searchItems({ keyword: "면역글로블린" }, { session });
    expect(data).toMatchObject({ totalElements: 0, corrected: [], suggested: [] });
  }
  const { data } = await searchItems({ keyword: "면역글로블린" }, { session: author });
  expect(data).toMatchObject({ totalElements: 1, corrected: ["면역글로불린"] });
});

test("without an answer, close words of the site are suggested", async () => {
  await createTestItem(await createAdministratorSession(), "notice", { title: "하계 집담회 안내" });
  const { data } = await searchItems({ keyword: "집담장" });
  expect(data).toMatchObject({ totalElements: 0, suggested: ["집담회"] });
});

test("a reader of its comments finds an item by them", async () => {
  const author = await createMemberSession();
  const itemNo = await createTestItem(author, "free", { title: "질문 하나" });
  const path = `/api/board-item-comment/free/${itemNo}`;
  const { data } = await callAs(author, "PUT", path, { content: "포스터 초록은 이달 말까지 받습니다" });
  const found = () => searchItems({ keyword: "포스터" }, { session: author });
  await expect.poll(async () => (await found()).data.totalElements, { interval: 500 }).toBe(1);
  expect((await found()).data.content[0].comment).toContain("포스터 초록은");
  expect((await searchItems({ keyword: "포스터", target: "title" }, { session: author })).data.totalElements).toBe(0);
  expect((await searchItems({ keyword: "포스터" })).data.totalElements).toBe(0);
  const reader = await createSessionWith(["Board_free_List"]);
  expect((await searchItems({ keyword: "포스터" }, { session: reader })).data.totalElements).toBe(0);
  await runSql("UPDATE board SET use_comment = 0 WHERE board_code = 'free'");
  expect((await found()).data.totalElements).toBe(0);
  await runSql("UPDATE board SET use_comment = 1 WHERE board_code = 'free'");
  const { commentId } = data as { commentId: string };
  await callAs(author, "PATCH", `${path}/${commentId}`, { content: "초록은 마감했습니다", version: 1 });
  expect((await found()).data.totalElements).toBe(0);
  await callAs(author, "DELETE", `${path}/${commentId}`);
  expect((await searchItems({ keyword: "마감했습니다" }, { session: author })).data.totalElements).toBe(0);
});

test("a member finds the screens of members, a guest those of guests", async () => {
  const { accessToken } = await createMemberSession();
  const paths = async (keyword: string, token?: string) =>
    (await searchPage(keyword, token)).pages.map(({ path }) => path);
  for (const [keyword, path] of [
    ["회비", "/Mypage/Dues"],
    ["증명서", "/Mypage/Certificate"],
    ["탈퇴하려면", "/Mypage/Retire"],
    ["비밀번호 변경", "/Mypage/Password"],
  ] as const) {
    expect(await paths(keyword, accessToken), keyword).toContain(path);
    expect(await paths(keyword), keyword).not.toContain(path);
  }
  expect(await paths("회원가입은 어떻게 하나요")).toContain("/Account/Signup");
  expect(await paths("회원가입", accessToken)).not.toContain("/Account/Signup");
});

test("a hit of a centre shows its telephone", async () => {
  await runSql(
    "INSERT INTO center (region_code, region_name, center_name, phone) VALUES ('daejeon', '대전', '대전권역센터', '042-000-0111')",
  );
  const { pages } = await searchPage("대전 센터 전화번호");
  expect(pages[0]).toMatchObject({ kind: "center", path: "/pid/center/daejeon", phone: "042-000-0111" });
});

test("a page is found by the text of its file", async () => {
  const admin = await createAdministratorSession();
  const fileId = crypto.randomUUID();
  await runSql(
    `INSERT INTO file (id, purpose, owner_user_id, file_name, size, content_type, hash, status, storage_key, created_date)
     VALUES (?2, 'content', ?1, '제안서.docx', 1, 'application/octet-stream', '', 'attached', 'f/form', 1)`,
    admin.user.id,
    fileId,
  );
  const page = { title: "연구 제안", content: "<p>양식을 받아 작성합니다.</p>" };
  await callAs(admin, "PUT", "/api/admin/content/proposal/draft", { ...page, version: 0 });
  await callAs(admin, "POST", "/api/admin/content/proposal/publish", { version: 1 });
  await runSql("INSERT INTO content_file (code, file_id) VALUES ('proposal', ?)", fileId);
  const put = (token: string) =>
    callJson("PUT", `/api/board-item-file/${fileId}/text`, { token, body: { text: "연구망 서식 제3호" } });
  expect((await put((await createMemberSession()).accessToken)).code).toBe("NOT_FOUND");
  expect((await put(admin.accessToken)).code).toBe("SUCCESS");
  const { pages } = await searchPage("서식 제3호");
  expect(pages).toEqual([expect.objectContaining({ path: "/research/proposal", fileNames: ["제안서.docx"] })]);
  await runSql("UPDATE content SET status = 'draft'");
  expect((await searchPage("서식 제3호")).pages).toEqual([]);
});
