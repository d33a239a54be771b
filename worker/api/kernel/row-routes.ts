import type { MiddlewareHandler } from "hono";
import type { NewVersion } from "#worker/contract/kernel/errors.ts";
import type { RowFields, StoredValues } from "#worker/contract/kernel/row.ts";
import type { RowInputs } from "#worker/contract/kernel/row-input.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "./call.ts";
import type { ApiEnv } from "./http.ts";

interface Rows<F extends RowFields, View, Key> {
  inputs: RowInputs<F>;
  list(scope: RequestScope): Promise<View[]>;
  create(ctx: AppContext, input: StoredValues<F>): Promise<Key>;
  update(ctx: AppContext, key: string, input: StoredValues<F> & { version: number }): Promise<NewVersion>;
  remove(ctx: AppContext, key: string, version: number): Promise<object>;
  order(ctx: AppContext, keys: string[]): Promise<{ codes: string[] }>;
}

interface RowRouteOptions {
  /** Of a body. */
  maxBytes?: number;
  /** Runs before a row is created, changed or removed. */
  guard?: MiddlewareHandler<ApiEnv>;
}

export const rowRoutes = <F extends RowFields, View, Key>(
  rows: Rows<F, View, Key>,
  { maxBytes, guard = (_c, next) => next() }: RowRouteOptions = {},
) =>
  apiRoutes()
    .get("/", readCall(rows.list))
    .put("/", guard, creatingCall(rows.create, sent.bodyWithin(maxBytes, rows.inputs.create)))
    .post("/order", writeCall(rows.order, sent.order))
    .patch("/:id", guard, writeCall(rows.update, sent.rowId, sent.bodyWithin(maxBytes, rows.inputs.update)))
    .delete("/:id", guard, writeCall(rows.remove, sent.rowId, sent.version));
