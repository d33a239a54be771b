import { HOUR_MS } from "#worker/contract/kernel/limits.ts";
import type { Attendance, EventFee, EventQuestion } from "#worker/contract/event/event.ts";
import { callAs } from "../support/api-client.ts";
import { createTestItem } from "../support/factories.ts";
import { createMemberSession, type TestSession } from "../support/people.ts";
import { requirePresent } from "../support/require-present.ts";
import { readRow, runSql } from "../support/test-database.ts";
import type { ActWorld, PrepareAct } from "./area-targets.ts";
import { settingOf, timesAt } from "./event-acts.ts";

export const QUESTIONS: EventQuestion[] = [
  { code: "q1", name: "식사", inputType: "select", detail: ["한식", "채식"], required: true },
  { code: "q2", name: "알릴 말", inputType: "text", detail: [], required: false },
];

export const FEES: EventFee[] = [
  { code: "f1", name: "정회원", amount: 50_000, roleCodes: [] },
  { code: "f2", name: "무료", amount: 0, roleCodes: [] },
];

interface TestEvent {
  places?: number | null;
  questions?: EventQuestion[];
  useWaiting?: boolean;
  hidesCounts?: boolean;
  roleCodes?: string[];
  attendance?: Attendance;
  fees?: EventFee[];
  feeDays?: number | null;
  cancelsUnpaid?: boolean;
  boardCode?: string;
  item?: Record<string, unknown>;
}

/** Opens registration on a new item of a board, without its calls. */
export async function openTestEvent(
  author: TestSession,
  {
    places = null,
    questions = [],
    useWaiting = true,
    hidesCounts = false,
    roleCodes = [],
    attendance = "both",
    ...more
  }: TestEvent = {},
) {
  const { boardCode = "free", item = {}, fees = [], feeDays = null, cancelsUnpaid = false } = more;
  const itemNo = await createTestItem(author, boardCode, { title: "동계 심포지엄", ...item });
  const now = Date.now();
  await runSql("UPDATE board SET use_events = 1, is_closed = 0 WHERE board_code = ?", boardCode);
  const found = await readRow<{ id: number }>(
    "UPDATE board_item SET event_start = ?, event_end = ? WHERE board_code = ? AND item_no = ? RETURNING id",
    now + 48 * HOUR_MS,
    now + 50 * HOUR_MS,
    boardCode,
    itemNo,
  );
  const { id } = requirePresent(found);
  await runSql(
    `INSERT INTO event (item_id, open_date, close_date, places, use_waiting, hides_counts, role_codes, questions, attendance, fees, fee_days, cancels_unpaid, created_date, modified_date)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?2, ?2)`,
    id,
    now - HOUR_MS,
    now + 24 * HOUR_MS,
    places,
    Number(useWaiting),
    Number(hidesCounts),
    JSON.stringify(roleCodes),
    JSON.stringify(questions),
    attendance,
    JSON.stringify(fees),
    feeDays,
    Number(cancelsUnpaid),
  );
  return { id, itemNo, own: `/api/event/${boardCode}/${itemNo}`, office: `/api/admin/event/${boardCode}/${itemNo}` };
}

export const registerAt = (session: TestSession, own: string, more: object = {}) =>
  callAs(session, "POST", own, { questionsVersion: 1, joinsQueue: true, ...more });

async function registered(world: ActWorld, places: number | null = null) {
  const event = await openTestEvent(world.admin, { places });
  const { data } = await registerAt(await createMemberSession(), event.own);
  return { ...event, registration: `/api/admin/event/registration/${data.id}` };
}

export const EVENT_ACTS: Record<string, PrepareAct> = {
  "PUT /api/admin/event/:boardCode/:itemNo": async ({ admin }) => {
    const { id, office } = await openTestEvent(admin);
    await runSql("DELETE FROM event WHERE item_id = ?", id);
    return { path: office, body: settingOf() };
  },
  "PATCH /api/admin/event/:boardCode/:itemNo": async ({ admin }) => ({
    path: (await openTestEvent(admin)).office,
    body: settingOf({ version: 1 }),
  }),
  "DELETE /api/admin/event/:boardCode/:itemNo": async ({ admin }) => ({
    path: `${(await openTestEvent(admin)).office}?version=1`,
  }),
  "POST /api/admin/event/:boardCode/:itemNo/registration": async ({ admin, member }) => ({
    path: `${(await openTestEvent(admin)).office}/registration`,
    body: { who: member.user.email, reason: "전화 신청" },
  }),
  "POST /api/admin/event/:boardCode/:itemNo/move": async (world) => ({
    path: `${(await registered(world)).office}/move`,
    body: { ...timesAt(96), reason: "대관 사정", version: 1 },
  }),
  "POST /api/admin/event/:boardCode/:itemNo/call-off": async (world) => ({
    path: `${(await registered(world)).office}/call-off`,
    body: { reason: "대관 사정", version: 1 },
  }),
  "POST /api/admin/event/:boardCode/:itemNo/certificate": async (world) => {
    const { id, office } = await registered(world);
    await runSql("UPDATE event_registration SET status = 'present' WHERE item_id = ?", id);
    await runSql("UPDATE event SET certificate_kind_id = 'member' WHERE item_id = ?", id);
    return { path: `${office}/certificate` };
  },
  "POST /api/admin/event/registration/:id/up": async (world) => {
    const { id, registration } = await registered(world);
    await runSql("UPDATE event_registration SET status = 'waiting' WHERE item_id = ?", id);
    return { path: `${registration}/up`, body: { reason: "연자", version: 1 } };
  },
  "POST /api/admin/event/registration/:id/cancel": async (world) => ({
    path: `${(await registered(world)).registration}/cancel`,
    body: { reason: "중복", version: 1 },
  }),
  "POST /api/admin/event/registration/:id/refund": async (world) => {
    const { id, registration } = await registered(world);
    await runSql("UPDATE event_registration SET status = 'cancelled' WHERE item_id = ?", id);
    await runSql(
      `INSERT INTO due (id, alumni_id, kind_id, period, amount, paid, work_id, created_date, modified_date)
        SELECT id, id, id, '2026-행사1', 50000, 50000, '', 1, 1 FROM event_registration WHERE item_id = ?`,
      id,
    );
    return { path: `${registration}/refund`, body: { reason: "환불", paid: 50_000 } };
  },
  "POST /api/admin/event/registration/:id/attendance": async (world) => ({
    path: `${(await registered(world)).registration}/attendance`,
    body: { mark: "present" },
  }),
};
