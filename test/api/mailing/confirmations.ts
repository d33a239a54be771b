import { env } from "cloudflare:workers";
import { getConfirmation } from "#worker/domain/mailing/confirmation.server.ts";
import { readSentPincode } from "../../support/factories.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { contextFor } from "../../support/request-scope.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { rowsOf, runSql } from "../../support/test-database.ts";
import { alumnusId, manyAlumni } from "./people.ts";
import { answerLink, linkOf, startTestRound } from "./rounds.ts";

export const DAY_MS = 86_400_000;
export const [FIRST, SECOND] = [alumnusId(1), alumnusId(2)];
export const VALUES = {
  major: "소아청소년과학",
  department: "소아청소년과",
  position: "교수",
  mobile: "010-1234-5678",
  phone: "02-987-6543",
  zip_code: "03080",
  address: "서울특별시 종로구 대학로 101",
};

export async function openRound(): Promise<{ admin: TestSession; id: string; links: [string, string] }> {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  const columns = Object.keys(VALUES);
  await runSql(`UPDATE alumni SET ${columns.map((name) => `${name} = ?`).join(", ")}`, ...Object.values(VALUES));
  const id = await startTestRound(admin);
  await runScheduledJobs(env);
  return { admin, id, links: [await linkOf(admin, FIRST), await linkOf(admin, SECOND)] };
}

export const show = async (token: string, session: TestSession | null = null) =>
  getConfirmation(await contextFor(session), token);
export const state = async () =>
  JSON.stringify([await rowsOf("alumni"), await rowsOf("alumni_confirmation"), await rowsOf("confirmation_answer")]);
export const correction = { affiliation: "새병원", mobile: "010-9999-0000", version: 1 };

export async function openByCode(token: string, to = "alumnus1@pid.example.kr") {
  const sent = await answerLink(token, "code", {});
  const opened = await answerLink(token, "open", {
    codeToken: sent.data.codeToken,
    pincode: await readSentPincode(to),
  });
  return opened.data;
}
