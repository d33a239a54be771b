import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { seedBase } from "#db/seed.ts";
import { getCenterPage } from "#worker/domain/content/center.server.ts";
import { getHomeExtras } from "#worker/domain/site/home.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { callAs, callJson, fetchApi } from "../../api-client.ts";
import { createSignupSettings, sentMessages } from "../../factories.ts";
import { NEW_IDENTITY, WHITE_PIXEL } from "../../identity.ts";
import { createAdministratorSession, createSessionWith, createTestRole, type TestSession } from "../../people.ts";
import { scopeFor } from "../../request-scope.ts";
import { runSql } from "../../test-database.ts";

const PATH = "/api/admin/setting/import";
const empty = { kind: "hoewon-settings", format: 1 };
const stored = async () => {
  const tables = ["site_setting", "profile_field", "role"];
  const rows = await env.DB.batch(tables.map((name) => env.DB.prepare(`SELECT * FROM ${name} ORDER BY 1`)));
  return JSON.stringify(rows.map(({ results }) => results));
};

async function importAll(token: string, document: Record<string, unknown>) {
  const preview = await callJson("POST", PATH, { token, body: { document } });
  const { fingerprint } = preview.data;
  return { preview: preview.data, apply: () => callJson("POST", PATH, { token, body: { document, fingerprint } }) };
}

test("what was exported changes nothing when it comes back", async () => {
  await createSignupSettings();
  const { accessToken: token } = await createAdministratorSession();
  const { data: document } = await callJson("GET", "/api/admin/setting/export", { token });
  const before = await stored();
  const { preview, apply } = await importAll(token, document);
  expect(preview.changes).toEqual([]);
  expect((await apply()).data).toMatchObject({ changes: [], isApplied: true });
  expect(await stored()).toBe(before);
});

test("a preview names each change and writes nothing; then all of it is applied, and what the file leaves out stays", async () => {
  await createSignupSettings();
  const { accessToken: token } = await createAdministratorSession();
  const { data: own } = await callJson("GET", "/api/admin/setting/export", { token });
  const before = await stored();
  const document = {
    ...empty,
    site: { ...own.site, siteName: "옮긴 학회" },
    profileFields: [
      { code: "affiliation", name: "근무처", inputType: "text", required: false, detail: [], isClosed: false },
      { code: "license", name: "면허 번호", inputType: "text", required: false, detail: [], isClosed: false },
    ],
    roles: [{ roleCode: "editor", roleName: "편집자", permissions: ["Alumni_Read"] }],
  };
  const { preview, apply } = await importAll(token, document);
  expect(await stored()).toBe(before);
  expect(preview.changes.map(({ section, code, kind }: Record<string, string>) => [section, code, kind])).toEqual([
    ["site", "", "changed"],
    ["profileFields", "affiliation", "changed"],
    ["profileFields", "license", "new"],
    ["roles", "editor", "new"],
  ]);
  expect((await apply()).code).toBe("SUCCESS");
  const { data: now } = await callJson("GET", "/api/admin/setting/export", { token });
  expect(now).toMatchObject({ site: { siteName: "옮긴 학회" }, authentication: own.authentication, menu: own.menu });
  expect(now.profileFields.map(({ name }: { name: string }) => name)).toEqual(["근무처", "면허 번호"]);
  expect(now.roles.map(({ roleCode }: { roleCode: string }) => roleCode)).toContain("member");
});

test("the address book's settings travel in the file as well, and what contradicts itself is refused at its place", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const { data: own } = await callJson("GET", "/api/admin/setting/export", { token });
  const alumni = { ...own.alumni, off: ["major"], required: ["cohort"] };
  const { preview, apply } = await importAll(token, { ...empty, alumni });
  expect(preview.changes).toMatchObject([{ section: "alumni", kind: "changed", after: { off: ["major"] } }]);
  expect((await apply()).code).toBe("SUCCESS");
  expect((await callJson("GET", "/api/admin/setting/alumni", { token })).data).toMatchObject({
    value: alumni,
    version: 1,
  });
  const document = { ...empty, alumni: { ...alumni, required: ["major"] } };
  expect((await callJson("POST", PATH, { token, body: { document } })).fields).toHaveProperty(
    "document.alumni.required",
  );
});

test("what changed since the preview is a conflict, and nothing of the file is applied", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const { apply } = await importAll(token, {
    ...empty,
    roles: [{ roleCode: "editor", roleName: "편집자", permissions: [] }],
  });
  await createTestRole(["Alumni_Read"]);
  const before = await stored();
  expect((await apply()).code).toBe("CONFLICT");
  expect(await stored()).toBe(before);
});

