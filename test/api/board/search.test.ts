import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { reindexStaleItems } from "#worker/domain/board/search-index.server.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { runSql, testDatabase } from "../../support/test-database.ts";
import { PDF_BYTES, uploadBoardFile } from "../../samples/board-files.ts";
import { searchItems, searchedTitles } from "../../calls/board-search-calls.ts";

test("a two-syllable word is found in any spacing", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "등록 연구를 시작합니다" });
  await createTestItem(admin, "notice", { title: "연구 결과 보고" });
  await createTestItem(admin, "notice", { title: "체육대회" });
  expect(await searchedTitles({ keyword: "연구" })).toEqual(["연구 결과 보고", "등록 연구를 시작합니다"]);
  expect(await searchedTitles({ keyword: "연구결과" })).toEqual(["연구 결과 보고"]);
  expect(await searchedTitles({ keyword: "결과 연구" })).toEqual(["연구 결과 보고"]);
  expect(await searchedTitles({ keyword: "등록연구" })).toEqual(["등록 연구를 시작합니다"]);
  expect(await searchedTitles({ keyword: "구를결" })).toEqual([]);
});

test("a mixed Latin word is found by its prefix", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "COVID-19 대응 지침 v2" });
  for (const keyword of ["covid", "Covid-19", "covid19", "cov", "19 지침", "COVID-19 대응", "v2"]) {
    expect(await searchedTitles({ keyword }), keyword).toEqual(["COVID-19 대응 지침 v2"]);
  }
  expect(await searchedTitles({ keyword: "covid20" })).toEqual([]);
});

test("a search without a usable word answers 200", async () => {
  const admin = await createAdministratorSession();
  const long = "면역결핍질환연구망등록사업심포지엄";
  await createTestItem(admin, "notice", { title: `제3회 ${long} 안내` });
  expect(await searchedTitles({ keyword: "망" })).toHaveLength(1);
  expect(await searchedTitles({ keyword: long })).toHaveLength(1);
  for (const keyword of ["%", "_", "\\", "'", "*", '"', "OR", "AND NOT", "NEAR(", "가".repeat(100), "^", ":", "{a}"]) {
    expect((await searchItems({ keyword })).status, keyword).toBe(200);
  }
});

test("target or boardCode limit a search", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "가나다", content: "<p>라마바</p>" });
  await createTestItem(admin, "reference", { title: "라마바", content: "<p>가나다</p>" });
  expect(await searchedTitles({ keyword: "라마", target: "title" })).toEqual(["라마바"]);
  expect(await searchedTitles({ keyword: "라마", target: "content" })).toEqual(["가나다"]);
  expect(await searchedTitles({ keyword: "라마", target: "titleContent" })).toHaveLength(2);
  expect(await searchedTitles({ keyword: "관리자", target: "writer" })).toHaveLength(2);
  expect(await searchedTitles({ keyword: "관리자", target: "titleContent" })).toEqual([]);
  expect(await searchedTitles({ keyword: "가나", boardCode: "notice" })).toEqual(["가나다"]);
  expect(await searchedTitles({ keyword: "가나" }, { query: "?boardCode=reference" })).toEqual(["라마바"]);
});

test("hits are highlighted in plain text", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", {
    title: "<b>연구</b> & 계획",
    content: "<p>둘째 <strong>연 구</strong> 문단</p>",
  });
  const { data } = await searchItems({ keyword: "연구" });
  expect(data.highlight).toEqual(["연구"]);
  expect(data.content[0].highlight).toMatchObject({
    title: "&lt;b&gt;<mark>연구</mark>&lt;/b&gt; &amp; 계획",
    content: "둘째 <mark>연 구</mark> 문단",
  });
});

test("every change of an item is indexed at once", async () => {
  const author = await createMemberSession();
  const reader = await createMemberSession();
  const itemNo = await createTestItem(author, "free", { title: "처음 제목" });
  const path = `/api/board-item/free/${itemNo}`;
  const find = (keyword: string, session: TestSession) => searchedTitles({ keyword }, { session });
  await callAs(author, "PATCH", path, { title: "나중 제목", version: 1 });
  expect(await find("처음", reader)).toEqual([]);
  expect(await find("나중", reader)).toEqual(["나중 제목"]);
  await callAs(author, "PATCH", path, { title: "잃은 제목", version: 1 });
  expect(await find("잃은", reader)).toEqual([]);
  await callAs(author, "PATCH", path, { isSecret: true, version: 2 });
  expect(await find("나중", reader)).toEqual([]);
  expect(await find("나중", author)).toEqual(["나중 제목"]);
  expect(await find("나중", await createAdministratorSession())).toEqual(["나중 제목"]);
  await callAs(author, "DELETE", path);
  expect(await find("나중", author)).toEqual([]);
});

