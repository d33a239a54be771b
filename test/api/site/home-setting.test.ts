import { expect, test } from "vitest";
import { CONSOLE_ROWS } from "#worker/contract/kernel/console/console-pages.ts";
import { getHomeExtras } from "#worker/domain/site/home.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { callJson } from "../../support/api-client.ts";
import { scopeOfToken } from "../../support/request-scope.ts";
import { rowExample } from "../../support/row-example.ts";
import { createAdministratorSession, createSessionWith } from "../../support/people.ts";
import { runSql } from "../../support/test-database.ts";

const DAY = 86_400_000;
const day = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const popupInput = { title: "알림", content: "<p>내용</p>", startDate: day(-1), endDate: day(1) };
const shown = async () => (await getHomeExtras(scopeOfToken())).popups.map(({ title }) => title);

test("popups are shown within their period, in order", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const make = async (body: object) => (await callJson("PUT", "/api/admin/popup", { token, body })).data.id as string;
  const first = await make({ ...popupInput, title: "먼저", position: "left", size: "lg" });
  const second = await make({ ...popupInput, title: "다음" });
  await make({ ...popupInput, title: "아직", startDate: day(1), endDate: day(2) });
  await make({ ...popupInput, title: "지난", startDate: day(-2), endDate: day(-1) });
  expect(await shown()).toEqual(["먼저", "다음"]);
  await callJson("POST", "/api/admin/popup/order", { token, body: { codes: [second, first] } });
  expect(await shown()).toEqual(["다음", "먼저"]);
  const closed = { ...popupInput, title: "다음", isClosed: true, version: 1 };
  expect((await callJson("PATCH", `/api/admin/popup/${second}`, { token, body: closed })).data).toEqual({ version: 2 });
  expect((await getHomeExtras(scopeOfToken())).popups).toMatchObject([{ title: "먼저", position: "left", size: "lg" }]);
});

test("an invalid popup is refused with field errors", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const put = (body: object) => callJson("PUT", "/api/admin/popup", { token, body: { ...popupInput, ...body } });
  expect((await put({ endDate: day(-3) })).fields).toEqual({ endDate: "끝나는 때가 시작하는 때보다 뒤여야 합니다." });
  expect((await put({ content: "<p> </p><script>x</script>" })).fields).toEqual({ content: "내용을 입력해 주십시오." });
  expect((await put({ position: "top" })).fields).toHaveProperty("position");
  const { id } = (await put({ content: "<p onclick='x'>글</p>" })).data;
  const patch = (version: number) =>
    callJson("PATCH", `/api/admin/popup/${id}`, { token, body: { ...popupInput, title: "새", version } });
  expect((await patch(1)).code).toBe("SUCCESS");
  expect((await patch(1)).code).toBe("CONFLICT");
  expect((await callJson("DELETE", `/api/admin/popup/${id}?version=1`, { token })).code).toBe("CONFLICT");
  expect((await callJson("DELETE", `/api/admin/popup/${id}?version=2`, { token })).code).toBe("SUCCESS");
  expect((await patch(2)).code).toBe("NOT_FOUND");
});

test.each(CONSOLE_ROWS)("the rows of $code are guarded against an older version", async (row) => {
  const { accessToken: token } = await createAdministratorSession();
  const path = `/api/admin/${row.code}`;
  const call = (method: string, rest = "", body?: object) => callJson(method, `${path}${rest}`, { token, body });
  for (const { id } of (await call("GET")).data) await call("DELETE", `/${id}?version=1`);
  const example = rowExample(row);
  const ids: string[] = [];
  for (const title of ["가", "나"]) ids.push((await call("PUT", "", { ...example, [row.title]: title })).data.id);
  const listed = async () => ((await call("GET")).data as { id: string }[]).map(({ id }) => id);
  expect(await listed()).toEqual(ids);
  expect((await call("POST", "/order", { codes: ids.toReversed() })).code).toBe("SUCCESS");
  expect(await listed()).toEqual(ids.toReversed());
  const changed = { ...example, [row.title]: "다", version: 1 };
  expect((await call("PATCH", `/${ids[0]}`, changed)).data).toEqual({ version: 2 });
  expect((await call("PATCH", `/${ids[0]}`, changed)).code).toBe("CONFLICT");
  expect((await call("DELETE", `/${ids[0]}?version=1`)).code).toBe("CONFLICT");
  expect((await call("DELETE", `/${ids[0]}?version=2`)).code).toBe("SUCCESS");
  expect(await listed()).toEqual(ids.slice(1));
  expect((await call("PATCH", `/${ids[0]}`, changed)).code).toBe("NOT_FOUND");
});

test.each([
  ["/board/notice/List/", true],
  ["/board/notice/list?page=2", true],
  ["/pid/about", true],
  ["/Research/Proposal", true],
  ["/Alumni", true],
  ["https://www.example.kr/a", true],
  ["/board/none/List/", false],
  ["/board/notice/View/99", false],
  ["/pid/center/nowhere", false],
  ["/other/about", false],
  ["//evil.example", false],
  ["javascript:alert(1)", false],
  ["https://x", false],
  ["about", false],
])("a quick link to %s is accepted: %s", async (href, taken) => {
  const { accessToken: token } = await createAdministratorSession();
  const answer = await callJson("PUT", "/api/admin/quick-link", { token, body: { label: "가기", href } });
  expect(answer.status).toBe(taken ? 200 : 400);
  if (!taken) expect(answer.fields).toHaveProperty("href");
});

