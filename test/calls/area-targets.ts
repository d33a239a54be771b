import { RETENTION_RULES, type RetentionRule } from "#worker/contract/audit/retention-rules.ts";
import type { JOB_LABELS } from "#worker/contract/operation/operation.ts";
import { uploadAlumniFile } from "../samples/alumni-files.ts";
import { callAs } from "../support/api-client.ts";
import { createTestItem, createTestMailing } from "../support/factories.ts";
import { openTestEvent } from "./event-world.ts";
import { createUser, type TestSession } from "../support/people.ts";
import { readValue, runSql } from "../support/test-database.ts";

export interface ActWorld {
  admin: TestSession;
  member: TestSession;
}

const DAY_MS = 86_400_000;
const ago = (days: number) => Date.now() - days * DAY_MS;
let serial = 0;
export const nextNumber = () => ++serial;
export const unused = (word: string) => `${word}${++serial}`;

export async function made<T = string>(
  admin: TestSession,
  method: string,
  path: string,
  body: object,
  key: string,
): Promise<T> {
  const answer = await callAs(admin, method, path, body);
  if (answer.code !== "SUCCESS") throw new Error(`${method} ${path}: ${answer.code} ${answer.message}`);
  return answer.data[key] as T;
}
export const settingVersion = async (key: string, first = 0) =>
  (await readValue<number>("SELECT version FROM site_setting WHERE key = ?", key)) ?? first;
export const boardVersion = () => readValue<number>("SELECT version FROM board WHERE board_code = 'free'");

export const person = ({ admin }: ActWorld, fields: object = {}) =>
  made(admin, "PUT", "/api/alumni", { name: unused("김하늘"), cohort: 7, ...fields }, "id");
export async function binned(world: ActWorld): Promise<string> {
  const id = await person(world);
  await callAs(world.admin, "DELETE", `/api/alumni/${id}?version=1`);
  return id;
}
export async function item({ member }: ActWorld): Promise<number> {
  // Earlier acts close the board.
  await runSql("UPDATE board SET is_closed = 0 WHERE board_code = 'free'");
  return createTestItem(member, "free");
}
export async function binnedItem(world: ActWorld): Promise<number> {
  const itemNo = await item(world);
  await callAs(world.admin, "DELETE", `/api/board-item/free/${itemNo}`);
  return itemNo;
}
export async function comment(world: ActWorld) {
  const at = `free/${await item(world)}`;
  const id = await made(world.member, "PUT", `/api/board-item-comment/${at}`, { content: "댓글" }, "commentId");
  return `/api/board-item-comment/${at}/${id}`;
}
export async function reported(world: ActWorld): Promise<string> {
  const at = `free/${await item(world)}`;
  await callAs(world.admin, "PUT", `/api/board-item-report/${at}`, { reason: "advertisement" });
  return at;
}
export async function inquiry({ member }: ActWorld): Promise<string> {
  const body = { category: "other", subject: "문의", content: "내용" };
  return made(member, "POST", "/api/inquiry", body, "id");
}
export async function view({ admin }: ActWorld): Promise<string> {
  const content = { filter: {}, sort: "", columns: ["name"], isDense: true, size: 50 };
  return made(admin, "PUT", "/api/alumni/view", { name: unused("보기"), content, isShared: true }, "id");
}
export async function ownField(): Promise<string> {
  await runSql("DELETE FROM alumni_field");
  await runSql(
    "INSERT INTO alumni_field (code, name, kind, choices, access) VALUES ('own1', '회비', 'text', '[]', 'office')",
  );
  return "/api/admin/setting/alumni/field/own1";
}
export async function alumniFile({ admin }: ActWorld): Promise<string> {
  return (await uploadAlumniFile(admin, "동문.csv", `이름,기수\r\n${unused("홍길동")},3\r\n`)).fileId;
}
export async function imported(world: ActWorld): Promise<string> {
  const body = { fileId: await alumniFile(world), mode: "insert", dryRun: false };
  return made(world.admin, "POST", "/api/alumni/import-data", body, "importId");
}
export async function openedImport({ admin }: ActWorld): Promise<string> {
  const body = { fileName: "동문.xlsx", headRow: 1, heads: ["이름"], mapping: { 이름: "name" }, parts: 1 };
  const id = await made(admin, "POST", "/api/alumni/import/open", body, "importId");
  await callAs(admin, "PUT", `/api/alumni/import/${id}/part/1`, { rows: [[2, [unused("이바다")]]] });
  return id;
}
export async function mailing({ admin, ...world }: ActWorld): Promise<string> {
  const id = await person({ admin, ...world }, { email: `${unused("a")}@pid.example.kr` });
  return createTestMailing(admin, { source: "alumni", target: { ids: [id] } });
}
export async function sentMailing(world: ActWorld): Promise<string> {
  const id = await mailing(world);
  const { count } = (await callAs(world.admin, "POST", `/api/admin/mailing/${id}/preview`, {})).data;
  await callAs(world.admin, "POST", `/api/admin/mailing/${id}/send`, { version: 2, count, reason: "총회" });
  return id;
}
/** A sent mailing with a question, and its version. */
export async function asking(world: ActWorld) {
  const id = await person(world, { email: `${unused("q")}@pid.example.kr` });
  const question = { text: "오십니까?", answers: ["참석", "불참"], endDay: "" };
  const mailingId = await createTestMailing(world.admin, { source: "alumni", target: { ids: [id] } }, { question });
  const { count } = (await callAs(world.admin, "POST", `/api/admin/mailing/${mailingId}/preview`, {})).data;
  await callAs(world.admin, "POST", `/api/admin/mailing/${mailingId}/send`, { version: 2, count, reason: "총회" });
  const version = Number(await readValue("SELECT version FROM mailing WHERE id = ?", mailingId));
  return { path: `/api/admin/mailing/${mailingId}/question`, version };
}
export async function round(world: ActWorld): Promise<string> {
  const id = await person(world, { email: `${unused("r")}@pid.example.kr` });
  return made(world.admin, "PUT", "/api/admin/round", { target: { ids: [id] } }, "id");
}
export async function openRound(world: ActWorld): Promise<string> {
  const id = await made(world.admin, "PUT", "/api/admin/round", { target: { filter: { cohort: 7 } } }, "id");
  const { count } = (await callAs(world.admin, "POST", `/api/admin/round/${id}/preview`, {})).data;
  const body = { version: 1, count, reminderDays: 14, reason: "확인" };
  await callAs(world.admin, "POST", `/api/admin/round/${id}/start`, body);
  return id;
}
export const roundVersion = (id: string) =>
  readValue<number>("SELECT version FROM confirmation_round WHERE id = ?", id);
