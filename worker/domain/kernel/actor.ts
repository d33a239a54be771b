import { type PermissionSet } from "#worker/contract/kernel/permissions.ts";

export type Actor =
  | { kind: "guest"; permissions: PermissionSet }
  | {
      kind: "member" | "admin";
      userId: string;
      userName: string;
      sessionId: string;
      roleCode: string;
      roleName: string;
      permissions: PermissionSet;
    };
