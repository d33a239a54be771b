import { env } from "cloudflare:workers";
import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { holdsCodeOrLink, MAIL_TEMPLATE_KINDS } from "#worker/contract/mail/templates.ts";

/** Owner of a row. The board `free` is one area, every other board is `board:other`. */
export type Area =
  | "console"
  | "alumni"
  | "dues"
  | "board:free"
  | "board:other"
  | "inquiry"
  | "event"
  | "research"
  | "template";

/** Rows of an area by condition; `columns` when an area owns only part of the row. */
interface AreaRows {
  area: Area;
  where?: string;
  columns?: string;
}

const all = (area: Area): AreaRows[] => [{ area }];
const byBoard = (isFree: string, columns = "*"): AreaRows[] => [
  { area: "board:free", where: isFree, columns },
  { area: "board:other", where: `NOT (${isFree})`, columns },
];
const BOARD_COLUMNS = "board_code, board_name, use_secret, use_comment, categories, is_closed, version";
const ofItem = "item_id IN (SELECT id FROM board_item WHERE board_code = 'free')";
const bySource = (isAlumni: string): AreaRows[] => [
  { area: "alumni", where: isAlumni },
  { area: "console", where: `NOT (${isAlumni})` },
];
/** Mail templates with a code or link need `Mail_Template`. */
const KEPT_TEMPLATES = `kind IN (${MAIL_TEMPLATE_KINDS.filter(holdsCodeOrLink)
  .map((kind) => `'${kind}'`)
  .join()})`;
/** Derived or recorded data: counters, indexes, logs, sessions, limits. */
const DERIVED_TABLES = `
  session refresh_token verification recovery_code second_factor_challenge
  alumni_figure alumni_count alumni_alike alumni_value alumni_state
  due_sum due_standing due_people
  board_item_count board_item_search board_item_view file file_text
  audit_log audit_subject audit_person destruction destroyed_trace backup_trace retention_notice retention_permit
  kept_answer rate_limit notice_choice notice_pending activity mail_address mail_report
  moving_part moving_entry moving_seen moved_thing moving_file moving_issue old_note
  job backup_run backup_before backup_drill alarm age_clock page_stamp`;

/** Every table of `db/schema`; a table without a line fails the test. */
const TABLE_AREAS: Record<string, AreaRows[]> = {
  role: all("console"),
  role_grant: all("console"),
  user: [{ area: "console", columns: "id, user_name, user_type, role_code, status, password_hash, profile" }],
  user_key: all("console"),
  user_consent: all("console"),
  profile_field: all("console"),
  second_factor: all("console"),
  second_factor_recovery: all("console"),
  suspension: all("console"),
  privacy_request: all("console"),
  content: all("console"),
  content_version: all("console"),
  content_file: all("console"),
  center: all("console"),
  agreement: all("console"),
  popup: all("console"),
  quick_link: all("console"),
  mail_template: [
    { area: "template", where: KEPT_TEMPLATES },
    { area: "console", where: `NOT (${KEPT_TEMPLATES})` },
  ],
  site_setting: [
    { area: "alumni", where: "key = 'alumni'" },
    { area: "console", where: "key <> 'alumni'" },
  ],
  board: [
    { area: "board:free", where: "board_code = 'free'", columns: BOARD_COLUMNS },
    { area: "board:other", where: "board_code IN ('notice', 'reference')", columns: BOARD_COLUMNS },
    // A new board has no data, and the menu owns the order.
    { area: "console", columns: "board_code, sort_order" },
  ],
  board_item: byBoard("board_code = 'free'", "id, title, content, is_secret, created_date, deleted_date, version"),
  item_draft: byBoard("board_code = 'free'"),
  board_item_comment: byBoard(ofItem),
  board_item_revision: byBoard(ofItem),
  item_report: byBoard(ofItem),
  alumni: all("alumni"),
  alumni_field: all("alumni"),
  alumni_view: all("alumni"),
  alumni_confirmation: all("alumni"),
  alumni_distinct: all("alumni"),
  alumni_import: all("alumni"),
  alumni_import_form: all("alumni"),
  alumni_import_choice: all("alumni"),
  alumni_import_person: all("alumni"),
  alumni_before: all("alumni"),
  alumni_merge: all("alumni"),
  deed_row: [
    { area: "alumni", where: "table_name LIKE 'alumni%'" },
    { area: "dues", where: "table_name LIKE 'd%'" },
  ],
  alumni_staging: all("alumni"),
  alumni_staged: all("alumni"),
  alumni_certificate: all("alumni"),
  certificate_kind: all("alumni"),
  alumni_correction: all("alumni"),
  due_kind: all("dues"),
  due: all("dues"),
  deposit: all("dues"),
  due_allocation: all("dues"),
  due_payer: all("dues"),
  due_list_person: all("dues"),
  due_work: all("dues"),
  confirmation_round: all("alumni"),
  confirmation_answer: all("alumni"),
  mailing: bySource("source = 'alumni'"),
  mailing_recipient: bySource("mailing_id IN (SELECT id FROM mailing WHERE source = 'alumni')"),
  mailing_answer: bySource("mailing_id IN (SELECT id FROM mailing WHERE source = 'alumni')"),
  message: bySource(
    "once_key LIKE 'mailing:%' AND substr(once_key, 9, 36) IN (SELECT id FROM mailing WHERE source = 'alumni')",
  ),
  event: all("event"),
  event_registration: all("event"),
  ...Object.fromEntries(
    ["proposal_call", "proposal", "proposal_applicant", "proposal_review", "proposal_event", "proposal_file"].map(
      (table) => [table, all("research")],
    ),
  ),
  inquiry: all("inquiry"),
  inquiry_message: all("inquiry"),
  inquiry_file: all("inquiry"),
  moving: all("console"),
  moving_archive: all("console"),
  ...Object.fromEntries((DERIVED_TABLES.match(/\w+/g) ?? []).map((table) => [table, []])),
};

const schema = import.meta.glob<Record<string, unknown>>("../../db/schema/*.ts", { eager: true });
const tables = Object.values(schema).flatMap((module) =>
  Object.values(module).flatMap((value) => (is(value, SQLiteTable) ? [getTableName(value)] : [])),
);

export const tablesWithoutArea = () => [
  ...tables.filter((table) => !(table in TABLE_AREAS)),
  ...Object.keys(TABLE_AREAS).filter((table) => !tables.includes(table)),
];

const parts = Object.entries(TABLE_AREAS).flatMap(([table, rows]) => rows.map((row) => ({ table, ...row })));

export async function readAreas(): Promise<Map<string, string>> {
  const results = await env.DB.batch(
    parts.map(({ table, where = "1", columns = "*" }) =>
      env.DB.prepare(`SELECT ${columns} FROM "${table}" WHERE ${where} ORDER BY 1, 2`),
    ),
  );
  return new Map(
    parts.map(({ table, area }, at) => [`${table} ${area}`, JSON.stringify(results[at]?.results ?? [])] as const),
  );
}

export const changedAreas = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...after.keys()].filter((key) => before.get(key) !== after.get(key));

export const areaOf = (changed: string) => changed.split(" ")[1] as Area;
