import { callAs } from "../../support/api-client.ts";
import { contextFor } from "../../support/request-scope.ts";
import type { TestSession } from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { readRow } from "../../support/test-database.ts";
import { fillSecretToken } from "#worker/domain/mail/message.server.ts";

export const roundCall = (session: TestSession | null, id: string, act: string, body: object = {}) =>
  callAs(session, "POST", `/api/admin/round/${id}/${act}`, body);

export const everyone = { filter: { cohort: 12 } };

export async function startTestRound(
  admin: TestSession,
  { target = everyone, ...more }: { target?: object; repeats?: boolean; reminderDays?: number } = {},
): Promise<string> {
  const made = await callAs(admin, "PUT", "/api/admin/round", { target });
  const { count } = (await roundCall(admin, made.data.id, "preview")).data;
  const body = { version: 1, count, reminderDays: 14, reason: "한 해에 한 번", ...more };
  const started = await roundCall(admin, made.data.id, "start", body);
  if (started.code !== "SUCCESS") throw new Error(`round not started: ${started.code} ${started.message}`);
  return made.data.id;
}

export async function linkOf(admin: TestSession, personId: string): Promise<string> {
  const row = await readRow<{ body: string; onceKey: string }>(
    "SELECT body, once_key AS onceKey FROM message WHERE once_key LIKE 'mailing:%:' || ? ORDER BY created_date DESC, rowid DESC LIMIT 1",
    personId,
  );
  const text = fillSecretToken(await contextFor(admin), requirePresent(row));
  return requirePresent(/\/confirm\/([\w-]{43})/.exec(text)?.[1]);
}

export const answerLink = (token: string, act: string, body?: object, session: TestSession | null = null) =>
  callAs(session, "POST", `/api/confirmation/${token}/${act}`, body);
