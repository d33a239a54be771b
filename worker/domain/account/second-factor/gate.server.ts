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

export function gateBySecondFactor(person: SignedInActor, guest: Actor, row: ProofRow, mode: SecondFactorMode): Actor {
  const { userId, userName, sessionId, permissions } = person;
  const hasFactor = row.hasSecondFactor === 1;
  if (hasFactor && !row.secondFactorDate) {
    return { kind: "guest", permissions: guest.permissions, pending: { userId, userName, sessionId } };
  }
  const isRequired = mode === "required" && needsSecondFactor(permissions);
  // Falls back to the session's start, which required the right password.
  const provenDate = hasFactor ? row.secondFactorDate : (row.passwordDate ?? row.createdDate);
  if (hasFactor || !isRequired) return { ...person, secondFactor: { hasFactor, isRequired, provenDate } };
  return {
    ...person,
    permissions: withoutSensitivePermissions(permissions),
    secondFactor: { hasFactor, isRequired, provenDate, withheld: permissions },
  };
}
