import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { RETENTION_RULE_CODES, RETENTION_RULES } from "#worker/contract/audit/retention-rules.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createSignupSettings, sentMessages } from "../../support/factories.ts";
import { NEW_IDENTITY } from "../../support/identity.ts";
import { createAdministratorSession, createSessionWith, createTestRole, TEST_PASSWORD } from "../../support/people.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import {
  CONSENT_DOCUMENT as CONSENT,
  EMPTY_SETTING_FILE,
  importSettingFile as importAll,
  pageTextDocument as pageText,
  POPUP_DOCUMENT as POPUP,
  SETTING_IMPORT,
} from "../../support/setting-file.ts";
import { readRow, runSql } from "../../support/test-database.ts";

const PATH = SETTING_IMPORT;
const empty = EMPTY_SETTING_FILE;
const stored = async () => {
  const tables = ["site_setting", "profile_field", "role"];
  const rows = await env.DB.batch(tables.map((name) => env.DB.prepare(`SELECT * FROM ${name} ORDER BY 1`)));
  return JSON.stringify(rows.map(({ results }) => results));
};
const RULES = Object.fromEntries(
  RETENTION_RULE_CODES.map((rule) => [rule, { on: false, days: RETENTION_RULES[rule].min }]),
);

test("importing an unchanged export changes nothing", async () => {
  await createSignupSettings();
  const { accessToken: token } = await createAdministratorSession();
  const { data: document } = await callJson("GET", "/api/admin/setting/export", { token });
  const before = await stored();
  const { preview, apply } = await importAll(token, document);
  expect(preview.changes).toEqual([]);
  expect((await apply()).data).toMatchObject({ changes: [], isApplied: true });
  expect(await stored()).toBe(before);
});

test("a preview of a settings file writes nothing", async () => {
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

test("address book settings are part of the file", async () => {
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

test("a change after the preview is a conflict", async () => {
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

test("a settings file is refused after another change since its preview", async () => {
  const admin = await createAdministratorSession();
  const document = { ...empty, roles: [{ roleCode: "editor", roleName: "편집자", permissions: [] }] };
  const { data } = await callAs(admin, "POST", PATH, { document });
  const { DB, broke } = faultyDatabase({
    sql: /insert into "role"|INSERT INTO role/i,
    when: () => createTestRole(["Alumni_Read"]),
    times: 1,
  });
  const body = { document, fingerprint: data.fingerprint, reason: "시험", password: TEST_PASSWORD };
  const answer = await callApiWith({ DB }, "POST", PATH, { token: admin.accessToken, body });
  expect([answer.status, broke()]).toEqual([409, 1]);
  expect(await readRow("SELECT role_code FROM role WHERE role_code = 'editor'")).toBeNull();
});

test.each([
  ["빈 팝업 주소", { ...empty, popups: [{ ...POPUP, id: "a", linkUrl: "javascript:x" }] }, "document.popups.0.linkUrl"],
  [
    "거꾸로 된 팝업 기간",
    { ...empty, popups: [{ ...POPUP, id: "a", endDate: POPUP.startDate }] },
    "document.popups.0.endDate",
  ],
  ["없는 페이지의 글", { ...empty, pageTexts: [pageText("nowhere", "<p>글</p>")] }, "document.pageTexts.0.code"],
  [
    "적을 것이 남은 약관",
    { ...empty, pageTexts: [pageText("terms", "<p>〔적을 것: 이름〕</p>")] },
    "document.pageTexts.0.content",
  ],
  [
    "적을 것이 남은 동의",
    { ...empty, agreements: [{ ...CONSENT, content: "〔적을 것: 이름〕" }] },
    "document.agreements.0.content",
  ],
  ["두 번 있는 글", { ...empty, pageTexts: [pageText("about", ""), pageText("about", "")] }, "document.pageTexts"],
  [
    "법보다 짧은 보유 기간",
    { ...empty, retention: { requestDays: 31, rules: RULES } },
    "document.retention.requestDays",
  ],
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
      `첫 화면 버튼 ${href}`,
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
])("an invalid settings file is refused at its field: %s", async (_what, document, field) => {
  await createSignupSettings();
  const { accessToken: token } = await createAdministratorSession();
  const before = await stored();
  const answer = await callJson("POST", PATH, { token, body: { document } });
  expect([answer.code, Object.keys(answer.fields ?? {})]).toEqual(["INVALID_INPUT", [field]]);
  expect(await stored()).toBe(before);
});

test("an import grants no permission that the importer lacks", async () => {
  const partial = await createSessionWith(["ADMIN_Access"]);
  const more = { ...empty, roles: [{ roleCode: "editor", roleName: "편집자", permissions: ["Alumni_Export"] }] };
  expect((await callAs(partial, "POST", PATH, { document: more })).code).toBe("FORBIDDEN");
  const admin = await createAdministratorSession();
  const entering = { ...empty, roles: [{ roleCode: "editor", roleName: "편집자", permissions: ["ADMIN_Access"] }] };
  expect((await (await importAll(admin.accessToken, entering)).apply()).code).toBe("SUCCESS");
  expect((await sentMessages(partial.user.email))[0]?.subject).toBe("[새 홈페이지] 관리자 권한이 변경되었습니다");
});

test("a file that omits a page is refused like the form", async () => {
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
