import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { openDoor } from "#worker/context.server.ts";
import { type AppContext, type Door } from "#worker/domain/kernel/context.ts";
import type { Session } from "./factories.ts";

/** What a verb that only reads gets when this person, or a guest, calls it. */
export function doorOf(session: Session | null): Door {
  const execution = createExecutionContext();
  return openDoor({
    request: new Request("http://localhost/"),
    env,
    requestId: crypto.randomUUID(),
    credential: session ? { token: session.accessToken, from: "bearer" } : null,
    defer: (work) => execution.waitUntil(work),
  });
}

/** What a verb gets when this person, or a guest, calls it. */
export const contextOf = (session: Session | null): Promise<AppContext> => doorOf(session).context();