test("a guest finds nothing on an unreadable board, not even its name", async () => {
  const author = await createMemberSession();
  await createTestItem(author, "free", { title: "회원만 보는 글" });
  const everywhere = await searchItems({ keyword: "회원만" });
  expect(everywhere.data).toMatchObject({ content: [], totalElements: 0 });
  expect((await searchItems({ keyword: "회원만", boardCode: "free" })).status).toBe(401);
  const listOnly = await createSessionWith(["Board_free_List"]);
  expect((await searchItems({ keyword: "회원만" }, { session: listOnly })).data.totalElements).toBe(0);
  expect((await searchItems({ keyword: "회원만", boardCode: "free" }, { session: listOnly })).status).toBe(403);
  expect((await searchItems({ keyword: "회원만", boardCode: "nowhere" })).status).toBe(404);
});

test("a rare word is looked up without the terms of access", async () => {
  const author = await createMemberSession();
  const now = Date.now() - 1000;
  await runSql(
    `INSERT INTO board_item (board_code, item_no, title, content, is_secret, created_user_id, created_user_name, created_date, modified_date)
     SELECT iif(value = 4, 'free', 'notice'), value, iif(value <= 4, '희귀 연구', '연구 소식'), '', value = 2, ?1, '편집부', ?2, ?2 FROM json_each(?3)`,
    author.user.id,
    now,
    JSON.stringify(Array.from({ length: 2600 }, (_, at) => at + 1)),
  );
  while ((await reindexStaleItems({ db: testDatabase() }, 100)) > 0);
  await runSql("DELETE FROM board_search WHERE rowid = 1");
  await runSql("INSERT INTO board_search (rowid, terms) VALUES (1, 't희귀')");
  const found = async (options: Parameters<typeof searchItems>[1], boardCode?: string) =>
    (await searchItems({ keyword: "연구 희귀", boardCode }, options)).data.totalElements;
  expect(await found({ session: await createAdministratorSession() })).toBe(4);
  expect(await found({ session: author })).toBe(4);
  expect(await found({ session: author }, "notice")).toBe(3);
  expect(await found({ session: await createMemberSession() })).toBe(3);
  expect(await found({})).toBe(2);
});

test("a scheduled item is not found or counted before its time", async () => {
  const admin = await createAdministratorSession();
  const publishDate = new Date(Date.now() + 3_600_000).toISOString();
  await createTestItem(admin, "notice", { title: "예약한 소식", publishDate });
  expect((await searchItems({ keyword: "예약한" })).data).toMatchObject({ content: [], totalElements: 0 });
});

test("the limits of a search are days in Korea", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "오늘 소식" });
  const day = (days: number) => new Date(Date.now() + 9 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);
  expect(await searchedTitles({ keyword: "소식", from: day(0), to: day(0) })).toHaveLength(1);
  expect(await searchedTitles({ keyword: "소식", to: day(-1) })).toEqual([]);
  expect(await searchedTitles({ keyword: "소식", from: day(1) })).toEqual([]);
  expect((await searchItems({ keyword: "소식", from: "어제" })).code).toBe("INVALID_INPUT");
});

test("the first half hour of a month in Korea belongs to it", async () => {
  await runSql(
    "INSERT INTO board_item (board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date) VALUES ('notice', 1, '월초 소식', '<p>본문</p>', 'x', '편집부', ?1, ?1)",
    Date.parse("2024-01-31T15:30:00Z"),
  );
  await reindexStaleItems({ db: testDatabase() });
  expect(await searchedTitles({ keyword: "월초", from: "2024-02-01", to: "2024-02-29" })).toEqual(["월초 소식"]);
  expect(await searchedTitles({ keyword: "월초", from: "2024-01-01", to: "2024-01-31" })).toEqual([]);
  expect(await searchedTitles({ keyword: "월초", to: "2024-02-01" })).toEqual(["월초 소식"]);
  expect(await searchedTitles({ keyword: "월초", from: "2023-06-01" })).toEqual(["월초 소식"]);
});

test("bad input never causes a 500", async () => {
  for (const body of [
    {},
    { keyword: "" },
    { keyword: "가".repeat(101) },
    { keyword: 1 },
    { keyword: "가", target: "x" },
  ]) {
    expect((await searchItems(body)).code, JSON.stringify(body)).toBe("INVALID_INPUT");
  }
});

