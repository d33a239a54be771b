import {
  createProfileFieldInput,
  profileFieldPath,
  updateProfileFieldInput,
} from "#worker/contract/account/setting-input.ts";
import { orderInput, versionQuery } from "#worker/contract/kernel/fields.ts";
import * as fields from "#worker/domain/account/profile-field.server.ts";
import { apiRoutes, scopeCall, contextCall, fromPath, fromQuery, fromBody } from "../kernel/call.ts";

const code = fromPath(profileFieldPath, "code");

export const adminProfileFieldApi = apiRoutes()
  .get("/", scopeCall(fields.listProfileFields))
  .put("/", contextCall(fields.createProfileField, fromBody(createProfileFieldInput)))
  .post("/order", contextCall(fields.orderProfileFields, fromBody(orderInput, "codes")))
  .patch("/:code", contextCall(fields.updateProfileField, code, fromBody(updateProfileFieldInput)))
  .delete("/:code", contextCall(fields.removeProfileField, code, fromQuery(versionQuery, "version")));
