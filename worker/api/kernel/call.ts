import { type Context, type Handler, Hono } from "hono";
import type { TypedResponse } from "hono/types";
import type { z } from "zod";
import { idPath, orderInput, rowIdPath, versionQuery } from "#worker/contract/kernel/fields.ts";
import type { SuccessAnswer } from "#worker/contract/kernel/envelope.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { answerOnce } from "#worker/domain/kernel/idempotency.server.ts";
import { type ApiEnv, openContext, readBody, readPath, readQuery, sendData } from "./http.ts";
import { readIdempotencyKey } from "./idempotency.ts";

/** The routes of an area begin with this. */
export const apiRoutes = () => new Hono<ApiEnv>();

/** One argument of the function that answers a call, and what the client sends for it. */
export interface CallArgument<S, Value> {
  read(c: Context<ApiEnv>): Value | Promise<Value>;
  /** Known to the compiler alone: where the client puts it. */
  sent?: S;
}
type Arguments = readonly CallArgument<object, unknown>[];
type Values<A extends Arguments> = { [K in keyof A]: A[K] extends CallArgument<object, infer V> ? V : never };
type AllOf<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;
type SentBy<A extends Arguments> = AllOf<
  A[number] extends infer E ? (E extends CallArgument<infer S, unknown> ? S : never) : never
>;
type CallHandler<A extends Arguments, T> = Handler<
  ApiEnv,
  string,
  { in: A extends readonly [] ? {} : SentBy<A>; out: {} },
  Promise<Response & TypedResponse<SuccessAnswer<T>, 200, "json">>
>;

function callHandler<C, A extends Arguments, T>(
  openCaller: (c: Context<ApiEnv>) => C | Promise<C>,
  act: (caller: C, ...values: Values<A>) => Promise<T>,
  args: A,
): CallHandler<A, T> {
  return async (c) => {
    const values: unknown[] = [];
    for (const argument of args) values.push(await argument.read(c));
    return sendData(c, await act(await openCaller(c), ...(values as Values<A>)));
  };
}

/** A call answered by a function that only reads: its statements join the session's own. The arguments follow in its order. */
export const scopeCall = <A extends Arguments, T>(
  act: (scope: RequestScope, ...values: Values<A>) => Promise<T>,
  ...args: A
) => callHandler((c) => c.var.scope, act, args);

/** A call answered by a function that writes, or reads in more than one step. The arguments follow in its order. */
export const contextCall = <A extends Arguments, T>(
  act: (ctx: AppContext, ...values: Values<A>) => Promise<T>,
  ...args: A
) => callHandler(openContext, act, args);

/**
 * A call that makes something, once for each `Idempotency-Key`: sent again it is answered alike, and nothing is made. Its
 * function keeps the answer in the batch that makes it (`keepAnswer`).
 */
export const creatingCall =
  <A extends Arguments, T>(act: (ctx: AppContext, ...values: Values<A>) => Promise<T>, ...args: A): CallHandler<A, T> =>
  async (c) => {
    const values: unknown[] = [];
    for (const argument of args) values.push(await argument.read(c));
    const key = readIdempotencyKey(c);
    const request = [c.req.method, c.req.path, ...values];
    return sendData(
      c,
      await answerOnce(await openContext(c), key, request, (ctx) => act(ctx, ...(values as Values<A>))),
    );
  };

type Place = "param" | "query" | "json";
type Picked<S extends z.ZodType, K> = K extends keyof z.output<S> ? z.output<S>[K] : z.output<S>;
type Input<P extends Place, S extends z.ZodType, K> = CallArgument<{ [Key in P]: z.input<S> }, Picked<S, K>>;

const pick = <S extends z.ZodType, K>(parsed: z.output<S>, field: K | undefined) =>
  (field === undefined ? parsed : (parsed as Record<string, unknown>)[field as string]) as Picked<S, K>;

/** What the path names, or one field of it. */
const fromPath = <S extends z.ZodType, K extends keyof z.output<S> | undefined = undefined>(
  schema: S,
  field?: K,
): Input<"param", S, K> => ({ read: (c) => pick<S, K>(readPath(c, schema), field) });

const fromQuery = <S extends z.ZodType, K extends keyof z.output<S> | undefined = undefined>(
  schema: S,
  field?: K,
): Input<"query", S, K> => ({ read: (c) => pick<S, K>(readQuery(c, schema), field) });

/** The body, or one field of it. */
const fromBody = <S extends z.ZodType, K extends keyof z.output<S> | undefined = undefined>(
  schema: S,
  field?: K,
): Input<"json", S, K> => ({ read: async (c) => pick<S, K>(await readBody(c, schema), field) });

/** A body that may be longer or must be shorter than others; refused above `maxBytes` before it is parsed. */
const fromBodyWithin = <S extends z.ZodType>(maxBytes: number, schema: S): Input<"json", S, undefined> => ({
  read: async (c) => pick<S, undefined>(await readBody(c, schema, maxBytes), undefined),
});

/** What the client sends for an argument. */
export const sent = {
  path: fromPath,
  query: fromQuery,
  body: fromBody,
  bodyWithin: fromBodyWithin,
  /** The id in `/:id`. */
  id: fromPath(idPath, "id"),
  /** The id of a row of the console in `/:id`. */
  rowId: fromPath(rowIdPath, "id"),
  /** The version that somebody saw who deletes. */
  version: fromQuery(versionQuery, "version"),
  /** The keys of all rows, in their new order. */
  order: fromBody(orderInput, "codes"),
};
