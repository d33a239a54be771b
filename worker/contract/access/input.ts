import { z } from "zod";
import {
  consoleEntryShape,
  requiredLineField,
  reasonField,
  versionField,
  dayField,
  idField,
} from "../kernel/fields.ts";
import { ROLE_NAME_MAX } from "./role.ts";

const permissionList = z.array(z.string().max(100)).max(2000);

export const rolePath = z.object({ roleCode: z.string().min(1).max(50) });

export const roleCode = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,29}$/, "영문 소문자로 시작하여 소문자, 숫자, 하이픈으로 30자까지 입력해 주십시오.");

export const roleDocument = z.object({
  roleCode,
  roleName: requiredLineField(ROLE_NAME_MAX),
  permissions: permissionList,
});

export const createRoleInput = roleDocument.extend(consoleEntryShape);

export const updateRoleInput = z.object({
  roleName: requiredLineField(ROLE_NAME_MAX),
  permissions: permissionList,
  ...consoleEntryShape,
  version: versionField,
});

export const grantRoleInput = z
  .object({
    roleCode,
    /** Days in Korea, both inclusive; without `to` it applies until it is ended. */
    from: dayField,
    to: dayField.optional(),
    ...consoleEntryShape,
    reason: reasonField,
  })
  .refine(({ from, to }) => to === undefined || from <= to, {
    path: ["to"],
    message: "종료일은 시작일과 같거나 뒤여야 합니다.",
  });

export const roleGrantPath = z.object({ id: idField, grantId: idField });

export const simulateQuery = z.object({
  /** `guest`, a sign-in key (ID, e-mail or mobile number), or a role by its code or name. */
  who: requiredLineField(100),
  path: requiredLineField(500),
  method: z.enum(["GET", "PUT", "POST", "PATCH", "DELETE"]).default("GET"),
});

export const simulateSettingsQuery = simulateQuery.pick({ who: true });