async function createReport() {
  const author = await createMemberSession();
  const other = await createMemberSession();
  const fileId = await uploadBoardFile(author, "보고서.pdf", PDF_BYTES, "free");
  const text = { text: "중증복합면역결핍 환자 900101-1234567 열두 명의 조혈모세포이식 결과" };
  const put = (session: TestSession, body: object = text) =>
    callJson("PUT", `/api/board-item-file/${fileId}/text`, { token: session.accessToken, body });
  expect((await put(other)).code).toBe("NOT_FOUND");
  expect((await put(author)).code).toBe("SUCCESS");
  await createTestItem(author, "free", { title: "분기 보고", fileIds: [fileId] });
  return { author, other, fileId, put };
}

test("file texts are searched only for those who may have the file", async () => {
  const { other } = await createReport();
  const reader = await createSessionWith(["Board_free_List", "Board_free_View"]);
  const found = await searchItems({ keyword: "조혈모세포 이식" }, { session: other });
  expect(found.data.content[0]).toMatchObject({
    title: "분기 보고",
    attachments: [{ fileName: "보고서.pdf", excerpt: expect.stringContaining("조혈모세포이식") }],
  });
  expect(JSON.stringify(found.data)).not.toContain("900101");
  expect(await searchedTitles({ keyword: "조혈모세포", target: "file" }, { session: other })).toEqual(["분기 보고"]);
  expect(await searchedTitles({ keyword: "조혈모세포", target: "titleContent" }, { session: other })).toEqual([]);
  // May read the item but not its files.
  expect(await searchedTitles({ keyword: "조혈모세포" }, { session: reader })).toEqual([]);
  for (const [keyword, isNear] of [["분기 조혈모세포", true] as const, ["분기", false] as const])
    expect((await searchItems({ keyword }, { session: reader })).data, keyword).toMatchObject({
      content: [{ title: "분기 보고", attachments: [] }],
      isNear,
    });
});

test("another text of a file replaces the searched words", async () => {
  const { author, other, fileId, put } = await createReport();
  expect((await put(author, { text: "다른 글귀" })).code).toBe("SUCCESS");
  expect(await searchedTitles({ keyword: "조혈모세포" }, { session: other })).toEqual([]);
  expect(await searchedTitles({ keyword: "다른글귀" }, { session: other })).toEqual(["분기 보고"]);
  await env.DB.prepare("DELETE FROM file WHERE id = ?").bind(fileId).run();
  expect((await env.DB.prepare("SELECT count(*) AS n FROM file_text").first<{ n: number }>())?.n).toBe(0);
});

test("only the owner or a manager can set a file's text", async () => {
  const author = await createMemberSession();
  const admin = await createAdministratorSession();
  const fileId = await uploadBoardFile(author, "자료.pdf", PDF_BYTES, "free");
  const put = (token: string | undefined, body: object) =>
    callJson("PUT", `/api/board-item-file/${fileId}/text`, { token, body });
  expect((await put(undefined, { text: "글" })).code).toBe("UNAUTHORIZED");
  expect((await put(admin.accessToken, { text: "글" })).code).toBe("SUCCESS");
  for (const body of [{}, { text: "" }, { text: 1 }, { text: "가".repeat(200_001) }])
    expect((await put(author.accessToken, body)).code).toBe("INVALID_INPUT");
  expect(
    (
      await callJson("PUT", `/api/board-item-file/${crypto.randomUUID()}/text`, {
        token: admin.accessToken,
        body: { text: "글" },
      })
    ).code,
  ).toBe("NOT_FOUND");
});

test("a title match comes first only by relevance", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "등록 지침" });
  await createTestItem(admin, "notice", { title: "다른 소식", content: "<p>지침을 알립니다</p>" });
  await createTestItem(admin, "notice", { title: "지침 안내" });
  const byDate = await searchedTitles({ keyword: "지침", order: "date" });
  expect(byDate).toEqual(["지침 안내", "다른 소식", "등록 지침"]);
  expect(await searchedTitles({ keyword: "지침" })).toEqual(["지침 안내", "등록 지침", "다른 소식"]);
  expect((await searchItems({ keyword: "지침", order: "x" })).code).toBe("INVALID_INPUT");
});