export async function heldPerson(world: ActWorld): Promise<string> {
  const id = await person(world);
  await runSql("UPDATE alumni SET email = 'held@pid.example.kr', email_hold = '' WHERE id = ?", id);
  return id;
}
export async function correction(world: ActWorld): Promise<string> {
  const id = await person(world);
  const body = { affiliation: "새봄연구소", note: "본인과 통화" };
  return made(world.admin, "PUT", `/api/cohort/person/${id}/correction`, body, "id");
}

export async function dueKind({ admin }: ActWorld): Promise<string> {
  await runSql("DELETE FROM due_kind");
  return made(admin, "PUT", "/api/admin/due-kind", { name: unused("회비"), amount: 30_000 }, "id");
}
export async function due(world: ActWorld) {
  const body = { segment: { ids: [await person(world)] }, kindId: await dueKind(world), period: "2026", count: 1 };
  const workId = await made(world.admin, "POST", "/api/admin/due/charge", body, "workId");
  return { workId, id: await readValue<string>("SELECT id FROM due WHERE work_id = ?", workId) };
}

/** The list of a period in which one person is exempt. */
export async function paidByList(world: ActWorld) {
  const { id } = await due(world);
  const kindId = await readValue<string>("SELECT kind_id FROM due WHERE id = ?", id);
  await runSql("UPDATE due SET is_exempt = 1 WHERE id = ?", id);
  const body = { period: "2026", kindId, at: new Date().toISOString(), count: 1 };
  return { path: "/api/admin/due/paid-by", body };
}