test("the home page shows up to four quick links in their order", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const ids: string[] = [];
  for (const label of ["가", "나", "다", "라"]) {
    const { data } = await callJson("PUT", "/api/admin/quick-link", { token, body: { label, href: "/terms" } });
    ids.push(data.id);
  }
  const fifth = await callJson("PUT", "/api/admin/quick-link", { token, body: { label: "마", href: "/terms" } });
  expect(fifth.message).toBe("바로가기는 4개까지 둘 수 있습니다. 하나를 고치거나 지워 주십시오.");
  await callJson("POST", "/api/admin/quick-link/order", { token, body: { codes: ids.toReversed() } });
  expect((await getHomeExtras(scopeOfToken())).quickLinks.map(({ label }) => label)).toEqual(["라", "다", "나", "가"]);
  const stale = { label: "바", href: "/terms", version: 7 };
  expect((await callJson("PATCH", `/api/admin/quick-link/${ids[0]}`, { token, body: stale })).code).toBe("CONFLICT");
});

const link = (target: string, label: string, isHidden = false) => ({ kind: "link", target, label, isHidden });
const labels = async (token?: string) => (await getSiteFrame(scopeOfToken(token))).menu.map(({ label }) => label);

test("the menu keeps its default until a change", async () => {
  const { accessToken: token } = await createAdministratorSession();
  expect(await labels()).toEqual(["연구망", "환자 등록", "권역센터", "연구", "게시판"]);
  const entries = [
    { kind: "boards", label: "소식", isHidden: false },
    {
      kind: "group",
      label: "안내",
      isHidden: false,
      children: [link("about", "우리는"), link("rules", "숨긴 쪽", true)],
    },
    { kind: "group", label: "빈 묶음", isHidden: false, children: [] },
    link("center", "센터"),
    link("alumni", "동문"),
    link("/board/free/List/", "회원게시판"),
    link("target", "대상", true),
  ];
  const saved = await callJson("PATCH", "/api/admin/setting/menu", { token, body: { entries, version: 0 } });
  expect(saved.data).toEqual({ version: 1 });
  expect(await labels()).toEqual(["소식", "안내", "센터"]);
  expect(await labels(token)).toEqual(["소식", "안내", "센터", "동문", "회원게시판"]);
  const { menu } = await getSiteFrame(scopeOfToken());
  expect(menu[1]?.children).toEqual([{ label: "우리는", href: "/pid/about" }]);
  const late = await callJson("PATCH", "/api/admin/setting/menu", { token, body: { entries, version: 0 } });
  expect(late.code).toBe("CONFLICT");
});

test("a newly opened board appears in the readers' menu", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await callJson("PUT", "/api/admin/board", { token, body: { boardCode: "press", boardName: "보도자료" } });
  const boards = async () =>
    (await getSiteFrame(scopeOfToken())).menu
      .find(({ label }) => label === "게시판")
      ?.children?.map(({ label }) => label);
  expect(await boards()).not.toContain("보도자료");
  await callJson("POST", "/api/admin/board/press/state", { token, body: { isClosed: false, version: 1 } });
  expect(await boards()).toContain("보도자료");
});

test("a menu links only to existing pages", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const save = (target: string) =>
    callJson("PATCH", "/api/admin/setting/menu", { token, body: { entries: [link(target, "쪽")], version: 0 } });
  for (const target of ["/nowhere", "https://x", "//evil.example", "javascript:alert(1)", "unknown"])
    expect((await save(target)).fields, target).toEqual({ "entries.0.target": "이 사이트에 없는 주소입니다." });
  await runSql("INSERT INTO site_setting (key, value, modified_date) VALUES ('menu', '{\"entries\":7}', 0)");
  expect(await labels()).toEqual(["연구망", "환자 등록", "권역센터", "연구", "게시판"]);
});

test("a preview is shown in the frame that a visitor sees", async () => {
  const { accessToken } = await createAdministratorSession();
  const frame = await getSiteFrame(scopeOfToken(accessToken), true);
  expect(frame.user).toBeNull();
  expect(frame.boards.map(({ boardCode }) => boardCode)).toEqual(["notice", "reference"]);
});

test("the count below which a region is masked is a setting", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const path = "/api/admin/setting/case-report";
  expect((await callJson("GET", path, { token })).data).toEqual({ value: { maskBelow: 0 }, version: 0 });
  expect((await callJson("PATCH", path, { token, body: { maskBelow: 5, version: 0 } })).data).toEqual({ version: 1 });
  expect((await callJson("PATCH", path, { token, body: { maskBelow: 3, version: 0 } })).code).toBe("CONFLICT");
  expect((await callJson("PATCH", path, { token, body: { maskBelow: -1, version: 1 } })).fields).toHaveProperty(
    "maskBelow",
  );
  expect((await callJson("GET", path, { token })).data.value).toEqual({ maskBelow: 5 });
});

test("a centre manager sees only the own region in the console menu", async () => {
  const { accessToken } = await createSessionWith(["Center_seoul_Manage"]);
  const { user } = await getSiteFrame(scopeOfToken(accessToken));
  expect(user).toMatchObject({ isAdministrator: false, centers: [{ regionCode: "seoul", regionName: "서울" }] });
});
