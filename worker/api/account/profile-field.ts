import * as input from "#worker/contract/account/setting-input.ts";
import * as fields from "#worker/domain/account/profile-field.server.ts";
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

const code = fromPath(input.profileFieldPath, "code");

export const adminProfileFieldApi = apiRoutes()
  .get("/", scopeCall(fields.listProfileFields))
  .put("/", creatingCall(fields.createProfileField, fromBody(input.createProfileFieldInput)))
  .post("/order", contextCall(fields.orderProfileFields, bodyOrder))
  .patch("/:code", contextCall(fields.updateProfileField, code, fromBody(input.updateProfileFieldInput)))
  .delete("/:code", contextCall(fields.removeProfileField, code, queryVersion));
