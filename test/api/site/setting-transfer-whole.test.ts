import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { seedBase } from "#db/seed.ts";
import { certificateKindRow, dueKindRow } from "#worker/contract/alumni/rows.ts";
import { getCenterPage } from "#worker/domain/content/center.server.ts";
import { getLegalPage } from "#worker/domain/content/legal-page.server.ts";
import { getInfoPage } from "#worker/domain/content/page.server.ts";
import { getHomeExtras } from "#worker/domain/site/home.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { createSignupSettings } from "../../support/factories.ts";
import { NEW_IDENTITY, WHITE_PIXEL } from "../../support/identity.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { scopeFor } from "../../support/request-scope.ts";
import {
  CONSENT_DOCUMENT as CONSENT,
  EMPTY_SETTING_FILE,
  importSettingFile as importAll,
  pageTextDocument as pageText,
  POPUP_DOCUMENT as POPUP,
  SETTING_IMPORT,
} from "../../support/setting-file.ts";
import { runSql } from "../../support/test-database.ts";

const PATH = SETTING_IMPORT;
const empty = EMPTY_SETTING_FILE;

async function makeSociety(admin: TestSession): Promise<void> {
  const done = async (method: string, path: string, body: object) => {
    const { code, message, fields } = await callAs(admin, method, path, body);
    expect([path, code, message, fields]).toEqual([path, "SUCCESS", message, fields]);
  };
  const setting = "/api/admin/setting";
  const { data: own } = await callAs(admin, "GET", `${setting}/export`);
  const contact = { organization: "한빛고", address: "서울", phone: "02-1", fax: "", email: "a@b.kr" };
  const site = { siteName: "한빛고 총동문회", contact, replyTo: "reply@society.kr" };
  await done("PATCH", `${setting}/site`, { ...own.site, ...site, reason: "시험", version: 1 });
  await done("PUT", "/api/admin/board", { boardCode: "class", boardName: "기수별 소식", categories: ["1기"] });
  await done("POST", "/api/admin/board/order", { codes: ["class", "free"] });
  await done("POST", "/api/admin/board/notice/state", { isClosed: true, version: 1 });
  await done("PATCH", `${setting}/identity`, {
    ...NEW_IDENTITY,
    words: { 동문: "졸업생" },
    color: "red",
    home: NEW_IDENTITY.home.toReversed(),
    homeBoards: ["class"],
    footerLinks: [{ label: "모교", href: "https://school.example.kr", english: "" }],
    version: 0,
  });
  const pictures = { light: WHITE_PIXEL, dark: "", icon: WHITE_PIXEL, share: WHITE_PIXEL };
  await done("PATCH", `${setting}/logo`, { pictures, version: 0 });
  const page = { ...own.pages[0], code: "scholarship", label: "장학 사업", parent: "", isHidden: false };
  const pages = [page, ...own.pages.map((each: object) => ({ ...each, isHidden: true }))];
  await done("PATCH", `${setting}/pages`, { pages, version: 0 });
  const entries = [
    { kind: "link", target: "scholarship", label: "장학", isHidden: false },
    { kind: "link", target: "https://school.example.kr", label: "모교", isHidden: false },
  ];
  await done("PATCH", `${setting}/menu`, { entries, version: 0 });
  await done("PUT", `${setting}/alumni/field`, { name: "졸업한 반", kind: "text", access: "members" });
  await done("PUT", `${setting}/alumni/field`, {
    name: "취미",
    kind: "choice",
    choices: ["등산", "낚시"],
    access: "office",
  });
  await done("POST", `${setting}/alumni/field/order`, { codes: ["own2", "own1"] });
  await done("PUT", "/api/admin/quick-link", { label: "장학 사업", href: "/terms" });
  await done("PUT", "/api/admin/certificate-kind", certificateKindRow.example);
  await done("PUT", "/api/admin/due-kind", dueKindRow.example);
  await done("PATCH", "/api/admin/mail-template/newItem", {
    subject: "새 글: {{제목}}",
    text: "{{제목}} {{주소}} {{알림 끄기}}",
    reason: "시험",
    version: 0,
  });
  const center = { regionName: "서울", centerName: "서울 지부", phone: "02-2", version: 0 };
  for (const region of ["seoul", "pusan"]) {
    await done("PUT", `/api/admin/center/${region}/draft`, center);
    await done("POST", `/api/admin/center/${region}/publish`, { version: 1 });
  }
  await done("POST", "/api/admin/center/order", { codes: ["pusan", "seoul"] });
  const rules = { ...own.retention.rules, drafts: { on: true, days: 30 } };
  await done("PATCH", "/api/admin/privacy/retention", { requestDays: 7, rules, version: 1 });
  await done("PATCH", "/api/admin/consent/setting", { automatic: false, version: 0 });
  await done("PATCH", `${setting}/case-report`, { maskBelow: 5, version: 0 });
  for (const [at, title] of ["총회", "장학생 모집"].entries())
    await done("PUT", "/api/admin/popup", { ...POPUP, title, position: at === 0 ? "left" : "right" });
  const popups = (await callAs(admin, "GET", "/api/admin/popup")).data as { id: string }[];
  await done("POST", "/api/admin/popup/order", { codes: popups.map(({ id }) => id).toReversed() });
  await done("PUT", `${setting}/agreement`, { ...CONSENT, effectiveDate: "2026-01-01T00:00:00Z", baseVersion: "" });
  for (const code of ["scholarship", "about", "banner", "terms", "privacy"]) {
    const text = {
      title: `${code}의 글`,
      content: `<p>${code}</p>`,
      englishTitle: "In English",
      englishContent: "<p>E</p>",
    };
    await done("PUT", `/api/admin/content/${code}/draft`, { ...text, version: 0 });
    await done("POST", `/api/admin/content/${code}/publish`, { version: 1 });
  }
  await done("PUT", "/api/admin/role", {
    roleCode: "editor",
    roleName: "편집자",
    permissions: ["Board_class_Write", "Center_pusan_Manage"],
  });
}

