import { env } from "cloudflare:workers";
import { fillSecretToken } from "#worker/domain/mail/message.server.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { contextFor } from "../../support/request-scope.ts";
import { requirePresent } from "../../support/require-present.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow } from "../../support/test-database.ts";
import { alumnusId, everybody, manyAlumni, sendTestMailing } from "./people.ts";

export const QUESTION = { text: "정기 총회에 오십니까?", answers: ["참석", "불참", "위임"], endDay: "" };

/** The token of a person's letter. */
export async function answerToken(admin: TestSession, mailingId: string, nth: number): Promise<string> {
  const row = await readRow<{ body: string; onceKey: string }>(
    "SELECT body, once_key AS onceKey FROM message WHERE once_key = ?",
    `mailing:${mailingId}:${alumnusId(nth)}`,
  );
  const text = fillSecretToken(await contextFor(admin), requirePresent(row));
  return requirePresent(/\/answer\/([\w-]{43})\/1/.exec(text)?.[1]);
}

/** Three people are asked, with the token of each. */
export async function askThree(question: object = {}) {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(3)]);
  const id = await sendTestMailing(admin, everybody, { question: { ...QUESTION, ...question } });
  await runScheduledJobs(env);
  const tokens = await Promise.all([1, 2, 3].map((nth) => answerToken(admin, id, nth)));
  return { admin, id, tokens: tokens as [string, string, string] };
}

export const answer = (token: string, place: number, session: TestSession | null = null) =>
  callAs(session, "POST", `/api/mailing-answer/${token}/${place}`, {});

export const questionOf = async (session: TestSession | null, id: string) =>
  callAs(session, "GET", `/api/admin/mailing/${id}/question`);
