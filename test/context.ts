import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { type AppContext, openDoor } from "#worker/context.server.ts";
import type { Session } from "./factories.ts";

/** What a verb gets when this person, or a guest, calls it. */
export function contextOf(session: Session | null): Promise<AppContext> {
  const execution = createExecutionContext();
  const door = openDoor({
    request: new Request("http://localhost/"),
    env,
    requestId: crypto.randomUUID(),
    credential: session ? { token: session.accessToken, from: "bearer" } : null,
    defer: (work) => execution.waitUntil(work),
  });
  return door.context();
}
