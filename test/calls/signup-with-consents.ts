import { env } from "cloudflare:workers";
import { databaseRows } from "../support/backup.ts";
import { createVerifiedToken, openSignup } from "../support/factories.ts";

export const MINUTE_MS = 60_000;

export async function dumpDatabase(): Promise<string> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*' AND sql NOT LIKE '%VIRTUAL%' AND sql NOT LIKE '%WITHOUT ROWID%' AND name NOT GLOB 'board_search_*' AND name NOT GLOB 'alumni_gram_*'",
  ).all<{ name: string }>();
  return JSON.stringify(
    await databaseRows(
      env.DB,
      results.map(({ name }) => name),
    ),
  );
}

export async function freshmanForm(fields: object = {}) {
  await openSignup();
  return {
    userKeyType: "Id",
    userKeyCode: "freshman",
    password: "Zk7!mQ2x",
    userName: "선우현",
    profile: { affiliation: "가온병원" },
    userKeyTokenForEmail: await createVerifiedToken("fresh@pid.example.kr"),
    agreements: [{ code: "terms", version: "1" }],
    ...fields,
  };
}
