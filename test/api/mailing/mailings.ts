import { callAs } from "../../support/api-client.ts";
import type { TestSession } from "../../support/people.ts";
import { readRow, runSql } from "../../support/test-database.ts";

export const agree = (userId: string, agreed = true, at = Date.now() - 1000) =>
  runSql(
    "INSERT INTO user_consent (user_id, code, version, agreed, text_hash, created_date) VALUES (?, 'newsletter', '1', ?, 'y', ?)",
    userId,
    Number(agreed),
    at,
  );
export const getMailing = async (session: TestSession, id: string) =>
  (await callAs(session, "GET", `/api/admin/mailing/${id}`)).data;
export const messageCount = async () =>
  (await readRow<{ n: number }>("SELECT count(*) AS n FROM message WHERE once_key LIKE 'mailing:%'"))?.n;