test("newest first uses the date of the item, not of its insertion", async () => {
  const admin = await createAdministratorSession();
  for (const [title, year] of [
    ["총회 새 글", 2026],
    ["총회 옛 글", 2009],
    ["총회 중간 글", 2018],
  ] as const) {
    await createTestItem(admin, "notice", { title });
    await env.DB.prepare("UPDATE board_item SET created_date = ? WHERE title = ?")
      .bind(Date.UTC(year, 0, 1), title)
      .run();
  }
  const found = await searchedTitles({ keyword: "총회", order: "date" });
  expect(found).toEqual(["총회 새 글", "총회 중간 글", "총회 옛 글"]);
});

test("a question without exact hits matches fewer words", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "연구과제 공모 안내", content: "<p>신청서를 보내 주십시오.</p>" });
  await createTestItem(admin, "notice", { title: "v3.2 적용", content: "<p>증례기록서</p>" });
  const search = async (keyword: string) => (await searchItems({ keyword })).data;
  const titles = async (keyword: string) => (await search(keyword)).content.map((hit: { title: string }) => hit.title);
  for (const keyword of ["연구과제에 신청하려면", "공모는 언제 하나요", "연구 과제의 공모"])
    expect(await titles(keyword), keyword).toEqual(["연구과제 공모 안내"]);
  const near = await search("연구과제를 공모하는 우주선");
  expect([near.totalElements, near.isNear, near.highlight]).toEqual([1, true, ["연구과제", "공모", "우주선"]]);
  expect((await search("연구과제 공모")).isNear).toBe(false);
  expect(await titles("증례기록서 v3.2")).toEqual(["v3.2 적용"]);
});

test("a search of ten words stays within the parameter limit", async () => {
  const admin = await createAdministratorSession();
  const keyword = "가나다 나다라 다라마 라마바 마바사 바사아 사아자 아자차 자차카 차카타";
  await createTestItem(admin, "notice", { title: keyword });
  for (const target of ["all", "title", "file"])
    for (const order of ["date", "match"])
      expect((await searchItems({ keyword, target, order })).status, `${target} ${order}`).toBe(200);
  expect(await searchedTitles({ keyword, order: "match" })).toEqual([keyword]);
});

test("variants of a word find each other", async () => {
  const admin = await createAdministratorSession();
  const titles = [
    "연구 윤리 교육",
    "연구윤리 지침",
    "회원가입 안내",
    "회원 가입 절차",
    "MRI 판독",
    "자기공명영상 검사",
    "워크숍",
  ];
  for (const title of titles) await createTestItem(admin, "notice", { title });
  const asked: [keywords: string[], found: string[]][] = [
    [
      ["연구 윤리", "연구윤리", "연구윤리를"],
      ["연구윤리 지침", "연구 윤리 교육"],
    ],
    [
      ["회원가입", "회원 가입", "회원가입은"],
      ["회원 가입 절차", "회원가입 안내"],
    ],
    [
      ["MRI", "mri는", "자기공명영상", "자기 공명 영상", "자기공명영상을"],
      ["자기공명영상 검사", "MRI 판독"],
    ],
    [["워크샵", "workshop", "워크샵에서"], ["워크숍"]],
    [["자기 공명 영상 검사"], ["자기공명영상 검사"]],
    [["MRI검사"], ["자기공명영상 검사"]],
  ];
  for (const [keywords, found] of asked)
    for (const keyword of keywords)
      for (const [order, address] of [["date", "203.0.113.1"] as const, ["match", "203.0.113.2"] as const])
        expect((await searchedTitles({ keyword, order }, { address })).toSorted(), keyword).toEqual(found.toSorted());
  const { data } = await searchItems({ keyword: "워크샵" });
  expect(data).toMatchObject({ also: ["워크숍", "workshop"], totalElements: 1, isNear: false });
  expect(data.content[0].highlight.title).toBe("<mark>워크숍</mark>");
});

test("a synonym finds no more than the word itself would", async () => {
  const [author, other] = [await createMemberSession(), await createMemberSession()];
  await createTestItem(author, "free", { title: "자기공명영상 비밀", isSecret: true });
  const find = (keyword: string, session?: TestSession) => searchItems({ keyword }, { session });
  expect((await find("MRI", author)).data.totalElements).toBe(1);
  expect((await find("MRI", other)).data).toMatchObject({ content: [], totalElements: 0 });
  expect((await find("MRI")).data).toMatchObject({ content: [], totalElements: 0 });
  expect((await searchItems({ keyword: "MRI", target: "writer" }, { session: author })).data.totalElements).toBe(0);
});
