import { createRoleInput, rolePath, simulateQuery, updateRoleInput } from "#worker/contract/access/input.ts";
import { createRole, deleteRole, listRoles, updateRole } from "#worker/domain/access/role.server.ts";
import { simulateAccess } from "#worker/domain/access/simulate.server.ts";
import { apiRoutes, scopeCall, contextCall, creatingCall, fromPath, fromQuery, fromBody } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const adminRoleApi = apiRoutes()
  .get("/", scopeCall(listRoles))
  .put("/", recentSecondFactor, creatingCall(createRole, fromBody(createRoleInput)))
  .get("/simulate", contextCall(simulateAccess, fromQuery(simulateQuery)))
  .patch(
    "/:roleCode",
    recentSecondFactor,
    contextCall(updateRole, fromPath(rolePath, "roleCode"), fromBody(updateRoleInput)),
  )
  .delete("/:roleCode", recentSecondFactor, contextCall(deleteRole, fromPath(rolePath, "roleCode")));