test.each([
  ["다른 파일", { kind: "other", format: 1 }, "document.kind"],
  ["다른 판", { ...empty, format: 2 }, "document.format"],
  [
    "없는 권한",
    { ...empty, roles: [{ roleCode: "a", roleName: "가", permissions: ["Board_none_View"] }] },
    "document.roles.0.permissions",
  ],
  [
    "같은 역할 두 번",
    {
      ...empty,
      roles: [
        { roleCode: "a", roleName: "가", permissions: [] },
        { roleCode: "a", roleName: "나", permissions: [] },
      ],
    },
    "document.roles",
  ],
  [
    "고를 것이 없는 항목",
    {
      ...empty,
      profileFields: [{ code: "kind", name: "구분", inputType: "select", required: true, detail: [], isClosed: false }],
    },
    "document.profileFields.0.detail",
  ],
  [
    "관리 권한이 있는 방문자",
    {
      ...empty,
      authentication: { authType: "IdAndPassword", roleCodeForGuest: "administrator", signupApproval: false },
    },
    "document.authentication.roleCodeForGuest",
  ],
  [
    "관리 권한이 있는 방문자, 역할만 든 파일",
    { ...empty, roles: [{ roleCode: "guest", roleName: "방문자", permissions: ["ADMIN_Access"] }] },
    "document.roles.0.permissions",
  ],
  ...[
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "//evil.example",
    "/\\evil.example",
    "data:text/html,x",
    "https://x",
  ].flatMap((href): [string, object, string][] => [
    [
      `바닥글 링크 ${href}`,
      { ...empty, identity: { ...NEW_IDENTITY, footerLinks: [{ label: "링크", href }] } },
      "document.identity.footerLinks.0.href",
    ],
    [
      `첫 화면 단추 ${href}`,
      { ...empty, identity: { ...NEW_IDENTITY, actions: [{ label: "링크", href }] } },
      "document.identity.actions.0.href",
    ],
    [
      `메뉴 ${href}`,
      { ...empty, menu: [{ kind: "link", label: "링크", target: href, isHidden: false }] },
      "document.menu.0.target",
    ],
    [
      `메뉴 묶음 ${href}`,
      {
        ...empty,
        menu: [
          {
            kind: "group",
            label: "묶음",
            isHidden: false,
            children: [{ kind: "link", label: "링크", target: href, isHidden: false }],
          },
        ],
      },
      "document.menu.0.children.0.target",
    ],
  ]),
  [
    "너무 많은 가입 항목",
    {
      ...empty,
      profileFields: Array.from({ length: 50 }, (_, at) => ({
        code: `field${at}`,
        name: `항목 ${at}`,
        inputType: "text",
        required: false,
        detail: [],
        isClosed: false,
      })),
    },
    "document.profileFields",
  ],
])("a file that makes no sense is refused at its place, and nothing is written: %s", async (_what, document, field) => {
  await createSignupSettings();
  const { accessToken: token } = await createAdministratorSession();
  const before = await stored();
  const answer = await callJson("POST", PATH, { token, body: { document } });
  expect([answer.code, Object.keys(answer.fields ?? {})]).toEqual(["INVALID_INPUT", [field]]);
  expect(await stored()).toBe(before);
});

test("a file hands on no right that its bringer lacks, keeps the last administrator, and tells the others", async () => {
  const partial = await createSessionWith(["ADMIN_Access"]);
  const more = { ...empty, roles: [{ roleCode: "editor", roleName: "편집자", permissions: ["Alumni_Export"] }] };
  expect((await callAs(partial, "POST", PATH, { document: more })).code).toBe("FORBIDDEN");
  const admin = await createAdministratorSession();
  const entering = { ...empty, roles: [{ roleCode: "editor", roleName: "편집자", permissions: ["ADMIN_Access"] }] };
  expect((await (await importAll(admin.accessToken, entering)).apply()).code).toBe("SUCCESS");
  expect((await sentMessages(partial.user.email))[0]?.subject).toBe("[새 홈페이지] 관리자 권한이 변경되었습니다");
});

test("a file that leaves out a page with a text is refused, as its form is", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const { data: own } = await callJson("GET", "/api/admin/setting/export", { token });
  const page = { code: "history", label: "연혁", parent: "", look: "article", isHidden: false };
  const added = await importAll(token, {
    ...empty,
    pages: [...own.pages, { ...own.pages[0], ...page, look: own.pages[0].look }],
  });
  expect((await added.apply()).code).toBe("SUCCESS");
  await runSql(
    "INSERT INTO content (code, status, modified_date, modified_user_name) VALUES ('history', 'published', 1, '')",
  );
  const before = await stored();
  const left = await callJson("POST", PATH, { token, body: { document: { ...empty, pages: own.pages } } });
  expect([left.code, Object.keys(left.fields)]).toEqual(["INVALID_INPUT", ["document.pages"]]);
  expect(await stored()).toBe(before);
});