test("a society imported from a file has the same pages", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const untouched = await callAs(admin, "GET", "/api/admin/setting/export");
  await makeSociety(admin);
  const exported = async () => (await callAs(admin, "GET", "/api/admin/setting/export")).data;
  const shown = async () => ({
    info: (await callJson("GET", "/api/site-setting/info")).data,
    frame: await getSiteFrame(scopeFor(null)),
    home: (await getHomeExtras(scopeFor(null))).quickLinks,
    popups: (await getHomeExtras(scopeFor(null))).popups,
    logo: (await fetchApi("GET", "/api/site-setting/logo/light")).status,
    terms: (await getLegalPage(scopeFor(null), { code: "terms" })).content,
    page: await getInfoPage(scopeFor(null), { code: "scholarship" }).then(({ title, content }) => ({ title, content })),
    agreements: (await callJson("GET", "/api/site-setting/authentication")).data.agreements.map(
      ({ code, required, content }: Record<string, unknown>) => ({ code, required, content }),
    ),
    center: (await getCenterPage(scopeFor(null), { product: env.PRODUCT_CODE, regionCode: "pusan", preview: false }))
      .center,
  });
  const [document, seen] = [await exported(), await shown()];
  for (const [section, value] of Object.entries(untouched.data))
    if (!["kind", "format", "authentication", "profileFields", "alumni"].includes(section))
      expect([section, document[section]], "the sample changes every section").not.toEqual([section, value]);

  // Resets the site to its defaults. Keeps the signed-in user's role without its permissions.
  await runSql("DELETE FROM role WHERE role_code NOT IN (SELECT role_code FROM user)");
  for (const { roleCode, permissions } of untouched.data.roles)
    await runSql("UPDATE role SET permissions = ? WHERE role_code = ?", JSON.stringify(permissions), roleCode);
  const tables =
    "site_setting board alumni_field certificate_kind due_kind quick_link mail_template center content content_version popup agreement";
  for (const table of tables.split(" ")) await runSql(`DELETE FROM ${table}`);
  await seedBase(env.DB);
  expect(await exported()).toEqual(untouched.data);
  const { preview, apply } = await importAll(admin.accessToken, document);
  expect(preview.changes.length).toBeGreaterThan(12);
  expect((await apply()).code).toBe("SUCCESS");
  expect(await exported()).toEqual(document);
  expect(document.site.replyTo).toBe("reply@society.kr");
  expect(await shown()).toEqual(seen);
  expect((await importAll(admin.accessToken, document)).preview.changes).toEqual([]);
});

