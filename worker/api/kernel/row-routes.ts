import type { RowFields } from "#worker/contract/kernel/row.ts";
import type { Rows } from "#worker/domain/kernel/rows.server.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "./call.ts";

/** @param maxBytes of a body */
export const rowRoutes = <F extends RowFields, Extra extends object>(rows: Rows<F, Extra>, maxBytes?: number) =>
  apiRoutes()
    .get("/", scopeCall(rows.list))
    .put("/", creatingCall(rows.create, sent.bodyWithin(maxBytes, rows.inputs.create)))
    .post("/order", contextCall(rows.order, sent.order))
    .patch("/:id", contextCall(rows.update, sent.rowId, sent.bodyWithin(maxBytes, rows.inputs.update)))
    .delete("/:id", contextCall(rows.remove, sent.rowId, sent.version));
