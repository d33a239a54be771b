import { Hono } from "hono";
import { createRoleInput, rolePath, simulateQuery, updateRoleInput } from "#worker/contract/access/input.ts";
import { createRole, deleteRole, listRoles, updateRole } from "#worker/domain/access/role.server.ts";
import { simulateAccess } from "#worker/domain/access/simulate.server.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath, validateQuery } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const adminRoleApi = new Hono<ApiEnv>()
  .get("/", async (c) => sendData(c, await listRoles(c.var.scope)))
  .put("/", recentSecondFactor, validateBody(createRoleInput), async (c) =>
    sendData(c, await createRole(await openContext(c), c.req.valid("json"))),
  )
  .get("/simulate", validateQuery(simulateQuery), async (c) =>
    sendData(c, await simulateAccess(await openContext(c), c.req.valid("query"))),
  )
  .patch("/:roleCode", recentSecondFactor, validatePath(rolePath), validateBody(updateRoleInput), async (c) =>
    sendData(c, await updateRole(await openContext(c), c.req.valid("param").roleCode, c.req.valid("json"))),
  )
  .delete("/:roleCode", recentSecondFactor, validatePath(rolePath), async (c) =>
    sendData(c, await deleteRole(await openContext(c), c.req.valid("param").roleCode)),
  );
