import { type Context, type Handler, Hono } from "hono";
import type { Input as CallInput, TypedResponse } from "hono/types";
import type { z } from "zod";
import { idempotencyKey, idPath, orderInput, rowIdPath, versionQuery } from "#worker/contract/kernel/fields.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { answerOnce } from "#worker/domain/kernel/idempotency.server.ts";
import { type CallDescription, describe } from "./describe.ts";
import {
  type ApiEnv,
  type Download,
  fileResponse,
  openContext,
  readBody,
  readPath,
  readQuery,
  sendData,
  setSessionCookie,
} from "./http.ts";
import { invalidInput, type SuccessAnswer } from "#worker/contract/kernel/errors.ts";

export const apiRoutes = () => new Hono<ApiEnv>();

interface CallArgument<S, Value> {
  read(c: Context<ApiEnv>): Value | Promise<Value>;
  described: Pick<CallDescription, "param" | "query" | "json" | "maxBytes">;
  sent?: S;
}
type Arguments = readonly CallArgument<object, unknown>[];
type Values<A extends Arguments> = { [K in keyof A]: A[K] extends CallArgument<object, infer V> ? V : never };
type AllOf<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;
type SentBy<A extends Arguments> = AllOf<
  A[number] extends infer E ? (E extends CallArgument<infer S, unknown> ? S : never) : never
>;
type Taken<A extends Arguments> = { in: A extends readonly [] ? {} : SentBy<A>; out: {} };
/** The typed client does not compile without the key; other clients may leave it out. */
type TakenOnce<A extends Arguments> = { in: Taken<A>["in"] & { header: { "Idempotency-Key": string } }; out: {} };
type CallHandler<A extends Arguments, T, I extends CallInput = Taken<A>> = Handler<
  ApiEnv,
  string,
  I,
  Promise<Response & TypedResponse<SuccessAnswer<T>, 200, "json">>
>;

async function readArguments<A extends Arguments>(c: Context<ApiEnv>, args: A): Promise<Values<A>> {
  const values: unknown[] = [];
  for (const argument of args) values.push(await argument.read(c));
  return values as Values<A>;
}

const describeCall = <H extends object>(handler: H, act: object, args: Arguments, description: CallDescription): H =>
  describe(
    handler,
    Object.assign({ act: act as CallDescription["act"] }, ...args.map((each) => each.described), description),
  );

function callHandler<C, A extends Arguments, T>(
  openCaller: (c: Context<ApiEnv>) => C | Promise<C>,
  act: (caller: C, ...values: Values<A>) => Promise<T>,
  args: A,
): CallHandler<A, T> {
  const handler: CallHandler<A, T> = async (c) => {
    const values = await readArguments(c, args);
    return sendData(c, await act(await openCaller(c), ...values));
  };
  return describeCall(handler, act, args, { answer: "data" });
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
export function creatingCall<A extends Arguments, T>(
  act: (ctx: AppContext, ...values: Values<A>) => Promise<T>,
  ...args: A
): CallHandler<A, T, TakenOnce<A>> {
  const handler: CallHandler<A, T, TakenOnce<A>> = async (c) => {
    const values = await readArguments(c, args);
    const key = readIdempotencyKey(c);
    const request = [c.req.method, c.req.path, ...values];
    return sendData(c, await answerOnce(await openContext(c), key, request, (ctx) => act(ctx, ...values)));
  };
  return describeCall(handler, act, args, { answer: "data", isCreating: true });
}

/** Answers with a response of its own: a file, a stream, a cookie or a redirect. */
export function responseCall<A extends Arguments, R extends Response>(
  answer: (c: Context<ApiEnv>, ...values: Values<A>) => Promise<R>,
  ...args: A
): Handler<ApiEnv, string, Taken<A>, Promise<R>> {
  return describeCall(async (c: Context<ApiEnv>) => answer(c, ...(await readArguments(c, args))), answer, args, {});
}

/** Signs in: the access token is also set as the cookie of pages. */
export function tokenCall<A extends Arguments, T extends { accessToken: string }>(
  act: (ctx: AppContext, ...values: Values<A>) => Promise<T>,
  ...args: A
): CallHandler<A, T> {
  const handler: CallHandler<A, T> = async (c) => {
    const values = await readArguments(c, args);
    const tokens = await act(await openContext(c), ...values);
    setSessionCookie(c, tokens.accessToken);
    return sendData(c, tokens);
  };
  return describeCall(handler, act, args, { answer: "data" });
}

/** Answers with a file to download. */
export function fileCall<A extends Arguments>(
  act: (ctx: AppContext, ...values: Values<A>) => Promise<Download>,
  ...args: A
): Handler<ApiEnv, string, Taken<A>, Promise<Response>> {
  const handler = async (c: Context<ApiEnv>) => {
    const values = await readArguments(c, args);
    return fileResponse(await act(await openContext(c), ...values));
  };
  return describeCall(handler, act, args, { answer: "file" });
}

type Place = "param" | "query" | "json";
type Picked<S extends z.ZodType, K> = K extends keyof z.output<S> ? z.output<S>[K] : z.output<S>;
type Input<P extends Place, S extends z.ZodType, K> = CallArgument<{ [Key in P]: z.input<S> }, Picked<S, K>>;

const pick = <S extends z.ZodType, K>(parsed: z.output<S>, field: K | undefined) =>
  (field === undefined ? parsed : (parsed as Record<string, unknown>)[field as string]) as Picked<S, K>;

const fromPath = <S extends z.ZodType, K extends keyof z.output<S> | undefined = undefined>(
  schema: S,
  field?: K,
): Input<"param", S, K> => ({ described: { param: schema }, read: (c) => pick<S, K>(readPath(c, schema), field) });

const fromQuery = <S extends z.ZodType, K extends keyof z.output<S> | undefined = undefined>(
  schema: S,
  field?: K,
): Input<"query", S, K> => ({ described: { query: schema }, read: (c) => pick<S, K>(readQuery(c, schema), field) });

const fromBody = <S extends z.ZodType, K extends keyof z.output<S> | undefined = undefined>(
  schema: S,
  field?: K,
): Input<"json", S, K> => ({
  described: { json: schema },
  read: async (c) => pick<S, K>(await readBody(c, schema), field),
});

const fromBodyWithin = <Value, Sent>(
  maxBytes: number | undefined,
  schema: z.ZodType<Value, Sent>,
): CallArgument<{ json: Sent }, Value> => ({
  described: { json: schema, ...(maxBytes === undefined ? {} : { maxBytes }) },
  read: (c) => readBody(c, schema, maxBytes),
});

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
