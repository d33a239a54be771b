import { callAs } from "../support/api-client.ts";
import { readValue, runSql } from "../support/test-database.ts";
import { type ActWorld, person, type PrepareAct } from "./area-targets.ts";
import { bankFile, DEPOSIT_ROW, DUE_ROW } from "./deposit-acts.ts";

const PATH = "/api/admin/due/deposit";

export async function owingPerson(world: ActWorld): Promise<string> {
  const id = await person(world);
  await runSql(DUE_ROW, id);
  return id;
}
async function receivedDeposit(): Promise<string> {
  const id = crypto.randomUUID();
  await runSql(DEPOSIT_ROW, id);
  return id;
}

/** Files whose amounts differ, as a deposit of the same moment, amount and name would be a question. */
let committed = 0;

export const DEPOSIT_AREA_ACTS: Record<string, PrepareAct> = {
  "PUT /api/admin/due/deposit": async (world) => ({
    path: PATH,
    body: { alumniId: await owingPerson(world), amount: 20_000, day: "2026-01-02" },
  }),
  "POST /api/admin/due/deposit/commit": async (world) => {
    const name = await readValue<string>("SELECT name FROM alumni WHERE id = ?", await owingPerson(world));
    committed += 1;
    const rows = bankFile.rows.map((row) => ({ ...row, amount: row.amount + committed, payer: `${name} 회비` }));
    const { data } = await callAs(world.admin, "POST", `${PATH}/plan`, { rows });
    return { path: `${PATH}/commit`, body: { rows, fileName: "입금.xlsx", fingerprint: data.fingerprint } };
  },
  "POST /api/admin/due/deposit/:id/allocate": async (world) => ({
    path: `${PATH}/${await receivedDeposit()}/allocate`,
    body: { people: [await owingPerson(world)], version: 1 },
  }),
  "POST /api/admin/due/deposit/:id/release": async (world) => {
    const path = `${PATH}/${await receivedDeposit()}`;
    await callAs(world.admin, "POST", `${path}/allocate`, { people: [await owingPerson(world)], version: 1 });
    return { path: `${path}/release`, body: { version: 2 } };
  },
  "POST /api/admin/due/deposit/:id/alike": async () => ({
    path: `${PATH}/${await receivedDeposit()}/alike`,
    body: { version: 1 },
  }),
  "POST /api/admin/due/deposit/:id/state": async () => ({
    path: `${PATH}/${await receivedDeposit()}/state`,
    body: { isClosed: true, version: 1 },
  }),
};
