import { createRoleInput, rolePath, simulateQuery, updateRoleInput } from "#worker/contract/access/input.ts";
import { createRole, deleteRole, listRoles, updateRole } from "#worker/domain/access/role.server.ts";
import { simulateAccess } from "#worker/domain/access/simulate.server.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/access.ts";

export const adminRoleApi = apiRoutes()
  .get("/", readCall(listRoles))
  .put("/", recentSecondFactor, creatingCall(createRole, sent.body(createRoleInput)))
  .get("/simulate", writeCall(simulateAccess, sent.query(simulateQuery)))
  .patch(
    "/:roleCode",
    recentSecondFactor,
    writeCall(updateRole, sent.path(rolePath, "roleCode"), sent.body(updateRoleInput)),
  )
  .delete("/:roleCode", recentSecondFactor, writeCall(deleteRole, sent.path(rolePath, "roleCode")));
