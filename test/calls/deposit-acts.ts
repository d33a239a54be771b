import { type Acts, always, type Given, person } from "./writing-act.ts";

export const DUE_ROW = `INSERT INTO due (id, alumni_id, kind_id, period, amount, work_id, created_date, modified_date)
  VALUES (?1, ?1, 'kind', '2026', 50000, '', 1, 1)`;
export const DEPOSIT_ROW = `INSERT INTO deposit (id, source, paid_date, payer, amount, hash, work_id, created_date)
  VALUES (?1, 'bank', 1, '모르는 입금자', 20000, ?1, '', 1)`;

const owing = async (given: Given) => given.one(`${DUE_ROW} RETURNING id`, await person(given, { name: "회비낼사람" }));
const received = (given: Given) => given.one(`${DEPOSIT_ROW} RETURNING id`, crypto.randomUUID());

export const bankFile = {
  rows: [{ when: "2026-03-02T14:05:33+09:00", payer: "회비낼사람", amount: 50_000, balance: null }],
};

/** Every writing call of the bank's file, for the demo site. */
export const DEPOSIT_ACTS: Acts = [
  [
    "PUT /api/admin/due/deposit",
    async (given) => ({ body: { alumniId: await owing(given), amount: 20_000, day: "2026-01-02" } }),
  ],
  ["POST /api/admin/due/deposit/plan", always({ body: bankFile })],
  [
    "POST /api/admin/due/deposit/commit",
    async (given) => {
      await owing(given);
      const { fingerprint } = await given.send("POST /api/admin/due/deposit/plan", { body: bankFile });
      return { body: { ...bankFile, fileName: "입금.xlsx", fingerprint } };
    },
  ],
  [
    "POST /api/admin/due/deposit/:id/allocate",
    async (given) => ({ at: [await received(given)], body: { people: [await owing(given)], version: 1 } }),
  ],
  [
    "POST /api/admin/due/deposit/:id/release",
    async (given) => {
      const at = [await received(given)];
      const body = { people: [await owing(given)], version: 1 };
      await given.send("POST /api/admin/due/deposit/:id/allocate", { at, body });
      return { at, body: { version: 2 } };
    },
  ],
  ["POST /api/admin/due/deposit/:id/alike", async (given) => ({ at: [await received(given)], body: { version: 1 } })],
  [
    "POST /api/admin/due/deposit/:id/state",
    async (given) => ({ at: [await received(given)], body: { isClosed: true, note: "이자", version: 1 } }),
  ],
];
