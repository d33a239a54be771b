import { afterEach, beforeEach } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { expectDuesCounted } from "./dues.ts";

export const DEPOSITS = "/api/admin/due/deposit";

export interface BankRow {
  when: string;
  payer: string;
  amount: number;
  balance: number | null;
  doubt?: string;
}

/** An administrator for each test of a file, whose dues are counted after each, and their acts on a bank's rows. */
export function openBankOffice() {
  let admin: TestSession | null = null;
  beforeEach(async () => {
    admin = await createAdministratorSession();
  });
  afterEach(expectDuesCounted);
  const plan = async (rows: BankRow[], withdrawals: BankRow[] = []) =>
    (await callAs(admin, "POST", `${DEPOSITS}/plan`, { rows, withdrawals })).data;
  return {
    office: () => admin,
    plan,
    /** As it was planned. */
    async commit(
      rows: BankRow[],
      { withdrawals = [], ...more }: { withdrawals?: BankRow[]; [field: string]: unknown } = {},
    ) {
      const { fingerprint } = await plan(rows, withdrawals);
      return callAs(admin, "POST", `${DEPOSITS}/commit`, {
        rows,
        withdrawals,
        fileName: "3월.xlsx",
        fingerprint,
        ...more,
      });
    },
    open: async () => (await callAs(admin, "GET", `${DEPOSITS}?state=open`)).data.content,
  };
}
