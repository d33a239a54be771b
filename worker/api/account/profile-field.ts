import * as input from "#worker/contract/account/setting-input.ts";
import * as fields from "#worker/domain/account/profile-field.server.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";

const code = sent.path(input.profileFieldPath, "code");

export const adminProfileFieldApi = apiRoutes()
  .get("/", readCall(fields.listProfileFields))
  .put("/", creatingCall(fields.createProfileField, sent.body(input.createProfileFieldInput)))
  .post("/order", writeCall(fields.orderProfileFields, sent.order))
  .patch("/:code", writeCall(fields.updateProfileField, code, sent.body(input.updateProfileFieldInput)))
  .delete("/:code", writeCall(fields.removeProfileField, code, sent.version));