test("rows of a file need the same permissions as pages", async () => {
  const admin = await createAdministratorSession();
  const { data: own } = await callAs(admin, "GET", "/api/admin/setting/export");
  const closed = { ...empty, boards: own.boards.map((row: object) => ({ ...row, isClosed: true })) };
  const clerk = await createSessionWith(["ADMIN_Access"]);
  expect((await callAs(clerk, "POST", PATH, { document: closed })).code).toBe("FORBIDDEN");
  // A new board gets the default grants when the file has no roles.
  const added = { ...own.boards[0], boardCode: "class", boardName: "기수별 소식" };
  expect((await callAs(clerk, "POST", PATH, { document: { ...empty, boards: [added] } })).code).toBe("FORBIDDEN");
  const bring = async ({ accessToken }: { accessToken: string }, isClosed: boolean) =>
    (await (await importAll(accessToken, { ...empty, boards: [{ ...added, isClosed }] })).apply()).code;
  const shown = async () =>
    (await callJson("GET", "/api/site-setting/info")).data.boards.map(
      ({ boardCode }: { boardCode: string }) => boardCode,
    );
  expect([await bring(clerk, true), await shown()]).toEqual(["SUCCESS", expect.not.arrayContaining(["class"])]);
  expect([await bring(admin, false), await shown()]).toEqual(["SUCCESS", expect.arrayContaining(["class"])]);

  const field = { name: "취미", kind: "text", access: "office" };
  await callAs(admin, "PUT", "/api/admin/setting/alumni/field", field);
  const fields = (given: object[]) => callAs(admin, "POST", PATH, { document: { ...empty, alumniFields: given } });
  const hobby = { ...field, code: "own1", isClosed: false };
  expect((await fields([hobby])).data.changes).toEqual([]);
  for (const [given, place] of [
    [[{ ...hobby, kind: "number" }], "document.alumniFields.0.kind"],
    [[hobby, { ...hobby, code: "own2" }], "document.alumniFields.1.name"],
    [[{ ...hobby, name: "기수" }], "document.alumniFields.0.name"],
    [[hobby, hobby], "document.alumniFields"],
    [[{ ...hobby, code: "other" }], "document.alumniFields.0.code"],
  ] as const)
    expect([place, Object.keys((await fields([...given])).fields ?? {})]).toEqual([
      place,
      expect.arrayContaining([place]),
    ]);
  const bad = { ...empty, mailTemplates: [{ kind: "newItem", subject: "글", text: "없는 {{자리}}" }] };
  expect((await callAs(admin, "POST", PATH, { document: bad })).fields).toHaveProperty("document.mailTemplates.0.text");

  const { apply } = await importAll(admin.accessToken, { ...empty, boards: [{ ...added, boardName: "다른 이름" }] });
  await runSql("UPDATE board SET version = version + 1 WHERE board_code = 'notice'");
  expect((await apply()).code).toBe("CONFLICT");
});

const kindsOf = (changes: { section: string; code: string; kind: string }[]) =>
  changes.map(({ section, code, kind }) => `${section} ${code} ${kind}`);

