import * as input from "#worker/contract/account/setting-input.ts";
import * as fields from "#worker/domain/account/profile-field.server.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";

const code = sent.path(input.profileFieldPath, "code");

export const adminProfileFieldApi = apiRoutes()
  .get("/", scopeCall(fields.listProfileFields))
  .put("/", creatingCall(fields.createProfileField, sent.body(input.createProfileFieldInput)))
  .post("/order", contextCall(fields.orderProfileFields, sent.order))
  .patch("/:code", contextCall(fields.updateProfileField, code, sent.body(input.updateProfileFieldInput)))
  .delete("/:code", contextCall(fields.removeProfileField, code, sent.version));
