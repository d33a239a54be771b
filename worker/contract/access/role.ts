import { z } from "zod";
import { roleCode } from "../site/setting.ts";
import { id, requiredLine, version } from "../kernel/fields.ts";

const permissions = z.array(z.string().max(100)).max(2000);
export const rolePath = z.object({ roleCode: z.string().min(1).max(50) });
export const createRoleInput = z.object({ roleCode, roleName: requiredLine(30), permissions });
export type CreateRoleInput = z.output<typeof createRoleInput>;
export const updateRoleInput = z.object({ roleName: requiredLine(30), permissions, version });
export type UpdateRoleInput = z.output<typeof updateRoleInput>;

const day = z.iso.date({ error: "날짜를 2026-01-31 형식으로 입력해 주십시오." });
export const grantRoleInput = z
  .object({
    roleCode,
    /** Days in Korea, both counted; without `to` it counts until it is ended. */
    from: day,
    to: day.optional(),
    reason: requiredLine(200),
  })
  .refine(({ from, to }) => to === undefined || from <= to, {
    path: ["to"],
    message: "종료일은 시작일과 같거나 뒤여야 합니다.",
  });
export type GrantRoleInput = z.output<typeof grantRoleInput>;
export const roleGrantPath = z.object({ id, grantId: id });

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
