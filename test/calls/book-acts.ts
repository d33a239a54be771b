import { createHash } from "node:crypto";
import { templateInput } from "./console-inputs.ts";
import {
  type Acts,
  type Given,
  day,
  always,
  item,
  versionOf,
  person,
  personVersion,
  deletedPerson,
  all,
  reason,
} from "./writing-act.ts";

/** Tokens of two links of a round; the database stores only hashes. */
const LINKS = ["A".repeat(43), "B".repeat(43)] as const;
async function openLinks(given: Given) {
  const ids = await Promise.all(LINKS.map((_, nth) => person(given, { email: `asked${nth}@pid.example.kr` })));
  const { id } = await given.send("PUT /api/admin/round", { body: { target: { ids } } });
  const { count } = await given.send("POST /api/admin/round/:id/preview", { at: [id], body: {} });
  const body = { version: 1, count, reminderDays: 14, reason };
  await given.send("POST /api/admin/round/:id/start", { at: [id], body });
  for (const name of ["rounds", "mailings"])
    await given.send("POST /api/admin/job/:name/run", { at: [name], body: {} });
  for (const [nth, token] of LINKS.entries())
    await given.one(
      "UPDATE mailing_recipient SET link_hash = ? WHERE person_id = ? RETURNING state",
      createHash("sha256").update(token).digest("base64url"),
      ids[nth],
    );
}

const everybody = ({ one }: Given) => one<number>("SELECT count(*) FROM alumni WHERE deleted_date IS NULL");

/** A due of a new person: its kind, its id and its work. */
async function charged(given: Given) {
  const { id: kindId } = await given.send("PUT /api/admin/due-kind", { body: { name: "연회비", amount: 30_000 } });
  const body = { segment: { ids: [await person(given)] }, kindId, period: "2026", count: 1 };
  const { workId } = await given.send("POST /api/admin/due/charge", { body });
  return { kindId, workId, id: await given.one("SELECT id FROM due WHERE work_id = ?", workId) };
}

export const DUE_ACTS: Acts = [
  [
    "PUT /api/admin/due/paid-by",
    async (given) => {
      const { kindId, id } = await charged(given);
      await given.send("PATCH /api/admin/due/:id", {
        at: [id],
        body: { amount: 30_000, isExempt: true, reason: "원로", version: 1 },
      });
      return { body: { period: "2026", kindId, at: new Date().toISOString(), count: 1 } };
    },
  ],
  [
    "POST /api/admin/due/charge",
    async (given) => {
      const { kindId } = await charged(given);
      return { body: { segment: { ids: [await person(given)] }, kindId, period: "2026", count: 1 } };
    },
  ],
  [
    "PATCH /api/admin/due/:id",
    async (given) => ({ at: [(await charged(given)).id], body: { amount: 20_000, isExempt: false, version: 1 } }),
  ],
  ["DELETE /api/admin/due/:id", async (given) => ({ at: [(await charged(given)).id], query: "?version=1" })],
  ["POST /api/admin/due/work/:id/undo", async (given) => ({ at: [(await charged(given)).workId], body: {} })],
  ["POST /api/admin/due/export", always({ body: { period: "2026", reason } })],
];

