import { type Context, type Handler, Hono } from "hono";
import type { TypedResponse } from "hono/types";
import type { z } from "zod";
import { idempotencyKey, idPath, orderInput, rowIdPath, versionQuery } from "#worker/contract/kernel/fields.ts";
import type { SuccessAnswer } from "#worker/contract/kernel/envelope.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { answerOnce } from "#worker/domain/kernel/idempotency.server.ts";
import { type ApiEnv, openContext, readBody, readPath, readQuery, sendData } from "./http.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";

export const apiRoutes = () => new Hono<ApiEnv>();

interface CallArgument<S, Value> {
  read(c: Context<ApiEnv>): Value | Promise<Value>;
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

/** Answers with a read, whose statements share the session's round trip. `args` follow in order. */
export const readCall = <A extends Arguments, T>(
  act: (scope: RequestScope, ...values: Values<A>) => Promise<T>,
  ...args: A
) => callHandler((c) => c.var.scope, act, args);

/** Answers with a write, or with a read that needs its own `AppContext`. */
export const writeCall = <A extends Arguments, T>(
  act: (ctx: AppContext, ...values: Values<A>) => Promise<T>,
  ...args: A
) => callHandler(openContext, act, args);

/** Creates once per `Idempotency-Key`; the function stores the answer in its batch (`storeIdempotentAnswer`). */
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

const fromPath = <S extends z.ZodType, K extends keyof z.output<S> | undefined = undefined>(
  schema: S,
  field?: K,
): Input<"param", S, K> => ({ read: (c) => pick<S, K>(readPath(c, schema), field) });

const fromQuery = <S extends z.ZodType, K extends keyof z.output<S> | undefined = undefined>(
  schema: S,
  field?: K,
): Input<"query", S, K> => ({ read: (c) => pick<S, K>(readQuery(c, schema), field) });

const fromBody = <S extends z.ZodType, K extends keyof z.output<S> | undefined = undefined>(
  schema: S,
  field?: K,
): Input<"json", S, K> => ({ read: async (c) => pick<S, K>(await readBody(c, schema), field) });

const fromBodyWithin = <Value, Sent>(
  maxBytes: number | undefined,
  schema: z.ZodType<Value, Sent>,
): CallArgument<{ json: Sent }, Value> => ({ read: (c) => readBody(c, schema, maxBytes) });

export const sent = {
  path: fromPath,
  query: fromQuery,
  body: fromBody,
  bodyWithin: fromBodyWithin,
  id: fromPath(idPath, "id"),
  rowId: fromPath(rowIdPath, "id"),
  /** The version that the user saw before deleting. */
  version: fromQuery(versionQuery, "version"),
  order: fromBody(orderInput, "codes"),
};

function readIdempotencyKey(c: Context<ApiEnv>): string | null {
  const header = c.req.header("Idempotency-Key");
  if (header === undefined) return null;
  const key = idempotencyKey.safeParse(header);
  if (!key.success) throw invalidInput({ "Idempotency-Key": "8~100자의 영문, 숫자, -, _로 보내 주십시오." });
  return key.data;
}
