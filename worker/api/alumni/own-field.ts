import {
  alumniFieldPath,
  createAlumniFieldInput,
  updateAlumniFieldInput,
} from "#worker/contract/alumni/own-field-input.ts";
import * as fields from "#worker/domain/alumni/own-field.server.ts";
import {
  apiRoutes,
  bodyOrder,
  contextCall,
  creatingCall,
  fromBody,
  fromPath,
  queryVersion,
  scopeCall,
} from "../kernel/call.ts";

/** The fields that the office adds to the address book. */
export const adminAlumniFieldApi = apiRoutes()
  .get("/", scopeCall(fields.listAlumniFields))
  .put("/", creatingCall(fields.createAlumniField, fromBody(createAlumniFieldInput)))
  .post("/order", contextCall(fields.orderAlumniFields, bodyOrder))
  .patch(
    "/:code",
    contextCall(fields.updateAlumniField, fromPath(alumniFieldPath, "code"), fromBody(updateAlumniFieldInput)),
  )
  .delete("/:code", contextCall(fields.removeAlumniField, fromPath(alumniFieldPath, "code"), queryVersion));
