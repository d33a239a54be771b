import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import { normaliseUserKey, type UserKeyType } from "#worker/contract/account/rules.ts";

export type VerifiableKeyType = Exclude<UserKeyType, "Id">;

/** The verification holds for this address only. Times are by the server's clock. */
export interface KeyVerification {
  userKeyCode: string;
  userKeyToken: string;
  isVerified: boolean;
  resendAt: number;
  expiresAt: number;
}

export function startVerification(
  userKeyCode: string,
  sent: { userKeyToken: string; resendSeconds: number },
  now: number,
): KeyVerification {
  return {
    userKeyCode,
    userKeyToken: sent.userKeyToken,
    isVerified: false,
    resendAt: now + sent.resendSeconds * 1000,
    expiresAt: now + TOKEN_LIMITS.pincodeTtlSeconds * 1000,
  };
}

export function completeVerification(sent: KeyVerification, userKeyToken: string, now: number): KeyVerification {
  return { ...sent, userKeyToken, isVerified: true, expiresAt: now + TOKEN_LIMITS.verifiedTtlSeconds * 1000 };
}

/** Returns the verification if it matches the field's value and has not expired. */
export function findVerification(
  type: VerifiableKeyType,
  value: string,
  verification: KeyVerification | null,
  now: number,
): KeyVerification | null {
  if (!verification || verification.expiresAt <= now) return null;
  return verification.userKeyCode === normaliseUserKey(type, value) ? verification : null;
}

/** 09:59 */
export function formatCountdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}
