import {
  alumniFieldPath,
  createAlumniFieldInput,
  updateAlumniFieldInput,
} from "#worker/contract/alumni/own-field-input.ts";
import { orderInput, versionQuery } from "#worker/contract/kernel/fields.ts";
import * as fields from "#worker/domain/alumni/own-field.server.ts";
import { apiRoutes, contextCall, creatingCall, fromBody, fromPath, fromQuery, scopeCall } from "../kernel/call.ts";

/** The fields that the office adds to the address book. */
export const adminAlumniFieldApi = apiRoutes()
  .get("/", scopeCall(fields.listAlumniFields))
  .put("/", creatingCall(fields.createAlumniField, fromBody(createAlumniFieldInput)))
  .post("/order", contextCall(fields.orderAlumniFields, fromBody(orderInput, "codes")))
  .patch(
    "/:code",
    contextCall(fields.updateAlumniField, fromPath(alumniFieldPath, "code"), fromBody(updateAlumniFieldInput)),
  )
  .delete(
    "/:code",
    contextCall(fields.removeAlumniField, fromPath(alumniFieldPath, "code"), fromQuery(versionQuery, "version")),
  );
