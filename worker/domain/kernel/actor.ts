import { type PermissionSet } from "#worker/contract/kernel/permissions.ts";

interface SecondFactorProof {
  hasFactor: boolean;
  isRequired: boolean;
  /** Last proof of the second factor, or of the password without one. */
  provenDate: Date | null;
  /** Full permissions after a second factor is set up; until then the sensitive ones are withheld. */
  withheld?: PermissionSet;
}

/** A person after the password but before the second factor, treated as a guest. */
export interface PendingPerson {
  userId: string;
  userName: string;
  sessionId: string;
}

export type Actor =
  | { kind: "guest"; permissions: PermissionSet; pending?: PendingPerson }
  | {
      kind: "member" | "admin";
      userId: string;
      userName: string;
      sessionId: string;
      roleCode: string;
      roleName: string;
      permissions: PermissionSet;
      /** Codes of the own role. Temporary ones cannot be granted to others, or they would outlast their period. */
      lastingCodes: ReadonlySet<string>;
      secondFactor?: SecondFactorProof;
    };

export type SignedInActor = Exclude<Actor, { kind: "guest" }>;
