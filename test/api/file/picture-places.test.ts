import { expect, test } from "vitest";
import { getSignupForm } from "#worker/domain/account/signup.server.ts";
import { getBoardListPage } from "#worker/domain/board/list.server.ts";
import { getCenterOverview, getCenterPage } from "#worker/domain/content/center.server.ts";
import { getLegalPage } from "#worker/domain/content/legal-page.server.ts";
import { getInfoPage } from "#worker/domain/content/page.server.ts";
import { getHomeExtras } from "#worker/domain/site/home.server.ts";
import { listItemsQuery } from "#worker/contract/board/input.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { scopeOfToken } from "../../support/request-scope.ts";
import { createSignupSettings, createTestItem } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { PDF_BYTES, PNG_BYTES, uploadBoardFile } from "../../samples/board-files.ts";
import { makePng } from "../../samples/picture-samples.ts";
import { runSql } from "../../support/test-database.ts";

const photo = makePng(1500, 500);

async function picture(owner: TestSession): Promise<string> {
  const form = new FormData();
  form.set("file", new File([photo], "사진.png"));
  return (await callAs(owner, "PUT", "/api/board-item/images", form)).data.fileId;
}
const shows = (fileId: string) => `<p>글</p><p><img src="/api/file/${fileId}" alt="사진"></p>`;
const placeOf = (fileId: string) => [{ fileId, width: 1500, height: 500, isAnimated: false }];

test("information pages include the addresses of their pictures", async () => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  const publish = async (code: string) => {
    const fileId = await picture(admin);
    const address = `/api/admin/content/${code}`;
    const body = { title: "제목", content: shows(fileId), version: 0 };
    const { data } = await callJson("PUT", `${address}/draft`, { token, body });
    if (code === "about")
      expect((await getInfoPage(scopeOfToken(token), { code: "about", preview: true })).pictures).toEqual(
        placeOf(fileId),
      );
    const answer = await callJson("POST", `${address}/publish`, { token, body: { version: data.version } });
    expect(answer.code).toBe("SUCCESS");
    return placeOf(fileId);
  };
  const places = { about: await publish("about"), center: await publish("center"), privacy: await publish("privacy") };
  expect((await getInfoPage(scopeOfToken(), { code: "about" })).pictures).toEqual(places.about);
  expect((await getLegalPage(scopeOfToken(), { code: "privacy" })).pictures).toEqual(places.privacy);
  expect((await getCenterOverview(scopeOfToken(), { product: "pid", preview: false })).page.pictures).toEqual(
    places.center,
  );
  expect((await getInfoPage(scopeOfToken(), { code: "target" })).pictures).toEqual([]);
});

test("centres, popups or agreements include the addresses of their pictures", async () => {
  await createSignupSettings();
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  const ids = { seoul: await picture(admin), popup: await picture(admin), news: await picture(admin) };
  const seoul = {
    regionName: "서울",
    centerName: "서울권역센터",
    imageFileId: ids.seoul,
    imageAlt: "건물",
    version: 0,
  };
  await callJson("PUT", "/api/admin/center/seoul/draft", { token, body: seoul });
  await callJson("POST", "/api/admin/center/seoul/publish", { token, body: { version: 1 } });
  const asked = { product: "pid", regionCode: "seoul", preview: false };
  expect((await getCenterPage(scopeOfToken(), asked)).picture).toEqual(placeOf(ids.seoul)[0]);

  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const popup = { title: "알림", content: shows(ids.popup), startDate: day(-1), endDate: day(1) };
  await callJson("PUT", "/api/admin/popup", { token, body: popup });
  expect((await getHomeExtras(scopeOfToken())).popups.map(({ pictures }) => pictures)).toEqual([placeOf(ids.popup)]);

  const news = { code: "news", version: "1", title: "소식", required: false, content: shows(ids.news) };
  const body = { ...news, baseVersion: "", effectiveDate: day(0) };
  expect((await callJson("PUT", "/api/admin/setting/agreement", { token, body })).code).toBe("SUCCESS");
  const { agreements } = await getSignupForm(scopeOfToken());
  expect(agreements.find(({ code }) => code === "news")?.pictures).toEqual(placeOf(ids.news));
});

const ofType = (type: string) => runSql("UPDATE board SET board_type = ? WHERE board_code = 'notice'", type);
const list = async (token?: string) =>
  getBoardListPage(scopeOfToken(token), listItemsQuery.parse({ boardCode: "notice", sort: "createdDate,ASC" }));

test("FAQ answers include the picture addresses that their reader may open", async () => {
  const admin = await createAdministratorSession();
  await runSql("UPDATE board SET use_secret = 1 WHERE board_code = 'notice'");
  await ofType("faq");
  const [open, secret] = [await picture(admin), await picture(admin)];
  await createTestItem(admin, "notice", { content: shows(open) });
  await createTestItem(admin, "notice", { content: shows(secret), isSecret: true });
  expect((await list()).pictures).toEqual(placeOf(open));
  expect((await list(admin.accessToken)).pictures).toHaveLength(2);
});

test("the first attached picture represents an item in a gallery", async () => {
  const admin = await createAdministratorSession();
  await ofType("gallery");
  const attach = (name: string, bytes: Uint8Array<ArrayBuffer>) => uploadBoardFile(admin, name, bytes, "notice");
  const [pdf, first, second] = [
    await attach("안내.pdf", PDF_BYTES),
    await attach("1.png", PNG_BYTES),
    await attach("2.png", PNG_BYTES),
  ];
  await createTestItem(admin, "notice", { title: "첨부", fileIds: [pdf, first, second] });
  const inline = await picture(admin);
  await createTestItem(admin, "notice", { content: shows(inline), fileIds: [await attach("3.png", PNG_BYTES)] });
  await createTestItem(admin, "notice", { fileIds: [await attach("글만.pdf", PDF_BYTES)] });
  await createTestItem(admin, "notice", { isPinned: true, fileIds: [await attach("4.png", PNG_BYTES)] });

  const { items } = await list();
  const small = (fileId: string) => `/api/file/${fileId}?thumbnail=true&width=640`;
  expect(items.content.map(({ thumbnailUrl }) => thumbnailUrl)).toEqual([small(first), small(inline), null]);
  expect(items.pinned[0]?.thumbnailUrl).toMatch(/^\/api\/file\//);
  expect((await fetchApi("GET", small(first))).status).toBe(200);
  await ofType("list");
  expect((await list()).items.content[0]?.thumbnailUrl).toBeNull();
});

test("a gallery shows no picture to a reader without access", async () => {
  const admin = await createAdministratorSession();
  await ofType("gallery");
  await createTestItem(admin, "notice", { fileIds: [await uploadBoardFile(admin, "1.png", PNG_BYTES, "notice")] });
  await createTestItem(admin, "notice", { content: shows(await picture(admin)) });
  const seenBy = async (...permissions: string[]) => {
    const { accessToken } = await createSessionWith(permissions.map((each) => `Board_notice_${each}`));
    return (await list(accessToken)).items.content.map(({ thumbnailUrl }) => thumbnailUrl !== null);
  };
  expect(await seenBy("List", "View", "Download")).toEqual([true, true]);
  expect(await seenBy("List", "View")).toEqual([false, true]);
  expect(await seenBy("List")).toEqual([false, false]);
  const own = await createMemberSession();
  expect((await list(own.accessToken)).items.content).toHaveLength(2);
});
