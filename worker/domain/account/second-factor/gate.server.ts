import {
  needsSecondFactor,
  type SecondFactorMode,
  withoutSensitivePermissions,
} from "#worker/contract/kernel/second-factor.ts";
import type { Actor, SignedInActor } from "../../kernel/actor.ts";

interface ProofRow {
  createdDate: Date;
  secondFactorDate: Date | null;
  passwordDate: Date | null;
  hasSecondFactor: number;
}

/** What a session may do until its person has shown, or set up, the second factor. */
export function gateBySecondFactor(person: SignedInActor, guest: Actor, row: ProofRow, mode: SecondFactorMode): Actor {
  const { userId, userName, sessionId, permissions } = person;
  const hasFactor = row.hasSecondFactor === 1;
  if (hasFactor && !row.secondFactorDate) {
    return { kind: "guest", permissions: guest.permissions, pending: { userId, userName, sessionId } };
  }
  const isRequired = mode === "required" && needsSecondFactor(permissions);
  // A session begins with a password that was right.
  const provenDate = hasFactor ? row.secondFactorDate : (row.passwordDate ?? row.createdDate);
  if (hasFactor || !isRequired) return { ...person, secondFactor: { hasFactor, isRequired, provenDate } };
  return {
    ...person,
    permissions: withoutSensitivePermissions(permissions),
    secondFactor: { hasFactor, isRequired, provenDate, withheld: permissions },
  };
}
