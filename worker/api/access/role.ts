import { Hono } from "hono";
import { createRoleInput, rolePath, simulateQuery, updateRoleInput } from "#worker/contract/access/input.ts";
import { createRole, deleteRole, listRoles, updateRole } from "#worker/domain/access/role.server.ts";
import { simulate } from "#worker/domain/access/simulate.server.ts";
import { type ApiEnv, body, ok, opened, path, query } from "../kernel/http.ts";

export const adminRoleApi = new Hono<ApiEnv>()
  .get("/", async (c) => ok(c, await listRoles(c.var.door)))
  .put("/", body(createRoleInput), async (c) => ok(c, await createRole(await opened(c), c.req.valid("json"))))
  .get("/simulate", query(simulateQuery), async (c) => ok(c, await simulate(await opened(c), c.req.valid("query"))))
  .patch("/:roleCode", path(rolePath), body(updateRoleInput), async (c) =>
    ok(c, await updateRole(await opened(c), c.req.valid("param").roleCode, c.req.valid("json"))),
  )
  .delete("/:roleCode", path(rolePath), async (c) =>
    ok(c, await deleteRole(await opened(c), c.req.valid("param").roleCode)),
  );
