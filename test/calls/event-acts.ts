import { HOUR_MS } from "#worker/contract/kernel/limits.ts";
import type { EventQuestion } from "#worker/contract/event/event.ts";
import { callAs } from "../support/api-client.ts";
import { createTestItem } from "../support/factories.ts";
import { createMemberSession, type TestSession } from "../support/people.ts";
import { requirePresent } from "../support/require-present.ts";
import { readRow, runSql } from "../support/test-database.ts";
import type { ActWorld, PrepareAct } from "./area-targets.ts";
import { type Acts, day, type Given, reason, versionOf } from "./writing-act.ts";

export const QUESTIONS: EventQuestion[] = [
  { code: "q1", name: "식사", inputType: "select", detail: ["한식", "채식"], required: true },
  { code: "q2", name: "알릴 말", inputType: "text", detail: [], required: false },
];

interface TestEvent {
  places?: number | null;
  questions?: EventQuestion[];
  useWaiting?: boolean;
  hidesCounts?: boolean;
  roleCodes?: string[];
  boardCode?: string;
  item?: Record<string, unknown>;
}

/** Opens registration on a new item of a board, without its calls. */
export async function openTestEvent(
  author: TestSession,
  { places = null, questions = [], useWaiting = true, hidesCounts = false, roleCodes = [], ...more }: TestEvent = {},
) {
  const { boardCode = "free", item = {} } = more;
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
    `INSERT INTO event (item_id, open_date, close_date, places, use_waiting, hides_counts, role_codes, questions, created_date, modified_date)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?2, ?2)`,
    id,
    now - HOUR_MS,
    now + 24 * HOUR_MS,
    places,
    Number(useWaiting),
    Number(hidesCounts),
    JSON.stringify(roleCodes),
    JSON.stringify(questions),
  );
  return { id, itemNo, own: `/api/event/${boardCode}/${itemNo}`, office: `/api/admin/event/${boardCode}/${itemNo}` };
}

export const registerAt = (session: TestSession, own: string, more: object = {}) =>
  callAs(session, "POST", own, { questionsVersion: 1, joinsQueue: true, ...more });

const soon = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
export const settingOf = (more: object = {}) => ({
  openDate: soon(-1),
  closeDate: soon(24),
  cancelUntil: "",
  places: 10,
  useWaiting: true,
  hidesCounts: false,
  ...more,
});

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
  "POST /api/admin/event/registration/:id/up": async (world) => {
    const { id, registration } = await registered(world);
    await runSql("UPDATE event_registration SET status = 'waiting' WHERE item_id = ?", id);
    return { path: `${registration}/up`, body: { reason: "연자", version: 1 } };
  },
  "POST /api/admin/event/registration/:id/cancel": async (world) => ({
    path: `${(await registered(world)).registration}/cancel`,
    body: { reason: "중복", version: 1 },
  }),
  "POST /api/admin/event/registration/:id/attendance": async (world) => ({
    path: `${(await registered(world)).registration}/attendance`,
    body: { mark: "present" },
  }),
};

/** Of the demo site, each on the state that the one before it left. */
const demoItem = async ({ one }: Given) =>
  JSON.parse(
    await one<string>(
      "SELECT json_array(board_code, item_no) FROM board_item WHERE title LIKE '%(시험 행사)' ORDER BY id DESC LIMIT 1",
    ),
  ) as [string, number];
const demoRegistration = (given: Given, where: string) =>
  given.one(`SELECT id FROM event_registration WHERE ${where} ORDER BY rowid DESC LIMIT 1`);
const OPENED = "item_id = (SELECT id FROM board_item WHERE title LIKE '%(시험 행사)' ORDER BY id DESC LIMIT 1)";

export const EVENT_WRITES: Acts = [
  [
    "PUT /api/admin/event/:boardCode/:itemNo",
    async (given) => {
      const times = { isAllDay: false, startDate: day(10), endDate: day(10.1) };
      const body = { title: "학술대회 (시험 행사)", content: "<p>안내</p>", fileIds: [], event: times };
      await given.send("PUT /api/board-item/:boardCode", { at: ["notice"], body });
      return { at: await demoItem(given), body: settingOf({ places: 1 }) };
    },
  ],
  [
    "PATCH /api/admin/event/:boardCode/:itemNo",
    async (given) => ({
      at: await demoItem(given),
      body: settingOf({
        places: 1,
        questions: [{ name: "식사", inputType: "text", detail: [], required: false }],
        version: 1,
      }),
    }),
  ],
  [
    "POST /api/event/:boardCode/:itemNo",
    async (given) => ({
      at: await demoItem(given),
      body: { questionsVersion: 2, answers: { q1: "채식" } },
      who: "member01",
    }),
  ],
  [
    "PATCH /api/event/registration/:id",
    async (given) => ({
      at: [await demoRegistration(given, OPENED)],
      body: { questionsVersion: 2, answers: { q1: "한식" }, version: 1 },
      who: "member01",
    }),
  ],
  [
    "POST /api/admin/event/registration/:id/attendance",
    async (given) => ({ at: [await demoRegistration(given, OPENED)], body: { mark: "absent" } }),
  ],
  [
    "POST /api/event/registration/:id/cancel",
    async (given) => {
      const id = await demoRegistration(given, OPENED);
      await given.send("POST /api/admin/event/registration/:id/attendance", { at: [id], body: { mark: "unmark" } });
      return {
        at: [id],
        body: { version: await versionOf(given, "event_registration", `id = '${id}'`) },
        who: "member01",
      };
    },
  ],
  [
    "POST /api/admin/event/:boardCode/:itemNo/registration",
    async (given) => ({ at: await demoItem(given), body: { who: "member02", reason } }),
  ],
  [
    "POST /api/admin/event/registration/:id/up",
    async (given) => {
      const body = { questionsVersion: 2, joinsQueue: true };
      await given.send("POST /api/event/:boardCode/:itemNo", { at: await demoItem(given), body, who: "member01" });
      return { at: [await demoRegistration(given, `${OPENED} AND status = 'waiting'`)], body: { reason, version: 1 } };
    },
  ],
  [
    "POST /api/admin/event/registration/:id/cancel",
    async (given) => {
      const id = await demoRegistration(given, `${OPENED} AND status = 'confirmed'`);
      return { at: [id], body: { reason, version: await versionOf(given, "event_registration", `id = '${id}'`) } };
    },
  ],
  [
    "POST /api/admin/event/:boardCode/:itemNo/export",
    async (given) => ({ at: await demoItem(given), body: { reason } }),
  ],
  [
    "DELETE /api/admin/event/:boardCode/:itemNo",
    async (given) => {
      await given.one(`DELETE FROM event_registration WHERE ${OPENED} RETURNING id`);
      return { at: await demoItem(given), query: `?version=${await versionOf(given, "event", OPENED)}` };
    },
  ],
];
