import { createRoleInput, rolePath, simulateQuery, updateRoleInput } from "#worker/contract/access/input.ts";
import { createRole, deleteRole, listRoles, updateRole } from "#worker/domain/access/role.server.ts";
import { simulateAccess } from "#worker/domain/access/simulate.server.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const adminRoleApi = apiRoutes()
  .get("/", scopeCall(listRoles))
  .put("/", recentSecondFactor, creatingCall(createRole, sent.body(createRoleInput)))
  .get("/simulate", contextCall(simulateAccess, sent.query(simulateQuery)))
  .patch(
    "/:roleCode",
    recentSecondFactor,
    contextCall(updateRole, sent.path(rolePath, "roleCode"), sent.body(updateRoleInput)),
  )
  .delete("/:roleCode", recentSecondFactor, contextCall(deleteRole, sent.path(rolePath, "roleCode")));
