import { oldDocument, rdxArchive } from "../samples/moving-archive.ts";
import { type Act, type Acts, type Given, type Prepare, always, versionOf, reason } from "./writing-act.ts";

const ARCHIVE = rdxArchive({ boards: { talk: { title: "자유게시판", documents: [oldDocument(1)] } } });
const onMove =
  (act: (given: Given) => Act | Promise<Act> = () => ({})): Prepare =>
  async (given) => {
    const { at = [], body = {} } = await act(given);
    return { at: [given.did("PUT /api/admin/moving").id, ...at], body };
  };
async function untilMoveIs({ did, one, send }: Given, status: string) {
  const { id } = did("PUT /api/admin/moving");
  for (let step = 0; step < 50 && (await one("SELECT status FROM moving WHERE id = ?", id)) !== status; step += 1)
    await send("POST /api/admin/moving/:id/step", { at: [id], body: {} });
}

export const OFFICE_ACTS: Acts = [
  [
    "POST /api/inquiry",
    always({
      body: { category: "board", subject: "자료가 열리지 않습니다", content: "서식이 열리지 않습니다." },
      who: "member01",
    }),
  ],
  [
    "POST /api/inquiry/:id/message",
    ({ did }) => ({ at: [did("POST /api/inquiry").id], body: { content: "덧붙입니다." }, who: "member01" }),
  ],
  [
    "POST /api/admin/inquiry/:id/answer",
    async (given) => ({
      at: [given.did("POST /api/inquiry").id],
      body: { content: "답합니다.", version: await versionOf(given, "inquiry", "true ORDER BY rowid DESC") },
    }),
  ],
  [
    "POST /api/inquiry/:id/close",
    async (given) => ({
      at: [given.did("POST /api/inquiry").id],
      body: { version: await versionOf(given, "inquiry", "true ORDER BY rowid DESC") },
      who: "member01",
    }),
  ],
  [
    "POST /api/admin/inquiry/:id/close",
    async (given) => {
      const { id } = await given.send("POST /api/inquiry", {
        body: { category: "other", subject: "문의", content: "내용" },
        who: "member01",
      });
      return { at: [id], body: { version: 1 } };
    },
  ],
  ["POST /api/user/privacy-request", always({ body: { kind: "access", content: "알려 주십시오." }, who: "member01" })],
  [
    "PUT /api/admin/privacy/request",
    always({ body: { kind: "access", requesterName: "김동문", content: "알려 주십시오." } }),
  ],
  [
    "POST /api/admin/privacy/request/:id/start",
    ({ did }) => ({ at: [did("PUT /api/admin/privacy/request").id], body: { version: 1 } }),
  ],
  [
    "POST /api/admin/privacy/request/:id/extend",
    ({ did }) => ({ at: [did("PUT /api/admin/privacy/request").id], body: { days: 5, reason, version: 2 } }),
  ],
  [
    "POST /api/admin/privacy/request/:id/answer",
    ({ did }) => ({
      at: [did("PUT /api/admin/privacy/request").id],
      body: { result: "done", answer: "알려 드립니다.", version: 3 },
    }),
  ],
  [
    "POST /api/admin/privacy/request/:id/erase",
    async ({ send }) => ({
      at: [
        (
          await send("PUT /api/admin/privacy/request", {
            body: { kind: "erasure", userKeyCode: "member06", content: "지워 주십시오." },
          })
        ).id,
      ],
      body: { answer: "지웠습니다.", version: 1 },
    }),
  ],
  ["POST /api/admin/privacy/request/export", always({ body: { format: "csv", reason } })],
  ["POST /api/admin/privacy/destruction/export", always({ body: { format: "csv", reason } })],
  [
    "PATCH /api/admin/privacy/retention",
    async ({ read }) => {
      const now = await read("/api/admin/privacy/retention");
      return {
        body: {
          ...now,
          requestDays: 9,
          rules: Object.fromEntries(now.rules.map((each: { rule: string }) => [each.rule, each])),
        },
      };
    },
  ],
  [
    "POST /api/admin/privacy/retention/inactive/tell",
    async ({ read, one }) => {
      await one(
        "UPDATE user SET created_date = 1 WHERE id = (SELECT user_id FROM user_key WHERE user_key_code = 'member15') RETURNING id",
      );
      return { body: { fingerprint: (await read("/api/admin/privacy/retention/inactive")).toTellFingerprint, reason } };
    },
  ],
  [
    "POST /api/admin/privacy/retention/:rule/run",
    async ({ read, one }) => {
      await one("UPDATE board_item SET deleted_date = 1 WHERE board_code = 'notice' AND item_no = 56 RETURNING id");
      return {
        at: ["board-bin"],
        body: { fingerprint: (await read("/api/admin/privacy/retention/board-bin")).fingerprint, reason },
      };
    },
  ],
  ["POST /api/admin/audit/export", always({ body: { format: "csv", reason } })],
  [
    "POST /api/admin/job/alarm/acknowledge",
    async ({ one }) => {
      await one("INSERT INTO alarm (key, kind, text, started_date) VALUES ('job:x', 'job', '작업', 1) RETURNING key");
      return { body: { key: "job:x" } };
    },
  ],
  [
    "POST /api/admin/job/backup/:name/export",
    async ({ one, send }) => {
      const done = () => one("SELECT name FROM backup_run WHERE status = 'ok'");
      for (let turn = 0; turn < 9 && !(await done()); turn += 1)
        await send("POST /api/admin/job/:name/run", { at: ["backup"], body: {} });
      return { at: [await done()], body: { reason } };
    },
  ],
  ["POST /api/admin/job/:name/run", always({ at: ["search"], body: {} })],
  ["PUT /api/admin/moving", always({ body: { site: "옛 누리집" } })],
  [
    "DELETE /api/admin/moving/:id/archive/:archiveId",
    async ({ did, send }) => {
      const { id } = did("PUT /api/admin/moving");
      const body = { kind: "files", fileName: "files.zip", size: 22 };
      return { at: [id, (await send("PUT /api/admin/moving/:id/archive", { at: [id], body })).id] };
    },
  ],
  [
    "PUT /api/admin/moving/:id/archive",
    onMove(() => ({ body: { kind: "rdx", fileName: "old.zip", size: ARCHIVE.byteLength } })),
  ],
  [
    "PUT /api/admin/moving/:id/archive/:archiveId/part/:partNo",
    onMove(({ did }) => ({ at: [did("PUT /api/admin/moving/:id/archive").id, 1], body: ARCHIVE })),
  ],
  [
    "POST /api/admin/moving/:id/archive/:archiveId/complete",
    onMove(({ did }) => ({ at: [did("PUT /api/admin/moving/:id/archive").id] })),
  ],
  ["POST /api/admin/moving/:id/check", onMove()],
  [
    "POST /api/admin/moving/:id/blocked",
    onMove(async (given) => {
      await untilMoveIs(given, "checked");
      return { body: { ids: ["old01"] } };
    }),
  ],
  [
    "POST /api/admin/moving/:id/start",
    onMove(async (given) => ({
      body: {
        boards: { talk: { to: "board", boardCode: "free" } },
        groups: {},
        fields: {},
        version: await versionOf(given, "moving", "true"),
      },
    })),
  ],
  ["POST /api/admin/moving/:id/step", onMove()],
  ["POST /api/admin/moving/:id/issues", onMove()],
  [
    "POST /api/admin/moving/:id/undo",
    onMove(async (given) => {
      await untilMoveIs(given, "committed");
      return { body: { reason, version: await versionOf(given, "moving", "true") } };
    }),
  ],
  [
    "POST /api/admin/moving/:id/retry",
    onMove(async (given) => {
      await untilMoveIs(given, "undone");
      await given.one("UPDATE moving SET status = 'undoing', interruptions = 9 RETURNING id");
      return {};
    }),
  ],
  [
    "POST /api/admin/moving/:id/cancel",
    async (given) => {
      await untilMoveIs(given, "undone");
      return { at: [(await given.send("PUT /api/admin/moving", { body: { site: "또 다른 누리집" } })).id], body: {} };
    },
  ],
  ["POST /api/admin/moving/export/parts", always({ body: {} })],
  [
    "POST /api/admin/moving/export",
    async ({ did }) => {
      const [{ kind, first, last }] = did("POST /api/admin/moving/export/parts");
      return { body: { kind, first, last, partNo: 1, reason, withPasswords: false } };
    },
  ],
];
