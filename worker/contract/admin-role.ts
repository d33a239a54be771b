import { z } from "zod";
import { roleCode } from "./admin-setting.ts";
import { requiredLine, version } from "./fields.ts";

const permissions = z.array(z.string().max(100)).max(2000);
export const rolePath = z.object({ roleCode: z.string().min(1).max(50) });
export const createRoleInput = z.object({ roleCode, roleName: requiredLine(30), permissions });
export type CreateRoleInput = z.output<typeof createRoleInput>;
export const updateRoleInput = z.object({ roleName: requiredLine(30), permissions, version });
export type UpdateRoleInput = z.output<typeof updateRoleInput>;

export const simulateQuery = z.object({
  /** `guest`, or what a member signs in with: ID, e-mail or mobile number. */
  who: requiredLine(100),
  /** The address of a page or a call, as it stands in the browser. */
  path: requiredLine(500),
  method: z.enum(["GET", "PUT", "POST", "PATCH", "DELETE"]).default("GET"),
});
export type SimulateQuery = z.output<typeof simulateQuery>;

export interface AdminRole {
  roleCode: string;
  roleName: string;
  permissions: string[];
  isBuiltIn: boolean;
  isGuest: boolean;
  userCount: number;
  version: number;
}
export interface PermissionGroup {
  label: string;
  codes: { code: string; label: string }[];
}
export interface RolesPage {
  roles: AdminRole[];
  groups: PermissionGroup[];
}
export interface Simulation {
  who: string;
  roleName: string;
  what: string;
  allowed: boolean;
  rule: string;
}
