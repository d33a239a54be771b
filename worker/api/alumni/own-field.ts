import {
  alumniFieldPath,
  createAlumniFieldInput,
  updateAlumniFieldInput,
} from "#worker/contract/alumni/own-field-input.ts";
import * as fields from "#worker/domain/alumni/own-field.server.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const adminAlumniFieldApi = apiRoutes()
  .get("/", readCall(fields.listAlumniFields))
  .put("/", recentSecondFactor, creatingCall(fields.createAlumniField, sent.body(createAlumniFieldInput)))
  .post("/order", writeCall(fields.orderAlumniFields, sent.order))
  .patch(
    "/:code",
    recentSecondFactor,
    writeCall(fields.updateAlumniField, sent.path(alumniFieldPath, "code"), sent.body(updateAlumniFieldInput)),
  )
  .delete(
    "/:code",
    recentSecondFactor,
    writeCall(fields.removeAlumniField, sent.path(alumniFieldPath, "code"), sent.version),
  );