test("an imported legal page stays a draft where terms are valid", async () => {
  await createSignupSettings();
  const admin = await createAdministratorSession();
  const page = "/api/admin/content/privacy";
  await callAs(admin, "PUT", `${page}/draft`, { title: "처리방침", content: "<p>지금 방침</p>", version: 0 });
  await callAs(admin, "POST", `${page}/publish`, { version: 1 });
  const inForce = async () => ({
    agreements: (await callJson("GET", "/api/site-setting/authentication")).data.agreements,
    privacy: (await getLegalPage(scopeFor(null), { code: "privacy" })).content,
    terms: (await getLegalPage(scopeFor(null), { code: "terms" })).content,
  });
  const before = await inForce();
  const document = {
    ...empty,
    agreements: [{ code: "newsletter", version: "9", title: "소식지", required: true, content: "<p>다른 소식지</p>" }],
    pageTexts: [pageText("privacy", "<p>다른 방침</p>"), pageText("terms", "<p>다른 약관</p>")],
  };
  const { preview, apply } = await importAll(admin.accessToken, document);
  expect(kindsOf(preview.changes)).toEqual([
    "agreements newsletter kept",
    "pageTexts privacy changed",
    "pageTexts terms new",
  ]);
  for (const { follows } of preview.changes)
    expect(follows.join(" ")).toMatch(/그대로 둡니다|시행 중인 글은 바뀌지 않습니다/);
  expect((await apply()).code).toBe("SUCCESS");
  expect(await inForce()).toEqual(before);
  expect((await callAs(admin, "GET", page)).data).toMatchObject({ content: "<p>다른 방침</p>", hasDraft: true });
  expect((await callAs(admin, "GET", "/api/admin/content/terms")).data).toMatchObject({ hasDraft: true });
  // A second import changes nothing and keeps an existing draft.
  expect(kindsOf((await importAll(admin.accessToken, document)).preview.changes)).toEqual([
    "agreements newsletter kept",
    "pageTexts privacy kept",
    "pageTexts terms kept",
  ]);
  const other = { ...empty, pageTexts: [pageText("privacy", "<p>또 다른 방침</p>")] };
  expect((await (await importAll(admin.accessToken, other)).apply()).code).toBe("SUCCESS");
  expect((await callAs(admin, "GET", page)).data.content).toBe("<p>다른 방침</p>");
});

test("an imported legal text takes effect on a site without any", async () => {
  const admin = await createAdministratorSession();
  const document = { ...empty, agreements: [CONSENT], pageTexts: [pageText("terms", "<p>약관</p>")] };
  const { preview, apply } = await importAll(admin.accessToken, document);
  expect(preview.changes.map(({ follows }: { follows: string[] }) => follows.join(" "))).toEqual([
    expect.stringMatching(/바로 시행합니다\. 지금 회원 1명에게는 다음 로그인 때 동의 여부를 묻습니다/),
    expect.stringContaining("바로 게시하고 시행합니다"),
  ]);
  expect((await apply()).code).toBe("SUCCESS");
  const { agreements } = (await callJson("GET", "/api/site-setting/authentication")).data;
  expect(agreements.map(({ code }: { code: string }) => code).toSorted()).toEqual(["consent", "terms"]);
});

