import type { RowFields } from "#worker/contract/kernel/row.ts";
import type { Rows } from "#worker/domain/kernel/rows.server.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "./call.ts";

/** @param maxBytes of a body */
export const rowRoutes = <F extends RowFields, Extra extends object>(rows: Rows<F, Extra>, maxBytes?: number) =>
  apiRoutes()
    .get("/", readCall(rows.list))
    .put("/", creatingCall(rows.create, sent.bodyWithin(maxBytes, rows.inputs.create)))
    .post("/order", writeCall(rows.order, sent.order))
    .patch("/:id", writeCall(rows.update, sent.rowId, sent.bodyWithin(maxBytes, rows.inputs.update)))
    .delete("/:id", writeCall(rows.remove, sent.rowId, sent.version));
