import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { openRequestScope } from "./open-scope.ts";
import { type AppContext, type RequestScope } from "#worker/domain/kernel/context.ts";
import type { TestSession } from "./people.ts";

export const scopeFor = (session: TestSession | null): RequestScope => scopeOfToken(session?.accessToken);

export function scopeOfToken(token?: string): RequestScope {
  const execution = createExecutionContext();
  return openRequestScope({
    request: new Request("http://localhost/"),
    env,
    requestId: crypto.randomUUID(),
    credential: token ? { token } : null,
    defer: (work) => execution.waitUntil(work),
  });
}

export const contextFor = (session: TestSession | null): Promise<AppContext> => scopeFor(session).context();
