import { env } from "cloudflare:workers";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { openRequestScope } from "./open-scope.ts";
import { countRowsReadDatabase } from "./rows-read.ts";

export async function measureRead<Answer>(token: string | null, read: (scope: RequestScope) => Promise<Answer>) {
  const { DB, rows, batches } = countRowsReadDatabase(env.DB);
  const later: Promise<unknown>[] = [];
  const scope = openRequestScope({
    request: new Request("http://localhost/"),
    env: { ...env, DB },
    credential: token === null ? null : { token },
    requestId: "test",
    defer: (work) => later.push(work),
  });
  const answer = await read(scope);
  const measured = { answer, rows: rows(), batches: batches() };
  await Promise.all(later);
  return measured;
}
