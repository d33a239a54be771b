import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { callAs } from "../../support/api-client.ts";
import { createSessionWith, type TestSession } from "../../support/people.ts";
import { readRow } from "../../support/test-database.ts";
import { requirePresent } from "../../support/require-present.ts";

/** Own role without rights, plus a cohort grant for `days`. */
export async function createRepresentative(admin: TestSession, cohort: number, days = 30): Promise<TestSession> {
  const session = await createSessionWith([], { userName: "이대표" });
  const to = koreanDay(new Date(Date.now() + days * DAY_MS));
  const body = { who: session.user.userId, cohort, to, reason: "총회에서 뽑힘" };
  const answer = await callAs(admin, "PUT", "/api/admin/representative", body);
  if (answer.code !== "SUCCESS") throw new Error(`not appointed: ${answer.code} ${JSON.stringify(answer.fields)}`);
  return session;
}

/** @returns the id of a new entry */
export const createEntry = async (admin: TestSession, fields: Record<string, unknown>): Promise<string> =>
  (await callAs(admin, "PUT", "/api/alumni", fields)).data.id;

export const propose = (session: TestSession | null, personId: string, fields: Record<string, unknown>) =>
  callAs(session, "PUT", `/api/cohort/person/${personId}/correction`, { note: "본인과 통화", ...fields });

export const waitingCorrections = async (admin: TestSession) =>
  (await callAs(admin, "GET", "/api/admin/correction")).data.content;

export const versionOf = async (personId: string): Promise<number> =>
  requirePresent(await readRow<{ version: number }>("SELECT version FROM alumni WHERE id = ?", personId)).version;
