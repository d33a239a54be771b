import { HOUR_MS } from "#worker/contract/kernel/limits.ts";
import { type Acts, day, type Given, reason, versionOf } from "./writing-act.ts";

const soon = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
export const settingOf = (more: object = {}) => ({
  openDate: soon(-1),
  closeDate: soon(24),
  cancelUntil: "",
  places: 10,
  useWaiting: true,
  hidesCounts: false,
  takesGuests: false,
  attendance: "entry",
  feeDays: null,
  reminderDays: null,
  cancelsUnpaid: false,
  ...more,
});

/** Times of an event that begins so many hours from now. */
export const timesAt = (hours: number) => ({
  isAllDay: false,
  startDate: soon(hours),
  endDate: soon(hours + 2),
  place: "소강당",
});

/** Of the demo site, each on the state that the one before it left. */
const demoItem = async ({ one }: Given) =>
  JSON.parse(
    await one<string>(
      "SELECT json_array(board_code, item_no) FROM board_item WHERE title LIKE '%(시험 행사)' ORDER BY id DESC LIMIT 1",
    ),
  ) as [string, number];
const demoRegistration = (given: Given, where: string) =>
  given.one(`SELECT id FROM event_registration WHERE ${where} ORDER BY rowid DESC LIMIT 1`);
const guestToken = (did: Given["did"]) => did("POST /api/event-guest/:boardCode/:itemNo").path.split("/").at(-1);
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
    "POST /api/admin/event/:boardCode/:itemNo/certificate",
    async (given) => {
      await given.one(`UPDATE event SET certificate_kind_id = 'member' WHERE ${OPENED} RETURNING item_id`);
      await given.one(`UPDATE event_registration SET status = 'present' WHERE id = (SELECT id FROM event_registration
        WHERE ${OPENED} AND status = 'confirmed' LIMIT 1) RETURNING id`);
      return { at: await demoItem(given) };
    },
  ],
  [
    "POST /api/admin/event/registration/:id/refund",
    async (given) => {
      const id = await demoRegistration(given, `${OPENED} AND status = 'cancelled'`);
      await given.one(
        `INSERT INTO due (id, alumni_id, kind_id, period, amount, paid, work_id, created_date, modified_date)
          VALUES ('${id}', '${id}', '${id}', '2026-행사1', 50000, 50000, '', 1, 1) RETURNING id`,
      );
      return { at: [id], body: { reason, paid: 50_000 } };
    },
  ],
  [
    "POST /api/admin/event/:boardCode/:itemNo/mailing",
    async (given) => ({ at: await demoItem(given), body: { to: "all" } }),
  ],
  [
    "POST /api/admin/event/:boardCode/:itemNo/print-data",
    async (given) => ({ at: await demoItem(given), body: { reason } }),
  ],
  [
    "POST /api/admin/event/:boardCode/:itemNo/export",
    async (given) => ({ at: await demoItem(given), body: { reason } }),
  ],
  [
    "POST /api/event-guest/:boardCode/:itemNo",
    async (given) => {
      const { one, send } = given;
      await one(`UPDATE event SET takes_guests = 1, places = NULL WHERE ${OPENED} RETURNING item_id`);
      const key = { userKeyType: "Email", userKeyCode: "visitor@pid.example.kr" };
      const { userKeyToken } = await send("POST /api/user-key/check", { body: key, who: null });
      const pincode = await one("SELECT pincode FROM message WHERE recipient = ? AND pincode <> ''", key.userKeyCode);
      const proof = await send("POST /api/user-key/confirm", { body: { userKeyToken, pincode }, who: null });
      const body = {
        userName: "김손님",
        userKeyToken: proof.userKeyToken,
        questionsVersion: 2,
        answers: { q1: "채식" },
      };
      return { at: await demoItem(given), body, who: null };
    },
  ],
  [
    "PATCH /api/event-guest/registration/:token",
    ({ did }) => ({
      at: [guestToken(did)],
      body: { questionsVersion: 2, answers: { q1: "한식" }, version: 1 },
      who: null,
    }),
  ],
  [
    "POST /api/event-guest/registration/:token/cancel",
    ({ did }) => ({ at: [guestToken(did)], body: { version: 2 }, who: null }),
  ],
  [
    "POST /api/admin/event/:boardCode/:itemNo/move",
    async (given) => ({
      at: await demoItem(given),
      body: { ...timesAt(96), reason, version: await versionOf(given, "event", OPENED) },
    }),
  ],
  [
    "POST /api/admin/event/:boardCode/:itemNo/call-off",
    async (given) => ({
      at: await demoItem(given),
      body: { reason, version: await versionOf(given, "event", OPENED) },
    }),
  ],
  [
    "DELETE /api/admin/event/:boardCode/:itemNo",
    async (given) => {
      await given.one(`DELETE FROM event_registration WHERE ${OPENED} RETURNING id`);
      return { at: await demoItem(given), query: `?version=${await versionOf(given, "event", OPENED)}` };
    },
  ],
];