/** A society of another kind, made by the console's own calls. */
async function makeSociety(admin: TestSession): Promise<void> {
  const done = async (method: string, path: string, body: object) => {
    const { code, message, fields } = await callAs(admin, method, path, body);
    expect([path, code, message, fields]).toEqual([path, "SUCCESS", message, fields]);
  };
  const setting = "/api/admin/setting";
  const { data: own } = await callAs(admin, "GET", `${setting}/export`);
  const contact = { organization: "한빛고", address: "서울", phone: "02-1", fax: "", email: "a@b.kr" };
  await done("PATCH", `${setting}/site`, { ...own.site, siteName: "한빛고 총동문회", contact, version: 1 });
  await done("PUT", "/api/admin/board", { boardCode: "class", boardName: "기수별 소식", categories: ["1기"] });
  await done("POST", "/api/admin/board/order", { codes: ["class", "free"] });
  await done("POST", "/api/admin/board/notice/state", { isClosed: true, version: 1 });
  await done("PATCH", `${setting}/identity`, {
    ...NEW_IDENTITY,
    words: { 동문: "졸업생" },
    color: "#7a1f3d",
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
  await done("PATCH", "/api/admin/mail-template/newItem", {
    subject: "새 글: {{제목}}",
    text: "{{제목}} {{주소}} {{알림 끄기}}",
    version: 0,
  });
  await done("PATCH", `${setting}/limits`, { limits: { exportDay: 7 }, version: 0 });
  const center = { regionName: "서울", centerName: "서울 지부", phone: "02-2", version: 0 };
  for (const region of ["seoul", "pusan"]) {
    await done("PUT", `/api/admin/center/${region}/draft`, center);
    await done("POST", `/api/admin/center/${region}/publish`, { version: 1 });
  }
  await done("POST", "/api/admin/center/order", { codes: ["pusan", "seoul"] });
  await done("PUT", "/api/admin/role", {
    roleCode: "editor",
    roleName: "편집자",
    permissions: ["Board_class_Write", "Center_pusan_Manage"],
  });
}

test("a society made on one site goes to another whole: all that its pages and its export say is the same there", async () => {
  const admin = await createAdministratorSession();
  const untouched = await callAs(admin, "GET", "/api/admin/setting/export");
  await makeSociety(admin);
  const exported = async () => (await callAs(admin, "GET", "/api/admin/setting/export")).data;
  const shown = async () => ({
    info: (await callJson("GET", "/api/site-setting/info")).data,
    frame: await getSiteFrame(scopeFor(null)),
    home: (await getHomeExtras(scopeFor(null))).quickLinks,
    logo: (await fetchApi("GET", "/api/site-setting/logo/light")).status,
    center: (await getCenterPage(scopeFor(null), { product: env.PRODUCT_CODE, regionCode: "pusan", preview: false }))
      .center,
  });
  const [document, seen] = [await exported(), await shown()];
  for (const [section, value] of Object.entries(untouched.data))
    if (!["kind", "format", "authentication", "profileFields", "alumni"].includes(section))
      expect([section, document[section]], "the sample changes every section").not.toEqual([section, value]);

  // Another site: as it was when it began. The role of who is signed in stays and is emptied of what it got.
  await runSql("DELETE FROM role WHERE role_code NOT IN (SELECT role_code FROM user)");
  for (const { roleCode, permissions } of untouched.data.roles)
    await runSql("UPDATE role SET permissions = ? WHERE role_code = ?", JSON.stringify(permissions), roleCode);
  const tables = "site_setting board alumni_field quick_link mail_template center content content_version";
  for (const table of tables.split(" ")) await runSql(`DELETE FROM ${table}`);
  await seedBase(env.DB);
  expect(await exported()).toEqual(untouched.data);
  const { preview, apply } = await importAll(admin.accessToken, document);
  expect(preview.changes.length).toBeGreaterThan(12);
  expect((await apply()).code).toBe("SUCCESS");
  expect(await exported()).toEqual(document);
  expect(await shown()).toEqual(seen);
  expect((await importAll(admin.accessToken, document)).preview.changes).toEqual([]);
});

test("rows of a file ask what their own pages ask: who manages a board closes it, and no field becomes another kind", async () => {
  const admin = await createAdministratorSession();
  const { data: own } = await callAs(admin, "GET", "/api/admin/setting/export");
  const closed = { ...empty, boards: own.boards.map((row: object) => ({ ...row, isClosed: true })) };
  const clerk = await createSessionWith(["ADMIN_Access"]);
  expect((await callAs(clerk, "POST", PATH, { document: closed })).code).toBe("FORBIDDEN");
  // A board that is new comes with the rights that every new board has, where the file says nothing of roles.
  const added = { ...own.boards[0], boardCode: "class", boardName: "기수별 소식" };
  expect((await (await importAll(clerk.accessToken, { ...empty, boards: [added] })).apply()).code).toBe("SUCCESS");
  const { boards } = (await callJson("GET", "/api/site-setting/info")).data;
  expect(boards.map(({ boardCode }: { boardCode: string }) => boardCode)).toContain("class");

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

  // Somebody renames a board between the preview and the import.
  const { apply } = await importAll(admin.accessToken, { ...empty, boards: [{ ...added, boardName: "다른 이름" }] });
  await runSql("UPDATE board SET version = version + 1 WHERE board_code = 'notice'");
  expect((await apply()).code).toBe("CONFLICT");
});
