import { RouterContextProvider } from "react-router";
import { type PageRequest, pageRequest } from "#app/lib/page-loader.server.ts";
import { connectDatabase } from "#db/client.ts";
import { createTokenSigner } from "./adapters/token.server.ts";
import { readConfig } from "./config.ts";
import { openRequestScope, type StandIn } from "./context.server.ts";
import { type Credential, readPageCredential, requestClient } from "./credential.ts";
import { type BoardPlace, countSharedView, readerStatement } from "./domain/board/reader.server.ts";
import { personActor } from "./domain/account/session.server.ts";
import type { Actor, RequestScope } from "./domain/kernel/context.ts";
import { handlerFor } from "./page-routes.ts";

export interface PageCall {
  request: Request;
  env: Env;
  requestId: string;
  defer(work: Promise<unknown>): void;
}

export interface RenderedPage {
  response: Response;
  scope: RequestScope;
  untilMs(): Promise<number>;
}

/** @param shows data of a cacheable page @param standIn its values, and the actor of a member's */
export async function renderPage(
  { request, env, requestId, defer }: PageCall,
  nonce: string,
  shows: readonly string[] | null = null,
  standIn?: StandIn,
): Promise<RenderedPage> {
  const context = new RouterContextProvider();
  const credential = standIn?.actor ? null : readPageCredential(request);
  const scope = openRequestScope({ request, env, requestId, credential, defer, ...(standIn ? { standIn } : {}) });
  const asked: PageRequest = { scope, requestId, nonce, shows, changes: [] };
  context.set(pageRequest, asked);
  const answer = await handlerFor(new URL(request.url));
  const response = await answer(request, context);
  return { response, scope, untilMs: async () => Math.min(...(await Promise.all(asked.changes))) };
}

/** Reads the member and their personal values in one round trip. */
export async function readMember({ env, defer }: PageCall, { token }: Credential, place: BoardPlace) {
  const config = readConfig(env);
  const db = connectDatabase(env.DB);
  const now = new Date();
  const claims = await createTokenSigner(config).verifyAccess(token, now);
  if (!claims) return { actor: null, trace: undefined };
  const [reader] = await readerStatement(db, claims, now, place).all();
  const guest: Actor = { kind: "guest", permissions: { all: false, codes: new Set() } };
  const { actor, touch } = personActor(db, reader, claims, now, { guest, mode: config.SECOND_FACTOR });
  if (touch) defer(touch);
  return { actor, trace: reader };
}

export function countView(
  { request, env, defer }: PageCall,
  item: Parameters<typeof countSharedView>[1],
  userId?: string,
): void {
  const tokens = createTokenSigner(readConfig(env));
  const ctx = { db: connectDatabase(env.DB), tokens, client: requestClient(request), now: () => new Date(), defer };
  countSharedView(ctx, item, userId);
}