test("everything that a file leaves out is listed by name", async () => {
  const admin = await createAdministratorSession();
  const [here, gone] = [crypto.randomUUID(), crypto.randomUUID()];
  await runSql(
    `INSERT INTO file (id, purpose, owner_user_id, file_name, size, content_type, status, storage_key, created_date)
      VALUES (?, 'content', 'u', 'a.png', 1, 'image/png', 'attached', 'f/a', 1)`,
    here,
  );
  const picture = (id: string, alt: string) => `<img src="/api/file/${id}" alt="${alt}">`;
  const text = `<p>글</p><p>${picture(here, "남는 사진")}</p><p>${picture(gone, "단체 사진")}</p>`;
  const popup = { ...POPUP, englishTitle: "", englishContent: "" };
  const document = {
    ...empty,
    popups: [
      { ...popup, id: crypto.randomUUID(), title: "글도 있는 팝업", content: text },
      { ...popup, id: crypto.randomUUID(), title: "사진만 있는 팝업", content: `<p>${picture(gone, "포스터")}</p>` },
    ],
    pageTexts: [{ ...pageText("about", text), files: [{ fileId: gone, fileName: "회칙.pdf" }] }],
  };
  const { preview, apply } = await importAll(admin.accessToken, document);
  const { changes } = preview;
  expect(changes.map(({ name, kind }: Record<string, string>) => [name, kind])).toEqual([
    ["글도 있는 팝업", "new"],
    ["사진만 있는 팝업", "kept"],
    ["글", "new"],
  ]);
  expect(changes[0].follows.join()).toContain("이 사이트에 없어 옮기지 않습니다: 사진 '단체 사진'.");
  expect(changes[2].follows.join()).toContain("사진 '단체 사진', 파일 '회칙.pdf'");
  expect((await apply()).code).toBe("SUCCESS");
  const shown = await getInfoPage(scopeFor(null), { code: "about" });
  expect(shown.content).toContain(here);
  expect(shown.content).not.toContain(gone);
  expect(await getHomeExtras(scopeFor(null))).toMatchObject({ popups: [{ title: "글도 있는 팝업" }] });
  // An unsanitized stored text with its own pictures is unchanged after export and import.
  await runSql("UPDATE popup SET content = '<P>글<br/></P>' WHERE title = '글도 있는 팝업'");
  const { data: own } = await callAs(admin, "GET", "/api/admin/setting/export");
  expect((await importAll(admin.accessToken, own)).preview.changes).toEqual([]);
  await runSql(
    "UPDATE popup SET content = (SELECT json_extract(value, '$.content') FROM content_version WHERE code = 'about')",
  );
  // Skipped pictures are no change in the next import.
  expect(
    kindsOf((await importAll(admin.accessToken, document)).preview.changes).map((each) => each.split(" ")[2]),
  ).toEqual(["kept"]);
});

test("the preview names the rows that a rule would delete", async () => {
  const admin = await createAdministratorSession();
  const { data: own } = await callAs(admin, "GET", "/api/admin/setting/export");
  const [first, ...others] = own.boards;
  const rules = { ...own.retention.rules, inactive: { on: true, days: 365 } };
  const document = { ...empty, boards: [{ ...first, isClosed: true }], retention: { requestDays: 10, rules } };
  const { preview } = await importAll(admin.accessToken, document);
  expect(kindsOf(preview.changes)).toEqual(["retention  changed", `boards ${first.boardCode} changed`]);
  expect(preview.changes[0].follows).toEqual([expect.stringContaining("저절로 파기되며")]);
  expect(preview.changes[1].follows).toEqual([expect.stringContaining("글 0개가 보이지 않게 됩니다")]);
  expect(preview.stays).toEqual(
    others.map(({ boardCode, boardName }: Record<string, string>) => ({
      section: "boards",
      code: boardCode,
      name: boardName,
      inFile: false,
    })),
  );

  const long = `<p>${"가".repeat(150_000)}</p>`;
  const texts = (codes: string[]) => codes.map((code) => pageText(code, long));
  const part = (codes: string[]) => importAll(admin.accessToken, { ...empty, pageTexts: texts(codes) });
  for (const codes of [["about", "organization", "target"], ["registration", "residence", "registry"], ["center"]])
    expect((await (await part(codes)).apply()).code).toBe("SUCCESS");
  expect(await callAs(admin, "GET", "/api/admin/setting/export")).toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
    message: expect.stringContaining("설정만 내보내 주십시오"),
  });
  const { data: bare } = await callAs(admin, "GET", "/api/admin/setting/export?texts=none");
  expect([bare.boards.length, bare.pageTexts, bare.popups, bare.agreements]).toEqual([
    own.boards.length,
    undefined,
    undefined,
    undefined,
  ]);
  const all = { ...empty, pageTexts: texts(own.pages.map(({ code }: { code: string }) => code)) };
  expect((await callAs(admin, "POST", PATH, { document: all })).code).toBe("PAYLOAD_TOO_LARGE");
});
