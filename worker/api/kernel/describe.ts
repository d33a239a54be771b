import type { RouterRoute } from "hono/types";
import type { z } from "zod";

export interface CallDescription {
  param?: z.ZodType;
  query?: z.ZodType;
  json?: z.ZodType;
  maxBytes?: number;
  /** Takes an `Idempotency-Key`. */
  isCreating?: true;
  /** Checks before the body is read; all must pass. Reads leave them to their function. */
  asks?: readonly string[];
  /** Only writes ask, because a part of the reads is open to others. */
  asksWrites?: readonly string[];
  /** Undefined for a handler that writes its own response. */
  answer?: "data" | "file";
  act?: (...args: never[]) => unknown;
}

const descriptions = new WeakMap<object, CallDescription>();

export function describe<H extends object>(handler: H, description: CallDescription): H {
  descriptions.set(handler, description);
  return handler;
}

export type DescribedCall = CallDescription & { method: string; path: string; asks: readonly string[] };

function covers({ method, path }: RouterRoute, call: RouterRoute): boolean {
  if (method !== "ALL" && method !== call.method) return false;
  const places = call.path.split("/");
  const pattern = path.split("/");
  const isGroup = pattern.at(-1) === "*";
  if (isGroup) pattern.pop();
  return (
    (isGroup ? pattern.length <= places.length : pattern.length === places.length) &&
    pattern.every((part, at) => part === places[at] || (method === "ALL" && part.startsWith(":")))
  );
}

/** Joins each call with the checks that are registered before it. */
export function describeCalls(routes: readonly RouterRoute[]): DescribedCall[] {
  const calls = new Map<string, DescribedCall>();
  for (const [at, route] of routes.entries()) {
    if (route.method === "ALL") continue;
    const passed = routes.slice(0, at + 1).filter((each) => covers(each, route));
    const parts = passed.map(({ handler }) => descriptions.get(handler) ?? {});
    const { method, path } = route;
    const asks = parts.flatMap((part) => [...(part.asks ?? []), ...((method !== "GET" && part.asksWrites) || [])]);
    calls.set(`${method} ${path}`, {
      ...(Object.assign({}, ...parts) as CallDescription),
      method,
      path,
      asks: [...new Set(asks)],
    });
  }
  return [...calls.values()];
}
