import { certificateKindRow, dueKindRow } from "#worker/contract/alumni/rows.ts";
import { popupRow, quickLinkRow } from "#worker/contract/site/rows.ts";
import { board, field } from "./console-inputs.ts";
import {
  type Acts,
  picture,
  proven,
  item,
  always,
  changed,
  versionOf,
  ofContent,
  letters,
  rowActs,
  centerVersion,
  ofCenter,
} from "./writing-act.ts";

export const SITE_ACTS: Acts = [
  ["PATCH /api/admin/setting/site", changed("site", () => ({ siteName: "새 이름" }))],
  ["PATCH /api/admin/setting/identity", changed("identity", () => ({ color: "red" }))],
  [
    "PATCH /api/admin/setting/logo",
    async ({ one }) => ({
      body: {
        pictures: null,
        version: await one("SELECT coalesce(max(version), 0) FROM site_setting WHERE key = 'logo'"),
      },
    }),
  ],
  [
    "PATCH /api/admin/setting/pages",
    changed("pages", ({ pages }: { pages: object[] }) => ({ pages: pages.toReversed() })),
  ],
  [
    "PATCH /api/admin/setting/menu",
    changed("menu", ({ entries }: { entries: object[] }) => ({ entries: entries.toReversed() })),
  ],
  ["PATCH /api/admin/setting/alumni", changed("alumni", () => ({ undoDays: 20 }))],
  ["PATCH /api/admin/setting/case-report", changed("case-report", () => ({ maskBelow: 5 }))],
  ["PATCH /api/admin/setting/authentication", changed("authentication", () => ({ ...proven, signupApproval: true }))],
  [
    "POST /api/admin/setting/import",
    async ({ read, send }) => {
      const document = await read("/api/admin/setting/export");
      const [popup] = document.popups ?? [];
      if (popup) popup.title = "들여온 알림";
      const { fingerprint } = await send("POST /api/admin/setting/import", { body: { document } });
      return { body: { document, fingerprint, ...proven } };
    },
  ],
  ...rowActs(
    "/api/admin/setting/profile-field",
    "profile_field",
    "code",
    { code: "major", ...field },
    { ...field, name: "세부 전공", isClosed: false },
  ),
  ...rowActs(
    "/api/admin/setting/alumni/field",
    "alumni_field",
    "code",
    { name: "생년월일", kind: "date", access: "office" },
    { name: "생일", access: "office" },
  ),
  ...rowActs("/api/admin/popup", "popup", "id", popupRow.example, {
    ...popupRow.example,
    title: "다른 알림",
  }),
  ...rowActs("/api/admin/quick-link", "quick_link", "id", quickLinkRow.example, {
    ...quickLinkRow.example,
    label: "다른 것",
  }).toReversed(),
  ...rowActs("/api/admin/certificate-kind", "certificate_kind", "id", certificateKindRow.example, {
    ...certificateKindRow.example,
    name: "참가 확인서",
  }),
  ...rowActs("/api/admin/due-kind", "due_kind", "id", dueKindRow.example, { ...dueKindRow.example, amount: 40_000 }),
  ["PUT /api/admin/setting/agreement", always({ body: letters("1", -1, "") })],
  [
    "POST /api/admin/setting/agreement/:code/:version/withdraw",
    async ({ send }) => {
      await send("PUT /api/admin/setting/agreement", { body: letters("2", 9, "1") });
      return { at: ["letters", "2"], body: {} };
    },
  ],
  ["POST /api/admin/setting/agreement/:code/close", always({ at: ["letters"], body: { baseVersion: "1" } })],
  ["POST /api/admin/setup/confirm/:step", always({ at: ["look"], body: {} })],
  ["PUT /api/admin/content/:code/draft", ofContent("about", { title: "고친 소개", content: "<p>고친 소개</p>" })],
  ["DELETE /api/admin/content/:code/draft", ofContent("about")],
  [
    "POST /api/admin/content/:code/publish",
    async (given) => {
      await given.send(
        "PUT /api/admin/content/:code/draft",
        await ofContent("about", { title: "새 소개", content: "<p>새 소개</p>" })(given),
      );
      return ofContent("about")(given);
    },
  ],
  ["POST /api/admin/content/:code/restore", ofContent("about", { versionNo: 1 })],
  ["POST /api/admin/content/:code/withdraw", ofContent("about")],
  [
    "POST /api/admin/center/order",
    async ({ one }) => ({
      body: {
        codes: JSON.parse(
          await one(
            "SELECT json_group_array(region_code) FROM (SELECT region_code FROM center ORDER BY sort_order DESC)",
          ),
        ),
      },
    }),
  ],
  [
    "PUT /api/admin/center/:regionCode/draft",
    ofCenter("seoul", (now) => ({ ...now, ...(now.published ?? now.value), name: "서울 새 센터" })),
  ],
  ["DELETE /api/admin/center/:regionCode/draft", centerVersion("seoul")],
  [
    "POST /api/admin/center/:regionCode/publish",
    async (given) => {
      await given.send(
        "PUT /api/admin/center/:regionCode/draft",
        await ofCenter("seoul", (now) => ({ ...now, ...(now.published ?? now.value), name: "서울 새 센터" }))(given),
      );
      return centerVersion("seoul")(given);
    },
  ],
  ["POST /api/admin/center/:regionCode/restore", centerVersion("seoul", { versionNo: 1 })],
  ["POST /api/admin/center/:regionCode/withdraw", centerVersion("seoul")],
  ["PUT /api/admin/role", always({ body: { roleCode: "editor", roleName: "편집자", permissions: [], ...proven } })],
  [
    "PATCH /api/admin/role/:roleCode",
    async (given) => ({
      at: ["guest"],
      body: {
        ...JSON.parse(
          await given.one(
            "SELECT json_object('roleName', role_name, 'permissions', json(permissions), 'version', version) FROM role WHERE role_code = 'guest'",
          ),
        ),
        roleName: "방문자",
        ...proven,
      },
    }),
  ],
  [
    "DELETE /api/admin/role/:roleCode",
    async (given) => ({ at: ["editor"], query: `?version=${await versionOf(given, "role", "role_code = 'editor'")}` }),
  ],
  ["PUT /api/admin/board", always({ body: { boardCode: "press", boardName: "보도자료", ...proven } })],
  [
    "POST /api/admin/board/order",
    async ({ one }) => ({
      body: {
        codes: JSON.parse(
          await one("SELECT json_group_array(board_code) FROM (SELECT board_code FROM board ORDER BY sort_order DESC)"),
        ),
      },
    }),
  ],
  [
    "PATCH /api/admin/board/:boardCode",
    async (given) => {
      const { grant } = (await given.read("/api/admin/board")).boards.find(
        ({ boardCode }: { boardCode: string }) => boardCode === "reference",
      );
      return {
        at: ["reference"],
        body: {
          ...board,
          boardName: "새 자료실",
          grant,
          version: await versionOf(given, "board", "board_code = 'reference'"),
          ...proven,
        },
      };
    },
  ],
  [
    "POST /api/admin/board/:boardCode/copy",
    always({ at: ["free"], body: { boardCode: "copied", boardName: "복사본" } }),
  ],
  [
    "POST /api/admin/board/:boardCode/state",
    async (given) => ({
      at: ["reference"],
      body: { isClosed: true, version: await versionOf(given, "board", "board_code = 'reference'") },
    }),
  ],
  [
    "DELETE /api/admin/board/:boardCode",
    async (given) => ({
      at: ["copied"],
      query: `?version=${await versionOf(given, "board", "board_code = 'copied'")}`,
    }),
  ],
  ["PUT /api/board-item/images", () => ({ body: picture() })],
  ["PUT /api/board-item/:boardCode", always({ at: ["notice"], body: { ...item, showItemToMain: true } })],
  [
    "PATCH /api/board-item/:boardCode/:itemNo",
    ({ did }) => ({
      at: ["notice", did("PUT /api/board-item/:boardCode").itemNo],
      body: { ...item, title: "고친 글", version: 1 },
    }),
  ],
  [
    "POST /api/board-item/:boardCode/:itemNo/revision/:revision/restore",
    ({ did }) => ({ at: ["notice", did("PUT /api/board-item/:boardCode").itemNo, 1], body: { version: 2 } }),
  ],
  ["POST /api/board-item/search", always({ body: { keyword: "글" }, who: "member01" })],
  [
    "PUT /api/board-item-draft/:boardCode",
    always({ at: ["free"], body: { title: "쓰는 글", content: "<p>글</p>" }, who: "member01" }),
  ],
  ["DELETE /api/board-item-draft/:boardCode", always({ at: ["free"], who: "member01" })],
  [
    "PUT /api/board-item-comment/:boardCode/:itemNo",
    always({ at: ["free", 1], body: { content: "댓글" }, who: "member01" }),
  ],
  [
    "PATCH /api/board-item-comment/:boardCode/:itemNo/:commentId",
    ({ did }) => ({
      at: ["free", 1, did("PUT /api/board-item-comment/:boardCode/:itemNo").commentId],
      body: { content: "고친 댓글", version: 1 },
      who: "member01",
    }),
  ],
  [
    "DELETE /api/board-item-comment/:boardCode/:itemNo/:commentId",
    ({ did }) => ({
      at: ["free", 1, did("PUT /api/board-item-comment/:boardCode/:itemNo").commentId],
      who: "member01",
    }),
  ],
  [
    "PUT /api/board-item-report/:boardCode/:itemNo",
    always({ at: ["free", 1], body: { reason: "abuse" }, who: "member04" }),
  ],
  ["POST /api/board-item-report/:boardCode/:itemNo", always({ at: ["free", 1], body: { decision: "hide" } })],
  [
    "POST /api/admin/report/:boardCode/:itemNo",
    async ({ send }) => {
      await send("PUT /api/board-item-report/:boardCode/:itemNo", {
        at: ["free", 2],
        body: { reason: "abuse" },
        who: "member04",
      });
      return { at: ["free", 2], body: { decision: "hide" } };
    },
  ],
  ["DELETE /api/board-item/:boardCode/:itemNo", always({ at: ["notice", 60] })],
  ["POST /api/board-item/:boardCode/:itemNo/restore", always({ at: ["notice", 60], body: {} })],
  ["POST /api/board-item/:boardCode/bulk", always({ at: ["notice"], body: { action: "delete", itemNos: [57, 58] } })],
  ["DELETE /api/board-item/bin/:boardCode", always({ at: ["notice"], body: { itemNos: [57] } })],
  [
    "PUT /api/board-item-file/:fileId/text",
    async ({ one }) => ({
      at: [await one("SELECT id FROM file WHERE item_id IS NOT NULL")],
      body: { text: "파일의 글" },
    }),
  ],
  ["PUT /api/board/:boardCode/follow", always({ at: ["free"], body: {}, who: "member01" })],
  ["DELETE /api/board/:boardCode/follow", always({ at: ["free"], who: "member01" })],
];