export const BOOK_ACTS: Acts = [
  ["PUT /api/alumni", always({ body: { name: "김하늘", cohort: 3 } })],
  ["PATCH /api/alumni/:id", ({ did }) => ({ at: [did("PUT /api/alumni").id], body: { name: "김바다", version: 1 } })],
  [
    "DELETE /api/alumni/:id",
    async (given) => {
      const id = await person(given);
      return { at: [id], query: `?version=${await personVersion(given, id)}` };
    },
  ],
  ["POST /api/alumni/:id/restore", async (given) => ({ at: [await deletedPerson(given)], body: {} })],
  ["POST /api/alumni/delete-data", async (given) => ({ body: { ids: [await person(given)] } })],
  [
    "POST /api/alumni/bulk",
    async (given) => ({ body: { segment: { ids: [await person(given)] }, set: { state: "휴면" }, count: 1 } }),
  ],
  ["POST /api/alumni/restore-data", async (given) => ({ body: { ids: [await deletedPerson(given)] } })],
  ["POST /api/alumni/destroy-data", async (given) => ({ body: { ids: [await deletedPerson(given)] } })],
  ["POST /api/alumni/selected", async (given) => ({ body: { ids: [await person(given)] } })],
  [
    "PUT /api/alumni/view",
    always({
      body: {
        name: "보기",
        content: { filter: { f_email: "empty" }, sort: "", columns: ["name"], isDense: true, size: 50 },
      },
    }),
  ],
  [
    "PATCH /api/alumni/view/:id",
    ({ did }) => ({ at: [did("PUT /api/alumni/view").id], body: { name: "다른 보기", version: 1 } }),
  ],
  [
    "DELETE /api/alumni/view/:id",
    async (given) => ({
      at: [given.did("PUT /api/alumni/view").id],
      query: `?version=${await versionOf(given, "alumni_view", "true")}`,
    }),
  ],
  ["POST /api/alumni/view/:id/restore", ({ did }) => ({ at: [did("PUT /api/alumni/view").id], body: {} })],
  [
    "POST /api/alumni/distinct",
    async (given) => ({ body: { ids: [await person(given), await person(given)], distinct: true } }),
  ],
  [
    "POST /api/alumni/merge",
    async (given) => {
      const ids = [await person(given, { email: "one@pid.example.kr" }), await person(given)];
      return { body: { keepId: ids[0], people: ids.map((id) => ({ id, version: 1 })), source: {} } };
    },
  ],
  [
    "POST /api/alumni/merge/:mergeId/undo",
    async ({ one }) => ({ at: [await one("SELECT id FROM alumni_merge")], body: {} }),
  ],
  ["POST /api/alumni/figures", async (given) => ({ body: { segment: all, count: await everybody(given), reason } })],
  ["POST /api/alumni/print-count", always({ body: { segment: all } })],
  [
    "POST /api/alumni/print-data",
    async (given) => ({ body: { segment: { ids: [await person(given)] }, kind: "card", reason } }),
  ],
  [
    "POST /api/alumni/export-data",
    async (given) => ({ body: { format: "csv", count: await everybody(given), reason } }),
  ],
  ["POST /api/alumni/upload-url", always({ body: { fileName: "동문.csv", size: 28 } })],
  [
    "PUT /api/file/upload/:ticket",
    ({ did }) => ({
      at: [String(did("POST /api/alumni/upload-url").uploadUrl).split("/").at(-1) ?? ""],
      body: "이름,기수\r\n이바다,3\r\n",
    }),
  ],
  [
    "POST /api/alumni/import-data",
    ({ did }) => ({ body: { fileId: did("POST /api/alumni/upload-url").fileId, mode: "insert", dryRun: false } }),
  ],
  [
    "POST /api/alumni/import/open",
    always({ body: { fileName: "동문.xlsx", headRow: 1, heads: ["이름"], mapping: { 이름: "name" }, parts: 1 } }),
  ],
  [
    "PUT /api/alumni/import/:importId/part/:partNo",
    ({ did }) => ({
      at: [did("POST /api/alumni/import/open").importId, 1],
      body: {
        rows: [
          [2, ["이하늘"]],
          [3, ["선우가람"]],
        ],
      },
    }),
  ],
  [
    "PATCH /api/alumni/import/:importId/cells",
    ({ did }) => ({
      at: [did("POST /api/alumni/import/open").importId],
      body: { cells: [{ row: 2, column: "이름", value: "황보바다" }] },
    }),
  ],
  [
    "POST /api/alumni/import/:importId/plan",
    ({ did }) => ({ at: [did("POST /api/alumni/import/open").importId], body: { mode: "insert" } }),
  ],
  [
    "POST /api/alumni/import/:importId/commit",
    ({ did }) => ({ at: [did("POST /api/alumni/import/open").importId], body: {} }),
  ],
  [
    "POST /api/alumni/import/:importId/undo",
    ({ did }) => ({ at: [did("POST /api/alumni/import/open").importId], body: {} }),
  ],
  [
    "DELETE /api/alumni/import/:importId",
    async ({ send }) => ({
      at: [
        (
          await send("POST /api/alumni/import/open", {
            body: { fileName: "동문.xlsx", headRow: 1, heads: ["이름"], mapping: { 이름: "name" }, parts: 1 },
          })
        ).importId,
      ],
    }),
  ],
  [
    "PUT /api/cohort/person/:id/correction",
    async (given) => ({ at: [await person(given)], body: { affiliation: "새봄연구소", note: "본인과 통화" } }),
  ],
  [
    "POST /api/admin/correction/:id/accept",
    async (given) => ({ at: [await given.one("SELECT id FROM alumni_correction")], body: { version: 1 } }),
  ],
  [
    "POST /api/admin/correction/held/:id",
    async (given) => {
      const id = await person(given);
      await given.one("UPDATE alumni SET email = 'held@pid.example.kr', email_hold = '' WHERE id = ? RETURNING id", id);
      return { at: [id], body: { decision: "drop", version: 1 } };
    },
  ],
  [
    "POST /api/admin/correction/:id/refuse",
    async (given) => {
      await given.send("PUT /api/cohort/person/:id/correction", {
        at: [await person(given)],
        body: { affiliation: "가람의원", note: "통화" },
      });
      return { at: [await given.one("SELECT id FROM alumni_correction ORDER BY rowid DESC")], body: { reason } };
    },
  ],
  [
    "DELETE /api/cohort/correction/:id",
    async (given) => {
      await given.send("PUT /api/cohort/person/:id/correction", {
        at: [await person(given)],
        body: { affiliation: "가람의원", note: "통화" },
      });
      return { at: [await given.one("SELECT id FROM alumni_correction ORDER BY rowid DESC")] };
    },
  ],
  ["PUT /api/certificate", always({ body: { purpose: "회사 제출" }, who: "member01" })],
  ["POST /api/certificate/preview", async (given) => ({ body: { segment: { ids: [await person(given)] } } })],
  ["PUT /api/certificate/issued", async (given) => ({ body: { alumniId: await person(given), reason } })],
  [
    "POST /api/certificate/check",
    async ({ one }) => ({
      body: {
        number: await one("SELECT number FROM alumni_certificate WHERE alumni_id IS NOT NULL"),
        name: "김하늘",
      },
      who: null,
    }),
  ],
  [
    "POST /api/certificate/:id/withdraw",
    async ({ one }) => ({ at: [await one("SELECT id FROM alumni_certificate ORDER BY rowid DESC")], body: { reason } }),
  ],
  [
    "PATCH /api/admin/mail-template/:kind",
    always({ at: ["code"], body: { ...templateInput, reason: "시험", version: 0 } }),
  ],
  ["POST /api/admin/mail-template/:kind/test", always({ at: ["code"], body: templateInput })],
  ["DELETE /api/admin/mail-template/:kind", always({ at: ["code"], query: "?version=1&reason=x" })],
  ["PUT /api/admin/mailing", always({ body: { source: "member", target: all } })],
  [
    "PATCH /api/admin/mailing/:id",
    ({ did }) => ({
      at: [did("PUT /api/admin/mailing").id],
      body: { kind: "informational", subject: "소식", text: "안녕하십니까.", version: 1 },
    }),
  ],
  ["POST /api/admin/mailing/:id/preview", ({ did }) => ({ at: [did("PUT /api/admin/mailing").id], body: {} })],
  ["POST /api/admin/mailing/:id/test", ({ did }) => ({ at: [did("PUT /api/admin/mailing").id], body: {} })],
  [
    "POST /api/admin/mailing/:id/send",
    async (given) => {
      const { id } = given.did("PUT /api/admin/mailing");
      return {
        at: [id],
        body: {
          version: await versionOf(given, "mailing", "true"),
          count: given.did("POST /api/admin/mailing/:id/preview").count,
          sendDate: day(1),
          reason,
        },
      };
    },
  ],
  [
    "POST /api/admin/mailing/:id/cancel",
    async (given) => ({
      at: [given.did("PUT /api/admin/mailing").id],
      body: { version: await versionOf(given, "mailing", "true") },
    }),
  ],
  [
    "POST /api/admin/mailing/:id/resend",
    async (given) => {
      const { id } = given.did("PUT /api/admin/mailing");
      await given.one("UPDATE mailing_recipient SET state = 'failed' WHERE mailing_id = ? RETURNING state", id);
      return { at: [id], body: { version: await versionOf(given, "mailing", "true"), reason } };
    },
  ],
  [
    "DELETE /api/admin/mailing/:id",
    async ({ send }) => ({
      at: [(await send("PUT /api/admin/mailing", { body: { source: "member", target: all } })).id],
      query: "?version=1",
    }),
  ],
  ["PUT /api/admin/round", always({ body: { target: all } })],
  ["POST /api/admin/round/:id/preview", ({ did }) => ({ at: [did("PUT /api/admin/round").id], body: {} })],
  [
    "POST /api/admin/round/:id/start",
    async (given) => ({
      at: [given.did("PUT /api/admin/round").id],
      body: {
        version: await versionOf(given, "confirmation_round", "true"),
        count: given.did("POST /api/admin/round/:id/preview").count,
        reminderDays: 14,
        reason,
      },
    }),
  ],
  [
    "POST /api/admin/round/:id/repeat",
    async (given) => ({
      at: [given.did("PUT /api/admin/round").id],
      body: { version: await versionOf(given, "confirmation_round", "true"), repeats: true },
    }),
  ],
  [
    "POST /api/admin/round/:id/close",
    async (given) => ({
      at: [given.did("PUT /api/admin/round").id],
      body: { version: await versionOf(given, "confirmation_round", "true") },
    }),
  ],
  [
    "DELETE /api/admin/round/:id",
    async ({ send }) => ({
      at: [(await send("PUT /api/admin/round", { body: { target: all } })).id],
      query: "?version=1",
    }),
  ],
  ["POST /api/admin/message/retry", always({ body: { all: true } })],
  ["PATCH /api/admin/consent/setting", always({ body: { automatic: false, version: 0 } })],
  ["POST /api/admin/consent/remind", always({ body: {} })],
  [
    "POST /api/mail/off/:token",
    async ({ one, send }) => {
      await send("PUT /api/board/:boardCode/follow", { at: ["notice"], body: {}, who: "member14" });
      await send("PUT /api/board-item/:boardCode", { at: ["notice"], body: item });
      await send("POST /api/admin/job/:name/run", { at: ["notices"], body: {} });
      const body = await one("SELECT body FROM message WHERE body LIKE '%/mail/off/%' ORDER BY rowid DESC");
      return { at: [/\/mail\/off\/(\S+)/.exec(body)?.[1] ?? ""], body: {}, who: null };
    },
  ],
  [
    "POST /api/confirmation/:token/code",
    async (given) => {
      await openLinks(given);
      return { at: [LINKS[0]], body: {}, who: null };
    },
  ],
  [
    "POST /api/confirmation/:token/open",
    async ({ did, one }) => ({
      at: [LINKS[0]],
      body: {
        codeToken: did("POST /api/confirmation/:token/code").codeToken,
        pincode: await one("SELECT pincode FROM message WHERE pincode IS NOT NULL ORDER BY created_date DESC"),
      },
      who: null,
    }),
  ],
  [
    "POST /api/confirmation/:token/correct",
    ({ did }) => ({
      at: [LINKS[0]],
      body: { affiliation: "새병원", version: 1, proof: did("POST /api/confirmation/:token/open").proof },
      who: null,
    }),
  ],
  ["POST /api/confirmation/:token/yes", always({ at: [LINKS[1]], query: "?version=1", body: {}, who: null })],
];
