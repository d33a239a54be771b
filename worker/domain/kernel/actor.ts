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
      /** Those of the own role. What is held for a period is used and not handed on, or it would outlast the period. */
      lastingCodes: ReadonlySet<string>;
    };
