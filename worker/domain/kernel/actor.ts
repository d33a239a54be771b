import { type PermissionSet } from "#worker/contract/kernel/permissions.ts";

/** What a session has shown of its person beside the password. */
export interface SecondFactorProof {
  hasFactor: boolean;
  /** The permissions ask for one. */
  isRequired: boolean;
  /** When it was last shown; the password, where there is no second factor. */
  provenDate: Date | null;
  /** What the person may once a second factor is set up: till then without the sensitive ones. */
  withheld?: PermissionSet;
}

/** Whose password was right and whose second factor is still to come: a guest until then. */
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
      /** Those of the own role. What is held for a period is used and not handed on, or it would outlast the period. */
      lastingCodes: ReadonlySet<string>;
      /** Of a session; who is not here has none. */
      secondFactor?: SecondFactorProof;
    };

export type SignedInActor = Exclude<Actor, { kind: "guest" }>;
