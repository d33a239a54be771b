import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { openRequestScope } from "./open-scope.ts";
import { type AppContext, type RequestScope } from "#worker/domain/kernel/context.ts";
import type { TestSession } from "./factories.ts";

/** What a verb that only reads gets when this person, or a guest, calls it. */
export function scopeFor(session: TestSession | null): RequestScope {
  const execution = createExecutionContext();
  return openRequestScope({
    request: new Request("http://localhost/"),
    env,
    requestId: crypto.randomUUID(),
    credential: session ? { token: session.accessToken } : null,
    defer: (work) => execution.waitUntil(work),
  });
}

/** What a verb gets when this person, or a guest, calls it. */
export const contextFor = (session: TestSession | null): Promise<AppContext> => scopeFor(session).context();