async function overRegistration(world: ActWorld): Promise<void> {
  const { data } = await callAs(world.admin, "POST", (await openTestEvent(world.admin)).own, { questionsVersion: 1 });
  await runSql(
    "UPDATE board_item SET event_start = ?1, event_end = ?1 WHERE id = (SELECT item_id FROM event_registration WHERE id = ?2)",
    ago(4000),
    data.id,
  );
}

export const DUE_ROWS: Partial<Record<RetentionRule, (world: ActWorld) => Promise<unknown>>> = {
  inquiries: async (world) =>
    runSql("UPDATE inquiry SET status = 'closed', last_date = ? WHERE id = ?", ago(2000), await inquiry(world)),
  registrations: overRegistration,
  "guest-registrations": async (world) => {
    await overRegistration(world);
    await runSql("UPDATE event_registration SET guest_email = 'guest@example.com'");
  },
  "alumni-bin": async (world) =>
    runSql("UPDATE alumni SET deleted_date = ? WHERE id = ?", ago(400), await binned(world)),
  "board-bin": async (world) =>
    runSql(
      "UPDATE board_item SET deleted_date = ? WHERE board_code = 'free' AND item_no = ?",
      ago(4000),
      await binnedItem(world),
    ),
  comments: async (world) => {
    const id = (await comment(world)).split("/").at(-1);
    await runSql("UPDATE board_item_comment SET deleted_date = ? WHERE id = ?", ago(4000), id);
  },
  drafts: async ({ member }) => {
    await callAs(member, "PUT", "/api/board-item-draft/free", { title: unused("초안"), content: "<p>글</p>" });
    await runSql("UPDATE item_draft SET modified_date = ?", ago(4000));
  },
  dues: async (world) => {
    await runSql("UPDATE due SET due_day = '', created_date = ? WHERE id = ?", ago(4000), (await due(world)).id);
  },
  messages: async (world) => {
    const key = `mailing:${await mailing(world)}:x`;
    await runSql(
      "INSERT INTO message (id, channel, recipient, subject, body, status, created_date, once_key) VALUES (?, 'email', 'a@pid.example.kr', '알림', '본문', 'sent', ?, ?)",
      crypto.randomUUID(),
      ago(4000),
      key,
    );
  },
  inactive: async () => {
    const { id } = await createUser({ roleCode: "officer" });
    await runSql("UPDATE user SET created_date = 1, last_signin_date = 1 WHERE id = ?", id);
    await runSql("INSERT INTO retention_notice (user_id, created_date) VALUES (?, ?)", id, ago(100));
  },
};

/** Retention settings with one rule enabled and shortened by one day. */
export async function retentionWith(rule: RetentionRule) {
  const { rules, requestDays } = JSON.parse(
    (await readValue<string>("SELECT value FROM site_setting WHERE key = 'privacy'")) ??
      JSON.stringify({ rules: RETENTION_RULES, requestDays: 10 }),
  );
  const { days, max } = rules[rule];
  return { requestDays, rules: { ...rules, [rule]: { on: true, days: days === max ? days - 1 : days + 1 } } };
}

export const JOB_WORK: Partial<Record<keyof typeof JOB_LABELS, (world: ActWorld) => Promise<unknown>>> = {
  mailings: sentMailing,
  rounds: async (world) =>
    runSql("UPDATE confirmation_round SET next_date = 1, end_date = 2 WHERE id = ?", await openRound(world)),
  alumni: async (world) => runSql("UPDATE alumni_staging SET touched_date = 1 WHERE id = ?", await openedImport(world)),
  expired: async (world) => runSql("UPDATE mailing SET modified_date = 1 WHERE id = ?", await mailing(world)),
};

/** Prepares valid data, so that a refusal can only come from the permission. */
export type PrepareAct = (world: ActWorld) => Promise<{ path: string; body?: unknown }>;

export const importSettings =
  (sections: (world: ActWorld) => object | Promise<object>): PrepareAct =>
  async (world) => {
    const document = { kind: "hoewon-settings", format: 1, ...(await sections(world)) };
    const path = "/api/admin/setting/import";
    const fingerprint = await made(world.admin, "POST", path, { document }, "fingerprint");
    return { path, body: { document, fingerprint, reason: "시험" } };
  };
export const exportedSection = async ({ admin }: ActWorld, section: string) =>
  (await callAs(admin, "GET", "/api/admin/setting/export")).data[section];
